#ifndef CLIENTS_QSUB_PATHS_H
#define CLIENTS_QSUB_PATHS_H

#include "libs/sgeobj/rows.h"

/* Files and directories that a job names and that are not there on this host: such a job ends in
 * error before it begins. */
struct answer;
struct submitter;

/* paths_warn - a warning in ANS for each place of JOB that does not exist: the directories of -o,
 * -e and -wd, the files of -i and -S
 * Paths for other hosts, and those with a variable in what is looked at, are passed over. A stat
 * for each path, nothing is opened. */
void paths_warn(const struct JB_Type *job, const struct submitter *by, struct answer *ans);

#endif

#ifndef CLI_SUBMIT_CHECKS_H
#define CLI_SUBMIT_CHECKS_H

#include "libs/sgeobj/rows.h"

/* What the host where a job is submitted can say about it before the request: for qsub and qmon. */
struct answer;
struct submitter;

/* submit_check_paths - a warning in ANS for each place of JOB that does not exist: the directories
 * of -o, -e and -wd, the files of -i and -S
 * Paths for other hosts, and those with a variable in what is looked at, are passed over. A stat
 * for each path, nothing is opened. */
void submit_check_paths(const struct JB_Type *job, const struct submitter *by, struct answer *ans);

/* submit_check_hosts - do the hosts that the paths of JOB name exist?
 * Returns 0, or -1 with ans naming the first that does not. Waits for the name service. */
int submit_check_hosts(const struct JB_Type *job, struct answer *ans);

#endif

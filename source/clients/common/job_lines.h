#ifndef CLIENTS_COMMON_JOB_LINES_H
#define CLIENTS_COMMON_JOB_LINES_H

#include <stdio.h>

#include "libs/sgeobj/rows.h"

/* job_lines_put - the lines of `qstat -j` and `qsub -verify` that say what a job is, without those
 * of its tasks. Source: qstat(1) */
void job_lines_put(FILE *out, const struct JB_Type *job);

#endif

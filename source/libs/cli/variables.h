#ifndef CLI_VARIABLES_H
#define CLI_VARIABLES_H

#include "libs/sgeobj/rows.h"

/* job_env_set - variable NAME (LEN bytes) of the job's environment gets VALUE (NULL: named without
 * a value); copied */
void job_env_set(struct JB_Type *job, const char *name, size_t len, const char *value);

#endif

#ifndef CLIENTS_COMMON_SUBMITTED_H
#define CLIENTS_COMMON_SUBMITTED_H

#include <stdio.h>

#include "libs/sgeobj/rows.h"

/* submitted_print - the line that says a job's number: `Your job 5 ("x") has been submitted`, `Your
 * job-array 5.1-3:1 ("x") ...`, with
 * IS_TERSE `5` or `5.1-3:1`. Nearly every program that submits reads it. */
void submitted_print(FILE *out, const struct JB_Type *job, uint32_t number, bool is_terse);

#endif

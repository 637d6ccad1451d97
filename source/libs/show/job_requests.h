#ifndef SHOW_JOB_REQUESTS_H
#define SHOW_JOB_REQUESTS_H

#include "libs/show/job_row.h"

/* What a job asks for, below its line: -r. Source: qstat(1). */
struct doc;

/* job_request_fields - names of the fields of a job that they are made of, ended by NULL */
extern const char *const job_request_fields[];
/* job_requests_show - ROW has its job (row_wish.keep_job) */
void job_requests_show(struct doc *d, const struct job_row *row, bool is_binding_shown);

/* Parts that other forms show too; each appends.
 * job_ids_list_text - "33,34"; names where there are names
 * job_request_list_text - the list as the user gave it
 * job_binding_text - "NONE", "set linear:1" */
struct dstr;
void job_ids_list_text(const struct JRE_Type_list *list, struct dstr *out);
void job_request_list_text(const struct JRE_Type_list *list, struct dstr *out);
void job_binding_text(const struct JB_Type *job, struct dstr *out);

#endif

#ifndef CLIENTS_COMMON_JOB_TABLE_H
#define CLIENTS_COMMON_JOB_TABLE_H

#include <stdio.h>

#include "clients/common/job_row.h"

/* The job tables of qstat, to the letter: scripts cut them by column. Source: qstat(1) OUTPUT. */

/* columns and lines that options add */
enum {
    TABLE_EXT = 1,         /* -ext */
    TABLE_URG = 2,         /* -urg */
    TABLE_PRI = 4,         /* -pri */
    TABLE_MASTER = 8,      /* -g t: a line for the master and for each slave of a parallel task */
    TABLE_TASKS = 16,      /* -t */
    TABLE_FULL = 32,       /* -f: under a queue, so without the queue column */
    TABLE_REQUESTS = 64,   /* -r */
    TABLE_EACH_TASK = 128, /* -g d */
    TABLE_NO_BINDING = 256 /* -ncb */
};

/* job_table_head - the titles and the line below them */
void job_table_head(FILE *out, unsigned options);
/* job_table_row - the line or lines of one row; with TABLE_EACH_TASK one for every task of it */
void job_table_row(FILE *out, unsigned options, const struct job_row *row);
/* job_table_bar - a line of COUNT times C */
void job_table_bar(FILE *out, char c, unsigned count);
/* full_bar_width, full_block_width - how wide the lines between queues, and around PENDING JOBS, are */
unsigned full_bar_width(unsigned options);
unsigned full_block_width(unsigned options);

/* Parts that other forms show too; each appends.
 * job_ids_list_text - "33,34"; names where there are names
 * job_request_list_text - the list as the user gave it
 * job_pe_range_text - "2-4", "1,8"
 * job_binding_text - "NONE", "set linear:1" */
struct dstr;
void job_ids_list_text(const struct JRE_Type_list *list, struct dstr *out);
void job_request_list_text(const struct JRE_Type_list *list, struct dstr *out);
void job_pe_range_text(const struct JB_Type *job, struct dstr *out);
void job_binding_text(const struct JB_Type *job, struct dstr *out);
/* task_usage - what TASK has used of NAME, as last reported; -1 if it is not */
double task_usage(const struct JAT_Type *task, const char *name);

#endif

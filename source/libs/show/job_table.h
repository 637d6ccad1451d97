#ifndef SHOW_JOB_TABLE_H
#define SHOW_JOB_TABLE_H

#include <stdio.h>

#include "libs/doc/doc.h"
#include "libs/show/job_row.h"

/* The listings of jobs. Text is to the letter: scripts cut it by column. Source: qstat(1)
 * OUTPUT. */
struct dstr;

/* columns and lines that options add */
enum {
    TABLE_EXT = 1,          /* -ext */
    TABLE_URG = 2,          /* -urg */
    TABLE_PRI = 4,          /* -pri */
    TABLE_MASTER = 8,       /* -g t: a line for the master and for each slave of a parallel task */
    TABLE_TASKS = 16,       /* -t */
    TABLE_FULL = 32,        /* -f: under a queue, so without the queue column */
    TABLE_REQUESTS = 64,    /* -r */
    TABLE_EACH_TASK = 128,  /* -g d */
    TABLE_NO_BINDING = 256, /* -ncb */
    TABLE_HOST = 512        /* below a host of qhost; with TABLE_MASTER */
};

/* the fields: rows of sge_job_fieldL.h */
enum job_field {
#define FIELD(id, ...) JOB_FIELD_##id,
#include "libs/show/sge_job_fieldL.h"
#undef FIELD
    JOB_FIELDS
};
/* job_field_title - of its column in windows; NULL: it has none
 * job_field_value - what ROW has
 *   most_bytes  of a list of tasks
 *   text        empty; the value may borrow from it */
struct doc_value job_field_value(enum job_field field, const struct job_row *row, size_t most_bytes,
                                 struct dstr *text);
const char *job_field_title(enum job_field field);

/* struct job_table - a listing under way: its document, borrowed, and which columns that has */
struct job_table {
    struct doc *doc;
    unsigned options;
    uint8_t columns[JOB_FIELDS]; /* enum job_field */
    uint8_t n;
};
/* job_table_of - of rows in D */
struct job_table job_table_of(struct doc *d, unsigned options);
/* job_table_needs - the fields of jobs, beside job_row_fields, and of their figures that the
 * columns of a listing are made of, into FIELDS; IS_PAGE: as text. Returns how many */
unsigned job_table_needs(unsigned options, bool is_page, const char *fields[JOB_FIELDS]);
/* job_table_head - the titles and the line below them */
void job_table_head(FILE *out, unsigned options);
/* job_table_row - a record for one row, or for its master and each slave; with TABLE_EACH_TASK one
 * for every task of it */
void job_table_row(const struct job_table *t, const struct job_row *row);
/* job_table_bar - a line of COUNT times C */
void job_table_bar(FILE *out, char c, unsigned count);
/* full_bar_width, full_block_width - how wide the lines between queues, and around PENDING JOBS,
 * are */
unsigned full_bar_width(unsigned options);
unsigned full_block_width(unsigned options);

/* task_usage - what TASK has used of NAME, as last reported; -1 if it is not */
double task_usage(const struct JAT_Type *task, const char *name);

#endif

#ifndef CLIENTS_ACCT_ACCT_H
#define CLIENTS_ACCT_ACCT_H

#include <stdatomic.h>
#include <stdio.h>

#include "libs/cli/selection.h"
#include "libs/doc/doc.h"
#include "libs/sgeobj/accounting.h"

/* The accounting file, for qacct and qmon: reads it line by line, here or at the qmaster, keeps
 * what a query selects, and writes totals or single records. Source: qacct(1). */
struct answer;

/* the columns that totals may be grouped by, in the order in which they are shown */
enum acct_column {
    BY_HOST,
    BY_QUEUE,
    BY_GROUP,
    BY_OWNER,
    BY_PROJECT,
    BY_DEPARTMENT,
    BY_PE,
    BY_SLOTS,
    BY_ACCOUNT,
    BY_AR,
    GROUPS
};

struct job_word { /* what -j names: an id, a name or a pattern */
    char *text;
    bool is_number;
    uint32_t number;
};

struct acct_query {
    bool groups[GROUPS]; /* columns of the totals */
    char *only[GROUPS];  /* their arguments; NULL = all */
    bool wants_jobs;     /* records, not totals */
    struct job_word
        *jobs; /* of these; none = all; of a list first the whole, if it can be a name */
    uint32_t n_jobs;
    uint64_t begin_s, end_s; /* 0 = no limit */
    bool by_end;             /* of the end, not of the start */
    bool has_tasks;          /* of these tasks alone: */
    struct task_range range;
    enum doc_form form;
    const atomic_bool *is_stopped; /* by another thread: the lines that are left are not read; NULL:
                                    * never */
};

/* struct acct_file - where the lines are
 *
 *   path     the file
 *   cell     whose qmaster has them where the file does not exist; NULL: nowhere else
 *   program  our name, for the qmaster
 *   error    set by acct_read: why the file could not be opened, 0 if it was */
struct cell;
struct acct_file {
    const char *path;
    const struct cell *cell;
    const char *program;
    int error;
};
/* acct_read - what Q selects of F, as a document on OUT
 * Returns 0; 1: nothing was found, or not all could be read, ANS says what; -1: there are no lines
 * anywhere (f->error, and ans if the qmaster was asked), and nothing has been written. Blocks. */
int acct_read(struct acct_file *f, const struct acct_query *q, FILE *out, struct answer *ans);
/* acct_run - the same over the accounting lines of FILE, to its end; 0 or 1 */
int acct_run(FILE *file, const struct acct_query *q, FILE *out, struct answer *ans);
/* acct_ask - the same over what the qmaster's file has. Only lines of the jobs that Q names by
 * number come over the wire. */
struct source;
int acct_ask(const struct source *from, const struct acct_query *q, FILE *out, struct answer *ans);

#endif

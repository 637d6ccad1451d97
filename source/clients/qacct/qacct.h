#ifndef CLIENTS_QACCT_QACCT_H
#define CLIENTS_QACCT_QACCT_H

#include <stdio.h>

#include "clients/common/command.h"
#include "libs/cli/selection.h"
#include "libs/doc/doc.h"
#include "libs/sgeobj/accounting.h"

/* qacct: reads the accounting file line by line, here or at the qmaster, keeps what is asked for,
 * and prints totals or single records. Source: qacct(1). */
struct answer;

/* the columns that totals may be grouped by, in the order in which they are shown */
enum column {
    GROUP_HOST,
    GROUP_QUEUE,
    GROUP_GROUP,
    GROUP_OWNER,
    GROUP_PROJECT,
    GROUP_DEPARTMENT,
    GROUP_PE,
    GROUP_SLOTS,
    GROUP_ACCOUNT,
    GROUPS
};

struct job_word { /* what -j names: an id, a name or a pattern */
    char *text;
    bool is_number;
    uint32_t number;
};

struct qacct_options {
    bool groups[GROUPS];   /* columns of the totals */
    char *only[GROUPS];    /* their arguments; NULL = all */
    bool wants_jobs;       /* -j */
    struct job_word *jobs; /* of -j, none = all; of a list first the whole, if it can be a name */
    uint32_t n_jobs;
    char *begin, *end, *days, *tasks; /* -b -e -d -t, as given; NULL = not given */
    /* what qacct_check has read of them */
    uint64_t begin_s, end_s; /* 0 = no limit */
    struct task_range range; /* with -t */
    bool by_end;             /* -E */
    char *file;              /* -f, or a word of its own: */
    bool is_word_file;
    enum doc_form form; /* -json */
    bool wants_help;
};

int qacct_parse(int n, char *const *args, struct qacct_options *o, bool *shows_usage,
                struct answer *ans); /* options.c */
/* qacct_check - read the times, the range of tasks and the number of slots; -1 with ans if one is
 * none */
int qacct_check(struct qacct_options *o, uint64_t now_s, struct answer *ans);
void qacct_options_free(struct qacct_options *o);
void qacct_usage(struct dstr *out);

/* record.c */
void record_show(struct doc *d, const struct accounting *a);

/* totals.c */
struct totals;
struct totals *totals_new(const struct qacct_options *o); /* O outlives it */
void totals_add(struct totals *t, const struct accounting *a);
void totals_show(struct doc *d, struct totals *t);
void totals_free(struct totals *t);

/* qacct_run - what O asks for, over the accounting lines of FILE, to its end; returns the exit
 * status (run.c) */
int qacct_run(FILE *file, const struct qacct_options *o, FILE *out, struct answer *ans);

/* qacct_ask - the same over what the qmaster's file has, for hosts without one. Only lines
 * of the jobs that O names by number come over the wire. The exit status, or -1 with ans if the
 * qmaster could not be asked; then nothing has been printed. */
struct source;
int qacct_ask(const struct source *from, const struct qacct_options *o, FILE *out,
              struct answer *ans);

#endif

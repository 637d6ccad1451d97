#ifndef CLIENTS_QSTAT_QSTAT_H
#define CLIENTS_QSTAT_QSTAT_H

#include <stdio.h>

#include "clients/common/queue_choice.h"
#include "clients/common/source.h"
#include "libs/doc/doc.h"
#include "libs/show/job_row.h"

/* The command line of qstat. Source: qstat(1). */
struct answer;
struct dstr;

struct qstat_options {
    unsigned table;             /* TABLE_... of job_table.h */
    unsigned show;              /* SHOW_... of job_row.h; 0 = the default */
    struct name_list states;    /* -s as given */
    struct name_list users;     /* -u; empty = the caller */
    struct name_list jobs;      /* -j */
    struct queue_choice choice; /* -q -qs -pe */
    struct name_list resources; /* -F; empty: all */
    char *explain;              /* -explain letters */
    bool wants_detail;          /* -j */
    bool wants_why;             /* -why */
    bool wants_summary;         /* -g c */
    bool wants_resources;       /* -F */
    enum doc_form form;         /* -xml, -json; 0: text */
    bool has_users;             /* -u was given */
    bool wants_help;
    bool hides_empty; /* -ne */
};

/* qstat_parse - read the N words ARGS (without the program's name)
 * Returns 0, or -1 with ans: one error; *shows_usage is set when users know the usage text to come
 * before it. */
int qstat_parse(int n, char *const *args, struct qstat_options *o, bool *shows_usage,
                struct answer *ans);
void qstat_options_free(struct qstat_options *o);
/* qstat_usage - append the text of -help */
void qstat_usage(struct dstr *out);

/* What qstat does once its command line is understood; everything it needs from outside comes in as
 * an argument. */

struct qstat_world {
    struct source from;
    FILE *out;
    FILE *err;
    const char *user; /* the caller's name */
    uint64_t now_s;
};

/* qstat_run - do what O says. Returns the exit status; errors that end it are in ans. */
int qstat_run(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans);

/* ---- functions of its files ---- */
int qstat_list(const struct qstat_world *w, const struct qstat_options *o,
               struct answer *ans); /* list.c */
int qstat_detail(const struct qstat_world *w, const struct qstat_options *o,
                 struct answer *ans); /* detail.c */
int qstat_why(const struct qstat_world *w, const struct qstat_options *o,
              struct answer *ans); /* why.c */

/* request_row_fields - ask for what the lines of a listing are made of; list.c */
void request_row_fields(struct GR_Type *request);

/* qstat_queues - the queue instances that O means (queue_choice.h), for a listing, and with all
 * that -F shows. A -l of an unknown resource is an error. list.c */
int qstat_queues(const struct qstat_world *w, const struct qstat_options *o, unsigned with,
                 struct queue_view *view, struct answer *ans);

/* the -f form; full.c
 * full_show - a record for each queue instance, with the rows that run in it
 * full_heading - of a page, before the rows of a kind that do not run */
struct doc;
void full_show(struct doc *d, const struct qstat_options *o, const struct queue_view *view,
               const struct job_rows *rows);
void full_heading(FILE *page, const struct qstat_options *o, enum row_kind kind);

/* the root attribute of XML documents; list.c */
#define QSTAT_SCHEMA                                                                               \
    "http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qstat/qstat.xsd"
extern const struct doc_field qstat_schema;

#endif

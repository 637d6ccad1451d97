#ifndef CLIENTS_QSTAT_QSTAT_H
#define CLIENTS_QSTAT_QSTAT_H

#include <stdio.h>

#include "clients/common/job_row.h"
#include "clients/common/source.h"
#include "clients/common/user_access.h"
#include "clients/qstat/options.h"

/* What qstat does once its command line is understood; everything it needs from outside comes in as
 * an argument. */
struct answer;

struct qstat_world {
    struct source from;
    FILE *out;
    FILE *err;
    const char *user; /* the caller's name */
    uint64_t now_s;
};

/* qstat_run - do what O says. Returns the exit status; errors that end it are in ans. */
int qstat_run(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans);

/* ---- what its files offer each other ---- */
int qstat_list(const struct qstat_world *w, const struct qstat_options *o,
               struct answer *ans); /* list.c */
int qstat_detail(const struct qstat_world *w, const struct qstat_options *o,
                 struct answer *ans); /* detail.c */
int qstat_why(const struct qstat_world *w, const struct qstat_options *o,
              struct answer *ans); /* why.c */
int qstat_summary(const struct qstat_world *w, const struct qstat_options *o,
                  struct answer *ans); /* summary.c */

/* request_row_fields - ask for what the lines of a listing are made of; list.c */
void request_row_fields(struct GR_Type *request);

/* the queue instances that -q, -qs, -pe, -l and -U leave, by name; queues.c */
struct queue_view {
    struct GA_Type *queues, *hosts; /* owned; NULL when not asked for */
    struct CE_Type_list complex;    /* when resources count */
    struct user_access access;      /* for -U */
    const struct QU_Type **v;       /* selected, sorted by name */
    uint32_t n;
    struct asked *asked; /* what jobs asked for so far, and whether it is there: queue_view_suits */
};
/* what is to be known of them besides their states */
enum {
    VIEW_HOSTS = 1,     /* their hosts */
    VIEW_RESOURCES = 2, /* all that jobs may ask for */
};
int queue_view_get(const struct qstat_world *w, const struct qstat_options *o, unsigned with,
                   struct queue_view *view, struct answer *ans);
void queue_view_free(struct queue_view *view);
bool queue_view_has(const struct queue_view *view, const char *full_name);
/* could JOB ever run in a selected queue: its -q, -pe and -l, beside what is configured? VIEW has
 * VIEW_RESOURCES. Each request is looked up once. */
bool queue_view_suits(struct queue_view *view, const struct JB_Type *job);
const struct EH_Type *queue_view_host(const struct queue_view *view, const struct QU_Type *queue);
const struct EH_Type *queue_view_cell(const struct queue_view *view);

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

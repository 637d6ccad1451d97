#ifndef CLIENTS_QHOST_QHOST_H
#define CLIENTS_QHOST_QHOST_H

#include <stdio.h>

#include "clients/common/option_table.h"
#include "clients/common/source.h"
#include "libs/doc/doc.h"
#include "libs/show/job_row.h"

/* qhost: hosts with their load, queues and jobs. Source: qhost(1). */
struct answer;
struct dstr;

struct qhost_options {
    struct name_list hosts;     /* -h; empty = all */
    struct name_list users;     /* -u */
    struct name_list requests;  /* -l: resources.h */
    struct name_list resources; /* -F; empty: all */
    bool wants_resources;       /* -F */
    bool wants_queues;          /* -q */
    bool wants_jobs;            /* -j, -u */
    bool hides_topology;        /* -ncb */
    enum doc_form form;         /* -xml, -json */
    bool wants_help;
};

int qhost_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans);
void qhost_usage(struct dstr *out);
void qhost_options_free(struct qhost_options *o);

/* everything that is shown of one host; sorted, borrowed from the answers */
struct host_view {
    const char *name;
    bool is_left;                       /* -h and -l choose it */
    const struct EH_Type *host;         /* NULL: "global" */
    const struct EH_Type *cell;         /* what "global" has; NULL: nothing */
    const struct CE_Type_list *complex; /* with -F */
    const struct QU_Type **queues;
    uint32_t n_queues, queues_cap;
    struct job_row *rows; /* of tasks that have slots on it, one for each queue instance */
    uint32_t n_rows, rows_cap;
};

/* qhost_show_head - begin the document's list of hosts; qhost_show - one of them */
void qhost_show_head(struct doc *d, const struct qhost_options *o);
void qhost_show(struct doc *d, const struct qhost_options *o, const struct host_view *view);

/* qhost_run - returns the exit status; *shows_usage as qhost_parse */
int qhost_run(const struct source *from, const struct qhost_options *o, FILE *out,
              bool *shows_usage, struct answer *ans);

#endif

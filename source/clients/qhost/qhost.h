#ifndef CLIENTS_QHOST_QHOST_H
#define CLIENTS_QHOST_QHOST_H

#include <stdio.h>

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "libs/doc/doc.h"

/* qhost: hosts with their load, queues and jobs. Source: qhost(1). */
struct answer;
struct dstr;

struct qhost_options {
    struct name_list hosts;     /* -h; empty = all */
    struct name_list users;     /* -u */
    struct name_list requests;  /* -l: resources.h */
    struct name_list resources; /* -F; empty: all */
    unsigned table;             /* HOSTS_... of host_table.h: -F -q -j -u -ncb */
    enum doc_form form;         /* -xml, -json */
    bool wants_help;
};

int qhost_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans);
void qhost_usage(struct dstr *out);
void qhost_options_free(struct qhost_options *o);

/* qhost_run - returns the exit status; *shows_usage as qhost_parse */
int qhost_run(const struct source *from, const struct qhost_options *o, FILE *out,
              bool *shows_usage, struct answer *ans);

#endif

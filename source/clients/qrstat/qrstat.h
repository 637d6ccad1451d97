#ifndef CLIENTS_QRSTAT_QRSTAT_H
#define CLIENTS_QRSTAT_QRSTAT_H

#include <stdio.h>

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "libs/doc/doc.h"

/* qrstat: advance reservations. Source: qrstat(1). */
struct answer;
struct dstr;

struct qrstat_options {
    struct name_list users; /* -u, patterns; empty: the user, with -ar all */
    struct name_list ids;   /* -ar: all of these; empty: a list */
    bool explains;          /* -explain */
    enum doc_form form;     /* -xml, -json */
    bool wants_help;
};

int qrstat_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans);
void qrstat_usage(struct dstr *out);
void qrstat_options_free(struct qrstat_options *o);

/* qrstat_run - show what FROM has of the reservations that O chooses, of those of USER's without
 * -u. Returns the exit status */
int qrstat_run(const struct source *from, const struct qrstat_options *o, const char *user,
               FILE *out, struct answer *ans);

#endif

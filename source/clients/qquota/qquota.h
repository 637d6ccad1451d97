#ifndef CLIENTS_QQUOTA_QQUOTA_H
#define CLIENTS_QQUOTA_QQUOTA_H

#include <stdio.h>

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "libs/doc/doc.h"
#include "libs/resource/quota.h"

/* qquota: what is taken of resource quotas. Source: qquota(1). */
struct answer;
struct dstr;

struct qquota_options {
    struct name_list chosen[QUOTA_FILTERS]; /* -u -P -pe -q -h; empty: all, of -u the user */
    struct name_list resources;             /* -l, without values; empty: all */
    enum doc_form form;                     /* -xml, -json */
    bool wants_help;
};

int qquota_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans);
void qquota_usage(struct dstr *out);
void qquota_options_free(struct qquota_options *o);

/* qquota_run - show what FROM has of the quotas that O chooses, of those of USER's without -u.
 * Returns the exit status */
int qquota_run(const struct source *from, const struct qquota_options *o, const char *user,
               FILE *out, struct answer *ans);

#endif

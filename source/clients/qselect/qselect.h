#ifndef CLIENTS_QSELECT_QSELECT_H
#define CLIENTS_QSELECT_QSELECT_H

#include <stdio.h>

#include "clients/common/queue_choice.h"
#include "clients/common/source.h"

/* qselect once its command line is understood: names of queue instances. Source: qselect(1). */
struct dstr;

struct qselect_options {
    struct queue_choice choice; /* -q -qs -pe -l -U */
    bool wants_help;
};

/* qselect_parse - read the N words ARGS (without the program's name)
 * Returns 0, or -1 with ans: one error; *shows_usage is set when users know the usage text to come
 * before it. */
int qselect_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans);
void qselect_options_free(struct qselect_options *o);
/* qselect_usage - append the text of -help */
void qselect_usage(struct dstr *out);

/* qselect_run - print the names of what O means, one in a line, sorted
 * Returns the exit status: 1 when there is none, or with ans. */
int qselect_run(const struct source *from, const struct qselect_options *o, FILE *out,
                struct answer *ans);

#endif

#ifndef CLIENTS_QACCT_QACCT_H
#define CLIENTS_QACCT_QACCT_H

#include "clients/acct/acct.h"
#include "clients/common/command.h"

/* The options of qacct. Source: qacct(1). */
struct answer;

struct qacct_options {
    struct acct_query query;
    char *begin, *end, *days, *tasks; /* -b -e -d -t, as given; NULL = not given */
    char *file;                       /* -f, or a word of its own: */
    bool is_word_file;
    bool wants_help;
};

int qacct_parse(int n, char *const *args, struct qacct_options *o, bool *shows_usage,
                struct answer *ans);
/* qacct_check - read the times, the range of tasks and the number of slots into the query; -1 with
 * ans if one does not exist */
int qacct_check(struct qacct_options *o, uint64_t now_s, struct answer *ans);
void qacct_options_free(struct qacct_options *o);
void qacct_usage(struct dstr *out);

#endif

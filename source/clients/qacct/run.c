/* The one walk over the accounting file. A file of any size costs one line of memory, plus what totals need. */
#include <stdlib.h>
#include <string.h>

#include "clients/qacct/msg_qacct.h"
#include "clients/qacct/qacct.h"
#include "libs/uti/answer.h"
#include "libs/uti/parse.h"

struct walk {
    const struct qacct_options *o;
    struct totals *totals; /* NULL: print records */
    FILE *out;
    uint32_t line, bad, first_bad;
    uint64_t found;
    struct answer first_reason;
};

static void take_line(struct walk *w, char *line)
{
    struct accounting a;
    struct answer ans = ANSWER_INIT;
    w->line++;
    if (!qacct_may_want(w->o, line))
        return;
    int result = accounting_parse(line, &a, &ans);
    if (result < 0 && w->bad++ == 0) {
        w->first_bad = w->line;
        ans_move(&w->first_reason, &ans);
    }
    ans_free(&ans);
    if (result <= 0 || !qacct_wants(w->o, &a))
        return;
    w->found++;
    if (w->totals != NULL)
        totals_add(w->totals, &a);
    else
        record_text(w->out, &a);
}

static int finish(struct walk *w, struct answer *ans)
{
    uint32_t number;
    if (w->bad > 0)
        ans_add(ans, STATUS_ESYNTAX, ANSWER_QUALITY_WARNING, MSG_BAD_LINES_UUS, w->bad,
                w->first_bad, ans_first_error(&w->first_reason));
    if (w->totals != NULL) {
        totals_text(w->out, w->totals);
        return 0;
    }
    if (w->found > 0)
        return 0;
    if (w->o->job == NULL)
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_JOBS_NOT_FOUND);
    else if (parse_u32(w->o->job, &number))
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_JOB_ID_NOT_FOUND_S, w->o->job);
    else
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_JOB_NAME_NOT_FOUND_S, w->o->job);
    return 1;
}

int qacct_run(FILE *file, const struct qacct_options *o, FILE *out, struct answer *ans)
{
    struct walk w = { .o = o, .out = out, .first_reason = ANSWER_INIT };
    w.totals = o->wants_jobs ? NULL : totals_new(o->groups);
    char *line = NULL;
    size_t cap = 0;
    for (ssize_t len; (len = getline(&line, &cap, file)) >= 0;) {
        if (len > 0 && line[len - 1] == '\n')
            line[len - 1] = '\0';
        take_line(&w, line);
    }
    free(line);
    int status = finish(&w, ans);
    totals_free(w.totals);
    ans_free(&w.first_reason);
    return status;
}

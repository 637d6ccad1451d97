/* The one walk over accounting lines, whoever has them. Any number of them costs the memory of one,
 * plus what totals need. */
#include <stdlib.h>
#include <string.h>

#include "clients/common/printable.h"
#include "clients/qacct/msg_qacct.h"
#include "clients/qacct/qacct.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static const struct doc_kind root_kind = { .name = "qacct" };
static const struct doc_kind records_kind = { .json = "records" };
static const struct doc_kind totals_kind = { .json = "totals" };

struct qacct_walk {
    const struct qacct_options *o;
    struct totals *totals; /* NULL: print records */
    struct doc *out;
    uint32_t line, bad, first_bad;
    uint64_t found;
    bool *is_found; /* of each word of -j */
    struct answer first_reason;
    struct dstr clean; /* a line that has control characters, without them */
};

/* LINE as it is shown, and as patterns are compared with it: until the next call. JSON has escapes
 * of its own. */
static char *make_printable(struct qacct_walk *w, char *line)
{
    if (w->o->form == DOC_JSON || text_is_printable(line))
        return line;
    dstr_clear(&w->clean);
    text_add_printable(&w->clean, line);
    return w->clean.s;
}

void qacct_take(struct qacct_walk *w, char *line)
{
    struct accounting a;
    struct answer ans = ANSWER_INIT;
    w->line++;
    if (!qacct_may_want(w->o, line))
        return;
    int result = accounting_parse(make_printable(w, line), &a, &ans);
    if (result < 0 && w->bad++ == 0) {
        w->first_bad = w->line;
        ans_move(&w->first_reason, &ans);
    }
    ans_free(&ans);
    if (result <= 0 || !qacct_wants(w->o, &a))
        return;
    w->found++;
    for (uint32_t i = 0; i < w->o->n_jobs; i++)
        w->is_found[i] = w->is_found[i] || job_word_matches(&w->o->jobs[i], &a);
    if (w->totals != NULL)
        totals_add(w->totals, &a);
    else
        record_show(w->out, &a);
}

/* each word that no record has; of a list its items, unless it was a name */
static int tell_missing(const struct qacct_walk *w, struct answer *ans)
{
    bool has_whole = w->o->n_jobs > 1 && strchr(w->o->jobs[0].text, ',') != NULL;
    int status = 0;
    if (has_whole && w->is_found[0])
        return 0;
    for (uint32_t i = has_whole ? 1 : 0; i < w->o->n_jobs; i++) {
        const struct job_word *word = &w->o->jobs[i];
        if (w->is_found[i])
            continue;
        status = 1;
        if (w->o->tasks != NULL)
            (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_TASKS_NOT_FOUND_SUUU, word->text,
                           w->o->range.first, w->o->range.last, w->o->range.step);
        else
            (void)ans_fail(ans, STATUS_EUNKNOWN,
                           word->is_number ? MSG_JOB_ID_NOT_FOUND_S : MSG_JOB_NAME_NOT_FOUND_S,
                           word->text);
    }
    return status;
}

static int finish_walk(struct qacct_walk *w, struct answer *ans)
{
    if (w->bad > 0)
        ans_add(ans, STATUS_ESYNTAX, ANSWER_QUALITY_WARNING, MSG_BAD_LINES_UUS, w->bad,
                w->first_bad, ans_first_error(&w->first_reason));
    if (w->totals != NULL) {
        totals_show(w->out, w->totals);
        return 0;
    }
    if (w->o->n_jobs > 0)
        return tell_missing(w, ans);
    if (w->found == 0)
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_JOBS_NOT_FOUND);
    return w->found > 0 ? 0 : 1;
}

struct qacct_walk *qacct_begin(const struct qacct_options *o, FILE *out, struct answer *ans)
{
    struct doc *doc = doc_open(o->form, out, NULL, ans);
    if (doc == NULL)
        return NULL;
    struct qacct_walk *w = uti_calloc(1, sizeof *w);
    w->o = o;
    w->out = doc;
    doc_begin(w->out, &root_kind);
    doc_list(w->out, o->wants_jobs ? &records_kind : &totals_kind);
    w->totals = o->wants_jobs ? NULL : totals_new(o);
    w->is_found = uti_calloc(o->n_jobs + 1, sizeof *w->is_found);
    return w;
}

int qacct_end(struct qacct_walk *w, struct answer *ans)
{
    int status = finish_walk(w, ans);
    if (doc_close(w->out, ans) < 0)
        status = 1;
    free(w->is_found);
    totals_free(w->totals);
    ans_free(&w->first_reason);
    dstr_free(&w->clean);
    free(w);
    return status;
}

int qacct_run(FILE *file, const struct qacct_options *o, FILE *out, struct answer *ans)
{
    struct qacct_walk *w = qacct_begin(o, out, ans);
    if (w == NULL)
        return 1;
    char *line = NULL;
    size_t cap = 0;
    for (ssize_t len; (len = getline(&line, &cap, file)) >= 0;) {
        if (len > 0 && line[len - 1] == '\n')
            line[len - 1] = '\0';
        qacct_take(w, line);
    }
    free(line);
    return qacct_end(w, ans);
}

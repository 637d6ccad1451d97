/* The walk over accounting lines, of a file or of the qmaster. Any number of them costs the
 * memory of one, plus what totals need. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clients/acct/acct_priv.h"
#include "clients/common/msg_clients.h"
#include "clients/common/source.h"
#include "libs/config/quantity.h"
#include "libs/show/printable.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/pattern.h"

/* ---- selection of records ---- */
/* Which records count. Names may be patterns, as sge_types(1) has them. */

static bool matches_pattern(const char *pattern, const char *value)
{
    return pattern == NULL || (value != NULL && pattern_match(pattern, value));
}

/* "queue", "queue@host" or patterns of them */
static bool queue_matches(const char *wanted, const struct accounting *a)
{
    const char *at = wanted != NULL ? strchr(wanted, '@') : NULL;
    if (at == NULL)
        return matches_pattern(wanted, a->qname);
    size_t len = (size_t)(at - wanted);
    char name[256];
    if (len >= sizeof name)
        return false;
    memcpy(name, wanted, len);
    name[len] = '\0';
    return matches_pattern(name, a->qname) && matches_pattern(at + 1, a->hostname);
}

static bool slots_match(const char *wanted, uint32_t slots)
{
    uint32_t number;
    return wanted == NULL || (quantity_count_parse(wanted, &number) && number == slots);
}

static bool job_word_matches(const struct job_word *word, const struct accounting *a)
{
    return word->is_number ? word->number == a->job_number
                           : matches_pattern(word->text, a->job_name);
}

static bool some_word_matches(const struct acct_query *q, const struct accounting *a)
{
    for (uint32_t i = 0; i < q->n_jobs; i++)
        if (job_word_matches(&q->jobs[i], a))
            return true;
    return q->n_jobs == 0;
}

static bool job_matches(const struct acct_query *q, const struct accounting *a)
{
    if (!some_word_matches(q, a))
        return false;
    if (!q->has_tasks)
        return true;
    return a->task_number >= q->range.first && a->task_number <= q->range.last &&
           (a->task_number - q->range.first) % q->range.step == 0;
}

static bool time_matches(const struct acct_query *q, const struct accounting *a)
{
    uint64_t at_s = q->by_end ? a->end_time : a->start_time;
    return at_s >= q->begin_s && (q->end_s == 0 || at_s <= q->end_s);
}

static bool acct_wants(const struct acct_query *q, const struct accounting *a)
{
    return job_matches(q, a) && time_matches(q, a) && queue_matches(q->only[BY_QUEUE], a) &&
           matches_pattern(q->only[BY_HOST], a->hostname) &&
           matches_pattern(q->only[BY_GROUP], a->group) &&
           matches_pattern(q->only[BY_OWNER], a->owner) &&
           matches_pattern(q->only[BY_PROJECT], a->project) &&
           matches_pattern(q->only[BY_DEPARTMENT], a->department) &&
           matches_pattern(q->only[BY_PE], a->granted_pe) &&
           slots_match(q->only[BY_SLOTS], a->slots) && slots_match(q->only[BY_AR], a->arid) &&
           matches_pattern(q->only[BY_ACCOUNT], a->account);
}

/* a quick look at a line, so that most need not be read: may it be of a job that -j names? */
/* The number of the job is the sixth field. Whatever may have a name that is asked for, or is no
 * record, is not passed over unseen. */
static bool acct_may_want(const struct acct_query *q, const char *line)
{
    for (int i = 0; i < 5 && q->n_jobs > 0; i++) {
        line = strchr(line, ':');
        if (line == NULL)
            return true;
        line++;
    }
    for (uint32_t i = 0; i < q->n_jobs; i++)
        if (!q->jobs[i].is_number || strtoul(line, NULL, 10) == q->jobs[i].number)
            return true;
    return q->n_jobs == 0;
}

static bool is_stopped(const struct acct_query *q)
{
    return q->is_stopped != NULL && *q->is_stopped;
}

/* ---- the walk ---- */

static const struct doc_kind root_kind = { .name = "qacct" };
static const struct doc_kind records_kind = { .json = "records" };
static const struct doc_kind totals_kind = { .json = "totals" };

struct acct_walk {
    const struct acct_query *q;
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
static char *make_printable(struct acct_walk *w, char *line)
{
    if (w->q->form == DOC_JSON || text_is_printable(line))
        return line;
    dstr_clear(&w->clean);
    text_add_printable(&w->clean, line);
    return w->clean.s;
}

/* the next LINE, without its newline; changed */
static void acct_take(struct acct_walk *w, char *line)
{
    struct accounting a;
    struct answer ans = ANSWER_INIT;
    w->line++;
    if (!acct_may_want(w->q, line))
        return;
    int result = accounting_parse(make_printable(w, line), &a, &ans);
    if (result < 0 && w->bad++ == 0) {
        w->first_bad = w->line;
        ans_move(&w->first_reason, &ans);
    }
    ans_free(&ans);
    if (result <= 0 || !acct_wants(w->q, &a))
        return;
    w->found++;
    for (uint32_t i = 0; i < w->q->n_jobs; i++)
        w->is_found[i] = w->is_found[i] || job_word_matches(&w->q->jobs[i], &a);
    if (w->totals != NULL)
        totals_add(w->totals, &a);
    else
        record_show(w->out, &a);
}

/* each word that no record has; of a list its items, unless it was a name */
static int tell_missing(const struct acct_walk *w, struct answer *ans)
{
    bool has_whole = w->q->n_jobs > 1 && strchr(w->q->jobs[0].text, ',') != NULL;
    int status = 0;
    if (has_whole && w->is_found[0])
        return 0;
    for (uint32_t i = has_whole ? 1 : 0; i < w->q->n_jobs; i++) {
        const struct job_word *word = &w->q->jobs[i];
        if (w->is_found[i])
            continue;
        status = 1;
        if (w->q->has_tasks)
            (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_TASKS_NOT_FOUND_SUUU, word->text,
                           w->q->range.first, w->q->range.last, w->q->range.step);
        else
            (void)ans_fail(ans, STATUS_EUNKNOWN,
                           word->is_number ? MSG_JOB_ID_NOT_FOUND_S : MSG_JOB_NAME_NOT_FOUND_S,
                           word->text);
    }
    return status;
}

static int finish_walk(struct acct_walk *w, struct answer *ans)
{
    if (w->bad > 0)
        ans_add(ans, STATUS_ESYNTAX, ANSWER_QUALITY_WARNING, MSG_BAD_LINES_UUS, w->bad,
                w->first_bad, ans_first_error(&w->first_reason));
    if (w->totals != NULL) {
        totals_show(w->out, w->totals);
        return 0;
    }
    if (w->q->n_jobs > 0)
        return tell_missing(w, ans);
    if (w->found == 0)
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_JOBS_NOT_FOUND);
    return w->found > 0 ? 0 : 1;
}

/* what it finds goes to OUT; Q and OUT are borrowed. New: acct_end; NULL with ans */
static struct acct_walk *acct_begin(const struct acct_query *q, FILE *out, struct answer *ans)
{
    struct doc *doc = doc_open(q->form, out, NULL, ans);
    if (doc == NULL)
        return NULL;
    struct acct_walk *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->out = doc;
    doc_begin(w->out, &root_kind);
    doc_list(w->out, q->wants_jobs ? &records_kind : &totals_kind);
    w->totals = q->wants_jobs ? NULL : totals_new(q);
    w->is_found = uti_calloc(q->n_jobs + 1, sizeof *w->is_found);
    return w;
}

/* print what is to be printed at the end. Lines that are not records were passed over; ans says
 * so once. Returns the exit status. */
static int acct_end(struct acct_walk *w, struct answer *ans)
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

int acct_run(FILE *file, const struct acct_query *q, FILE *out, struct answer *ans)
{
    struct acct_walk *w = acct_begin(q, out, ans);
    if (w == NULL)
        return 1;
    char *line = NULL;
    size_t cap = 0;
    for (ssize_t len; !is_stopped(q) && (len = getline(&line, &cap, file)) >= 0;) {
        if (len > 0 && line[len - 1] == '\n')
            line[len - 1] = '\0';
        acct_take(w, line);
    }
    free(line);
    return acct_end(w, ans);
}

/* ---- accounting lines that the qmaster sends ---- */
/* The accounting file of the qmaster, for hosts that have none: its lines come in parts, and each
 * is taken as one of a file here would be. */

struct asking {
    const struct acct_query *q;
    FILE *out;
    struct acct_walk *walk; /* NULL until the first part has come */
};

static int take_part(void *ctx, const struct GA_Type *part, struct answer *ans)
{
    struct asking *a = ctx;
    if (a->walk == NULL)
        a->walk = acct_begin(a->q, a->out, ans);
    if (a->walk == NULL || is_stopped(a->q))
        return -1;
    char *lines = uti_strdup(part->GA_lines != NULL ? part->GA_lines : ""), *rest = lines;
    for (char *line; *rest != '\0' && (line = strsep(&rest, "\n")) != NULL && rest != NULL;)
        acct_take(a->walk, line);
    free(lines);
    return 0;
}

static bool names_numbers_alone(const struct acct_query *q)
{
    for (uint32_t i = 0; i < q->n_jobs; i++)
        if (!q->jobs[i].is_number)
            return false;
    return true;
}

int acct_ask(const struct source *from, const struct acct_query *q, FILE *out, struct answer *ans)
{
    struct asking a = { .q = q, .out = out };
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_ACCOUNTING);
    for (uint32_t i = 0; names_numbers_alone(q) && i < q->n_jobs; i++)
        cull_set(cull_append(&request, GR_select), ID_str, q->jobs[i].text);
    int result = source_ask(from, &request, take_part, &a, ans);
    cull_clear(&cull_GR_Type, &request);
    if (a.walk == NULL)
        return -1;
    int status = acct_end(a.walk, ans);
    return result < 0 ? 1 : status;
}

/* ---- the one or the other ---- */

static int ask_cell(const struct acct_file *f, const struct acct_query *q, FILE *out,
                    struct answer *ans)
{
    struct qmaster_source qmaster;
    int status = -1;
    if (source_open_cell(&qmaster, f->cell, f->program, ans) == 0) {
        qmaster.from.is_raw = true; /* each line is made printable where it is taken */
        status = acct_ask(&qmaster.from, q, out, ans);
    }
    source_close(&qmaster);
    return status;
}

int acct_read(struct acct_file *f, const struct acct_query *q, FILE *out, struct answer *ans)
{
    FILE *file = fopen(f->path, "re");
    f->error = file == NULL ? errno : 0;
    if (file == NULL)
        return f->error == ENOENT && f->cell != NULL ? ask_cell(f, q, out, ans) : -1;
    (void)setvbuf(file, NULL, _IOFBF, 1 << 20);
    int status = acct_run(file, q, out, ans);
    (void)fclose(file);
    return status;
}

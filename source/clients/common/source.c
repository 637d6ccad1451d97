/* Answers in one piece, for what is small: queues, hosts, configurations; and jobs, which come part
 * by part and are passed on one by one, each with all of its tasks. */
#include "clients/common/source.h"

#include <netdb.h>
#include <stddef.h>
#include <stdlib.h>

#include "libs/config/complex.h"
#include "libs/config/object.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/client.h"
#include "libs/gdi/message.h"
#include "libs/show/printable.h"
#include "libs/uti/answer.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

struct cleaning {
    answer_part_fn part;
    void *ctx;
};

static int clean_part(void *ctx, const struct GA_Type *part, struct answer *ans)
{
    const struct cleaning *c = ctx;
    if (record_is_printable(&cull_GA_Type, part))
        return c->part(c->ctx, part, ans);
    struct GA_Type clean = { 0 };
    cull_copy(&cull_GA_Type, &clean, part);
    record_make_printable(&cull_GA_Type, &clean);
    int result = c->part(c->ctx, &clean, ans);
    cull_clear(&cull_GA_Type, &clean);
    return result;
}

int source_ask(const struct source *from, struct GR_Type *request, answer_part_fn part, void *ctx,
               struct answer *ans)
{
    if (from->is_raw || part == NULL)
        return from->get(from->state, request, part, ctx, ans);
    struct cleaning c = { .part = part, .ctx = ctx };
    return from->get(from->state, request, clean_part, &c, ans);
}

static int keep_part(void *ctx, const struct GA_Type *part, struct answer *ans SGE_UNUSED)
{
    (void)gather_part(ctx, part);
    return 0;
}

struct GA_Type *source_get_all(const struct source *from, struct GR_Type *request,
                               struct answer *ans)
{
    struct GA_Type *all = cull_new(&cull_GA_Type);
    if (source_ask(from, request, keep_part, all, ans) < 0) {
        cull_delete(&cull_GA_Type, all);
        return NULL;
    }
    return all;
}

struct GA_Type *source_get_target(const struct source *from, enum gdi_target target,
                                  struct answer *ans)
{
    static const char *const all_fields[] = { NULL };
    return source_get_fields(from, target, all_fields, ans);
}

struct GA_Type *source_get_fields(const struct source *from, enum gdi_target target,
                                  const char *const *fields, struct answer *ans)
{
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)target);
    request_fields(&request, fields);
    struct GA_Type *all = source_get_all(from, &request, ans);
    cull_clear(&cull_GR_Type, &request);
    return all;
}

void request_user(struct GR_Type *request, const char *user)
{
    struct ST_Type *entry = cull_append(request, GR_users);
    cull_set(entry, ST_name, user);
}

void request_field(struct GR_Type *request, const char *field)
{
    struct ST_Type *entry = cull_append(request, GR_fields);
    cull_set(entry, ST_name, field);
}

void request_fields(struct GR_Type *request, const char *const *names)
{
    for (; *names != NULL; names++)
        request_field(request, *names);
}

struct handing {
    answer_part_fn part;
    void *ctx;
    struct answer *ans;
};

static int hand_over(void *ctx, const struct GA_Type *part)
{
    struct handing *h = ctx;
    return h->part != NULL ? h->part(h->ctx, part, h->ans) : 0;
}

static int ask_qmaster(void *state, struct GR_Type *request, answer_part_fn part, void *ctx,
                       struct answer *ans)
{
    struct qmaster_source *q = state;
    struct answer told = ANSWER_INIT;
    struct handing h = { .part = part, .ctx = ctx, .ans = ans };
    int result = gdi_call(q->gdi, request, hand_over, &h, &told);
    bool is_refused = ans_has_error(&told);
    ans_move(ans, &told);
    ans_free(&told);
    return result != 0 || is_refused ? -1 : 0;
}

int source_open_cell(struct qmaster_source *q, const struct cell *cell, const char *program,
                     struct answer *ans)
{
    *q = (struct qmaster_source){ .from = { .get = ask_qmaster, .state = q } };
    q->gdi = gdi_open(cell, program, ans);
    return q->gdi != NULL ? 0 : -1;
}

int source_open(struct qmaster_source *q, const char *program, struct answer *ans)
{
    *q = (struct qmaster_source){ .from = { .get = ask_qmaster, .state = q } };
    q->cell = cell_open(ans);
    bool is_ready = q->cell != NULL && cell_aliases_read(q->cell, ans) == 0;
    q->gdi = is_ready ? gdi_open(q->cell, program, ans) : NULL;
    return q->gdi != NULL ? 0 : -1;
}

void source_close(struct qmaster_source *q)
{
    gdi_close(q->gdi);
    cell_free(q->cell);
    q->gdi = NULL;
    q->cell = NULL;
}

void answer_print_errors(FILE *out, const struct answer *ans, const char *prefix)
{
    uint32_t last = ans->n;
    for (uint32_t i = 0; i < ans->n; i++) {
        if (ans->v[i].quality <= ANSWER_QUALITY_ERROR)
            last = i;
    }
    for (uint32_t i = 0; i < ans->n; i++) {
        if (ans->v[i].quality > ANSWER_QUALITY_ERROR)
            continue;
        const char *before = i < last && ans->v[i].status == STATUS_ENOCONN ? "error: " : prefix;
        if (ans->v[i].quality == ANSWER_QUALITY_CRITICAL)
            before = "critical error: ";
        fprintf(out, "%s%s\n", before, ans->v[i].text);
    }
}

/* ---- the complex ---- */
/* The complex, from the objects that the qmaster sends. Older qmasters send none. */

void complex_of_objects(const struct GA_Type *all, struct CE_Type_list *list)
{
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    for (uint32_t i = 0; i < all->GA_texts.n; i++) {
        struct CE_Type *ce = object_record(rules, &all->GA_texts.v[i]);
        cull_copy(&cull_CE_Type, cull_push(list), ce);
        cull_delete(&cull_CE_Type, ce);
    }
    complex_sort(list);
}

int complex_get(const struct source *from, struct CE_Type_list *list, struct answer *ans)
{
    struct GA_Type *all = source_get_target(from, GDI_COMPLEX, ans);
    if (all == NULL)
        return -1;
    complex_of_objects(all, list);
    if (list->n == 0)
        complex_template(list);
    cull_delete(&cull_GA_Type, all);
    return 0;
}

/* ---- names of hosts ---- */
/* Names of hosts that somebody typed. A client may wait for a name service; the qmaster may not. */

bool host_resolves(const char *name)
{
    struct addrinfo *found = NULL;
    if (getaddrinfo(name, NULL, NULL, &found) != 0)
        return false;
    freeaddrinfo(found);
    return true;
}

/* ---- jobs of an answer, each with all of its tasks ---- */
static int task_compare(const void *left, const void *right)
{
    const struct JAT_Type *a = *(const struct JAT_Type *const *)left,
                          *b = *(const struct JAT_Type *const *)right;
    return (a->JAT_task_number > b->JAT_task_number) - (a->JAT_task_number < b->JAT_task_number);
}

void job_stream_drop(struct job_stream *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        cull_clear(&cull_JAT_Type, &s->tasks[i]);
    cull_clear(&cull_JB_Type, &s->job);
    for (uint32_t i = 0; i < s->reasons.n; i++)
        cull_clear(&cull_ST_Type, &s->reasons.v[i]);
    s->reasons.n = 0;
    s->n = 0;
    s->has_job = false;
}

/* TASKS of JOB, sorted; N_TASKS of them stand in a row */
static int give_job(struct job_stream *s, const struct JB_Type *job, const struct PF_Type *figures,
                    const struct JAT_Type *tasks, uint32_t n_tasks, struct answer *ans)
{
    const struct JAT_Type **sorted = n_tasks > 0 ? uti_calloc(n_tasks, sizeof *sorted) : NULL;
    for (uint32_t i = 0; i < n_tasks; i++)
        sorted[i] = &tasks[i];
    if (n_tasks > 1)
        qsort(sorted, n_tasks, sizeof *sorted, task_compare);
    s->figures = figures;
    int result = s->each(s->ctx, job, sorted, n_tasks, ans);
    s->figures = NULL;
    free(sorted);
    return result;
}

/* the job that was gathered, which is whole now */
static int end_job(struct job_stream *s, struct answer *ans)
{
    if (!s->has_job)
        return 0;
    int result = give_job(s, &s->job, &s->gathered, s->tasks, s->n, ans);
    job_stream_drop(s);
    return result;
}

/* how many of the tasks of PART from AT on are of JOB: they stand in the order of their jobs */
static uint32_t tasks_of(const struct GA_Type *part, uint32_t at, const struct JB_Type *job)
{
    uint32_t n = 0;
    while (at + n < part->GA_tasks.n &&
           part->GA_tasks.v[at + n].JAT_job_number == job->JB_job_number)
        n++;
    return n;
}

/* More of its tasks may come with the next part. */
static void gather_job(struct job_stream *s, const struct JB_Type *job,
                       const struct PF_Type *figures, const struct JAT_Type *tasks,
                       uint32_t n_tasks)
{
    if (!s->has_job) {
        cull_copy(&cull_JB_Type, &s->job, job);
        s->gathered = *figures; /* numbers alone */
    }
    s->has_job = true;
    for (uint32_t i = 0; i < n_tasks; i++) {
        s->tasks = uti_vec_grow(s->tasks, &s->cap, s->n + 1, sizeof *s->tasks);
        s->tasks[s->n] = (struct JAT_Type){ 0 };
        cull_copy(&cull_JAT_Type, &s->tasks[s->n++], &tasks[i]);
    }
}

static void take_reasons(struct job_stream *s, const struct GA_Type *part)
{
    s->has_reasons = s->has_reasons || cull_has(part, GA_reasons);
    for (uint32_t i = 0; i < part->GA_reasons.n; i++) {
        s->reasons.v =
            uti_vec_grow(s->reasons.v, &s->reasons.cap, s->reasons.n + 1, sizeof *s->reasons.v);
        s->reasons.v[s->reasons.n] = (struct ST_Type){ 0 };
        cull_copy(&cull_ST_Type, &s->reasons.v[s->reasons.n++], &part->GA_reasons.v[i]);
    }
}

/* The first job of a part may go on with the one that was gathered, and the last one may go on in
 * the next part; those between them are whole. */
int job_stream_part(void *stream, const struct GA_Type *part, struct answer *ans)
{
    static const struct PF_Type none;
    struct job_stream *s = stream;
    uint32_t at = 0, n_tasks, run = 0, run_at = 0; /* figures of jobs from RUN_AT on */
    for (uint32_t i = 0; i < part->GA_jobs.n; i++, at += n_tasks) {
        const struct JB_Type *job = &part->GA_jobs.v[i];
        n_tasks = tasks_of(part, at, job);
        const struct JAT_Type *tasks = n_tasks > 0 ? &part->GA_tasks.v[at] : NULL;
        while (run < part->GA_priors.n && i - run_at >= part->GA_priors.v[run].PF_jobs)
            run_at += part->GA_priors.v[run++].PF_jobs;
        const struct PF_Type *figures = run < part->GA_priors.n ? &part->GA_priors.v[run] : &none;
        bool goes_on = s->has_job && job->JB_job_number == s->job.JB_job_number;
        if (!goes_on && end_job(s, ans) < 0)
            return -1;
        if (goes_on || i + 1 == part->GA_jobs.n)
            gather_job(s, job, figures, tasks, n_tasks);
        else if (give_job(s, job, figures, tasks, n_tasks, ans) < 0)
            return -1;
    }
    take_reasons(s, part);
    return 0;
}

int job_stream_end(struct job_stream *s, struct answer *ans)
{
    int result = end_job(s, ans);
    free(s->tasks);
    free(s->reasons.v);
    s->tasks = NULL;
    s->cap = 0;
    s->reasons = (struct ST_Type_list){ 0 };
    return result;
}

int job_stream_get(struct job_stream *s, const struct source *from, struct GR_Type *request,
                   struct answer *ans)
{
    int result = source_ask(from, request, job_stream_part, s, ans);
    if (result < 0)
        job_stream_drop(s);
    return job_stream_end(s, ans) < 0 ? -1 : result;
}

bool job_identifier_split(const char *identifier, uint32_t *job, uint32_t *task)
{
    const char *dot = strchr(identifier, '.');
    *task = 0;
    if (dot == NULL)
        return parse_u32(identifier, job);
    char *number = uti_strndup(identifier, (size_t)(dot - identifier));
    bool is_number = parse_u32(number, job) && parse_u32(dot + 1, task) && *task > 0;
    free(number);
    return is_number;
}

bool job_is_meant(const struct JB_Type *job, const char *identifier)
{
    uint32_t number, task;
    if (job_identifier_split(identifier, &number, &task))
        return job->JB_job_number == number;
    return job->JB_job_name != NULL && pattern_match(identifier, job->JB_job_name);
}

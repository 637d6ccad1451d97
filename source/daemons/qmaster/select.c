/* Resolves job selections. Task ids that an array does not have are left out of the ordinals; who wants to complain about them has
 * them in `asked`. */
#include "daemons/qmaster/select.h"

#include <stdlib.h>

#include "daemons/qmaster/msg_qmaster.h"
#include "libs/uti/parse.h"

struct picking {
    struct selection *out;
    const struct ID_Type *id; /* NULL when chosen by user alone */
    uint32_t entry;
};

/* the inverse of A modulo M, which have no common divisor; M > 1 (extended Euclid) */
static uint64_t inverse(uint64_t a, uint64_t m)
{
    int64_t r = (int64_t)m, next_r = (int64_t)(a % m), t = 0, next_t = 1;
    while (next_r != 0) {
        int64_t quotient = r / next_r, was_r = r, was_t = t;
        r = next_r;
        next_r = was_r - quotient * next_r;
        t = next_t;
        next_t = was_t - quotient * next_t;
    }
    return (uint64_t)(t < 0 ? t + (int64_t)m : t);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Ordinals of the ids min, min+step .. max that JOB has: ids that both progressions share are a progression, too. Its first
 * member is min + k * tr_step with the least k for which that is an id of the array. */
static void add_task_range(const struct JB_Type *job, const struct TR_Type *tr,
                           struct range_set *out)
{
    uint32_t count = job_task_count(job), step = job->JB_ja_step, first = job->JB_ja_first;
    uint32_t tr_step = tr->TR_step == 0 ? 1 : tr->TR_step;
    uint32_t last_id = job_task_id(job, count - 1),
             max = tr->TR_max < last_id ? tr->TR_max : last_id;
    uint64_t min = tr->TR_min;
    if (min < first) /* the first id of the range that is not below the array */
        min += ((uint64_t)first - min + tr_step - 1) / tr_step * tr_step;
    if (min > max)
        return;
    uint32_t divisor = common_divisor(step, tr_step), period = step / divisor;
    uint64_t missing = (step - (min - first) % step) % step; /* to the next id of the array */
    if (missing % divisor != 0)
        return;
    uint64_t k = period == 1 ? 0 : missing / divisor * inverse(tr_step / divisor, period) % period;
    uint64_t id = min + k * tr_step;
    if (id <= max)
        range_set_add_stride(out, (uint32_t)((id - first) / step), (max - first) / step,
                             tr_step / divisor);
}

static void pick(void *ctx, struct job *job)
{
    struct picking *p = ctx;
    struct selection *s = p->out;
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    struct picked *one = &s->v[s->n++];
    *one = (struct picked){ .job = job->rec.JB_job_number, .entry = p->entry };
    one->is_whole = p->id == NULL || p->id->ID_tasks.n == 0;
    if (one->is_whole) {
        range_set_add(&one->ordinals, 0, job_task_count(&job->rec) - 1);
        return;
    }
    one->asked = p->id->ID_tasks;
    for (uint32_t i = 0; i < p->id->ID_tasks.n; i++)
        add_task_range(&job->rec, &p->id->ID_tasks.v[i], &one->ordinals);
}

static uint32_t pick_named(struct qmaster *q, const struct GR_Type *gr, const char *whose,
                           struct picking *p, const char *what)
{
    uint32_t n = 0;
    if (gr->GR_users.n == 0)
        return jobs_match_name(&q->jobs, whose, what, pick, p);
    for (uint32_t i = 0; i < gr->GR_users.n; i++) {
        const char *user = gr->GR_users.v[i].ST_name;
        n += jobs_match_name(&q->jobs, pattern_is_wild(user) ? NULL : user, what, pick, p);
    }
    return n;
}

static uint32_t pick_entry(struct qmaster *q, const struct GR_Type *gr, const char *whose,
                           struct picking *p)
{
    uint32_t number;
    const char *what = p->id->ID_str;
    if (what == NULL)
        return 0;
    if (!parse_u32(what, &number))
        return pick_named(q, gr, whose, p, what);
    struct job *job = jobs_find(&q->jobs, number);
    if (job == NULL || !select_has_owner(&gr->GR_users, job->rec.JB_owner))
        return 0;
    pick(p, job);
    return 1;
}

static uint32_t pick_users_jobs(struct qmaster *q, const char *user, struct picking *p)
{
    uint32_t n = 0;
    struct owner *o, *next;
    if (!pattern_is_wild(user))
        return jobs_match_name(&q->jobs, user, "*", pick, p);
    HASH_ITER(hh, q->jobs.owners, o, next) {
        if (pattern_match(user, o->name))
            n += jobs_match_name(&q->jobs, o->name, "*", pick, p);
    }
    return n;
}

bool select_has_owner(const struct ST_Type_list *users, const char *owner)
{
    for (uint32_t i = 0; i < users->n; i++)
        if (users->v[i].ST_name != NULL && pattern_match(users->v[i].ST_name, owner))
            return true;
    return users->n == 0;
}

void select_jobs(struct qmaster *q, struct request *r, const char *whose, unmatched_fn unmatched,
                 struct selection *out)
{
    const struct GR_Type *gr = &r->gr;
    struct picking p = { .out = out };
    *out = (struct selection){ 0 };
    for (uint32_t i = 0; i < gr->GR_select.n; i++) {
        p.id = &gr->GR_select.v[i];
        p.entry = i;
        if (pick_entry(q, gr, whose, &p) == 0 && unmatched != NULL)
            unmatched(r, p.id->ID_str != NULL ? p.id->ID_str : "");
    }
    p.id = NULL;
    for (uint32_t i = 0; gr->GR_select.n == 0 && i < gr->GR_users.n; i++) {
        const char *user = gr->GR_users.v[i].ST_name;
        p.entry = i;
        if (user != NULL && pick_users_jobs(q, user, &p) == 0 && unmatched != NULL)
            unmatched(r, user);
    }
}

void select_unmatched(struct request *r, const struct selection *chosen, uint32_t at,
                      unmatched_fn unmatched)
{
    const struct GR_Type *gr = &r->gr;
    uint32_t entries = gr->GR_select.n > 0 ? gr->GR_select.n : gr->GR_users.n;
    uint32_t to = at < chosen->n ? chosen->v[at].entry : entries;
    for (uint32_t i = at > 0 ? chosen->v[at - 1].entry + 1 : 0; i < to; i++) {
        const char *what =
            gr->GR_select.n > 0 ? gr->GR_select.v[i].ID_str : gr->GR_users.v[i].ST_name;
        unmatched(r, what != NULL ? what : "");
    }
}

bool picked_has_tasks(struct request *r, const struct job *job, const struct picked *p)
{
    struct range_set there = { 0 };
    if (p->is_whole)
        return true;
    range_set_copy(&there, &p->ordinals);
    range_set_intersect(&there, &job->unfinished);
    bool has_some = !range_set_is_empty(&there);
    range_set_free(&there);
    for (uint32_t i = 0; !has_some && i < p->asked.n; i++)
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_TASK_UNKNOWN_UU, p->job,
                p->asked.v[i].TR_min);
    return has_some;
}

uint32_t picked_work(struct qmaster *q, const struct picked *p)
{
    const struct job *job = jobs_find(&q->jobs, p->job);
    return job != NULL ? 1 + job->n_records : 1;
}

void selection_free(struct selection *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        range_set_free(&s->v[i].ordinals);
    free(s->v);
    *s = (struct selection){ 0 };
}

/* Makes plans, in stages: words are resolved, the memory of the links is claimed, lists are made of
 * what was found and checked, and cycles are looked for. Each stage can stop and go on in another
 * slice. Meanwhile jobs come and go, and others are altered; so
 *   - what was found is a set of numbers, and a list takes only the jobs that are still the same;
 *   - the links count for the owner as soon as they are to be made, since many requests may wait at
 *     a time;
 *   - a search for cycles gets every job that gets other predecessors, and looks at it once
 *     more (depend_plan_changed). */
#include "daemons/qmaster/jobs/depend_plan.h"

#include <stdlib.h>

#include "daemons/qmaster/change/shares.h"
#include "daemons/qmaster/jobs/depend_words.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "libs/sgeobj/ja_dependency.h"
#include "libs/uti/alloc.h"

struct plan_progress {
    struct qmaster *q;
    char *owner;
    unsigned stage;              /* of `stages` */
    struct depend_words jid, ad; /* what the words mean */
    uint64_t claimed;            /* bytes that count for the owner; 0: none do */
    uint64_t at;                 /* of the list that is being made, the next number */
    struct jobnet_search search;
    bool is_searching; /* it is in q->searches */
    bool is_in_ad;     /* of the predecessors of search.at, the first list has been put */
    uint32_t after;    /* and of the present one those up to this number */
    LIST_ENTRY(plan_progress) in_searches;
};
/* what a stage works with */
struct plan_step {
    struct qmaster *q;
    struct request *r;
    struct depend_plan *plan;
    struct plan_progress *m;
    struct job *self;
    const struct JB_Type *want, *shape;
    uint32_t work;
};
/* Returns 0: on to the next stage; 1: there is more to do; -1 with r->ans */
typedef int stage_fn(struct plan_step *s);

/* ---- words ---- */
static int find_jid(struct plan_step *s)
{
    return depend_words_step(&s->m->jid, s->q, &s->want->JB_jid_request_list, &s->work, &s->r->ans);
}

static int find_ad(struct plan_step *s)
{
    return depend_words_step(&s->m->ad, s->q, &s->want->JB_ja_ad_request_list, &s->work,
                             &s->r->ans);
}

/* ---- memory ---- */
static uint64_t bytes_of(const struct depend_plan *plan, uint64_t n_jid, uint64_t n_ad,
                         const struct JB_Type *now)
{
    uint64_t links = n_jid + n_ad, before = 0;
    before += plan->sets_jid ? now->JB_jid_predecessor_list.n : 0;
    before += plan->sets_ad ? now->JB_ja_ad_predecessor_list.n : 0;
    return links > before ? 2 * sizeof(struct JRE_Type) * (links - before) : 0;
}

uint64_t depend_plan_bytes(const struct depend_plan *plan, const struct JB_Type *now)
{
    return plan != NULL ? bytes_of(plan, plan->jid.n, plan->ad.n, now) : 0;
}

/* lists that are made in one step are weighed by who applies them */
static int claim_memory(struct plan_step *s)
{
    struct plan_progress *m = s->m;
    uint64_t n_jid = depend_words_found(&m->jid), n_ad = depend_words_found(&m->ad);
    struct share share = { .memory = bytes_of(s->plan, n_jid, n_ad, s->shape) };
    if (n_jid + n_ad <= 2 * LINKS_FEW || share.memory == 0)
        return 0;
    if (shares_check(s->q, request_who(s->r), m->owner, &share, &s->r->ans) != 0)
        return -1;
    m->claimed = share.memory;
    jobs_claim(&s->q->jobs, m->owner, m->claimed);
    return 0;
}

/* ---- lists ---- */
static void add_to_list(struct plan_step *s, struct JRE_Type_list *l, const struct depend_words *w,
                        uint32_t number)
{
    const struct job *job = jobs_find(&s->q->jobs, number);
    if (job != NULL && job->serial < w->n_added)
        l->v[l->n++] = links_entry(job);
}

/* few in the order in which they were asked for, more by number */
static int make_list(struct plan_step *s, struct JRE_Type_list *l, const struct depend_words *w)
{
    struct range run;
    uint64_t n = w->n_few > LINKS_FEW ? range_set_count(&w->numbers) : w->n_few;
    if (n > 0)
        l->v = uti_vec_grow(l->v, &l->cap, (uint32_t)n, sizeof *l->v);
    for (uint32_t i = 0; n <= LINKS_FEW && i < n; i++)
        add_to_list(s, l, w, w->few[i].number);
    while (n > LINKS_FEW && range_set_next_run(&w->numbers, s->m->at, &run)) {
        if (depend_step_is_over(s->q, &s->work))
            return 1;
        add_to_list(s, l, w, run.first);
        s->m->at = (uint64_t)run.first + 1;
    }
    s->m->at = 0;
    return 0;
}

static int list_jid(struct plan_step *s)
{
    return make_list(s, &s->plan->jid, &s->m->jid);
}

static int list_ad(struct plan_step *s)
{
    return make_list(s, &s->plan->ad, &s->m->ad);
}

static int check_array(const struct JB_Type *pred, const struct ja_shape *b, struct answer *ans)
{
    struct ja_shape a = ja_shape_of(pred);
    if (!job_is_array(pred))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AD_NEEDS_ARRAY);
    if (!ja_same_range(&a, b))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AD_SAME_RANGE);
    return 0;
}

static int check_arrays(struct plan_step *s)
{
    struct ja_shape b = ja_shape_of(s->shape);
    if (!s->plan->sets_ad || s->want->JB_ja_ad_request_list.n == 0)
        return 0;
    if (!job_is_array(s->shape))
        return ans_fail(&s->r->ans, STATUS_ESEMANTIC, MSG_AD_NEEDS_ARRAY);
    for (; s->m->at < s->plan->ad.n; s->m->at++) {
        const struct job *pred = links_job(s->q, &s->plan->ad.v[s->m->at]);
        if (depend_step_is_over(s->q, &s->work))
            return 1;
        if (pred != NULL && check_array(&pred->rec, &b, &s->r->ans) != 0)
            return -1;
    }
    return 0;
}

/* ---- cycles ---- */
/* true: all that are left of L have been put */
static bool put_predecessors(struct plan_step *s, const struct JRE_Type_list *l)
{
    struct plan_progress *m = s->m;
    for (uint32_t at = l->n > LINKS_FEW ? links_after(l, m->after) : 0; at < l->n; at++) {
        if (depend_step_is_over(s->q, &s->work) && l->n > LINKS_FEW)
            return false;
        m->after = l->v[at].JRE_job_number;
        if (links_job(s->q, &l->v[at]) != NULL)
            jobnet_search_put(&m->search, m->after);
    }
    m->after = 0;
    return true;
}

/* the predecessors of both kinds of the job that the search is at; of the job itself those that it
 * is to have */
static bool put_both(struct plan_step *s)
{
    struct plan_progress *m = s->m;
    const struct job *job = jobs_find(&s->q->jobs, m->search.at);
    bool is_self = m->search.at == m->search.job;
    if (job == NULL)
        return true;
    if (!m->is_in_ad &&
        !put_predecessors(s, is_self ? &s->plan->jid : &job->rec.JB_jid_predecessor_list))
        return false;
    m->is_in_ad = true;
    if (!put_predecessors(s, is_self ? &s->plan->ad : &job->rec.JB_ja_ad_predecessor_list))
        return false;
    m->is_in_ad = false;
    return true;
}

static void begin_search(struct plan_step *s)
{
    jobnet_search_begin(&s->m->search, s->self->rec.JB_job_number);
    s->m->is_searching = true;
    LIST_INSERT_HEAD(&s->q->searches, s->m, in_searches);
}

/* a new job cannot close a cycle: nobody can name it yet */
static int search_cycle(struct plan_step *s)
{
    struct jobnet_search *search = &s->m->search;
    if (s->self == NULL)
        return 0;
    if (!s->m->is_searching)
        begin_search(s);
    do {
        if (depend_step_is_over(s->q, &s->work) || !put_both(s))
            return 1;
    } while (jobnet_search_next(search));
    if (search->with != 0)
        return ans_fail(&s->r->ans, STATUS_ESEMANTIC, MSG_JOB_CYCLE_UU, search->job, search->with);
    return 0;
}

void depend_plan_changed(struct qmaster *q, const struct job *job)
{
    struct plan_progress *m;
    LIST_FOREACH(m, &q->searches, in_searches)
        jobnet_search_again(&m->search, job->rec.JB_job_number);
}

/* ---- all of it ---- */
static stage_fn *const stages[] = { find_jid, find_ad,      claim_memory, list_jid,
                                    list_ad,  check_arrays, search_cycle };

static void plan_progress_free(struct plan_progress *m)
{
    if (m == NULL)
        return;
    if (m->claimed > 0)
        jobs_unclaim(&m->q->jobs, m->owner, m->claimed);
    m->claimed = 0;
    if (m->is_searching)
        LIST_REMOVE(m, in_searches);
    jobnet_search_free(&m->search);
    depend_words_free(&m->jid);
    depend_words_free(&m->ad);
    free(m->owner);
    free(m);
}

static void plan_free(struct step_state *s)
{
    struct depend_plan *plan = (struct depend_plan *)s;
    plan_progress_free(plan->progress);
    links_clear(&plan->jid);
    links_clear(&plan->ad);
    dstr_free(&plan->jid_exited);
    dstr_free(&plan->ad_exited);
    dstr_free(&plan->jid_idle);
    dstr_free(&plan->ad_idle);
    free(plan);
}

struct depend_plan *depend_plan_of(const struct request *r)
{
    return (struct depend_plan *)r->state;
}

static struct depend_plan *begin_plan(struct qmaster *q, const struct job *self,
                                      const struct JB_Type *want, const char *owner)
{
    struct depend_plan *plan = uti_calloc(1, sizeof *plan);
    struct plan_progress *m = uti_calloc(1, sizeof *m);
    uint32_t number = self != NULL ? self->rec.JB_job_number : 0;
    *plan = (struct depend_plan){ .state = { plan_free },
                                  .sets_jid = cull_has(want, JB_jid_request_list),
                                  .sets_ad = cull_has(want, JB_ja_ad_request_list),
                                  .progress = m };
    m->q = q;
    m->owner = uti_strdup(owner);
    depend_words_begin(&m->jid, q, m->owner, number);
    depend_words_begin(&m->ad, q, m->owner, number);
    return plan;
}

static void move_text(struct dstr *to, struct dstr *from)
{
    *to = *from;
    *from = (struct dstr)DSTR_INIT;
}

static void end_plan(struct depend_plan *plan)
{
    move_text(&plan->jid_exited, &plan->progress->jid.exited);
    move_text(&plan->ad_exited, &plan->progress->ad.exited);
    move_text(&plan->jid_idle, &plan->progress->jid.idle);
    move_text(&plan->ad_idle, &plan->progress->ad.idle);
    plan_progress_free(plan->progress);
    plan->progress = NULL;
}

void depend_plan_warn(const struct depend_plan *plan, struct answer *ans)
{
    if (plan->jid_idle.len > 0)
        ans_add(ans, STATUS_EUNKNOWN, ANSWER_QUALITY_WARNING, MSG_HOLD_IDLE_SS, "-hold_jid",
                dstr_get(&plan->jid_idle));
    if (plan->ad_idle.len > 0)
        ans_add(ans, STATUS_EUNKNOWN, ANSWER_QUALITY_WARNING, MSG_HOLD_IDLE_SS, "-hold_jid_ad",
                dstr_get(&plan->ad_idle));
}

int depend_make(struct qmaster *q, struct request *r, struct job *self, const struct JB_Type *want,
                const struct JB_Type *shape, const char *owner)
{
    if (!cull_has(want, JB_jid_request_list) && !cull_has(want, JB_ja_ad_request_list))
        return 0;
    if (self != NULL && self->rare->n_joining > 0)
        return 1; /* what it waits for now is not known everywhere yet */
    struct depend_plan *plan = depend_plan_of(r);
    if (plan == NULL)
        plan = begin_plan(q, self, want, owner);
    r->state = &plan->state;
    struct plan_progress *m = plan->progress;
    struct plan_step s = {
        .q = q, .r = r, .plan = plan, .m = m, .self = self, .want = want, .shape = shape
    };
    for (; m->stage < ARRAY_LEN(stages); m->stage++) {
        int rc = stages[m->stage](&s);
        if (rc != 0)
            return rc;
    }
    end_plan(plan);
    return 0;
}

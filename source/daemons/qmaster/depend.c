/* Keeps both directions of the job net. Invariants: A is in B's predecessor list exactly when B is in A's successor list; B's
 * JB_ja_a_h_ids are exactly the unended ordinals of B that wait for an unfinished task of one of its array predecessors.
 * While a job that has gone leaves long lists in steps, A may be missing in the first of the two for a while, and nobody is in the second.
 * An entry means the job that had its number in its round: a number that is used again binds to no older entry, neither here nor on disk.
 * Lists that a request changed are spooled with the job; what regular ends change is not (seed 000): depend_restore computes it. */
#include "daemons/qmaster/depend.h"

#include <stdlib.h>

#include "daemons/qmaster/change.h"
#include "daemons/qmaster/events.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/parked.h"
#include "daemons/qmaster/work.h"
#include "libs/sgeobj/ja_dependency.h"
#include "libs/sgeobj/jobnet.h"
#include "libs/uti/parse.h"

enum {
    FEW = 64
}; /* up to so many tasks are looked at one by one, more by whole sets; lists alike */
#define ROUND_OF_NONE UINT32_MAX /* of an entry whose job has gone: no job has this round */

/* ---- lists of job numbers, sorted ---- */
/* where NUMBER is, or where it would be inserted */
static uint32_t jre_place(const struct JRE_Type_list *l, uint32_t number)
{
    uint32_t low = 0, high = l->n;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (l->v[mid].JRE_job_number < number)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool jre_has_at(const struct JRE_Type_list *l, uint32_t at, uint32_t number)
{
    return at < l->n && l->v[at].JRE_job_number == number;
}

static void jre_clear(struct JRE_Type_list *l)
{
    while (l->n > 0)
        cull_remove_at(&cull_JRE_Type, (struct cull_list *)l, l->n - 1);
    free(l->v);
    *l = (struct JRE_Type_list){ 0 };
}

/* those that are gone leave in one pass */
static void jre_compact(struct JRE_Type_list *l, uint32_t *n_gone)
{
    uint32_t n = 0;
    if (*n_gone == 0)
        return;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->v[i].JRE_round != ROUND_OF_NONE)
            l->v[n++] = l->v[i]; /* entries of these lists have no texts */
    l->n = n;
    *n_gone = 0;
    if (n == 0)
        jre_clear(l);
}

/* Of a long list the entry is marked, and leaves when more than half of them are: ends cost O(log n) each. A list whose entries are all
 * marked is thus empty. True if JOB was in it. */
static bool jre_remove(struct JRE_Type_list *l, uint32_t *n_gone, const struct JB_Type *job)
{
    uint32_t at = jre_place(l, job->JB_job_number);
    if (!jre_has_at(l, at, job->JB_job_number) || l->v[at].JRE_round != job->JB_round)
        return false;
    if (l->n <= FEW && *n_gone == 0) {
        cull_remove_at(&cull_JRE_Type, (struct cull_list *)l, at);
        return true;
    }
    l->v[at].JRE_round = ROUND_OF_NONE;
    if (++*n_gone > l->n / 2)
        jre_compact(l, n_gone);
    return true;
}

/* JOB, which takes the place of one that had its number */
static void jre_add(struct JRE_Type_list *l, uint32_t *n_gone, const struct JB_Type *job)
{
    uint32_t at = jre_place(l, job->JB_job_number);
    if (!jre_has_at(l, at, job->JB_job_number)) {
        l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
        memmove(&l->v[at + 1], &l->v[at], (l->n - at) * sizeof *l->v);
        l->n++;
    } else if (l->v[at].JRE_round == ROUND_OF_NONE) {
        --*n_gone;
    }
    l->v[at] = (struct JRE_Type){ 0 };
    cull_set(&l->v[at], JRE_job_number, job->JB_job_number);
    if (job->JB_round > 0)
        cull_set(&l->v[at], JRE_round, job->JB_round);
}

struct job *depend_find(struct qmaster *q, const struct JRE_Type *entry)
{
    struct job *job = jobs_find(&q->jobs, entry->JRE_job_number);
    return job != NULL && job->rec.JB_round == entry->JRE_round ? job : NULL;
}

/* ---- resolving ---- */
struct resolving {
    struct job *self;
    struct range_set *found; /* numbers: what many words mean costs the same as what one means */
};

static void on_match(void *ctx, struct job *job)
{
    struct resolving *r = ctx;
    if (job != r->self)
        range_set_add(r->found, job->rec.JB_job_number, job->rec.JB_job_number);
}

static int resolve_id(struct qmaster *q, struct job *self, uint32_t id, struct range_set *found,
                      struct dstr *exited, struct answer *ans)
{
    if (self != NULL && id == self->rec.JB_job_number)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_JOB_OWN_PREDECESSOR_U, id);
    if (jobs_find(&q->jobs, id) != NULL)
        range_set_add(found, id, id);
    else
        dstr_addf(exited, "%s%u", exited->len > 0 ? "," : "", id);
    return 0;
}

static bool is_task_of_job(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && name[digits] == '.' &&
           name[digits + 1 + strspn(name + digits + 1, "0123456789-:")] == '\0';
}

static int resolve_words(struct qmaster *q, struct job *self, const struct JRE_Type_list *wanted,
                         const char *owner, struct range_set *found, struct dstr *exited,
                         struct answer *ans)
{
    struct resolving r = { self, found };
    for (uint32_t i = 0; i < wanted->n; i++) {
        const char *name = wanted->v[i].JRE_job_name;
        uint32_t id = wanted->v[i].JRE_job_number;
        if (id == 0 && name != NULL && !parse_u32(name, &id))
            id = 0;
        if (id != 0) {
            if (resolve_id(q, self, id, found, exited, ans) != 0)
                return -1;
        } else if (name != NULL && is_task_of_job(name)) {
            return ans_fail(ans, STATUS_EUNKNOWN, MSG_JOB_NOT_FOUND_S, name);
        } else if (name != NULL) {
            jobs_match_name(&q->jobs, owner, name, on_match, &r);
        }
    }
    return 0;
}

static int resolve(struct qmaster *q, struct job *self, const struct JRE_Type_list *wanted,
                   const char *owner, struct JRE_Type_list *found, struct dstr *exited,
                   struct answer *ans)
{
    struct range_set numbers = { 0 };
    struct range run;
    uint32_t n_gone = 0;
    int rc = resolve_words(q, self, wanted, owner, &numbers, exited, ans);
    for (uint64_t at = 0; rc == 0 && range_set_next_run(&numbers, at, &run);
         at = (uint64_t)run.last + 1)
        for (uint32_t number = run.first; number <= run.last; number++)
            jre_add(found, &n_gone, &jobs_find(&q->jobs, number)->rec);
    range_set_free(&numbers);
    return rc;
}

/* ---- checking ---- */
static int check_arrays(struct qmaster *q, const struct JRE_Type_list *ad,
                        const struct JB_Type *shape, struct answer *ans)
{
    if (!job_is_array(shape))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AD_NEEDS_ARRAY);
    struct ja_shape b = ja_shape_of(shape);
    for (uint32_t i = 0; i < ad->n; i++) {
        const struct JB_Type *pred = &jobs_find(&q->jobs, ad->v[i].JRE_job_number)->rec;
        struct ja_shape a = ja_shape_of(pred);
        if (!job_is_array(pred))
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_AD_NEEDS_ARRAY);
        if (!ja_same_range(&a, &b))
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_AD_SAME_RANGE);
    }
    return 0;
}

static void add_numbers(struct qmaster *q, const struct JRE_Type_list *l,
                        struct jobnet_numbers *out)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (depend_find(q, &l->v[i]) != NULL)
            jobnet_numbers_add(out, l->v[i].JRE_job_number);
}

/* the predecessors of both kinds of a job, as the search for cycles asks for them */
static uint32_t predecessors_of(void *ctx, uint32_t number, struct jobnet_numbers *out)
{
    struct qmaster *q = ctx;
    struct job *job = jobs_find(&q->jobs, number);
    if (job == NULL)
        return 0;
    add_numbers(q, &job->rec.JB_jid_predecessor_list, out);
    add_numbers(q, &job->rec.JB_ja_ad_predecessor_list, out);
    return out->n;
}

/* a new job cannot close a cycle: nobody can name it yet */
static int check_cycle(struct qmaster *q, struct job *self, const struct depend_plan *plan,
                       struct answer *ans)
{
    if (self == NULL)
        return 0;
    struct jobnet_numbers wanted = { 0 };
    uint32_t with = 0;
    for (uint32_t i = 0; i < plan->jid.n; i++)
        jobnet_numbers_add(&wanted, plan->jid.v[i].JRE_job_number);
    for (uint32_t i = 0; i < plan->ad.n; i++)
        jobnet_numbers_add(&wanted, plan->ad.v[i].JRE_job_number);
    bool is_cycle =
        jobnet_closes_cycle(self->rec.JB_job_number, &wanted, predecessors_of, q, &with);
    jobnet_numbers_free(&wanted);
    if (is_cycle)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_JOB_CYCLE_UU, self->rec.JB_job_number, with);
    return 0;
}

int depend_make(struct qmaster *q, struct job *self, const struct JB_Type *want,
                const struct JB_Type *shape, const char *owner, struct depend_plan *plan,
                struct answer *ans)
{
    *plan = (struct depend_plan){ 0 };
    plan->sets_jid = cull_has(want, JB_jid_request_list);
    plan->sets_ad = cull_has(want, JB_ja_ad_request_list);
    if (plan->sets_jid && resolve(q, self, &want->JB_jid_request_list, owner, &plan->jid,
                                  &plan->jid_exited, ans) != 0)
        return -1;
    if (plan->sets_ad) {
        if (resolve(q, self, &want->JB_ja_ad_request_list, owner, &plan->ad, &plan->ad_exited,
                    ans) != 0)
            return -1;
        if (want->JB_ja_ad_request_list.n > 0 && check_arrays(q, &plan->ad, shape, ans) != 0)
            return -1;
    }
    return check_cycle(q, self, plan, ans);
}

uint64_t depend_plan_bytes(const struct depend_plan *plan, const struct JB_Type *now)
{
    uint64_t links = (uint64_t)plan->jid.n + plan->ad.n, before = 0;
    before += plan->sets_jid ? now->JB_jid_predecessor_list.n : 0;
    before += plan->sets_ad ? now->JB_ja_ad_predecessor_list.n : 0;
    return links > before ? 2 * sizeof(struct JRE_Type) * (links - before) : 0;
}

void depend_plan_free(struct depend_plan *plan)
{
    jre_clear(&plan->jid);
    jre_clear(&plan->ad);
    dstr_free(&plan->jid_exited);
    dstr_free(&plan->ad_exited);
}

/* ---- applying ---- */
static void touch(struct qmaster *q, struct job *job)
{
    job->changed = change_number(q);
}

static void unlink_from(struct qmaster *q, const struct JRE_Type *predecessor,
                        const struct JB_Type *rec, bool is_ad)
{
    struct job *pred = depend_find(q, predecessor);
    if (pred == NULL)
        return;
    if (is_ad)
        jre_remove(&pred->rec.JB_ja_ad_sucessor_list, &pred->gone.ad_successors, rec);
    else
        jre_remove(&pred->rec.JB_jid_sucessor_list, &pred->gone.jid_successors, rec);
    touch(q, pred);
}

static void link_to(struct qmaster *q, const struct JRE_Type *predecessor, const struct job *job,
                    bool is_ad)
{
    struct job *pred = depend_find(q, predecessor);
    if (pred == NULL)
        return;
    cull_mark(&pred->rec, is_ad ? JB_ja_ad_sucessor_list : JB_jid_sucessor_list);
    if (is_ad)
        jre_add(&pred->rec.JB_ja_ad_sucessor_list, &pred->gone.ad_successors, &job->rec);
    else
        jre_add(&pred->rec.JB_jid_sucessor_list, &pred->gone.jid_successors, &job->rec);
    touch(q, pred);
}

static void replace_list(struct qmaster *q, struct job *job, struct JRE_Type_list *list,
                         struct JRE_Type_list *next, bool is_ad)
{
    for (uint32_t i = 0; i < list->n; i++)
        unlink_from(q, &list->v[i], &job->rec, is_ad);
    jre_clear(list);
    *list = *next;
    *next = (struct JRE_Type_list){ 0 };
    for (uint32_t i = 0; i < list->n; i++)
        link_to(q, &list->v[i], job, is_ad);
}

/* JB_ja_a_h_ids anew, from what the predecessors have not finished: the unended tasks of JOB that wait, those that run already among them */
static void compute_array_holds(struct qmaster *q, struct job *job)
{
    struct range_set held = { 0 };
    struct ja_shape b = ja_shape_of(&job->rec);
    for (uint32_t i = 0; i < job->rec.JB_ja_ad_predecessor_list.n; i++) {
        struct job *pred = depend_find(q, &job->rec.JB_ja_ad_predecessor_list.v[i]);
        if (pred == NULL)
            continue;
        struct ja_shape a = ja_shape_of(&pred->rec);
        ja_dep_held(&a, &b, &pred->unfinished, &held);
    }
    range_set_intersect(&held, &job->unfinished);
    range_set_free(&job->rec.JB_ja_a_h_ids);
    range_set_move(cull_ranges(&job->rec, JB_ja_a_h_ids), &held);
}

void depend_apply(struct qmaster *q, struct job *job, struct depend_plan *plan)
{
    struct JB_Type *rec = &job->rec;
    if (plan->sets_jid) {
        cull_mark(rec, JB_jid_predecessor_list);
        replace_list(q, job, &rec->JB_jid_predecessor_list, &plan->jid, false);
        job->gone.jid_predecessors = 0;
    }
    if (plan->sets_ad) {
        cull_mark(rec, JB_ja_ad_predecessor_list);
        replace_list(q, job, &rec->JB_ja_ad_predecessor_list, &plan->ad, true);
        job->gone.ad_predecessors = 0;
        compute_array_holds(q, job);
    }
}

/* ---- releasing ---- */
static bool waits_for(struct job *pred, const struct ja_shape *b, uint32_t ordinal)
{
    struct ja_shape a = ja_shape_of(&pred->rec);
    struct ja_window w = ja_dep_forward(&a, b, ordinal);
    return range_set_any_in(&pred->unfinished, w.first, w.last);
}

static void keep_free_few(struct qmaster *q, struct job *job, const struct ja_shape *b,
                          struct range_set *candidates)
{
    struct range_set freed = { 0 };
    struct range run;
    for (uint64_t at = 0; range_set_next_run(candidates, at, &run); at = (uint64_t)run.last + 1)
        for (uint32_t i = run.first; i <= run.last; i++) {
            bool is_waiting = false;
            for (uint32_t p = 0; p < job->rec.JB_ja_ad_predecessor_list.n && !is_waiting; p++) {
                struct job *pred = depend_find(q, &job->rec.JB_ja_ad_predecessor_list.v[p]);
                is_waiting = pred != NULL && waits_for(pred, b, i);
            }
            if (!is_waiting)
                range_set_add(&freed, i, i);
        }
    range_set_free(candidates);
    range_set_move(candidates, &freed);
}

static void keep_free_many(struct qmaster *q, struct job *job, const struct ja_shape *b,
                           struct range_set *candidates)
{
    struct range_set held = { 0 };
    for (uint32_t p = 0; p < job->rec.JB_ja_ad_predecessor_list.n; p++) {
        struct job *pred = depend_find(q, &job->rec.JB_ja_ad_predecessor_list.v[p]);
        if (pred == NULL)
            continue;
        struct ja_shape a = ja_shape_of(&pred->rec);
        ja_dep_held(&a, b, &pred->unfinished, &held);
    }
    range_set_subtract(candidates, &held);
    range_set_free(&held);
}

static void announce_startable(struct qmaster *q, struct job *job, const struct range_set *ids)
{
    struct range_set startable = { 0 };
    job_startable(job, ids, &startable);
    if (!range_set_is_empty(&startable))
        events_tasks_ready(q, job, &startable);
    range_set_free(&startable);
}

static void release_in(struct qmaster *q, struct job *job, const struct ja_shape *a,
                       const struct range_set *ended)
{
    struct ja_shape b = ja_shape_of(&job->rec);
    struct range_set candidates = { 0 };
    ja_dep_held(a, &b, ended, &candidates);
    range_set_intersect(&candidates, &job->rec.JB_ja_a_h_ids);
    if (range_set_count(&candidates) <= FEW)
        keep_free_few(q, job, &b, &candidates);
    else
        keep_free_many(q, job, &b, &candidates);
    if (!range_set_is_empty(&candidates)) {
        range_set_subtract(&job->rec.JB_ja_a_h_ids, &candidates);
        touch(q, job);
        announce_startable(q, job, &candidates);
    }
    range_set_free(&candidates);
}

void depend_ended(struct qmaster *q, struct job *job, const struct range_set *ended)
{
    struct ja_shape a = ja_shape_of(&job->rec);
    for (uint32_t i = 0; i < job->rec.JB_ja_ad_sucessor_list.n; i++) {
        struct job *succ = depend_find(q, &job->rec.JB_ja_ad_sucessor_list.v[i]);
        if (succ != NULL)
            release_in(q, succ, &a, ended);
    }
}

static void forget_predecessor(struct qmaster *q, struct job *succ, const struct JB_Type *pred,
                               bool is_ad)
{
    struct JB_Type *rec = &succ->rec;
    touch(q, succ);
    if (is_ad)
        jre_remove(&rec->JB_ja_ad_predecessor_list, &succ->gone.ad_predecessors, pred);
    else if (jre_remove(&rec->JB_jid_predecessor_list, &succ->gone.jid_predecessors, pred) &&
             rec->JB_jid_predecessor_list.n == 0)
        announce_startable(q, succ, &succ->unfinished);
}

/* A job that has gone while many jobs wait for it, or it waited for many: it leaves their lists in steps. Nothing of it is on disk, as a
 * restart finds the same holds; until then the others wait for it, and an entry for it means nobody. */
struct leaving {
    struct piece piece;
    struct JB_Type rec; /* its number, its round and its lists */
    uint32_t done;      /* entries of all lists, in this order */
};

static uint32_t links_of(const struct JB_Type *rec)
{
    return rec->JB_ja_ad_sucessor_list.n + rec->JB_jid_sucessor_list.n +
           rec->JB_ja_ad_predecessor_list.n + rec->JB_jid_predecessor_list.n;
}

/* link AT of a job that has gone, counted through all its lists */
static void leave_one(struct qmaster *q, const struct JB_Type *rec, uint32_t at)
{
    const struct JRE_Type_list *lists[] = { &rec->JB_ja_ad_sucessor_list,
                                            &rec->JB_jid_sucessor_list,
                                            &rec->JB_ja_ad_predecessor_list,
                                            &rec->JB_jid_predecessor_list };
    unsigned i = 0;
    while (at >= lists[i]->n)
        at -= lists[i++]->n;
    const struct JRE_Type *entry = &lists[i]->v[at];
    struct job *succ = i < 2 ? depend_find(q, entry) : NULL;
    if (succ != NULL)
        forget_predecessor(q, succ, rec, i == 0);
    else if (i >= 2)
        unlink_from(q, entry, rec, i == 2);
}

static bool leave_some(struct qmaster *q, struct piece *piece)
{
    struct leaving *l = (struct leaving *)piece;
    uint32_t n = links_of(&l->rec), until = n - l->done > STEP_WORK ? l->done + STEP_WORK : n;
    while (l->done < until) {
        leave_one(q, &l->rec, l->done++);
        if (work_slice_is_over(q))
            break;
    }
    return l->done == n;
}

static void leaving_free(struct piece *piece)
{
    cull_clear(&cull_JB_Type, &((struct leaving *)piece)->rec);
    free(piece);
}

static const struct piece_kind leaving_kind = { "releasing jobs that waited for another",
                                                leave_some, leaving_free };

static void move_list(struct JRE_Type_list *to, struct JRE_Type_list *from)
{
    *to = *from;
    *from = (struct JRE_Type_list){ 0 };
}

static void leave_in_steps(struct qmaster *q, struct JB_Type *rec)
{
    struct leaving *l = uti_calloc(1, sizeof *l);
    l->piece.kind = &leaving_kind;
    l->rec.JB_job_number = rec->JB_job_number;
    l->rec.JB_round = rec->JB_round;
    move_list(&l->rec.JB_ja_ad_sucessor_list, &rec->JB_ja_ad_sucessor_list);
    move_list(&l->rec.JB_jid_sucessor_list, &rec->JB_jid_sucessor_list);
    move_list(&l->rec.JB_ja_ad_predecessor_list, &rec->JB_ja_ad_predecessor_list);
    move_list(&l->rec.JB_jid_predecessor_list, &rec->JB_jid_predecessor_list);
    lane_put_piece(q->releases, &l->piece);
}

void depend_tidy(struct job *job)
{
    jre_compact(&job->rec.JB_jid_predecessor_list, &job->gone.jid_predecessors);
    jre_compact(&job->rec.JB_jid_sucessor_list, &job->gone.jid_successors);
    jre_compact(&job->rec.JB_ja_ad_predecessor_list, &job->gone.ad_predecessors);
    jre_compact(&job->rec.JB_ja_ad_sucessor_list, &job->gone.ad_successors);
}

void depend_job_gone(struct qmaster *q, struct job *job)
{
    depend_tidy(job);
    uint32_t n = links_of(&job->rec);
    if (n > FEW) {
        leave_in_steps(q, &job->rec);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        leave_one(q, &job->rec, i);
}

/* ---- after a restart ---- */
static void drop_gone(struct qmaster *q, struct JRE_Type_list *l)
{
    uint32_t n_gone = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (depend_find(q, &l->v[i]) == NULL) {
            l->v[i].JRE_round = ROUND_OF_NONE;
            n_gone++;
        }
    jre_compact(l, &n_gone);
}

void depend_restore(struct qmaster *q)
{
    for (struct job *job = jobs_at_or_after(&q->jobs, 0); job != NULL; job = jobs_next(job)) {
        struct JB_Type *rec = &job->rec;
        drop_gone(q, &rec->JB_jid_predecessor_list);
        drop_gone(q, &rec->JB_ja_ad_predecessor_list);
        for (uint32_t i = 0; i < rec->JB_jid_predecessor_list.n; i++)
            link_to(q, &rec->JB_jid_predecessor_list.v[i], job, false);
        for (uint32_t i = 0; i < rec->JB_ja_ad_predecessor_list.n; i++)
            link_to(q, &rec->JB_ja_ad_predecessor_list.v[i], job, true);
        if (cull_has(rec, JB_ja_ad_predecessor_list))
            compute_array_holds(q, job);
    }
}

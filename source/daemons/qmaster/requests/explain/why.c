/* WHY: what keeps one task from starting (qstat -j JOB.TASK -why): the tasks of other jobs that it
 * waits for, and all other reasons. */
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/requests/explain/reasons.h"
#include "daemons/qmaster/requests/explain/why.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "libs/sgeobj/ja_dependency.h"
#include "libs/sgeobj/task_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum { MOST_WAITS = 10000 };

static void add_wait(struct request *r, struct job *pred, uint32_t ordinal, const char *kind)
{
    struct dstr state = DSTR_INIT;
    struct task *t = job_task(pred, ordinal);
    struct WT_Type *w = cull_append(&r->ga, GA_waits);
    cull_set(w, WT_job_number, pred->rec.JB_job_number);
    cull_set(w, WT_job_name, pred->rec.JB_job_name);
    if (job_is_array(&pred->rec))
        cull_set(w, WT_task_number, job_task_id(&pred->rec, ordinal));
    cull_set(w, WT_kind, kind);
    task_state_text(t != NULL ? &t->rec : NULL, job_task_holds(&pred->rec, ordinal), &state);
    cull_set(w, WT_state, dstr_get(&state));
    dstr_free(&state);
}

/* False: the answer is full, and says so. */
static bool add_waits(struct qmaster *q, struct request *r, const struct JRE_Type *predecessor,
                      uint32_t first, uint32_t last, const char *kind)
{
    struct job *pred = links_job(q, predecessor);
    struct range run;
    if (pred == NULL)
        return true;
    if (pred->changed > r->after)
        r->after = pred->changed;
    for (uint64_t at = first; range_set_next_run(&pred->unfinished, at, &run) && run.first <= last;
         at = (uint64_t)run.last + 1)
        for (uint32_t i = run.first; i <= run.last && i <= last; i++) {
            if (r->ga.GA_waits.n == MOST_WAITS) {
                ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_WHY_CUT_U, MOST_WAITS);
                return false;
            }
            add_wait(r, pred, i, kind);
        }
    return true;
}

static bool is_running(struct job *job, uint32_t ordinal)
{
    const struct task *t = job_task(job, ordinal);
    return t != NULL && task_holds_slots(t);
}

/* up to the first that has no room in the answer any more */
static void add_all_waits(struct qmaster *q, struct request *r, struct job *job, uint32_t ordinal)
{
    for (uint32_t i = 0; i < job->rec.JB_jid_predecessor_list.n; i++)
        if (!add_waits(q, r, &job->rec.JB_jid_predecessor_list.v[i], 0, UINT32_MAX - 1, "hold_jid"))
            return;
    struct ja_shape b = ja_shape_of(&job->rec);
    for (uint32_t i = 0; i < job->rec.JB_ja_ad_predecessor_list.n; i++) {
        const struct JRE_Type *entry = &job->rec.JB_ja_ad_predecessor_list.v[i];
        struct job *pred = links_job(q, entry);
        if (pred == NULL)
            continue;
        struct ja_shape a = ja_shape_of(&pred->rec);
        struct ja_window w = ja_dep_forward(&a, &b, ordinal);
        if (!add_waits(q, r, entry, w.first, w.last, "hold_jid_ad"))
            return;
    }
}

/* the answer shows the state of all queues, and what the configuration says */
static void wait_for_all(const struct qmaster *q, struct request *r)
{
    const uint64_t all[] = { q->settings.changed, q->queues.removed, q->queues.changed };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (all[i] > r->after)
            r->after = all[i];
}

/* ---- the answer ---- */
/* what is kept from slice to slice */
struct why {
    struct step_state state;
    struct place_search search;
};

static void why_free(struct step_state *s)
{
    struct why *w = (struct why *)s;
    place_search_end(&w->search);
    free(w);
}

static struct place_search *search_of(struct request *r)
{
    if (r->state == NULL) {
        struct why *w = uti_calloc(1, sizeof *w);
        w->state.free = why_free;
        r->state = &w->state;
    }
    return &((struct why *)r->state)->search;
}

static enum step_result go_on_later(struct request *r)
{
    cull_clear(&cull_GA_Type, &r->ga);
    return STEP_WAIT_SLICE;
}

static enum step_result why_queues(struct qmaster *q, struct request *r)
{
    if (!q->settings.has_job_info)
        return STEP_LAST;
    cull_mark(&r->ga, GA_reasons);
    return reasons_of_queues(q, search_of(r), &r->ga.GA_reasons) ? STEP_NEXT : go_on_later(r);
}

/* the job and the task that are meant; NULL: there is no such one, as the answer says */
static struct job *find_task(struct qmaster *q, struct request *r, uint32_t *ordinal)
{
    uint32_t number = r->gr.GR_job_number, id = r->gr.GR_task_number;
    struct job *job = jobs_find(&q->jobs, number);
    *ordinal = 0;
    if (job == NULL)
        return ans_null(&r->ans, STATUS_EUNKNOWN, MSG_JOB_UNKNOWN_U, number);
    if (job->changed > r->after)
        r->after = job->changed;
    if (id == 0 && job_is_array(&job->rec))
        return ans_null(&r->ans, STATUS_ESEMANTIC, MSG_WHY_ONE_TASK_UU, number, number);
    bool is_known = id == 0 || job_task_ordinal(&job->rec, id, ordinal);
    if (!is_known || !range_set_has(&job->unfinished, *ordinal))
        return ans_null(&r->ans, STATUS_EUNKNOWN, MSG_TASK_UNKNOWN_UU, number, id);
    return job;
}

static enum step_result why_task(struct qmaster *q, struct request *r)
{
    uint32_t ordinal;
    struct job *job = find_task(q, r, &ordinal);
    if (job == NULL)
        return STEP_LAST;
    cull_mark(&r->ga, GA_reasons);
    if (!reasons_of_task(q, job, ordinal, search_of(r), &r->ga.GA_reasons))
        return go_on_later(r);
    if (!is_running(job, ordinal))
        add_all_waits(q, r, job, ordinal);
    wait_for_all(q, r);
    return STEP_NEXT;
}

/* one slice: the state may be another than in the one before */
static enum step_result find_reasons(struct qmaster *q, struct request *r)
{
    r->after = q->jobs.removed;
    return (r->gr.GR_options & GDI_WITH_REASONS) != 0 ? why_queues(q, r) : why_task(q, r);
}

void why_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = { find_reasons, NULL };
    request_run(q, r, steps);
}

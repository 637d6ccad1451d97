/* A walk (walk.h) over queue instances up to the last that there was at the start, and within one
 * over the tasks that it had when its turn came, each by job, ordinal and attempt: an end, another
 * start or a change of the configuration between two steps is seen, and no pointer to what has gone
 * is kept. A slice ends between instances; only one with more than STEP_WORK tasks takes several.
 */
#include "daemons/qmaster/requests/jobs/act_queues.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/trail.h"
#include "daemons/qmaster/jobs/start_failures.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/jobs/act_tasks.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/rights.h"
#include "daemons/qmaster/tables/slice.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/alloc.h"

struct queued_task {
    uint32_t job, ordinal;
    uint64_t attempt;
};
struct act_queues {
    struct step_state state;
    const char *wc_queue; /* borrowed */
    struct walk walk;     /* over all instances */
    uint64_t last_place;  /* of them when it began */
    uint32_t n_found;
    struct queued_task *tasks; /* of the last instance, as far as they are acted on */
    uint32_t n_tasks, cap_tasks, task_at;
};

static const struct queue_action {
    uint32_t bit;
    bool is_on;
    const char *word;
} queue_actions[GDI_ACT_TRIGGER_SCHEDULING + 1] = {
    [GDI_ACT_SUSPEND] = { QI_SUSPENDED, true, "suspended" },
    [GDI_ACT_UNSUSPEND] = { QI_SUSPENDED, false, "unsuspended" },
    [GDI_ACT_CLEAR_ERROR] = { QI_ERROR, false, "no error" },
    [GDI_ACT_ENABLE] = { QI_DISABLED, false, "enabled" },
    [GDI_ACT_DISABLE] = { QI_DISABLED, true, "disabled" },
};

static void act_queues_free(struct step_state *s)
{
    struct act_queues *a = (struct act_queues *)s;
    walk_end(&a->walk);
    free(a->tasks);
    free(a);
}

struct step_state *act_queues_new(struct qmaster *q, const char *wc_queue)
{
    struct act_queues *a = uti_calloc(1, sizeof *a);
    a->state.free = act_queues_free;
    a->wc_queue = wc_queue;
    a->last_place = q->queues.last_place;
    walk_begin(&q->queues.walks, &a->walk, q->queues.instances);
    return &a->state;
}

uint32_t act_queues_found(const struct request *r)
{
    return ((const struct act_queues *)r->state)->n_found;
}

/* ---- tasks ---- */
static void note_tasks(struct act_queues *a, const struct qinstance *qi)
{
    const struct task *t;
    a->n_tasks = a->task_at = 0;
    TAILQ_FOREACH(t, &qi->host->tasks, in_host) {
        if (strcmp(task_queue(t), qi->rec.QU_full_name) != 0)
            continue;
        a->tasks = uti_vec_grow(a->tasks, &a->cap_tasks, a->n_tasks + 1, sizeof *a->tasks);
        a->tasks[a->n_tasks++] =
            (struct queued_task){ t->rec.JAT_job_number, t->ordinal, t->rec.JAT_attempt };
    }
}

/* the task that was noted, if it is still in that start */
static struct task *noted_task(struct qmaster *q, const struct queued_task *noted)
{
    struct job *job = jobs_find(&q->jobs, noted->job);
    struct task *t = job != NULL ? job_task(job, noted->ordinal) : NULL;
    return t != NULL && t->rec.JAT_attempt == noted->attempt && task_holds_slots(t) ? t : NULL;
}

/* is it the tasks of queues that R is about, and not their states? */
static bool concerns_tasks(const struct request *r)
{
    return r->gr.GR_action == GDI_ACT_RESCHEDULE || r->gr.GR_action == GDI_ACT_CLEAN;
}

static void act_on_next_task(struct qmaster *q, struct request *r, struct act_queues *a)
{
    struct task *t = noted_task(q, &a->tasks[a->task_at++]);
    const struct qinstance *qi = t != NULL ? queues_instance(&q->queues, task_queue(t)) : NULL;
    if (qi == NULL)
        return;
    if (concerns_tasks(r))
        act_on_task(q, r, t);
    else
        task_queue_suspend(q, t, (qi->rec.QU_state & QI_SUSPENDED) != 0);
}

/* ---- instances ---- */
static void set_queue_state(struct qmaster *q, struct request *r, struct act_queues *acts,
                            struct qinstance *qi, const struct queue_action *a)
{
    bool is_now = ((a->bit == QI_ERROR ? qinstance_state(qi) : qi->rec.QU_state) & a->bit) != 0;
    bool is_forced = (r->gr.GR_options & GDI_FORCE) != 0;
    if (is_now == a->is_on && !is_forced) {
        ans_info(&r->ans, MSG_QUEUE_ALREADY_SS, qi->rec.QU_full_name, a->word);
        return;
    }
    cull_set(&qi->rec, QU_state, a->is_on ? qi->rec.QU_state | a->bit : qi->rec.QU_state & ~a->bit);
    if (a->bit == QI_ERROR) {
        cull_clear_field(&cull_QU_Type, &qi->rec, QU_message);
        start_failures_open(q, qi->host);
    }
    queues_note_change(&q->queues, qi, change_number(q));
    change_record(q, SPOOL_QINSTANCE, qi->rec.QU_full_name, &cull_QU_Type, &qi->rec);
    events_queue_mod(q, qi);
    if (a->bit == QI_SUSPENDED)
        note_tasks(acts, qi);
    ans_info(&r->ans, is_forced ? MSG_QUEUE_FORCED_SSSS : MSG_QUEUE_CHANGED_SSSS, r->from->who.user,
             r->from->who.host, qi->rec.QU_full_name, a->word);
    trail_note(q, r);
}

/* what its owners may do with a queue does not touch the jobs of others for good */
static bool may_act(struct qmaster *q, const struct request *r, const struct qinstance *qi)
{
    const struct identity *who = &r->from->who;
    return concerns_tasks(r) ? right_operate(q, who) : right_over_queue(q, who, &qi->rec);
}

static void act_on_queue(struct qmaster *q, struct request *r, struct act_queues *a,
                         struct qinstance *qi)
{
    if (!may_act(q, r, qi)) {
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_QUEUE_DENIED_SS,
                r->from->who.user, qi->rec.QU_full_name);
        return;
    }
    if (r->gr.GR_action == GDI_ACT_CLEAN) {
        ans_info(&r->ans, MSG_QUEUE_CLEANED_SSS, r->from->who.user, r->from->who.host,
                 qi->rec.QU_full_name);
        trail_note(q, r);
    }
    if (concerns_tasks(r))
        note_tasks(a, qi);
    else if (r->gr.GR_action < ARRAY_LEN(queue_actions) &&
             queue_actions[r->gr.GR_action].word != NULL)
        set_queue_state(q, r, a, qi, &queue_actions[r->gr.GR_action]);
}

/* is there one more of those that there were at the start? */
static bool has_next_queue(const struct act_queues *a)
{
    const struct qinstance *next = a->walk.next;
    return next != NULL && next->place <= a->last_place;
}

/* is the next instance meant, and acted on? */
static bool act_on_next_queue(struct qmaster *q, struct request *r, struct act_queues *a)
{
    struct qinstance *qi = walk_take(&a->walk, offsetof(struct qinstance, hh));
    if (!qinstance_is_there(qi) ||
        !queue_match(a->wc_queue, qi->rec.QU_full_name, &qi->rec.QU_hostgroups))
        return false;
    act_on_queue(q, r, a, qi);
    a->n_found++;
    return true;
}

/* the tasks that were noted, STEP_WORK of them at most; returns how many */
static uint32_t act_on_tasks(struct qmaster *q, struct request *r, struct act_queues *a)
{
    uint32_t n = 0;
    for (; n < STEP_WORK && a->task_at < a->n_tasks; n++)
        act_on_next_task(q, r, a);
    return n;
}

bool act_queues_step(struct qmaster *q, struct request *r)
{
    struct act_queues *a = (struct act_queues *)r->state;
    uint32_t work = act_on_tasks(q, r, a);
    bool is_begun = work > 0;
    while (a->task_at == a->n_tasks && has_next_queue(a)) {
        if (work >= STEP_WORK || (is_begun && slice_is_over(q)))
            return false;
        work += act_on_next_queue(q, r, a);
        work += act_on_tasks(q, r, a);
        is_begun = true;
    }
    return a->task_at == a->n_tasks;
}

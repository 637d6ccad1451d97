/* Actions on single tasks, and the words for them. The callers have seen to it that who asks
 * may. */
#include "daemons/qmaster/requests/jobs/act_tasks.h"

#include "daemons/qmaster/change/trail.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/dstr.h"

/* "job 5" or "job-array task 5.2" */
static const char *name_of(const struct task *t, struct dstr *out)
{
    dstr_clear(out);
    if (job_is_array(&t->job->rec))
        dstr_addf(out, "job-array task %u.%u", t->rec.JAT_job_number, t->rec.JAT_task_number);
    else
        dstr_addf(out, "job %u", t->rec.JAT_job_number);
    return dstr_get(out);
}

static void suspend_task(struct qmaster *q, struct request *r, struct task *t, bool is_on)
{
    struct dstr name = DSTR_INIT;
    const char *user = r->from->who.user;
    bool is_now = (t->rec.JAT_state & TASK_IS_SUSPENDED) != 0;
    if (is_now == is_on) {
        ans_info(&r->ans, is_on ? MSG_ALREADY_SUSPENDED_SS : MSG_ALREADY_UNSUSPENDED_SS, user,
                 name_of(t, &name));
    } else {
        ans_info(&r->ans, is_on ? MSG_SUSPENDED_SS : MSG_UNSUSPENDED_SS, user, name_of(t, &name));
        trail_note_task(q, r, t->job->rec.JB_owner);
        task_suspend(q, t, is_on);
    }
    dstr_free(&name);
}

static void reschedule_task(struct qmaster *q, struct request *r, struct task *t)
{
    struct dstr name = DSTR_INIT;
    bool is_forced = (r->gr.GR_options & GDI_FORCE) != 0;
    name_of(t, &name);
    if (!task_is_rerunnable(q, t) && !is_forced) {
        ans_info(&r->ans, MSG_NOT_RERUNNABLE_SS, dstr_get(&name), task_queue(t));
    } else {
        ans_info(&r->ans, MSG_RESCHEDULED_SS, dstr_get(&name), task_host(t));
        trail_note_task(q, r, t->job->rec.JB_owner);
        task_reschedule(q, t, is_forced);
    }
    dstr_free(&name);
}

static void clear_task(struct qmaster *q, struct request *r, struct task *t)
{
    struct dstr name = DSTR_INIT;
    ans_info(&r->ans, MSG_ERROR_CLEARED_SSS, r->from->who.user, r->from->who.host,
             name_of(t, &name));
    trail_note_task(q, r, t->job->rec.JB_owner);
    task_clear_error(q, t);
    dstr_free(&name);
}

/* it is over, whatever becomes of its processes, which its host is to end */
static void clean_task(struct qmaster *q, struct request *r, struct task *t)
{
    bool is_array = job_is_array(&t->job->rec);
    ans_info(&r->ans, is_array ? MSG_TASK_FORCED_SUU : MSG_JOB_FORCED_SU, r->from->who.user,
             t->rec.JAT_job_number, t->rec.JAT_task_number);
    trail_note_task(q, r, t->job->rec.JB_owner);
    task_drop(q, t);
}

bool act_concerns(uint32_t action, const struct task *t)
{
    return action == GDI_ACT_CLEAR_ERROR ? t->rec.JAT_status == TASK_ERROR : task_holds_slots(t);
}

void act_on_task(struct qmaster *q, struct request *r, struct task *t)
{
    switch ((enum gdi_action)r->gr.GR_action) {
    case GDI_ACT_SUSPEND:
        suspend_task(q, r, t, true);
        break;
    case GDI_ACT_UNSUSPEND:
        suspend_task(q, r, t, false);
        break;
    case GDI_ACT_RESCHEDULE:
        reschedule_task(q, r, t);
        break;
    case GDI_ACT_CLEAR_ERROR:
        clear_task(q, r, t);
        break;
    case GDI_ACT_CLEAN:
        clean_task(q, r, t);
        break;
    case GDI_ACT_ENABLE:
    case GDI_ACT_DISABLE:
    case GDI_ACT_SHUTDOWN:
    case GDI_ACT_TRIGGER_SCHEDULING:
    case GDI_ACT_TAKE:
    case GDI_ACT_START:
        break;
    }
}

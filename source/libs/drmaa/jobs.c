/* drmaa_run_job, drmaa_run_bulk_jobs, drmaa_control, drmaa_job_ps. Source: drmaa_submit(3),
 * drmaa_jobcontrol(3) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/cli/submitter.h"
#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/job.h"
#include "libs/drmaa/library.h"
#include "libs/drmaa/msg_drmaa.h"
#include "libs/drmaa/template.h"
#include "libs/drmaa/texts.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/time.h"

/* ---- submit ---- */

struct run_args {
    const drmaa_job_template_t *jt;
    int start, end, step; /* of a bulk job */
    char *id;
    size_t id_len;
    drmaa_job_ids_t **ids;
};

static int read_tasks(const struct run_args *a, struct job_tasks *out, struct answer *ans)
{
    int64_t first = a->start, last = a->end, step = a->step;
    *out = (struct job_tasks){ 0, 0, 0 };
    if (a->ids == NULL)
        return DRMAA_ERRNO_SUCCESS;
    bool goes_down = step < 0;
    /* from high to low: the same tasks, named from the lowest */
    if (goes_down && first >= last) {
        int64_t lowest = first + (last - first) / step * step;
        last = first;
        first = lowest;
        step = -step;
    }
    if (first < 1 || last < first || step < 1 || last > JOB_TASK_ID_MAX) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_RANGE_III, a->start, a->end, a->step);
        return DRMAA_ERRNO_INVALID_ARGUMENT;
    }
    /* LAST stays as it was given: -hold_jid_ad compares ranges, whatever their steps */
    *out = (struct job_tasks){ (uint32_t)first, (uint32_t)last, (uint32_t)step };
    return DRMAA_ERRNO_SUCCESS;
}

/* whose the job of T is to be: the session's user's, or by request the effective user's, who is the
 * calling thread's to the kernel */
static uid_t owner_of(const struct japi *session, const struct template *t)
{
    const char *as_euid = template_get(t, ATTRIBUTE_SUBMIT_AS_EUID);
    return as_euid != NULL && *as_euid == 'y' ? geteuid() : japi_uid(session);
}

static int submit_by(struct japi *session, const struct template *t, const struct job_tasks *tasks,
                     const struct submitter *by, uid_t owner, uint32_t *number, struct answer *ans)
{
    struct JB_Type job = { 0 };
    int rc = job_of_template(t, tasks, japi_cell(session), by, &job, ans);
    if (rc == DRMAA_ERRNO_SUCCESS)
        rc = number_of(japi_submit(session, &job, owner, number, ans));
    cull_clear(&cull_JB_Type, &job);
    return rc;
}

/* the same for another user than the session's */
static int submit_for(struct japi *session, const struct template *t, const struct job_tasks *tasks,
                      struct submitter by, uid_t owner, uint32_t *number, struct answer *ans)
{
    if (japi_uid(session) != 0) {
        ans_fail(ans, STATUS_DENIED, MSG_DRMAA_EUID);
        return DRMAA_ERRNO_DENIED_BY_DRM;
    }
    if (submitter_find_user(owner, &by.user, &by.home, ans) != 0)
        return DRMAA_ERRNO_DENIED_BY_DRM;
    int rc = submit_by(session, t, tasks, &by, owner, number, ans);
    free(by.user);
    free(by.home);
    return rc;
}

/* submit what T describes; T is freed */
static int submit_template(struct japi *session, struct template *t, const struct job_tasks *tasks,
                           uint32_t *number, struct answer *ans)
{
    struct submitter by = *japi_submitter(session); /* borrowed members */
    uid_t owner = owner_of(session, t);
    by.now_s = uti_now_s();
    by.env = environ;
    int rc = owner == japi_uid(session) ? submit_by(session, t, tasks, &by, owner, number, ans)
                                        : submit_for(session, t, tasks, by, owner, number, ans);
    template_free(t);
    return rc;
}

/* what a program gets of a job; the list of a bulk job is there before the job is, so that nothing
 * can fail when it is submitted */
struct given_ids {
    struct texts *texts; /* NULL: it is no bulk job */
    void *handle;
};

static int make_ids(const struct job_tasks *tasks, struct given_ids *out, struct answer *ans)
{
    *out = (struct given_ids){ NULL, NULL };
    if (tasks->step == 0)
        return DRMAA_ERRNO_SUCCESS;
    uint32_t n = (tasks->last - tasks->first) / tasks->step + 1;
    out->texts = texts_of_tasks(0, tasks->first, tasks->step, n);
    out->handle = library_give(HANDLE_IDS, out->texts, ans);
    if (out->handle != NULL)
        return DRMAA_ERRNO_SUCCESS;
    texts_free(out->texts);
    return DRMAA_ERRNO_NO_MEMORY;
}

static void give_ids(const struct run_args *a, const struct given_ids *ids, uint32_t number)
{
    char id[DRMAA_SIGNAL_BUFFER];
    if (ids->texts != NULL) {
        ids->texts->job = number;
        *a->ids = ids->handle;
    } else {
        (void)snprintf(id, sizeof id, "%u", number);
        text_copy(a->id, a->id_len, id);
    }
}

static int submit_and_give(struct japi *session, struct template *t, const struct run_args *a,
                           const struct job_tasks *tasks, struct answer *ans)
{
    struct given_ids ids;
    uint32_t number = 0;
    int rc = make_ids(tasks, &ids, ans);
    if (rc != DRMAA_ERRNO_SUCCESS) {
        template_free(t);
        return rc;
    }
    rc = submit_template(session, t, tasks, &number, ans);
    if (rc == DRMAA_ERRNO_SUCCESS)
        give_ids(a, &ids, number);
    else if (ids.handle != NULL)
        texts_free(library_take(HANDLE_IDS, ids.handle));
    return rc;
}

static int run_jobs(struct japi *session, void *args, struct answer *ans)
{
    const struct run_args *a = args;
    struct job_tasks tasks;
    if (a->id == NULL && a->ids == NULL)
        return library_refuse_null("the job id", ans);
    int rc = read_tasks(a, &tasks, ans);
    if (rc != DRMAA_ERRNO_SUCCESS)
        return rc;
    struct template *t = template_of(a->jt);
    if (t == NULL) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_TEMPLATE);
        return DRMAA_ERRNO_INVALID_ARGUMENT;
    }
    return submit_and_give(session, t, a, &tasks, ans);
}

int drmaa_run_job(char *job_id, size_t job_id_len, const drmaa_job_template_t *jt, char *diag,
                  size_t diag_len)
{
    struct run_args a = { .jt = jt, .id = job_id, .id_len = job_id_len };
    return library_run_in_session(run_jobs, &a, diag, diag_len);
}

int drmaa_run_bulk_jobs(drmaa_job_ids_t **jobids, const drmaa_job_template_t *jt, int start,
                        int end, int incr, char *diag, size_t diag_len)
{
    struct run_args a = { .jt = jt, .start = start, .end = end, .step = incr, .ids = jobids };
    return library_run_in_session(run_jobs, &a, diag, diag_len);
}

/* ---- control ---- */

static int read_id(const char *text, struct japi_id *out, struct answer *ans)
{
    if (text == NULL)
        return library_refuse_null("the job id", ans);
    if (japi_id_parse(text, out))
        return DRMAA_ERRNO_SUCCESS;
    ans_fail(ans, STATUS_EUNKNOWN, MSG_DRMAA_NO_ID_S, text);
    return DRMAA_ERRNO_INVALID_JOB;
}

struct control_args {
    const char *id;
    int action;
};
static const struct {
    enum japi_action action;
    int wrong_state;
} actions[] = {
    [DRMAA_CONTROL_SUSPEND] = { JAPI_SUSPEND, DRMAA_ERRNO_SUSPEND_INCONSISTENT_STATE },
    [DRMAA_CONTROL_RESUME] = { JAPI_RESUME, DRMAA_ERRNO_RESUME_INCONSISTENT_STATE },
    [DRMAA_CONTROL_HOLD] = { JAPI_HOLD, DRMAA_ERRNO_HOLD_INCONSISTENT_STATE },
    [DRMAA_CONTROL_RELEASE] = { JAPI_RELEASE, DRMAA_ERRNO_RELEASE_INCONSISTENT_STATE },
    [DRMAA_CONTROL_TERMINATE] = { JAPI_TERMINATE, DRMAA_ERRNO_INVALID_JOB },
};

static int control_jobs(struct japi *session, void *args, struct answer *ans)
{
    const struct control_args *a = args;
    struct japi_id id;
    if (a->action < 0 || (size_t)a->action >= ARRAY_LEN(actions)) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_ACTION_I, a->action);
        return DRMAA_ERRNO_INVALID_ARGUMENT;
    }
    bool is_all = a->id != NULL && strcmp(a->id, DRMAA_JOB_IDS_SESSION_ALL) == 0;
    int number = is_all ? DRMAA_ERRNO_SUCCESS : read_id(a->id, &id, ans);
    if (number != DRMAA_ERRNO_SUCCESS)
        return number;
    enum japi_end end = japi_control(session, is_all ? NULL : &id, actions[a->action].action, ans);
    return end == JAPI_WRONG_STATE ? actions[a->action].wrong_state : number_of(end);
}

int drmaa_control(const char *jobid, int action, char *diag, size_t diag_len)
{
    struct control_args a = { jobid, action };
    return library_run_in_session(control_jobs, &a, diag, diag_len);
}

/* ---- states ---- */

static int ps_of(const struct japi_status *s)
{
    switch (s->state) {
    case JAPI_QUEUED:
        return DRMAA_PS_QUEUED_ACTIVE + s->by_system + 2 * s->by_user;
    case JAPI_RUNNING:
        return DRMAA_PS_RUNNING + s->by_system + 2 * s->by_user;
    case JAPI_ENDED:
        return DRMAA_PS_DONE;
    case JAPI_IN_ERROR:
    case JAPI_FAILED:
        return DRMAA_PS_FAILED;
    case JAPI_UNDETERMINED:
        break;
    }
    return DRMAA_PS_UNDETERMINED;
}

struct ps_args {
    const char *id;
    int *remote_ps;
};

static int ask_state(struct japi *session, void *args, struct answer *ans)
{
    const struct ps_args *a = args;
    struct japi_id id;
    struct japi_status status = { JAPI_UNDETERMINED, false, false };
    if (a->remote_ps == NULL)
        return library_refuse_null("remote_ps", ans);
    int number = read_id(a->id, &id, ans);
    if (number == DRMAA_ERRNO_SUCCESS)
        number = number_of(japi_status(session, &id, &status, ans));
    if (number == DRMAA_ERRNO_SUCCESS)
        *a->remote_ps = ps_of(&status);
    return number;
}

int drmaa_job_ps(const char *job_id, int *remote_ps, char *diag, size_t diag_len)
{
    struct ps_args a = { job_id, remote_ps };
    return library_run_in_session(ask_state, &a, diag, diag_len);
}

/* What the buttons of Job Control do: to the jobs that are selected, or nothing. What ends or
 * undoes work asks first, and says what it is about; what the qmaster answers stands at the
 * bottom. */
#include <Xm/TextF.h>
#include <Xm/Xm.h>

#include "clients/qmon/job_acts.h"
#include "clients/qmon/jobs_window_priv.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/request.h"
#include "clients/qmon/windows.h"
#include "libs/config/quantity.h"
#include "libs/uti/dstr.h"

enum { NAMED_MOST = 5, PRIORITY_LEAST = -1023, PRIORITY_MOST = 1024 };

/* the jobs that are selected, or NULL after saying why nothing can be done */
static const struct range_set *chosen_jobs(struct jobs_window *w)
{
    const struct range_set *jobs = table_chosen(w->table);
    uint64_t n = range_set_count(jobs);
    if (n == 0)
        window_say(w->said, MSG_QMON_SELECT);
    else if (n > ACT_JOBS_MOST)
        window_say(w->said, MSG_QMON_TOO_MANY);
    return n > 0 && n <= ACT_JOBS_MOST ? jobs : NULL;
}

static void act_on(struct jobs_window *w, enum job_act act, const struct range_set *jobs)
{
    struct GR_Type request = { 0 };
    job_act_request(act, jobs, &request);
    request_send(w->q, w->said, &request);
}

static void act_at_once(struct jobs_window *w, enum job_act act)
{
    const struct range_set *jobs = chosen_jobs(w);
    if (jobs != NULL)
        act_on(w, act, jobs);
}

static void hold_jobs(void *w)
{
    act_at_once(w, ACT_HOLD);
}

static void release_jobs(void *w)
{
    act_at_once(w, ACT_RELEASE);
}

static void suspend_jobs(void *w)
{
    act_at_once(w, ACT_SUSPEND);
}

static void resume_jobs(void *w)
{
    act_at_once(w, ACT_RESUME);
}

static void clear_error(void *w)
{
    act_at_once(w, ACT_CLEAR);
}

/* ---- what asks first ---- */

/* "12 ribs, 13 render and 4 more" */
static void name_jobs(const struct jobs_window *w, const struct range_set *jobs, struct dstr *out)
{
    struct range run;
    uint64_t named = 0, n = range_set_count(jobs);
    for (uint64_t at = 0; named < NAMED_MOST && range_set_next_run(jobs, at, &run); at++, named++) {
        const struct board_job *job = board_job(w->q->board, run.first);
        dstr_addf(out, "%s%u", named > 0 ? ", " : "", run.first);
        if (job != NULL && job->rec.JB_job_name != NULL)
            dstr_addf(out, " %s", job->rec.JB_job_name);
        at = run.first;
    }
    if (n > named)
        dstr_addf(out, MSG_QMON_AND_MORE_U, (unsigned)(n - named));
}

static void confirm_act(struct jobs_window *w, const char *question, const char *name,
                        window_act_fn act)
{
    const struct range_set *jobs = chosen_jobs(w);
    struct dstr text = DSTR_INIT;
    if (jobs == NULL)
        return;
    range_set_copy(&w->asked, jobs);
    dstr_add(&text, question);
    name_jobs(w, jobs, &text);
    dstr_addc(&text, '?');
    window_confirm(w->shell, name, dstr_get(&text), act, w);
    dstr_free(&text);
}

static void delete_asked(void *ctx)
{
    struct jobs_window *w = ctx;
    act_on(w, ACT_DELETE, &w->asked);
}

static void delete_jobs(void *w)
{
    confirm_act(w, MSG_QMON_DELETE, "deleteJobs", delete_asked);
}

static void reschedule_asked(void *ctx)
{
    struct jobs_window *w = ctx;
    act_on(w, ACT_RESCHEDULE, &w->asked);
}

static void reschedule_jobs(void *w)
{
    confirm_act(w, MSG_QMON_RESCHEDULE, "rescheduleJobs", reschedule_asked);
}

static void set_priority(void *ctx, const char *text)
{
    struct jobs_window *w = ctx;
    struct GR_Type request = { 0 };
    int32_t priority;
    if (!quantity_int_parse(text, &priority) || priority < PRIORITY_LEAST ||
        priority > PRIORITY_MOST) {
        window_say(w->said, MSG_QMON_PRIORITY);
        return;
    }
    job_priority_request(&w->asked, priority, &request);
    request_send(w->q, w->said, &request);
}

static void ask_priority(void *ctx)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    if (jobs == NULL)
        return;
    range_set_copy(&w->asked, jobs);
    window_ask(w->shell, "askPriority", set_priority, w);
}

/* ---- what changes nothing ---- */

static void add_text(void *ctx, struct dstr *out)
{
    const struct jobs_window *w = ctx;
    job_list_text(w->list, &w->columns, out);
}

static void save_rows(void *ctx)
{
    struct jobs_window *w = ctx;
    window_save(w->shell, w->said, add_text, w);
}

static void show_frames(void *ctx)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    if (jobs != NULL)
        frames_window_open(w->q, jobs);
}

void jobs_why(struct jobs_window *w, uint32_t number)
{
    if (w->why == NULL)
        w->why = why_window_new(w->q);
    why_window_open(w->why, number);
}

static void ask_why(void *ctx)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    uint32_t number;
    if (jobs != NULL && range_set_min(jobs, &number))
        jobs_why(w, number);
}

static void change_jobs(void *ctx)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    if (jobs == NULL)
        return;
    if (w->change == NULL)
        w->change = change_window_new(w->q);
    change_window_open(w->change, jobs);
}

/* the filter lets through what the selected job waits for, and what waits for it */
static void filter_pipeline(void *ctx)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    struct dstr words = DSTR_INIT;
    uint32_t number;
    if (jobs == NULL || !range_set_min(jobs, &number))
        return;
    dstr_addf(&words, "with:%u", number);
    XmTextFieldSetString(w->words, words.s);
    dstr_free(&words);
}

static void close_window(void *ctx)
{
    window_close(((struct jobs_window *)ctx)->shell);
}

static const struct window_button acts[] = {
    { "hold", hold_jobs },
    { "release", release_jobs },
    { "suspend", suspend_jobs },
    { "resume", resume_jobs },
    { "clear", clear_error },
    { "priority", ask_priority },
    { "changeJobs", change_jobs },
    { NULL, NULL },
    { "frames", show_frames },
    { "why", ask_why },
    { "pipeline", filter_pipeline },
    { "columns", jobs_columns_open },
    { "save", save_rows },
    { "close", close_window },
    { NULL, NULL },
    { "reschedule", reschedule_jobs },
    { "delete", delete_jobs },
};

const struct window_button *jobs_acts(size_t *n)
{
    *n = ARRAY_LEN(acts);
    return acts;
}

/* Which kinds of hold there are. Events do not say, so the qmaster is asked: for the column about
 * jobs with held tasks that have changed, some of them at a time, and for the text about the job
 * that is selected. Invariant: one request is under way at most, and the next one begins PAUSE_MS
 * after its answer, however much changes; one about another selection comes at once. */
#include <Xm/Form.h>
#include <Xm/Text.h>

#include "clients/qmon/job_acts.h"
#include "clients/qmon/jobs_window_priv.h"
#include "clients/qmon/msg_jobs.h"
#include "clients/qmon/windows.h"
#include "libs/feed/calls.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/view/job_holds.h"

enum { PAUSE_MS = 1000, JOBS_AT_A_TIME = 500 };

/* ---- what is shown ---- */

static void show_holds(struct jobs_window *w, const struct JB_Type *rec)
{
    struct dstr text = DSTR_INIT;
    const struct board_job *job = board_job(w->q->board, rec->JB_job_number);
    dstr_addf(&text, MSG_JOBS_HOLDS_OF_U, rec->JB_job_number);
    if (job != NULL)
        job_cell(job, COLUMN_NAME, &text);
    dstr_add(&text, ":\n");
    job_holds_text(rec, &text);
    XmTextSetString(w->holds, text.s);
    dstr_free(&text);
}

static void on_changed(void *ctx, struct board_job *job)
{
    struct jobs_window *w = ctx;
    if (job->rec.JB_job_number == w->held_job)
        w->is_held_job_new = true;
}

static void on_leaving(void *ctx, struct board_job *job)
{
    struct jobs_window *w = ctx;
    if (job->rec.JB_job_number == w->held_job)
        w->held_job = 0;
}

/* ---- asking ---- */

static void on_pause_over(XtPointer ctx, XtIntervalId *id SGE_UNUSED)
{
    struct jobs_window *w = ctx;
    w->is_pausing = false;
    jobs_holds_refresh(w);
}

static void on_holds(void *ctx, const struct GA_Type *all, const struct answer *texts SGE_UNUSED)
{
    struct jobs_window *w = ctx;
    for (uint32_t i = 0; all != NULL && i < all->GA_jobs.n; i++) {
        const struct JB_Type *rec = &all->GA_jobs.v[i];
        job_holds_take(w->q->board, rec);
        if (rec->JB_job_number == w->held_job)
            show_holds(w, rec);
    }
    w->is_asking_holds = false;
    if (!w->is_pausing)
        XtAppAddTimeOut(w->q->app, PAUSE_MS, on_pause_over, w);
    w->is_pausing = true;
    jobs_window_refresh(w);
}

static bool is_column_shown(const struct jobs_window *w)
{
    return !w->columns.is_hidden[COLUMN_HOLDS];
}

/* what is to be asked now */
static void choose_jobs(struct jobs_window *w, struct range_set *out)
{
    if (is_column_shown(w) && !w->is_pausing)
        job_holds_ask(w->q->board, JOBS_AT_A_TIME, out);
    if (!w->is_held_job_other && (!w->is_held_job_new || w->is_pausing))
        return;
    if (w->held_job != 0)
        range_set_add(out, w->held_job, w->held_job);
    w->is_held_job_other = w->is_held_job_new = false;
}

void jobs_holds_refresh(struct jobs_window *w)
{
    struct range_set jobs = { 0 };
    struct GR_Type request = { 0 };
    if (!w->is_open || w->is_asking_holds || !w->q->status.is_synced)
        return;
    choose_jobs(w, &jobs);
    if (!range_set_is_empty(&jobs)) {
        job_get_request(&jobs, job_holds_fields, &request);
        w->is_asking_holds = calls_get(w->q->calls, &request, on_holds, w, NULL) == 0;
        cull_clear(&cull_GR_Type, &request);
    }
    range_set_free(&jobs);
}

void jobs_holds_chosen(struct jobs_window *w)
{
    const struct range_set *chosen = table_chosen(w->table);
    uint32_t number = 0;
    if (range_set_count(chosen) == 1)
        (void)range_set_min(chosen, &number);
    if (number != w->held_job)
        XmTextSetString(w->holds, (char *)"");
    w->held_job = number;
    w->is_held_job_other = true;
    jobs_holds_refresh(w);
}

/* ---- the text ---- */

Widget jobs_holds_make(struct jobs_window *w, Widget form, Widget below)
{
    w->holds = window_text(form, "holdsText", false);
    XtVaSetValues(XtParent(w->holds), XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget, below,
                  XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    w->watcher = (struct board_watcher){ .changed = on_changed, .leaves = on_leaving, .ctx = w };
    board_watch(w->q->board, &w->watcher);
    return XtParent(w->holds);
}

void jobs_holds_end(struct jobs_window *w)
{
    board_unwatch(&w->watcher);
}

/* Columns of Job Control and kinds of hold. The window that chooses columns is a list of all of
 * them, in their order, with a mark at those that are shown. Each change is seen and kept at
 * once. */
#include <Xm/Form.h>
#include <Xm/List.h>
#include <Xm/Text.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/preferences.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/window.h"
#include "clients/qmon/windows/jobs_columns.h"
#include "libs/feed/calls.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/view/job_list.h"

/* ---- kinds of hold ---- */
/* Which kinds of hold there are. Events do not say, so the qmaster is asked: for the column about
 * jobs with held tasks that have changed, some of them at a time, and for the text about the job
 * that is selected. Invariant: one request is under way at most, and the next one begins PAUSE_MS
 * after its answer, however much changes; one about another selection comes at once. */

enum { PAUSE_MS = 1000, JOBS_AT_A_TIME = 500 };

/* ---- the text of a job ---- */

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

/* ---- requests for kinds of hold ---- */

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
    w->refresh(w);
}

/* what is to be asked now */
static void choose_jobs(struct jobs_window *w, struct range_set *out)
{
    if (!w->columns.is_hidden[COLUMN_HOLDS] && !w->is_pausing)
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

#define PREFERENCE_NAME "jobColumns"
/* the bar has what the columns of numbers have, which are there for who wants them */
#define USUAL_COLUMNS "job name owner state tasks progress holds priority project submitted"
#define MARK          "\342\234\223 "
#define NO_MARK       "\342\200\223 "

static void show_columns(struct jobs_window *w)
{
    unsigned shown[COLUMNS_MOST], n = columns_shown(&w->columns, shown);
    table_columns(w->table, shown, n);
    jobs_holds_refresh(w);
}

static void choose_usual(struct jobs_window *w)
{
    columns_init(&w->columns, JOB_COLUMNS);
    columns_read(&w->columns, USUAL_COLUMNS, job_column_title, NULL);
}

void jobs_columns_init(struct jobs_window *w)
{
    struct dstr text = DSTR_INIT, wrong = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    choose_usual(w);
    if (preference_get(PREFERENCE_NAME, &text, &ans))
        columns_read(&w->columns, dstr_get(&text), job_column_title, &wrong);
    if (wrong.len > 0)
        ans_add(&ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_JOBS_NO_COLUMNS_S, dstr_get(&wrong));
    if (ans.n > 0)
        window_say(w->said, ans.v[0].text);
    show_columns(w);
    dstr_free(&text);
    dstr_free(&wrong);
    ans_free(&ans);
}

/* ---- the list ---- */

static void set_title(struct jobs_window *w)
{
    unsigned shown[COLUMNS_MOST];
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, MSG_JOBS_COLUMNS_UU, columns_shown(&w->columns, shown), w->columns.n);
    window_title(w->columns_shell, dstr_get(&text));
    dstr_free(&text);
}

/* the keys are at PLACE afterwards */
static void show_list(struct jobs_window *w, unsigned place)
{
    XmListDeleteAllItems(w->columns_list);
    for (unsigned i = 0; i < w->columns.n; i++) {
        struct dstr text = DSTR_INIT;
        unsigned column = w->columns.v[i];
        dstr_addf(&text, "%s%s", w->columns.is_hidden[column] ? NO_MARK : MARK,
                  job_column_title(column));
        XmString item = XmStringCreateLocalized(text.s);
        XmListAddItem(w->columns_list, item, 0);
        XmStringFree(item);
        dstr_free(&text);
    }
    XmListSelectPos(w->columns_list, (int)place + 1, False);
    XmListSetKbdItemPos(w->columns_list, (int)place + 1);
    set_title(w);
}

static void take_columns(struct jobs_window *w, unsigned place)
{
    struct dstr text = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    columns_text(&w->columns, job_column_title, &text);
    show_columns(w);
    show_list(w, place);
    if (preference_set(PREFERENCE_NAME, dstr_get(&text), &ans) != 0)
        window_say(w->columns_said, ans_first_error(&ans));
    dstr_free(&text);
    ans_free(&ans);
}

/* where the keys are */
static unsigned place_of(const struct jobs_window *w)
{
    int at = XmListGetKbdItemPos(w->columns_list);
    return at > 0 ? (unsigned)at - 1 : 0;
}

static void toggle_column(void *ctx)
{
    struct jobs_window *w = ctx;
    unsigned place = place_of(w);
    if (columns_toggle(&w->columns, place))
        take_columns(w, place);
    else
        window_say(w->columns_said, MSG_JOBS_ONE_COLUMN);
}

static void move_column(void *ctx, int by)
{
    struct jobs_window *w = ctx;
    take_columns(w, columns_move(&w->columns, place_of(w), by));
}

static void show_usual(void *ctx)
{
    struct jobs_window *w = ctx;
    choose_usual(w);
    take_columns(w, 0);
}

static void on_entered(Widget list SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    toggle_column(ctx);
}

/* ---- the window ---- */

static const struct window_button acts[] = {
    BUTTON("toggleColumn", toggle_column),
    BUTTON_WITH("columnUp", move_column, -1),
    BUTTON_WITH("columnDown", move_column, 1),
    BUTTON("usualColumns", show_usual),
    BUTTON_CLOSE,
};

static void make_window(struct jobs_window *w)
{
    w->columns_shell = window_shell(w->q, "columnChoice");
    Widget form = XtVaCreateManagedWidget("form", xmFormWidgetClass, w->columns_shell, NULL);
    struct window_frame made = window_frame(form, "columnSet", acts, ARRAY_LEN(acts), w);
    w->columns_said = made.said;
    w->columns_list = XmCreateScrolledList(form, (char *)"columnList", NULL, 0);
    XtVaSetValues(w->columns_list, XmNselectionPolicy, XmBROWSE_SELECT, NULL);
    window_between(XtParent(w->columns_list), made.menu, made.buttons);
    XtAddCallback(w->columns_list, XmNdefaultActionCallback, on_entered, w);
    XtManageChild(w->columns_list);
}

void jobs_columns_open(void *ctx)
{
    struct jobs_window *w = ctx;
    if (w->columns_shell == NULL)
        make_window(w);
    show_list(w, 0);
    window_open(w->columns_shell);
    (void)XmProcessTraversal(w->columns_list, XmTRAVERSE_CURRENT);
}

/* The window that chooses the columns of Job Control: a list of all of them, in their order, with a
 * mark at those that are shown. Each change is seen and kept at once. */
#include <Xm/Form.h>
#include <Xm/List.h>

#include "clients/qmon/jobs_window_priv.h"
#include "clients/qmon/kept.h"
#include "clients/qmon/msg_jobs.h"
#include "clients/qmon/windows.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

#define KEPT_NAME "jobColumns"
/* the bar has what the columns of numbers have, which are there for who wants them */
#define USUAL_COLUMNS "job name owner state tasks progress holds priority project submitted"
#define MARK          "\342\234\223 "
#define NO_MARK       "\342\200\223 "

static const char *title_of(unsigned column)
{
    return job_column_title((enum job_column)column);
}

static void show_columns(struct jobs_window *w)
{
    unsigned shown[COLUMNS_MOST], n = columns_shown(&w->columns, shown);
    table_columns(w->table, shown, n);
    jobs_holds_refresh(w);
}

static void choose_usual(struct jobs_window *w)
{
    columns_init(&w->columns, JOB_COLUMNS);
    columns_read(&w->columns, USUAL_COLUMNS, title_of, NULL);
}

void jobs_columns_init(struct jobs_window *w)
{
    struct dstr text = DSTR_INIT, wrong = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    choose_usual(w);
    if (kept_get(KEPT_NAME, &text, &ans))
        columns_read(&w->columns, dstr_get(&text), title_of, &wrong);
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
        dstr_addf(&text, "%s%s", w->columns.is_hidden[column] ? NO_MARK : MARK, title_of(column));
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
    columns_text(&w->columns, title_of, &text);
    show_columns(w);
    show_list(w, place);
    if (kept_set(KEPT_NAME, dstr_get(&text), &ans) != 0)
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

static void move_up(void *ctx)
{
    struct jobs_window *w = ctx;
    take_columns(w, columns_move(&w->columns, place_of(w), -1));
}

static void move_down(void *ctx)
{
    struct jobs_window *w = ctx;
    take_columns(w, columns_move(&w->columns, place_of(w), 1));
}

static void show_usual(void *ctx)
{
    struct jobs_window *w = ctx;
    choose_usual(w);
    take_columns(w, 0);
}

static void close_window(void *ctx)
{
    window_close(((struct jobs_window *)ctx)->columns_shell);
}

static void on_entered(Widget list SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    toggle_column(ctx);
}

/* ---- the window ---- */

static const struct window_button acts[] = {
    { "toggleColumn", toggle_column }, { "columnUp", move_up },   { "columnDown", move_down },
    { "usualColumns", show_usual },    { "close", close_window },
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

/* The main window: the figures of the cell, a button for each thing to look after, the same in a
 * menu with keys, and a line that says which cell this is, who we are, and whether the qmaster
 * answers. */
#include "clients/qmon/windows/windows.h"

#include <X11/Shell.h>
#include <Xm/DrawingA.h>
#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/MainW.h>
#include <Xm/RowColumn.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/paint.h"
#include "clients/qmon/widgets/window.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"
#include "libs/view/figures.h"

enum { ILL_NAMED_MOST = 4, TIME_AT = 11, TIME_BYTES = 5 }; /* where 14:05 stands in a time */

struct main_window {
    Widget status, area, ill;
    struct cell_figures seen;
    bool was_synced; /* there are figures to be seen */
};

/* ---- figures ---- */

/* a figure with its name below, and the mark of a state of tasks, or LOOKS; without a text it is
 * how many tasks of that look there are */
struct tile {
    const char *name;
    enum task_look look;
    void (*text)(const struct cell_figures *f, struct dstr *out);
};

static void add_slots(const struct cell_figures *f, struct dstr *out)
{
    dstr_addf(out, MSG_QMON_OF_UU, (unsigned long long)f->slots_used, (unsigned long long)f->slots);
}

/* tasks of that look; those that are suspended count as running */
static void add_tasks(const struct cell_figures *f, enum task_look look, struct dstr *out)
{
    uint64_t suspended = look == LOOK_RUNNING ? f->tasks[LOOK_SUSPENDED] : 0;
    dstr_addf(out, "%llu", (unsigned long long)(f->tasks[look] + suspended));
}

static void add_own(const struct cell_figures *f, struct dstr *out)
{
    dstr_addf(out, "%llu", (unsigned long long)f->own_jobs);
}

static void add_ill(const struct cell_figures *f, struct dstr *out)
{
    dstr_addf(out, MSG_QMON_OF_UU, (unsigned long long)f->ill_hosts, (unsigned long long)f->hosts);
}

static const struct tile tiles[] = {
    { MSG_QMON_SLOTS, LOOKS, add_slots },    { MSG_QMON_RUNNING, LOOK_RUNNING, NULL },
    { MSG_QMON_PENDING, LOOK_READY, NULL },  { MSG_QMON_HELD, LOOK_HELD, NULL },
    { MSG_QMON_IN_ERROR, LOOK_ERROR, NULL }, { MSG_QMON_FAILED, LOOK_FAILED, NULL },
    { MSG_QMON_OWN, LOOKS, add_own },        { MSG_QMON_ILL, LOOKS, add_ill },
};

static void draw_tile(const struct main_window *w, struct canvas *c, const struct tile *t, int x,
                      int width)
{
    enum { GAP = 6 };
    const struct paint *p = c->paint;
    struct dstr text = DSTR_INIT;
    int size = p->font->ascent, left = t->look != LOOKS ? size + GAP : 0;
    struct place at = { .x = x + GAP + left,
                        .y = GAP,
                        .width = width - GAP - left,
                        .is_bold = true,
                        .ink = w->was_synced ? INK_TEXT : INK_FAINT };
    if (t->look != LOOKS)
        canvas_look(c, t->look, x + GAP, GAP + (p->row_height - size) / 2, size, size);
    if (w->was_synced && t->text != NULL)
        t->text(&w->seen, &text);
    else if (w->was_synced)
        add_tasks(&w->seen, t->look, &text);
    canvas_text(c, &at, w->was_synced ? dstr_get(&text) : "-");
    at = (struct place){
        .x = x + GAP, .y = GAP + p->row_height, .width = width - GAP, .ink = INK_FAINT
    };
    canvas_text(c, &at, t->name);
    dstr_free(&text);
}

static void draw_figures(struct qmon *q)
{
    struct canvas c;
    if (!XtIsRealized(q->main->area))
        return;
    canvas_begin(&c, q->paint, q->main->area);
    int width = (int)c.width / (int)ARRAY_LEN(tiles);
    if (!q->status.is_synced)
        canvas_box(&c, &q->paint->inks[INK_STRIPE], 0, 0, (int)c.width, (int)c.height);
    for (size_t i = 0; i < ARRAY_LEN(tiles); i++)
        draw_tile(q->main, &c, &tiles[i], (int)i * width, width);
    canvas_end(&c);
}

static void on_figures(Widget area SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    draw_figures(ctx);
}

static void say_ill(struct qmon *q)
{
    struct dstr text = DSTR_INIT;
    if (q->main->seen.ill_hosts > 0) {
        dstr_add(&text, MSG_QMON_ILL_QUEUES);
        figures_ill(q->figures, ILL_NAMED_MOST, &text);
    }
    window_say(q->main->ill, text.len > 0 ? text.s : " ");
    dstr_free(&text);
}

void main_window_refresh(struct qmon *q)
{
    struct main_window *w = q->main;
    struct cell_figures now = figures_get(q->figures);
    bool is_first = !w->was_synced && q->status.is_synced;
    if (!is_first && memcmp(&now, &w->seen, sizeof now) == 0)
        return;
    w->was_synced = w->was_synced || q->status.is_synced;
    w->seen = now;
    draw_figures(q);
    say_ill(q);
    main_window_status(q);
}

/* ---- buttons ---- */

static void leave_program(void *q)
{
    XtAppSetExitFlag(((struct qmon *)q)->app);
}

static void open_objects(void *q, int group)
{
    objects_window_open(q, (enum object_group)group);
}

static const struct window_button buttons[] = {
    BUTTON("jobControl", jobs_window_open),
    BUTTON("queueControl", queues_window_open),
    BUTTON("submitJob", submit_window_open),
    BUTTON_WITH("complex", open_objects, GROUP_COMPLEX),
    BUTTON_WITH("cluster", open_objects, GROUP_CLUSTER),
    BUTTON_WITH("host", open_objects, GROUP_HOST),
    BUTTON_WITH("calendar", open_objects, GROUP_CALENDAR),
    BUTTON_WITH("user", open_objects, GROUP_USER),
    BUTTON_WITH("parallelEnvironment", open_objects, GROUP_PE),
    BUTTON_WITH("checkpoint", open_objects, GROUP_CHECKPOINT),
    BUTTON_WITH("ticketAndScheduler", open_objects, GROUP_SCHEDULER),
    BUTTON_WITH("project", open_objects, GROUP_PROJECT),
    BUTTON_WITH("resourceQuota", open_objects, GROUP_QUOTA),
    BUTTON("advanceReservation", NULL),
    BUTTON("browser", browser_window_open),
    BUTTON("exit", leave_program),
};

/* below each other: whether the qmaster is lost, the figures, which hosts are ill, the buttons */
static void make_work(struct qmon *q, struct main_window *w, Widget form)
{
    Widget banner = window_banner(form);
    w->area = XtVaCreateManagedWidget(
        "figures", xmDrawingAreaWidgetClass, form, XmNheight, 2 * q->paint->row_height + 12,
        XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, banner, XmNleftAttachment, XmATTACH_FORM,
        XmNrightAttachment, XmATTACH_FORM, XmNtraversalOn, False, NULL);
    XtAddCallback(w->area, XmNexposeCallback, on_figures, q);
    w->ill = XtVaCreateManagedWidget("ill", xmLabelWidgetClass, form, XmNtopAttachment,
                                     XmATTACH_WIDGET, XmNtopWidget, w->area, XmNleftAttachment,
                                     XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    window_say(w->ill, " ");
    Widget grid = XtVaCreateManagedWidget("buttons", xmRowColumnWidgetClass, form, XmNtopAttachment,
                                          XmATTACH_WIDGET, XmNtopWidget, w->ill, XmNleftAttachment,
                                          XmATTACH_FORM, NULL);
    window_buttons(grid, buttons, ARRAY_LEN(buttons), q);
}

void main_window_make(struct qmon *q)
{
    struct main_window *w = q->main = uti_calloc(1, sizeof *w);
    Widget window = XtVaCreateManagedWidget("main", xmMainWindowWidgetClass, q->top, NULL);
    Widget bar = window_menu(window, "task", buttons, ARRAY_LEN(buttons), q);
    Widget work = XtVaCreateManagedWidget("work", xmFormWidgetClass, window, NULL);
    make_work(q, w, work);
    w->status = XtVaCreateManagedWidget("status", xmLabelWidgetClass, window, NULL);
    XtVaSetValues(window, XmNmenuBar, bar, XmNworkWindow, work, XmNmessageWindow, w->status, NULL);
    main_window_status(q);
}

static void add_connection(const struct feed_status *s, struct dstr *out)
{
    if (s->is_synced)
        dstr_addf(out, MSG_QMON_CONNECTED "%s", s->has_all ? "" : ", " MSG_QMON_OWN_JOBS);
    else if (s->why[0] == '\0')
        dstr_add(out, MSG_QMON_CONNECTING);
    else
        dstr_addf(out, MSG_QMON_NO_MASTER_S, s->why);
}

/* what a window manager shows of a window that is small */
static void add_figures(const struct main_window *w, struct dstr *out)
{
    const struct cell_figures *f = &w->seen;
    if (!w->was_synced)
        return;
    dstr_addf(out, MSG_QMON_FIGURES_UUUU, (unsigned long long)f->slots_used,
              (unsigned long long)f->slots,
              (unsigned long long)(f->tasks[LOOK_RUNNING] + f->tasks[LOOK_SUSPENDED]),
              (unsigned long long)(f->tasks[LOOK_READY] + f->tasks[LOOK_HELD]));
    if (f->tasks[LOOK_ERROR] > 0)
        dstr_addf(out, MSG_QMON_FIGURE_ERROR_U, (unsigned long long)f->tasks[LOOK_ERROR]);
    if (f->tasks[LOOK_FAILED] > 0)
        dstr_addf(out, MSG_QMON_FIGURE_FAILED_U, (unsigned long long)f->tasks[LOOK_FAILED]);
    if (f->ill_hosts > 0)
        dstr_addf(out, MSG_QMON_FIGURE_ILL_US, f->ill_hosts, f->ill_hosts == 1 ? "" : "s");
}

/* "no connection to the qmaster since 14:05"; before the first attempt has failed nothing */
static void show_banner(struct qmon *q)
{
    struct dstr text = DSTR_INIT, when = DSTR_INIT;
    if (!q->status.is_synced && q->status.why[0] != '\0') {
        uti_time_iso(q->lost_s, &when);
        dstr_addf(&text, MSG_QMON_LOST_SINCE_S, TIME_BYTES,
                  when.len >= TIME_AT + TIME_BYTES ? when.s + TIME_AT : "?");
    }
    window_banners(q, text.len > 0 ? text.s : NULL);
    dstr_free(&text);
    dstr_free(&when);
}

void main_window_status(struct qmon *q)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%s (%s)   %s   ", q->cell->name, q->cell->root, q->user);
    add_connection(&q->status, &text);
    window_say(q->main->status, dstr_get(&text));
    dstr_clear(&text);
    dstr_addf(&text, ": %s, ", q->cell->name);
    add_connection(&q->status, &text);
    if (q->status.is_synced)
        add_figures(q->main, &text);
    window_title(q->top, dstr_get(&text));
    dstr_free(&text);
    show_banner(q);
    draw_figures(q);
}

void main_window_free(struct main_window *w)
{
    free(w);
}

/* Task: the window of one task. Nothing runs while nobody sees it. */
#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/Xm.h>
#include <stdlib.h>

#include "clients/qmon/read_text.h"
#include "clients/qmon/task_window_priv.h"
#include "clients/qmon/window.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

static void on_seen(Widget shell SGE_UNUSED, XtPointer ctx, XEvent *event,
                    Boolean *goes_on SGE_UNUSED)
{
    struct task_window *w = ctx;
    if (event->type == MapNotify && !w->is_seen) {
        w->is_seen = true;
        task_steps_begin(w);
    } else if (event->type == UnmapNotify) {
        w->is_seen = false;
        task_steps_stop(w);
    }
}

static void reload_task(void *w)
{
    task_steps_begin(w);
}

static void add_text(void *ctx, struct dstr *out)
{
    struct task_window *w = ctx;
    read_text_add(w->record, out);
    dstr_addc(out, '\n');
    read_text_add(w->output, out);
}

static void save_task(void *ctx)
{
    struct task_window *w = ctx;
    window_save(w->shell, w->said, add_text, w);
}

static void close_task(void *ctx)
{
    window_close(((struct task_window *)ctx)->shell);
}

static const struct window_button acts[] = {
    { "reload", reload_task },
    { "save", save_task },
    { "close", close_task },
};

static void make_texts(struct task_window *w, Widget box)
{
    w->record = read_text_new(box, "recordLabel", "monoText", 0, 45);
    w->output = read_text_new(box, "outputLabel", "monoText", 46, 100);
    w->where = XtVaCreateManagedWidget(
        "where", xmLabelWidgetClass, box, XmNtopAttachment, XmATTACH_POSITION, XmNtopPosition, 46,
        XmNleftAttachment, XmATTACH_WIDGET, XmNleftWidget, XtNameToWidget(box, "outputLabel"),
        XmNrightAttachment, XmATTACH_FORM, NULL);
}

static void make_body(struct task_window *w, Widget form)
{
    struct window_frame made = window_frame(form, "oneTask", acts, ARRAY_LEN(acts), w);
    w->said = made.said;
    w->about = XtVaCreateManagedWidget("about", xmLabelWidgetClass, form, XmNtopAttachment,
                                       XmATTACH_WIDGET, XmNtopWidget, made.menu, XmNleftAttachment,
                                       XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    make_texts(w, XtVaCreateManagedWidget(
                      "texts", xmFormWidgetClass, form, XmNtopAttachment, XmATTACH_WIDGET,
                      XmNtopWidget, w->about, XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget,
                      made.buttons, XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment,
                      XmATTACH_FORM, XmNfractionBase, 100, NULL));
}

static struct task_window *make_window(struct qmon *q)
{
    struct task_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->asking = (struct task_asking){ .got = task_steps_got, .ctx = w };
    w->shell = window_shell(q, "taskWindow");
    make_body(w, XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL));
    XtAddEventHandler(w->shell, StructureNotifyMask, False, on_seen, w);
    return w;
}

void task_window_open(struct qmon *q, uint32_t job, uint32_t ordinal)
{
    if (q->task == NULL)
        q->task = make_window(q);
    struct task_window *w = q->task;
    w->job = job;
    w->ordinal = ordinal;
    read_text_show(w->record, "");
    read_text_show(w->output, "");
    free(w->host);
    w->host = NULL;
    if (w->is_seen)
        task_steps_begin(w);
    window_open(w->shell);
}

void task_window_refresh(struct task_window *w)
{
    const struct board_job *job = w != NULL ? board_job(w->q->board, w->job) : NULL;
    if (job != NULL && w->is_seen && board_task_look(job, w->ordinal) != w->look)
        task_steps_begin(w);
}

void task_window_free(struct task_window *w)
{
    if (w == NULL)
        return;
    task_steps_stop(w);
    free(w->host);
    free(w);
}

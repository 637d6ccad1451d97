/* Task: the window of one task. Nothing runs while it is hidden. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/Xm.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/forms/task_read.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/texts.h"
#include "clients/qmon/widgets/window.h"
#include "libs/gdi/cell.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"
#include "libs/view/frames.h"
#include "libs/view/task_output.h"

enum task_step { STEP_WHY, STEP_RECORD, STEP_OUTPUT, STEPS };

struct task_window {
    struct qmon *q;
    Widget shell, about, record, where, output, said;
    uint32_t job, ordinal;
    enum task_look look; /* when it was shown */
    bool is_seen;
    enum task_step step; /* of `read`, or the last one that ended */
    struct task_read read;
    XtIntervalId follow;       /* 0: none */
    struct task_asking asking; /* where it runs */
    char *host;                /* where it ran, as its record says; owned, NULL: not known */
};

/* ---- the steps that fill it ---- */
/* What the window of a task shows is read one after the other: why it waits (or where it runs), its
 * record, and the end of its output. */

enum { FOLLOW_MS = 3000 };

static void run_step(struct task_window *w, enum task_step step);

/* ---- reads ---- */

static bool is_running(const struct task_window *w)
{
    return w->look == LOOK_RUNNING || w->look == LOOK_SUSPENDED;
}

static bool ask_why(struct task_window *w, const struct board_job *job)
{
    bool waits = !look_is_ended(w->look) && !is_running(w);
    if (waits)
        task_read_why(&w->read, job, w->ordinal);
    return waits;
}

static bool ask_record(struct task_window *w, const struct board_job *job)
{
    task_read_record(&w->read, job, w->ordinal);
    return true;
}

static bool find_output(const struct task_window *w, const struct board_job *job, struct dstr *path)
{
    bool is_own = job->rec.JB_owner != NULL && strcmp(job->rec.JB_owner, w->q->user) == 0;
    struct task_output_at at = { is_own ? w->q->home : NULL, w->host };
    return task_output_path(job, w->ordinal, &at, path);
}

static bool ask_output(struct task_window *w, const struct board_job *job)
{
    struct dstr path = DSTR_INIT, name = DSTR_INIT;
    bool is_known = find_output(w, job, &path);
    window_say(w->where, is_known ? path.s : MSG_QMON_NO_PATH);
    task_output_name(job, w->ordinal, &name);
    if (is_known)
        task_read_output(&w->read, path.s, name.s, TASK_OUTPUT_MOST);
    dstr_free(&path);
    dstr_free(&name);
    return is_known;
}

/* ---- what was read ---- */

static void show_about(struct task_window *w, const struct board_job *job, const char *more)
{
    struct dstr text = DSTR_INIT;
    const char *name = job->rec.JB_job_name != NULL ? job->rec.JB_job_name : "";
    const char *ended = look_is_ended(w->look) ? more : "";
    dstr_addf(&text, "%s %u, task %u: %s%.*s", name, w->job, job_task_id(&job->rec, w->ordinal),
              look_name(w->look), (int)strcspn(more, "\n"), more);
    window_say(w->about, text.s);
    dstr_clear(&text);
    dstr_addf(&text, " %u.%u: %s, %s%s", w->job, job_task_id(&job->rec, w->ordinal), name,
              look_name(w->look), ended);
    window_title(w->shell, text.s);
    dstr_free(&text);
}

static void take_why(struct task_window *w, bool is_good, const char *said)
{
    const struct board_job *job = board_job(w->q->board, w->job);
    struct dstr more = DSTR_INIT;
    dstr_addf(&more, "; %s", said);
    if (is_good && job != NULL)
        show_about(w, job, more.s);
    dstr_free(&more);
}

static void set_host(struct task_window *w, const char *host, size_t len)
{
    free(w->host);
    w->host = uti_strndup(host, len);
}

/* what `asking` has become */
static void task_steps_got(void *ctx, const struct task_asking *a, const char *queue,
                           uint64_t start_s)
{
    struct task_window *w = ctx;
    const struct board_job *job = board_job(w->q->board, w->job);
    struct dstr more = DSTR_INIT;
    if (job == NULL || !is_running(w))
        return;
    if (a->job != w->job || a->ordinal != w->ordinal) {
        task_ask(w->q, &w->asking, w->job, w->ordinal);
        return;
    }
    if (queue != NULL) {
        const char *host = strchr(queue, '@');
        task_where_told(queue, start_s, uti_now_s(), &more);
        show_about(w, job, more.s);
        set_host(w, host != NULL ? host + 1 : "", host != NULL ? strlen(host + 1) : 0);
    }
    dstr_free(&more);
}

static void take_host(struct task_window *w, const char *record)
{
    size_t len;
    const char *host = task_end_host(record, &len);
    if (host != NULL)
        set_host(w, host, len);
}

/* how it ended: ", exit status 1" */
static void take_end(struct task_window *w, const char *record)
{
    const struct board_job *job = board_job(w->q->board, w->job);
    struct dstr more = DSTR_INIT;
    if (job == NULL || !look_is_ended(w->look))
        return;
    task_end_told(record, &more);
    show_about(w, job, dstr_get(&more));
    dstr_free(&more);
}

static void take_record(struct task_window *w, bool is_good, const char *said)
{
    take_host(w, is_good ? said : "");
    take_end(w, is_good ? said : "");
    read_text_show(w->record, said);
}

static void take_output(struct task_window *w, bool is_good SGE_UNUSED, const char *said)
{
    read_text_follow(w->output, said);
}

static const struct {
    bool (*ask)(struct task_window *w, const struct board_job *job);
    void (*take)(struct task_window *w, bool is_good, const char *said);
} steps[STEPS] = {
    [STEP_WHY] = { ask_why, take_why },
    [STEP_RECORD] = { ask_record, take_record },
    [STEP_OUTPUT] = { ask_output, take_output },
};

/* ---- one after the other ---- */

static void on_follow(XtPointer ctx, XtIntervalId *id SGE_UNUSED)
{
    struct task_window *w = ctx;
    w->follow = 0;
    run_step(w, STEP_OUTPUT);
}

static void follow_later(struct task_window *w)
{
    if (w->follow == 0 && is_running(w) && w->is_seen)
        w->follow = XtAppAddTimeOut(w->q->app, FOLLOW_MS, on_follow, w);
}

static void on_said(void *ctx, bool is_good, const char *said)
{
    struct task_window *w = ctx;
    steps[w->step].take(w, is_good, said);
    run_step(w, w->step + 1);
}

/* STEP, or the first one behind it that has something to ask */
static void run_step(struct task_window *w, enum task_step step)
{
    const struct board_job *job = board_job(w->q->board, w->job);
    window_say(w->said, " ");
    for (w->step = step; job != NULL && w->step < STEPS; w->step++)
        if (steps[w->step].ask(w, job))
            return;
    follow_later(w);
}

/* nothing runs any more, and nothing will */
static void task_steps_stop(struct task_window *w)
{
    task_read_stop(&w->read);
    if (w->follow != 0)
        XtRemoveTimeOut(w->follow);
    w->follow = 0;
}

/* show all of it anew */
static void task_steps_begin(void *ctx)
{
    struct task_window *w = ctx;
    const struct board_job *job = board_job(w->q->board, w->job);
    task_steps_stop(w);
    if (job == NULL) {
        window_say(w->said, MSG_QMON_FORGOTTEN);
        return;
    }
    w->look = board_task_look(job, w->ordinal);
    show_about(w, job, "");
    if (is_running(w))
        task_ask(w->q, &w->asking, w->job, w->ordinal);
    run_step(w, STEP_WHY);
}

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

static const struct window_button acts[] = {
    BUTTON("reload", task_steps_begin),
    BUTTON("save", save_task),
    BUTTON_CLOSE,
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
    w->read = (struct task_read){ .q = q, .done = on_said, .ctx = w };
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
    free(w->host);
    free(w);
}

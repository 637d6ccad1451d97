/* What Frames shows: the matrix, the line below it on the task that is pointed at, and what
 * events do not say of that task: how it ended, and the last lines of its output, read one after
 * the other when the pointer has come to rest. Invariant: what is shown is about `log.at`. */
#include "clients/qmon/windows/frames_display.h"

#include <Xm/DrawingA.h>
#include <Xm/Form.h>
#include <Xm/ScrollBar.h>
#include <Xm/Text.h>
#include <Xm/Xm.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/png_file.h"
#include "clients/qmon/widgets/texts.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/frames.h"
#include "libs/view/task_output.h"

enum { REST_MS = 200, FOLLOW_MS = 3000, LOG_BYTES = 8 * 1024 };

/* ---- the line on the task pointed at ---- */

static void add_marked(const struct frames_window *w, struct dstr *out)
{
    uint64_t n = frames_marked_count(w->frames);
    if (n > 0)
        dstr_addf(out, MSG_QMON_MARKED_US, (unsigned)n, n == 1 ? "" : "s");
}

static void say_what_is_seen(struct frames_window *w)
{
    struct dstr text = DSTR_INIT, told = DSTR_INIT;
    struct frame_span seen = frames_seen(w->frames);
    uint32_t n = frames_count(w->frames);
    frames_told(w->frames, &told);
    window_say(w->told, told.len > 0 ? told.s : " ");
    dstr_addf(&text, ": " MSG_QMON_STAGES_USUU, n, n == 1 ? "" : "s", seen.first, seen.last);
    add_marked(w, &text);
    if (told.len > 0)
        dstr_addf(&text, ": %s", told.s);
    if (!w->q->status.is_synced)
        dstr_add(&text, MSG_QMON_OLD);
    window_title(w->shell, dstr_get(&text));
    dstr_free(&told);
    dstr_free(&text);
}

static void read_next(struct frames_window *w);

/* ---- the output of a task ---- */

static void stop_log(struct frames_log *log)
{
    task_read_stop(&log->read);
    if (log->timer != 0)
        XtRemoveTimeOut(log->timer);
    log->timer = 0;
}

static void on_timer(XtPointer ctx, XtIntervalId *id SGE_UNUSED)
{
    struct frames_window *w = ctx;
    w->log.timer = 0;
    read_next(w);
}

static void run_later(struct frames_window *w, unsigned long ms)
{
    w->log.timer = XtAppAddTimeOut(w->q->app, ms, on_timer, w);
}

static bool is_running(const struct frames_log *log)
{
    return log->look == LOOK_RUNNING || log->look == LOOK_SUSPENDED;
}

/* how it ended is there to be said, and the host of its output is known */
static void take_record(struct frames_window *w, const char *record)
{
    struct dstr told = DSTR_INIT;
    size_t len;
    const char *host = task_end_host(record, &len);
    task_end_told(record, &told);
    free(w->log.host);
    w->log.host = host != NULL ? uti_strndup(host, len) : NULL;
    if (host != NULL)
        dstr_addf(&told, " on %.*s", (int)len, host);
    frames_know_end(w->frames, w->log.at, dstr_get(&told));
    w->log.has_record = true;
    say_what_is_seen(w);
    dstr_free(&told);
}

static void on_read(void *ctx, bool is_good, const char *said)
{
    struct frames_window *w = ctx;
    if (look_is_ended(w->log.look) && !w->log.has_record) {
        take_record(w, is_good ? said : "");
        read_next(w);
        return;
    }
    read_text_follow(w->log.text, said);
    if (is_running(&w->log))
        run_later(w, FOLLOW_MS);
}

/* ---- reads ---- */

static void read_output(struct frames_window *w, const struct board_job *job)
{
    bool is_own = job->rec.JB_owner != NULL && strcmp(job->rec.JB_owner, w->q->user) == 0;
    struct task_output_at at = { is_own ? w->q->home : NULL, w->log.host };
    struct dstr path = DSTR_INIT, name = DSTR_INIT;
    if (task_output_path(job, w->log.at.ordinal, &at, &path)) {
        task_output_name(job, w->log.at.ordinal, &name);
        task_read_output(&w->log.read, path.s, name.s, LOG_BYTES);
    } else {
        read_text_show(w->log.text, MSG_QMON_NO_PATH);
    }
    dstr_free(&path);
    dstr_free(&name);
}

/* the record of a task that has ended, then its output; of one that waits there is neither */
static void read_next(struct frames_window *w)
{
    struct frames_log *log = &w->log;
    const struct board_job *job = board_job(w->q->board, log->at.job);
    if (job == NULL)
        return;
    if (look_is_ended(log->look) && !log->has_record)
        task_read_record(&log->read, job, log->at.ordinal);
    else if (look_is_ended(log->look) || is_running(log))
        read_output(w, job);
}

/* ---- the text ---- */

/* the task that is pointed at may be another one, or do something else */
static void point_log(struct frames_window *w)
{
    struct frames_log *log = &w->log;
    struct frame_task at = frames_pointed(w->frames);
    const struct board_job *job = at.job != 0 ? board_job(w->q->board, at.job) : NULL;
    enum task_look look = job != NULL ? board_task_look(job, at.ordinal) : LOOKS;
    bool is_same = at.job == log->at.job && at.ordinal == log->at.ordinal;
    if (is_same && look == log->look)
        return;
    stop_log(log);
    if (!is_same) {
        read_text_show(log->text, "");
        free(log->host);
        log->host = NULL;
    }
    log->at = at;
    log->look = look;
    log->has_record = false;
    if (job != NULL)
        run_later(w, REST_MS);
}

static void on_popdown(Widget shell SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    frames_log_stop(ctx);
}

Widget frames_log_make(struct frames_window *w, Widget form, Widget below)
{
    w->log.read = (struct task_read){ .q = w->q, .done = on_read, .ctx = w };
    w->log.text = window_text(form, "monoText", false);
    XtVaSetValues(XtParent(w->log.text), XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget,
                  below, XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    XtAddCallback(w->shell, XtNpopdownCallback, on_popdown, w);
    return XtParent(w->log.text);
}

void frames_log_stop(struct frames_window *w)
{
    stop_log(&w->log);
    free(w->log.host);
    w->log.host = NULL;
    w->log.at = (struct frame_task){ 0, 0 };
}

/* ---- the matrix ---- */

struct frames_view frames_window_view(const struct frames_window *w)
{
    Dimension width = 1, height = 1;
    XtVaGetValues(w->area, XmNwidth, &width, XmNheight, &height, NULL);
    return (struct frames_view){ .frames = w->frames,
                                 .paint = w->q->paint,
                                 .top = w->top,
                                 .width = width,
                                 .height = height,
                                 .is_old = !w->q->status.is_synced };
}

static void draw_picture(struct frames_window *w)
{
    struct frames_view view = frames_window_view(w);
    struct canvas canvas;
    if (!XtIsRealized(w->area))
        return;
    canvas_begin(&canvas, w->q->paint, w->area);
    frames_draw(&view, &canvas);
    canvas_end(&canvas);
}

int frames_window_picture(void *ctx, const char *path, struct answer *ans)
{
    struct frames_window *w = ctx;
    struct frames_view view = frames_window_view(w);
    struct canvas canvas;
    struct picture picture;
    view.top = 0;
    view.height = frames_height(w->frames, w->q->paint);
    canvas_make(&canvas, w->q->paint, XtWindow(w->area), (unsigned)view.width,
                (unsigned)view.height);
    frames_draw(&view, &canvas);
    int result = canvas_read(&canvas, &picture, ans);
    canvas_drop(&canvas);
    if (result == 0)
        result = png_file_write(path, &picture, ans);
    picture_free(&picture);
    return result;
}

static void set_bar(struct frames_window *w)
{
    uint32_t n = frames_count(w->frames),
             page = frames_page(w->q->paint, frames_window_view(w).height);
    int most = (int)(n > page ? n : page);
    w->top = n <= page ? 0 : w->top > n - page ? n - page : w->top;
    XtVaSetValues(w->bar, XmNminimum, 0, XmNmaximum, most, XmNsliderSize, (int)page, XmNvalue,
                  (int)w->top, XmNpageIncrement, (int)page, NULL);
}

static void ask_where(struct frames_window *w)
{
    struct frame_task at = frames_pointed(w->frames);
    if (frames_wants_where(w->frames))
        task_ask(w->q, &w->asking, at.job, at.ordinal);
}

static void got_where(void *ctx, const struct task_asking *a, const char *queue, uint64_t start_s)
{
    struct frames_window *w = ctx;
    frames_know_where(w->frames, (struct frame_task){ a->job, a->ordinal }, queue, start_s);
    say_what_is_seen(w);
    ask_where(w);
}

void frames_window_show(struct frames_window *w)
{
    set_bar(w);
    draw_picture(w);
    say_what_is_seen(w);
    ask_where(w);
    point_log(w);
}

/* ---- the place of the keys ---- */

static uint32_t clamp_frame(const struct frames_window *w, int64_t frame)
{
    struct frame_span seen = frames_seen(w->frames);
    return frame < seen.first ? seen.first : frame > seen.last ? seen.last : (uint32_t)frame;
}

void frames_window_go(struct frames_window *w, int64_t stage, int64_t frame)
{
    int64_t n = frames_count(w->frames);
    uint32_t page = frames_page(w->q->paint, frames_window_view(w).height);
    w->at.stage = (uint32_t)(stage < 0 || n == 0 ? 0 : stage >= n ? n - 1 : stage);
    w->at.frame = clamp_frame(w, frame);
    if (w->at.stage < w->top)
        w->top = w->at.stage;
    if (w->at.stage >= w->top + page)
        w->top = w->at.stage - page + 1;
    (void)frames_point(w->frames, w->at.stage, w->at.frame);
}

void frames_window_zoom(struct frames_window *w, double factor)
{
    frames_zoom(w->frames, factor, clamp_frame(w, w->at.frame));
    frames_window_show(w);
}

/* ---- widgets ---- */

static void on_expose(Widget area SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    draw_picture(ctx);
}

static void on_resize(Widget area SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct frames_window *w = ctx;
    set_bar(w);
    draw_picture(w);
}

static void on_bar(Widget bar SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    struct frames_window *w = ctx;
    w->top = (uint32_t)((XmScrollBarCallbackStruct *)call)->value;
    draw_picture(w);
}

void frames_area_make(struct frames_window *w, Widget form, Widget above)
{
    w->bar = XtVaCreateManagedWidget("bar", xmScrollBarWidgetClass, form, XmNtraversalOn, False,
                                     XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, above,
                                     XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget,
                                     w->legend, XmNrightAttachment, XmATTACH_FORM, NULL);
    w->area = XtVaCreateManagedWidget(
        "area", xmDrawingAreaWidgetClass, form, XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget,
        above, XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget, w->legend, XmNleftAttachment,
        XmATTACH_FORM, XmNrightAttachment, XmATTACH_WIDGET, XmNrightWidget, w->bar, NULL);
    XtAddCallback(w->area, XmNexposeCallback, on_expose, w);
    XtAddCallback(w->area, XmNresizeCallback, on_resize, w);
    XtAddCallback(w->bar, XmNvalueChangedCallback, on_bar, w);
    XtAddCallback(w->bar, XmNdragCallback, on_bar, w);
    w->asking = (struct task_asking){ .got = got_where, .ctx = w };
}

static void on_legend(Widget legend, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct frames_window *w = ctx;
    struct canvas canvas;
    canvas_begin(&canvas, w->q->paint, legend);
    frames_legend(&canvas);
    canvas_end(&canvas);
}

void frames_legend_make(struct frames_window *w, Widget form)
{
    enum { MARGIN = 4 };
    w->legend = XtVaCreateManagedWidget(
        "legend", xmDrawingAreaWidgetClass, form, XmNheight, w->q->paint->row_height + MARGIN,
        XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget, w->told, XmNleftAttachment,
        XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, XmNtraversalOn, False, NULL);
    XtAddCallback(w->legend, XmNexposeCallback, on_legend, w);
}

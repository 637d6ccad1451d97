/* Frames: the pipeline of the jobs that were chosen, as a matrix, with a line below it for the task
 * that is pointed at, and one for what the qmaster answers. */
#include <Xm/DrawingA.h>
#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/ScrollBar.h>
#include <Xm/Xm.h>
#include <stdlib.h>

#include "clients/qmon/canvas_read.h"
#include "clients/qmon/frames_window_priv.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/windows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"
#include "libs/view/frames_words.h"

/* ---- showing ---- */

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

static void add_marked(const struct frames_window *w, struct dstr *out)
{
    uint64_t n = frames_marked_count(w->frames);
    if (n > 0)
        dstr_addf(out, MSG_QMON_MARKED_US, (unsigned)n, n == 1 ? "" : "s");
}

void frames_window_say(struct frames_window *w)
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

static uint32_t page_of(const struct frames_window *w)
{
    return frames_page(w->q->paint, frames_window_view(w).height);
}

static void set_bar(struct frames_window *w)
{
    uint32_t n = frames_count(w->frames), page = page_of(w);
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
    frames_window_say(w);
    ask_where(w);
}

void frames_window_show(struct frames_window *w)
{
    set_bar(w);
    draw_picture(w);
    frames_window_say(w);
    ask_where(w);
    frames_log_point(w);
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
    uint32_t page = page_of(w);
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

/* ---- the window ---- */

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

static void make_area(struct frames_window *w, Widget form, Widget above)
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
    frames_listen(w);
}

static void on_legend(Widget legend, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct frames_window *w = ctx;
    struct canvas canvas;
    canvas_begin(&canvas, w->q->paint, legend);
    frames_legend(&canvas);
    canvas_end(&canvas);
}

static void make_legend(struct frames_window *w, Widget form)
{
    enum { MARGIN = 4 };
    w->legend = XtVaCreateManagedWidget(
        "legend", xmDrawingAreaWidgetClass, form, XmNheight, w->q->paint->row_height + MARGIN,
        XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget, w->told, XmNleftAttachment,
        XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, XmNtraversalOn, False, NULL);
    XtAddCallback(w->legend, XmNexposeCallback, on_legend, w);
}

static void make_body(struct frames_window *w, Widget form)
{
    size_t n;
    const struct window_button *acts = frames_acts(&n);
    struct window_frame made = window_frame(form, "frame", acts, n, w);
    w->said = made.said;
    w->told = window_line(form, "told", frames_log_make(w, form, made.buttons));
    make_legend(w, form);
    make_area(w, form, made.menu);
    XtVaSetValues(form, XmNinitialFocus, w->area, NULL);
}

static struct frames_window *make_window(struct qmon *q)
{
    struct frames_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->asking = (struct task_asking){ .got = got_where, .ctx = w };
    w->shell = window_shell(q, "frameMatrix");
    make_body(w, XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL));
    return w;
}

void frames_window_open(struct qmon *q, const struct range_set *jobs)
{
    if (q->frames == NULL)
        q->frames = make_window(q);
    struct frames_window *w = q->frames;
    frames_free(w->frames);
    w->frames = frames_new(q->board, jobs);
    w->top = 0;
    (void)frames_refresh(w->frames, uti_now_s());
    w->at = w->from = (struct frame_place){ 0, frames_seen(w->frames).first };
    window_say(w->said, " ");
    window_open(w->shell);
    frames_window_show(w);
}

void frames_window_refresh(struct frames_window *w)
{
    if (w != NULL && frames_refresh(w->frames, uti_now_s()))
        frames_window_show(w);
}

void frames_window_status(struct frames_window *w)
{
    if (w != NULL)
        frames_window_show(w);
}

void frames_window_free(struct frames_window *w)
{
    if (w == NULL)
        return;
    frames_log_stop(w);
    cull_clear(&cull_GR_Type, &w->asked);
    frames_free(w->frames);
    free(w);
}

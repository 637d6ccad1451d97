/* Frames: the pipeline of the jobs that were chosen, as a matrix. The keys move over tasks, zoom
 * and scroll; the pointer does the same. */
#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <Xm/DrawingA.h>
#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/RowColumn.h>
#include <Xm/ScrollBar.h>
#include <Xm/Xm.h>
#include <stdlib.h>

#include "clients/qmon/frames_picture.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/window.h"
#include "clients/qmon/windows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

enum { TEXT_COLUMNS = 120 };

struct frames_window {
    struct qmon *q;
    Widget shell, area, bar, said;
    struct frames *frames;
    uint32_t top;          /* the first stage that is seen */
    uint32_t stage, frame; /* where the keys are */
};

/* ---- showing ---- */

static int area_size(const struct frames_window *w, const char *name)
{
    Dimension size = 1;
    XtVaGetValues(w->area, name, &size, NULL);
    return size;
}

static void draw_picture(struct frames_window *w)
{
    if (XtIsRealized(w->area))
        frames_draw(w->frames, w->q->paint, w->area, w->top, !w->q->status.is_synced);
}

static void say_what_is_seen(struct frames_window *w)
{
    struct dstr text = DSTR_INIT, told = DSTR_INIT;
    struct frame_span seen = frames_seen(w->frames);
    uint32_t n = frames_count(w->frames);
    frames_told(w->frames, &told);
    window_say(w->said, told.len > 0 ? told.s : " ");
    dstr_addf(&text, ": " MSG_QMON_STAGES_USUU, n, n == 1 ? "" : "s", seen.first, seen.last);
    if (told.len > 0)
        dstr_addf(&text, ": %s", told.s);
    if (!w->q->status.is_synced)
        dstr_add(&text, MSG_QMON_OLD);
    window_title(w->shell, dstr_get(&text));
    dstr_free(&told);
    dstr_free(&text);
}

static void set_bar(struct frames_window *w)
{
    uint32_t n = frames_count(w->frames);
    uint32_t page = frames_page(w->q->paint, area_size(w, XmNheight));
    int most = (int)(n > page ? n : page);
    w->top = n <= page ? 0 : w->top > n - page ? n - page : w->top;
    XtVaSetValues(w->bar, XmNminimum, 0, XmNmaximum, most, XmNsliderSize, (int)page, XmNvalue,
                  (int)w->top, XmNpageIncrement, (int)page, NULL);
}

static void show_frames(struct frames_window *w)
{
    set_bar(w);
    draw_picture(w);
    say_what_is_seen(w);
}

/* ---- keys and pointer ---- */

static uint32_t clamp_frame(const struct frames_window *w, int64_t frame)
{
    struct frame_span seen = frames_seen(w->frames);
    return frame < seen.first ? seen.first : frame > seen.last ? seen.last : (uint32_t)frame;
}

static void point_at(struct frames_window *w, int64_t stage, int64_t frame)
{
    int64_t n = frames_count(w->frames);
    w->stage = (uint32_t)(stage < 0 || n == 0 ? 0 : stage >= n ? n - 1 : stage);
    w->frame = clamp_frame(w, frame);
    uint32_t page = frames_page(w->q->paint, area_size(w, XmNheight));
    if (w->stage < w->top)
        w->top = w->stage;
    if (w->stage >= w->top + page)
        w->top = w->stage - page + 1;
    (void)frames_point(w->frames, w->stage, w->frame);
}

/* one task further: as many frames as the stage has in a task */
static int64_t task_step(const struct frames_window *w)
{
    const struct board_job *job = frames_job(w->frames, w->stage);
    return job != NULL ? ja_shape_of(&job->rec).step : 1;
}

static void zoom_in(void *ctx)
{
    struct frames_window *w = ctx;
    frames_zoom(w->frames, 0.5, clamp_frame(w, w->frame));
    show_frames(w);
}

static void zoom_out(void *ctx)
{
    struct frames_window *w = ctx;
    frames_zoom(w->frames, 2, clamp_frame(w, w->frame));
    show_frames(w);
}

static void see_all(void *ctx)
{
    struct frames_window *w = ctx;
    frames_see_all(w->frames);
    show_frames(w);
}

static void on_key(struct frames_window *w, KeySym key)
{
    if (key == XK_Left || key == XK_Right)
        point_at(w, w->stage, w->frame + (key == XK_Left ? -1 : 1) * task_step(w));
    else if (key == XK_Up || key == XK_Down)
        point_at(w, (int64_t)w->stage + (key == XK_Up ? -1 : 1), w->frame);
    else if (key == XK_Prior || key == XK_Next)
        frames_move(w->frames, key == XK_Prior ? -1 : 1);
    else if (key == XK_Home || key == XK_End)
        point_at(w, w->stage, key == XK_Home ? 0 : UINT32_MAX);
    else if (key == XK_plus || key == XK_equal || key == XK_KP_Add)
        zoom_in(w);
    else if (key == XK_minus || key == XK_KP_Subtract)
        zoom_out(w);
    show_frames(w);
}

static void on_place(struct frames_window *w, int x, int y)
{
    uint32_t stage, frame;
    if (frames_under(w->frames, w->q->paint, w->top, area_size(w, XmNwidth), x, y, &stage, &frame))
        point_at(w, stage, frame);
}

static void on_button(struct frames_window *w, const XButtonEvent *event)
{
    XmProcessTraversal(w->area, XmTRAVERSE_CURRENT);
    on_place(w, event->x, event->y);
    if (event->button == Button4)
        zoom_in(w);
    else if (event->button == Button5)
        zoom_out(w);
    else
        show_frames(w);
}

static void on_input(Widget area SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    XEvent *event = ((XmDrawingAreaCallbackStruct *)call)->event;
    char text[8];
    KeySym key = NoSymbol;
    if (event->type == ButtonPress)
        on_button(ctx, &event->xbutton);
    else if (event->type == KeyPress) {
        XLookupString(&event->xkey, text, sizeof text, &key, NULL);
        on_key(ctx, key);
    }
}

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

/* ---- the window ---- */

static void add_text(void *ctx, struct dstr *out)
{
    frames_text(((struct frames_window *)ctx)->frames, TEXT_COLUMNS, out);
}

static void save_text(void *ctx)
{
    struct frames_window *w = ctx;
    window_save(w->shell, w->said, add_text, w);
}

static void close_frames(void *ctx)
{
    window_close(((struct frames_window *)ctx)->shell);
}

static const struct window_button frame_acts[] = {
    { "zoomIn", zoom_in }, { "zoomOut", zoom_out },   { "seeAll", see_all },
    { "save", save_text }, { "close", close_frames },
};

static void make_area(struct frames_window *w, Widget form, Widget bar, Widget row)
{
    w->bar = XtVaCreateManagedWidget("bar", xmScrollBarWidgetClass, form, XmNtraversalOn, False,
                                     XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, bar,
                                     XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget, row,
                                     XmNrightAttachment, XmATTACH_FORM, NULL);
    w->area = XtVaCreateManagedWidget(
        "area", xmDrawingAreaWidgetClass, form, XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget,
        bar, XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget, row, XmNleftAttachment,
        XmATTACH_FORM, XmNrightAttachment, XmATTACH_WIDGET, XmNrightWidget, w->bar, NULL);
    XtAddCallback(w->area, XmNinputCallback, on_input, w);
    XtAddCallback(w->area, XmNexposeCallback, on_expose, w);
    XtAddCallback(w->area, XmNresizeCallback, on_resize, w);
    XtAddCallback(w->bar, XmNvalueChangedCallback, on_bar, w);
    XtAddCallback(w->bar, XmNdragCallback, on_bar, w);
}

static struct frames_window *make_window(struct qmon *q)
{
    struct frames_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->shell = window_shell(q, "frameMatrix");
    Widget form = XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL);
    struct window_frame made = window_frame(form, "frame", frame_acts, ARRAY_LEN(frame_acts), w);
    w->said = made.said;
    make_area(w, form, made.menu, made.buttons);
    XtVaSetValues(form, XmNinitialFocus, w->area, NULL);
    return w;
}

void frames_window_open(struct qmon *q, const struct range_set *jobs)
{
    if (q->frames == NULL)
        q->frames = make_window(q);
    struct frames_window *w = q->frames;
    frames_free(w->frames);
    w->frames = frames_new(q->board, jobs);
    w->top = w->stage = 0;
    frames_window_refresh(w);
    w->frame = frames_seen(w->frames).first;
    window_open(w->shell);
    show_frames(w);
}

void frames_window_refresh(struct frames_window *w)
{
    if (w != NULL && frames_refresh(w->frames, uti_now_s()))
        show_frames(w);
}

void frames_window_status(struct frames_window *w)
{
    if (w != NULL)
        show_frames(w);
}

void frames_window_free(struct frames_window *w)
{
    if (w == NULL)
        return;
    frames_free(w->frames);
    free(w);
}

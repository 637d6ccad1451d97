/* Frames: the window of the pipeline of the jobs that were chosen, and what a user does in it.
 * Buttons act on the tasks that are marked, and on no others; what ends or undoes work asks first
 * and names these tasks; the request is made before the question, so that a mark which changes
 * meanwhile changes nothing.
 *
 * The keys have a place, where a click puts them; with Shift, or with the button down, what lies
 * between that place and another one is marked. The pointer alone points, and what it points at
 * is shown until it leaves. */
#include "clients/qmon/windows/windows.h"

#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <Xm/DrawingA.h>
#include <Xm/Form.h>
#include <Xm/Xm.h>
#include <stdlib.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/paint.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/window.h"
#include "clients/qmon/windows/frames_display.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"
#include "libs/view/frames.h"

enum { TEXT_COLUMNS = 120, NAMED_MOST = 5 };

/* ---- buttons: requests ---- */

/* without a range an entry means all tasks: right only for a job that is not an array */
static void add_range(const struct board_job *job, struct ja_window tasks, struct ID_Type *out)
{
    ASSERT(job != NULL); /* a job that is forgotten takes its mark with it */
    if (!job_is_array(&job->rec))
        return;
    struct TR_Type *range = cull_append(out, ID_tasks);
    cull_set(range, TR_min, job_task_id(&job->rec, tasks.first));
    cull_set(range, TR_max, job_task_id(&job->rec, tasks.last));
    cull_set(range, TR_step, ja_shape_of(&job->rec).step);
}

static void add_ranges(const struct frames_window *w, struct ID_Type *out)
{
    uint32_t n, number;
    const struct frame_mark *marks = frames_marks(w->frames, &n);
    for (uint32_t i = 0; i < n; i++)
        if (parse_u32(out->ID_str, &number) && number == marks[i].job)
            add_range(board_job(w->q->board, number), marks[i].tasks, out);
}

/* false after saying that nothing is marked; OUT is empty then */
static bool make_request(struct frames_window *w, enum job_act act, struct GR_Type *out)
{
    struct range_set jobs = { 0 };
    uint32_t n;
    const struct frame_mark *marks = frames_marks(w->frames, &n);
    cull_clear(&cull_GR_Type, out);
    for (uint32_t i = 0; i < n; i++)
        range_set_add(&jobs, marks[i].job, marks[i].job);
    if (n > 0)
        job_act_request(act, &jobs, out);
    else
        window_say(w->said, MSG_QMON_MARK);
    for (uint32_t i = 0; i < out->GR_select.n; i++)
        add_ranges(w, &out->GR_select.v[i]);
    range_set_free(&jobs);
    return n > 0;
}

static void act_at_once(void *ctx, int act)
{
    struct frames_window *w = ctx;
    struct GR_Type request = { 0 };
    if (make_request(w, (enum job_act)act, &request))
        request_send(w->q, w->said, &request);
}

static void send_asked(void *ctx)
{
    struct frames_window *w = ctx;
    request_send(w->q, w->said, &w->asked);
}

static void confirm_act(struct frames_window *w, enum job_act act, const char *question,
                        const char *name)
{
    struct dstr text = DSTR_INIT;
    if (!make_request(w, act, &w->asked))
        return;
    dstr_add(&text, question);
    frames_marks_told(w->frames, NAMED_MOST, &text);
    dstr_addc(&text, '?');
    window_confirm(w->shell, name, dstr_get(&text), send_asked, w);
    dstr_free(&text);
}

static void reschedule_tasks(void *w)
{
    confirm_act(w, ACT_RESCHEDULE, MSG_QMON_RESCHEDULE_TASKS, "rescheduleTasks");
}

static void delete_tasks(void *w)
{
    confirm_act(w, ACT_DELETE, MSG_QMON_DELETE_TASKS, "deleteTasks");
}

/* ---- buttons that change nothing ---- */

/* to see fewer frames, larger, or (-1) more */
static void zoom_by(void *w, int by)
{
    frames_window_zoom(w, by > 0 ? 0.5 : 2);
}

static void see_all(void *ctx)
{
    struct frames_window *w = ctx;
    frames_see_all(w->frames);
    frames_window_show(w);
}

static void open_task(void *ctx)
{
    struct frames_window *w = ctx;
    (void)frames_point(w->frames, w->at.stage, w->at.frame);
    struct frame_task task = frames_pointed(w->frames);
    if (task.job != 0)
        task_window_open(w->q, task.job, task.ordinal);
    else
        window_say(w->said, MSG_QMON_POINT);
}

static void add_text(void *ctx, struct dstr *out)
{
    frames_text(((struct frames_window *)ctx)->frames, TEXT_COLUMNS, out);
}

static void save_text(void *ctx)
{
    struct frames_window *w = ctx;
    window_save(w->shell, w->said, add_text, w);
}

static void save_picture(void *ctx)
{
    struct frames_window *w = ctx;
    window_save_as(w->shell, "savePicture", w->said, frames_window_picture, w);
}

static const struct window_button buttons[] = {
    BUTTON_WITH("zoomIn", zoom_by, 1),
    BUTTON_WITH("zoomOut", zoom_by, -1),
    BUTTON("seeAll", see_all),
    BUTTON_GAP,
    BUTTON_WITH("hold", act_at_once, ACT_HOLD),
    BUTTON_WITH("release", act_at_once, ACT_RELEASE),
    BUTTON_WITH("clear", act_at_once, ACT_CLEAR),
    BUTTON_GAP,
    BUTTON("openTask", open_task),
    BUTTON("picture", save_picture),
    BUTTON("save", save_text),
    BUTTON_CLOSE,
    BUTTON_GAP,
    BUTTON("reschedule", reschedule_tasks),
    BUTTON("delete", delete_tasks),
};

enum { WHEEL_LEFT = 6, WHEEL_RIGHT = 7, STILL = 4 }; /* pixels: closer is where it was */
static const double wheel_part = 0.25, zoom_step = 2;

/* ---- keys and pointer: marks ---- */

/* the keys have come to where they are: the mark reaches to there, or will begin there */
static void reach_mark(struct frames_window *w, bool is_marking)
{
    window_say(w->said, " "); /* what it said was about other tasks */
    if (is_marking)
        (void)frames_mark(w->frames, w->from, w->at);
    else
        w->from = w->at;
    frames_window_show(w);
}

/* ---- keys ---- */

/* one task further: as many frames as the stage has in a task */
static int64_t task_step(const struct frames_window *w)
{
    const struct board_job *job = frames_job(w->frames, w->at.stage);
    return job != NULL ? ja_shape_of(&job->rec).step : 1;
}

/* true if KEY goes to another place */
static bool move_by_key(struct frames_window *w, KeySym key)
{
    int64_t stage = w->at.stage, frame = w->at.frame, step = task_step(w);
    switch (key) {
    case XK_Left:
    case XK_Right:
        frames_window_go(w, stage, frame + (key == XK_Left ? -step : step));
        return true;
    case XK_Up:
    case XK_Down:
        frames_window_go(w, stage + (key == XK_Up ? -1 : 1), frame);
        return true;
    case XK_Home:
    case XK_End:
        frames_window_go(w, stage, key == XK_Home ? 0 : UINT32_MAX);
        return true;
    default:
        return false;
    }
}

static void on_other_key(struct frames_window *w, KeySym key)
{
    if (key == XK_Prior || key == XK_Next)
        frames_move(w->frames, key == XK_Prior ? -1 : 1);
    else if (key == XK_plus || key == XK_equal || key == XK_KP_Add)
        frames_window_zoom(w, 1 / zoom_step);
    else if (key == XK_minus || key == XK_KP_Subtract)
        frames_window_zoom(w, zoom_step);
    else if (key == XK_Return || key == XK_KP_Enter)
        open_task(w);
    else if (key == XK_Escape)
        frames_unmark(w->frames);
    else
        return;
    frames_window_show(w);
}

static void on_key(struct frames_window *w, XKeyEvent *event)
{
    char text[8];
    KeySym key = NoSymbol;
    XLookupString(event, text, sizeof text, &key, NULL);
    if (move_by_key(w, key))
        reach_mark(w, (event->state & ShiftMask) != 0);
    else
        on_other_key(w, key);
}

/* ---- buttons of the pointer ---- */

static bool is_close(const struct frames_window *w, int x, int y)
{
    return abs(x - w->press.x) <= STILL && abs(y - w->press.y) <= STILL;
}

/* the second one of two quick clicks at a place */
static bool is_second(const struct frames_window *w, const XButtonEvent *event)
{
    int most_ms = XtGetMultiClickTime(event->display);
    return w->press.at_ms != 0 && event->time - w->press.at_ms <= (Time)most_ms &&
           is_close(w, event->x, event->y);
}

static void on_press(struct frames_window *w, const XButtonEvent *event)
{
    struct frames_view view = frames_window_view(w);
    struct frame_place place;
    bool is_double = is_second(w, event);
    w->press = (struct frame_press){ is_double ? 0 : event->time, event->x, event->y, false };
    if (!frames_under(&view, event->x, event->y, &place))
        return;
    frames_window_go(w, place.stage, place.frame);
    if ((event->state & ShiftMask) == 0)
        frames_unmark(w->frames);
    reach_mark(w, (event->state & ShiftMask) != 0);
    if (is_double)
        open_task(w);
}

static void on_wheel(struct frames_window *w, const XButtonEvent *event)
{
    struct frames_view view = frames_window_view(w);
    bool is_back = event->button == Button4 || event->button == WHEEL_LEFT;
    if (frames_count(w->frames) == 0)
        return;
    if (event->button >= WHEEL_LEFT || (event->state & ShiftMask) != 0)
        frames_move(w->frames, is_back ? -wheel_part : wheel_part);
    else if ((event->state & ControlMask) != 0)
        frames_zoom(w->frames, is_back ? 1 / zoom_step : zoom_step,
                    frames_near(&view, event->x, event->y).frame);
    else if (!is_back)
        w->top++;
    else if (w->top > 0)
        w->top--;
    frames_window_show(w);
}

static void on_button(struct frames_window *w, const XButtonEvent *event)
{
    XmProcessTraversal(w->area, XmTRAVERSE_CURRENT);
    if (event->button == Button1)
        on_press(w, event);
    else if (event->button >= Button4 && event->button <= WHEEL_RIGHT)
        on_wheel(w, event);
}

static void on_input(Widget area SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    XEvent *event = ((XmDrawingAreaCallbackStruct *)call)->event;
    if (event->type == ButtonPress)
        on_button(ctx, &event->xbutton);
    else if (event->type == KeyPress)
        on_key(ctx, &event->xkey);
}

/* ---- the pointer moves ---- */

/* above and below what is seen are the stages beside it, which are seen then */
static void on_drag(struct frames_window *w, int x, int y)
{
    struct frames_view view = frames_window_view(w);
    if (!w->press.is_drag && is_close(w, x, y))
        return;
    w->press.is_drag = true;
    struct frame_place near = frames_near(&view, x, y);
    int beyond = y < 0 ? -1 : y >= view.height ? 1 : 0;
    frames_window_go(w, (int64_t)near.stage + beyond, near.frame);
    reach_mark(w, true);
}

static void on_hover(struct frames_window *w, int x, int y)
{
    struct frames_view view = frames_window_view(w);
    struct frame_place place = w->at;
    struct frame_task before = frames_pointed(w->frames);
    if (frames_under(&view, x, y, &place))
        (void)frames_point(w->frames, place.stage, place.frame);
    struct frame_task now = frames_pointed(w->frames);
    if (now.job != before.job || now.ordinal != before.ordinal)
        frames_window_show(w);
}

/* the newest position of the pointer in the queue of events; those before it are not shown */
static void skip_motion(XEvent *event)
{
    XEvent next;
    while (XEventsQueued(event->xmotion.display, QueuedAlready) > 0) {
        XPeekEvent(event->xmotion.display, &next);
        if (next.type != MotionNotify || next.xmotion.window != event->xmotion.window)
            return;
        XNextEvent(event->xmotion.display, event);
    }
}

static void on_motion(Widget area SGE_UNUSED, XtPointer ctx, XEvent *event,
                      Boolean *goes_on SGE_UNUSED)
{
    struct frames_window *w = ctx;
    XEvent last = *event;
    if (frames_count(w->frames) == 0)
        return;
    skip_motion(&last);
    if ((last.xmotion.state & Button1Mask) != 0)
        on_drag(w, last.xmotion.x, last.xmotion.y);
    else
        on_hover(w, last.xmotion.x, last.xmotion.y);
}

static void on_leave(Widget area SGE_UNUSED, XtPointer ctx, XEvent *event SGE_UNUSED,
                     Boolean *goes_on SGE_UNUSED)
{
    struct frames_window *w = ctx;
    (void)frames_point(w->frames, w->at.stage, w->at.frame);
    frames_window_show(w);
}

/* take keys and pointer of its area */
static void frames_listen(struct frames_window *w)
{
    XtAddCallback(w->area, XmNinputCallback, on_input, w);
    XtAddEventHandler(w->area, PointerMotionMask, False, on_motion, w);
    XtAddEventHandler(w->area, LeaveWindowMask, False, on_leave, w);
}

/* ---- the window ---- */

static void make_body(struct frames_window *w, Widget form)
{
    struct window_frame made = window_frame(form, "frame", buttons, ARRAY_LEN(buttons), w);
    w->said = made.said;
    w->told = window_line(form, "told", frames_log_make(w, form, made.buttons));
    frames_legend_make(w, form);
    frames_area_make(w, form, made.menu);
    frames_listen(w);
    XtVaSetValues(form, XmNinitialFocus, w->area, NULL);
}

static struct frames_window *make_window(struct qmon *q)
{
    struct frames_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
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

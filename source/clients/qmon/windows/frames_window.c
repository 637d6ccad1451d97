/* Frames: the window of the pipeline of the jobs that were chosen. */
#include "clients/qmon/windows/frames_window.h"

#include <Xm/Form.h>
#include <Xm/Xm.h>
#include <stdlib.h>

#include "clients/qmon/widgets/paint.h"
#include "clients/qmon/widgets/window.h"
#include "clients/qmon/windows/frames_input.h"
#include "libs/uti/alloc.h"
#include "libs/uti/time.h"

static void make_body(struct frames_window *w, Widget form)
{
    size_t n;
    const struct window_button *buttons = frames_buttons(&n);
    struct window_frame made = window_frame(form, "frame", buttons, n, w);
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

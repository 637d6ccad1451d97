/* What the buttons of Frames do: to the tasks that are marked, and to no others. What ends or
 * undoes work asks first and names these tasks; the request is made before the question, so that a
 * mark which changes meanwhile changes nothing. */
#include <Xm/Xm.h>

#include "clients/qmon/frames_window_priv.h"
#include "clients/qmon/job_acts.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/request.h"
#include "clients/qmon/task_window.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/view/frames_words.h"

enum { TEXT_COLUMNS = 120, NAMED_MOST = 5 };

/* ---- requests ---- */

/* an entry without a range means all tasks: right for a job that is no array, and for no other */
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

static void act_at_once(struct frames_window *w, enum job_act act)
{
    struct GR_Type request = { 0 };
    if (make_request(w, act, &request))
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

static void hold_tasks(void *w)
{
    act_at_once(w, ACT_HOLD);
}

static void release_tasks(void *w)
{
    act_at_once(w, ACT_RELEASE);
}

static void clear_error(void *w)
{
    act_at_once(w, ACT_CLEAR);
}

static void reschedule_tasks(void *w)
{
    confirm_act(w, ACT_RESCHEDULE, MSG_QMON_RESCHEDULE_TASKS, "rescheduleTasks");
}

static void delete_tasks(void *w)
{
    confirm_act(w, ACT_DELETE, MSG_QMON_DELETE_TASKS, "deleteTasks");
}

/* ---- what changes nothing ---- */

static void zoom_in(void *w)
{
    frames_window_zoom(w, 0.5);
}

static void zoom_out(void *w)
{
    frames_window_zoom(w, 2);
}

static void see_all(void *ctx)
{
    struct frames_window *w = ctx;
    frames_see_all(w->frames);
    frames_window_show(w);
}

void frames_open_task(void *ctx)
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

static void close_frames(void *ctx)
{
    window_close(((struct frames_window *)ctx)->shell);
}

static const struct window_button acts[] = {
    { "zoomIn", zoom_in },
    { "zoomOut", zoom_out },
    { "seeAll", see_all },
    { NULL, NULL },
    { "hold", hold_tasks },
    { "release", release_tasks },
    { "clear", clear_error },
    { NULL, NULL },
    { "openTask", frames_open_task },
    { "picture", save_picture },
    { "save", save_text },
    { "close", close_frames },
    { NULL, NULL },
    { "reschedule", reschedule_tasks },
    { "delete", delete_tasks },
};

const struct window_button *frames_acts(size_t *n)
{
    *n = ARRAY_LEN(acts);
    return acts;
}

/* The frame matrix. Invariants: `seen` lies within `all`; the stages are jobs of the board, because
 * one that leaves it takes the pipeline with it, which is then found anew. */
#include "libs/view/frames.h"

#include <stdlib.h>

#include "libs/sgeobj/job_state.h"
#include "libs/view/frames_priv.h"

/* ---- which jobs ---- */

static bool has_stage(const struct frames *f, const struct board_job *job)
{
    for (uint32_t i = 0; i < f->pipeline.n; i++)
        if (f->pipeline.stages[i] == job)
            return true;
    return false;
}

/* a job that is no stage may have become one */
static void on_changed(void *ctx, struct board_job *job)
{
    struct frames *f = ctx;
    if (has_stage(f, job))
        f->is_behind = true;
    else if (job_has_predecessors(job))
        f->is_stale = true;
}

static void on_leaving(void *ctx, struct board_job *job)
{
    struct frames *f = ctx;
    frames_unmark_job(f, job->rec.JB_job_number);
    if (!has_stage(f, job))
        return;
    f->is_stale = true;
    f->pipeline.n = 0;
}

static void measure_frames(struct frames *f)
{
    bool sees_all = f->seen.first == f->all.first && f->seen.last == f->all.last;
    f->all = (struct frame_span){ UINT32_MAX, 0 };
    for (uint32_t i = 0; i < f->pipeline.n; i++) {
        struct ja_shape s = ja_shape_of(&f->pipeline.stages[i]->rec);
        f->all.first = s.first < f->all.first ? s.first : f->all.first;
        f->all.last = s.last > f->all.last ? s.last : f->all.last;
    }
    if (f->all.first > f->all.last)
        f->all = (struct frame_span){ 1, 1 };
    if (sees_all || f->seen.first < f->all.first || f->seen.last > f->all.last)
        f->seen = f->all;
}

static void count_done(struct frames *f)
{
    free(f->done_before);
    f->done_before = uti_calloc(f->pipeline.n + 1, sizeof *f->done_before);
    for (uint32_t i = 0; i < f->pipeline.n; i++)
        f->done_before[i] = board_ended(f->pipeline.stages[i]);
    f->began_s = f->now_s;
}

static void find_stages(struct frames *f)
{
    uint32_t before = f->pipeline.n;
    pipeline_find(f->board, &f->start, &f->pipeline);
    measure_frames(f);
    if (f->pipeline.n != before || f->done_before == NULL)
        count_done(f);
    f->is_stale = false;
}

struct frames *frames_new(struct board *board, const struct range_set *start)
{
    struct frames *f = uti_calloc(1, sizeof *f);
    f->board = board;
    f->watcher = (struct board_watcher){ .changed = on_changed, .leaves = on_leaving, .ctx = f };
    range_set_copy(&f->start, start);
    f->is_stale = true;
    board_watch(board, &f->watcher);
    return f;
}

void frames_free(struct frames *f)
{
    if (f == NULL)
        return;
    board_unwatch(&f->watcher);
    range_set_free(&f->start);
    pipeline_free(&f->pipeline);
    free(f->done_before);
    free(f->marks);
    free(f->queue);
    free(f->end);
    free(f);
}

bool frames_refresh(struct frames *f, uint64_t now_s)
{
    board_settle(f->board);
    /* what is estimated is shown in minutes, and must not be over */
    bool is_other_minute = f->now_s / 60 != now_s / 60;
    f->now_s = now_s;
    if (f->began_s == 0)
        f->began_s = now_s;
    bool is_new = f->is_stale || f->is_behind || is_other_minute;
    if (f->is_stale)
        find_stages(f);
    f->is_behind = false;
    frames_forget_where(f);
    return is_new;
}

uint32_t frames_count(const struct frames *f)
{
    return f->pipeline.n;
}

struct board_job *frames_job(const struct frames *f, uint32_t stage)
{
    return stage < f->pipeline.n ? f->pipeline.stages[stage] : NULL;
}

/* ---- which frames ---- */

struct frame_span frames_seen(const struct frames *f)
{
    return f->seen;
}

void frames_see_all(struct frames *f)
{
    f->seen = f->all;
}

/* WIDTH frames from FIRST on, as far as there are any */
static void see_frames(struct frames *f, double first, double width)
{
    double all = (double)f->all.last - f->all.first + 1;
    if (width > all)
        width = all;
    if (width < 1)
        width = 1;
    if (first < f->all.first)
        first = f->all.first;
    if (first + width > (double)f->all.last + 1)
        first = (double)f->all.last + 1 - width;
    f->seen.first = (uint32_t)first;
    f->seen.last = (uint32_t)(first + width - 1);
}

static double seen_width(const struct frames *f)
{
    return (double)f->seen.last - f->seen.first + 1;
}

void frames_zoom(struct frames *f, double factor, uint32_t at)
{
    double width = seen_width(f), wide = width * factor;
    if (factor > 1 && wide < width + 1)
        wide = width + 1;
    see_frames(f, at - (at - (double)f->seen.first) * wide / width, wide);
}

void frames_move(struct frames *f, double by)
{
    double width = seen_width(f);
    see_frames(f, f->seen.first + by * width, width);
}

/* ---- what is pointed at ---- */

bool frames_point(struct frames *f, uint32_t stage, uint32_t frame)
{
    const struct board_job *job = frames_job(f, stage);
    f->is_pointing = job != NULL && frames_task_of(job, frame, &f->ordinal);
    f->pointed = f->is_pointing ? job->rec.JB_job_number : 0;
    return f->is_pointing;
}

struct frame_task frames_pointed(const struct frames *f)
{
    struct frame_task none = { 0, 0 };
    return f->is_pointing ? (struct frame_task){ f->pointed, f->ordinal } : none;
}

bool frames_lit(const struct frames *f, uint32_t stage, struct ja_window *out)
{
    const struct board_job *at = f->is_pointing ? board_job(f->board, f->pointed) : NULL;
    const struct board_job *job = frames_job(f, stage);
    if (at == NULL || job == NULL)
        return false;
    struct ja_shape from = ja_shape_of(&at->rec), to = ja_shape_of(&job->rec);
    if (f->ordinal >= ja_task_count(&from))
        return false;
    *out = (struct ja_window){ f->ordinal, f->ordinal };
    if (job == at)
        return true;
    if (job_array_waits(at, job->rec.JB_job_number))
        *out = ja_dep_forward(&to, &from, f->ordinal);
    else if (job_array_waits(job, f->pointed))
        *out = ja_dep_backward(&from, &to, f->ordinal);
    else
        return false;
    return true;
}

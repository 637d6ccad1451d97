/* What is drawn of the frame matrix: columns of pixels that look the same. */
#include "libs/view/frames_priv.h"

enum { TASK_COLUMNS = 4 }; /* a task that has so many is drawn apart from the next */

uint32_t frames_at(const struct frames *f, int column, int columns)
{
    uint64_t width = (uint64_t)f->seen.last - f->seen.first + 1;
    return f->seen.first + (uint32_t)((uint64_t)column * width / (uint64_t)columns);
}

/* the first column of FRAME, which is seen or comes right behind */
static int column_of(const struct frames *f, uint64_t frame, int columns)
{
    uint64_t width = (uint64_t)f->seen.last - f->seen.first + 1;
    return (int)(((frame - f->seen.first) * (uint64_t)columns + width - 1) / width);
}

/* the task that works at FRAME */
bool frames_task_of(const struct board_job *job, uint32_t frame, uint32_t *ordinal)
{
    struct ja_shape s = ja_shape_of(&job->rec);
    if (frame < s.first || frame > s.last)
        return false;
    *ordinal = (frame - s.first) / s.step;
    return true;
}

bool frames_tasks_in(const struct board_job *job, struct frame_span span, struct ja_window *out)
{
    struct ja_shape s = ja_shape_of(&job->rec);
    if (span.last < s.first || span.first > s.last)
        return false;
    return frames_task_of(job, span.first > s.first ? span.first : s.first, &out->first) &&
           frames_task_of(job, span.last < s.last ? span.last : s.last, &out->last);
}

bool frames_all_in(const struct range_set *set, struct ja_window tasks)
{
    struct range run;
    return range_set_next_run(set, tasks.first, &run) && run.first == tasks.first &&
           run.last >= tasks.last;
}

/* ---- tasks ---- */

/* the frames of the tasks FIRST..LAST */
static struct frame_span frames_of_tasks(const struct board_job *job, struct ja_window tasks)
{
    struct ja_shape s = ja_shape_of(&job->rec);
    uint64_t last = s.first + ((uint64_t)tasks.last + 1) * s.step - 1;
    return (struct frame_span){ s.first + tasks.first * s.step,
                                last < s.last ? (uint32_t)last : s.last };
}

bool frames_columns(const struct frames *f, uint32_t stage, struct ja_window tasks, int columns,
                    int *first, int *last)
{
    struct frame_span span = frames_of_tasks(f->pipeline.stages[stage], tasks);
    if (span.last < f->seen.first || span.first > f->seen.last)
        return false;
    uint32_t from = span.first > f->seen.first ? span.first : f->seen.first;
    uint32_t to = span.last < f->seen.last ? span.last : f->seen.last;
    *first = column_of(f, from, columns);
    *last = column_of(f, (uint64_t)to + 1, columns) - 1;
    if (*last < *first)
        *first = *last > 0 ? *last : (*last = 0);
    return true;
}

/* the most urgent look: what somebody has to look after, then what goes on */
static enum task_look look_of_tasks(const struct board_job *job, struct ja_window w)
{
    if (range_set_any_in(&job->parked, w.first, w.last))
        return LOOK_ERROR;
    if (range_set_any_in(&job->failed, w.first, w.last))
        return LOOK_FAILED;
    if (range_set_any_in(&job->suspended, w.first, w.last))
        return LOOK_SUSPENDED;
    if (range_set_any_in(&job->running, w.first, w.last))
        return LOOK_RUNNING;
    if (range_set_any_in(&job->ready, w.first, w.last))
        return LOOK_READY;
    if (!frames_all_in(&job->done, w))
        return LOOK_HELD;
    return range_set_any_in(&job->unknown, w.first, w.last) ? LOOK_UNKNOWN : LOOK_DONE;
}

/* the tasks at COLUMN; false: the stage has none there */
static bool tasks_of_column(const struct frames *f, const struct board_job *job, int column,
                            int columns, struct ja_window *out)
{
    uint32_t from = frames_at(f, column, columns), to = frames_at(f, column + 1, columns);
    return frames_tasks_in(job, (struct frame_span){ from, to > from ? to - 1 : from }, out);
}

static bool has_wide_tasks(const struct frames *f, const struct board_job *job, int columns)
{
    return (double)columns * ja_shape_of(&job->rec).step /
               ((double)f->seen.last - f->seen.first + 1) >=
           TASK_COLUMNS;
}

/* the next run from COLUMN on: a wide task, or as many columns as look the same */
static struct frame_run run_from(const struct frames *f, uint32_t stage, int column, int columns,
                                 struct ja_window w)
{
    const struct board_job *job = f->pipeline.stages[stage];
    struct frame_run run = { column, column, LOOK_DONE, has_wide_tasks(f, job, columns) };
    if (run.is_task)
        w.last = w.first;
    run.look = look_of_tasks(job, w);
    if (run.is_task) {
        int first;
        if (frames_columns(f, stage, w, columns, &first, &run.last) && run.last < column)
            run.last = column;
        return run;
    }
    while (run.last + 1 < columns && tasks_of_column(f, job, run.last + 1, columns, &w) &&
           look_of_tasks(job, w) == run.look)
        run.last++;
    return run;
}

uint32_t frames_runs(const struct frames *f, uint32_t stage, int columns, struct frame_run *out)
{
    uint32_t n = 0;
    struct ja_window w;
    for (int column = 0; column < columns; column++) {
        if (!tasks_of_column(f, f->pipeline.stages[stage], column, columns, &w))
            continue;
        out[n] = run_from(f, stage, column, columns, w);
        column = out[n++].last;
    }
    return n;
}

/* The frame matrix. Invariants: `seen` lies within `all`; the stages are jobs of the board, because
 * one that leaves it takes the pipeline with it, which is then found anew. */
#include "libs/view/frames.h"

#include <stdlib.h>

#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"
#include "libs/view/frames_priv.h"

/* ---- the task pointed at ---- */
/* Where the task runs that is pointed at: events do not say it, so that it is asked for. Invariant:
 * what is known is of one task, and forgotten when that task is seen not to run. */

enum { TIME_AT = 11, LATELY_S = 12 * 60 * 60 }; /* where 14:05:00 stands in a time */

static bool is_running(const struct frames *f, struct frame_task task)
{
    const struct board_job *job = task.job != 0 ? board_job(f->board, task.job) : NULL;
    enum task_look look = job != NULL ? board_task_look(job, task.ordinal) : LOOK_DONE;
    return look == LOOK_RUNNING || look == LOOK_SUSPENDED;
}

static bool is_known(const struct frames *f, struct frame_task task)
{
    return f->known.job == task.job && f->known.ordinal == task.ordinal;
}

/* if the task does not run any more */
static void frames_forget_where(struct frames *f)
{
    if (f->known.job != 0 && !is_running(f, f->known))
        frames_know_where(f, (struct frame_task){ 0, 0 }, NULL, 0);
}

bool frames_wants_where(const struct frames *f)
{
    struct frame_task at = frames_pointed(f);
    return is_running(f, at) && !is_known(f, at);
}

void frames_know_where(struct frames *f, struct frame_task task, const char *queue,
                       uint64_t start_s)
{
    free(f->queue);
    f->known = task;
    f->queue = queue != NULL ? uti_strdup(queue) : NULL;
    f->start_s = start_s;
}

void frames_know_end(struct frames *f, struct frame_task task, const char *words)
{
    free(f->end);
    f->ended = task;
    f->end = uti_strdup(words);
}

void frames_where(const struct frames *f, struct dstr *out)
{
    struct frame_task at = frames_pointed(f);
    const struct board_job *job = board_job(f->board, at.job);
    if (f->end != NULL && f->ended.job == at.job && f->ended.ordinal == at.ordinal && job != NULL &&
        look_is_ended(board_task_look(job, at.ordinal)))
        dstr_add(out, f->end);
    if (f->queue != NULL && is_known(f, at) && is_running(f, at))
        task_where_told(f->queue, f->start_s, f->now_s, out);
}

void task_where_told(const char *queue, uint64_t start_s, uint64_t now_s, struct dstr *out)
{
    struct dstr when = DSTR_INIT;
    uti_time_iso(start_s, &when);
    bool is_lately = when.len > TIME_AT && start_s + LATELY_S > now_s;
    dstr_addf(out, " in %s since %s", queue, dstr_get(&when) + (is_lately ? TIME_AT : 0));
    dstr_free(&when);
}

/* ---- runs: columns of pixels that look the same ---- */

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

/* the task of JOB that works at FRAME; false: there is none */
/* the task that works at FRAME */
static bool frames_task_of(const struct board_job *job, uint32_t frame, uint32_t *ordinal)
{
    struct ja_shape s = ja_shape_of(&job->rec);
    if (frame < s.first || frame > s.last)
        return false;
    *ordinal = (frame - s.first) / s.step;
    return true;
}

/* its tasks that work at a frame of SPAN; false: there is none */
static bool frames_tasks_in(const struct board_job *job, struct frame_span span,
                            struct ja_window *out)
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

/* ---- tasks and frames ---- */

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

/* ---- marked tasks ---- */
/* The mark on the frame matrix: tasks that are to be acted upon. Invariant: a mark names its job
 * and its tasks, never a place in the picture, so that a pipeline which changes leaves it on the
 * same tasks; a job that is forgotten takes its mark with it. */

static void add_mark(struct frames *f, const struct board_job *job, struct frame_span span)
{
    struct ja_window tasks;
    if (!frames_tasks_in(job, span, &tasks))
        return;
    f->marks = uti_vec_grow(f->marks, &f->cap_marks, f->n_marks + 1, sizeof *f->marks);
    f->marks[f->n_marks++] = (struct frame_mark){ job->rec.JB_job_number, tasks };
}

static void order_two(uint32_t *a, uint32_t *b)
{
    uint32_t greater = *a > *b ? *a : *b;
    *a = *a < *b ? *a : *b;
    *b = greater;
}

uint64_t frames_mark(struct frames *f, struct frame_place from, struct frame_place to)
{
    order_two(&from.stage, &to.stage);
    order_two(&from.frame, &to.frame);
    frames_unmark(f);
    for (uint32_t i = from.stage; i <= to.stage && i < f->pipeline.n; i++)
        add_mark(f, f->pipeline.stages[i], (struct frame_span){ from.frame, to.frame });
    return frames_marked_count(f);
}

void frames_unmark(struct frames *f)
{
    f->n_marks = 0;
}

/* no task of the job NUMBER is marked */
static void frames_unmark_job(struct frames *f, uint32_t number)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->n_marks; i++)
        if (f->marks[i].job != number)
            f->marks[kept++] = f->marks[i];
    f->n_marks = kept;
}

const struct frame_mark *frames_marks(const struct frames *f, uint32_t *n)
{
    *n = f->n_marks;
    return f->marks;
}

uint64_t frames_marked_count(const struct frames *f)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < f->n_marks; i++)
        n += f->marks[i].tasks.last - f->marks[i].tasks.first + 1;
    return n;
}

bool frames_marked(const struct frames *f, uint32_t stage, struct ja_window *out)
{
    const struct board_job *job = frames_job(f, stage);
    for (uint32_t i = 0; job != NULL && i < f->n_marks; i++)
        if (f->marks[i].job == job->rec.JB_job_number) {
            *out = f->marks[i].tasks;
            return true;
        }
    return false;
}

/* ---- marked tasks in words ---- */

static void tell_tasks(const struct board_job *job, struct ja_window tasks, struct dstr *out)
{
    uint32_t first = job_task_id(&job->rec, tasks.first), step = ja_shape_of(&job->rec).step;
    dstr_addf(out, "task%s %u", tasks.last > tasks.first ? "s" : "", first);
    if (tasks.last > tasks.first)
        dstr_addf(out, "-%u", job_task_id(&job->rec, tasks.last));
    if (tasks.last > tasks.first && step > 1)
        dstr_addf(out, ":%u", step);
    dstr_add(out, " of ");
}

static void tell_mark(const struct board_job *job, struct ja_window tasks, struct dstr *out)
{
    if (job_is_array(&job->rec))
        tell_tasks(job, tasks, out);
    dstr_addf(out, "%s %u", job->rec.JB_job_name != NULL ? job->rec.JB_job_name : "",
              job->rec.JB_job_number);
}

void frames_marks_told(const struct frames *f, uint32_t most, struct dstr *out)
{
    for (uint32_t i = 0; i < f->n_marks && i < most; i++) {
        dstr_add(out, i > 0 ? ", " : "");
        tell_mark(board_job(f->board, f->marks[i].job), f->marks[i].tasks, out);
    }
    if (f->n_marks > most)
        dstr_addf(out, " and of %u more", f->n_marks - most);
}

/* ---- stages ---- */

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

/* ---- the frames that are seen ---- */

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

/* ---- pointing ---- */

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

/* The mark on the frame matrix: tasks that are to be acted upon. Invariant: a mark names its job
 * and its tasks, never a place in the picture, so that a pipeline which changes leaves it on the
 * same tasks; a job that is forgotten takes its mark with it. */
#include <stdlib.h>

#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/frames_priv.h"

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

void frames_unmark_job(struct frames *f, uint32_t number)
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

/* ---- what is said of it ---- */

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

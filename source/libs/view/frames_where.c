/* Where the task runs that is pointed at: events do not say it, so that it is asked for. Invariant:
 * what is known is of one task, and forgotten when that task is seen not to run. */
#include <stdlib.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"
#include "libs/view/frames_priv.h"

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

void frames_forget_where(struct frames *f)
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

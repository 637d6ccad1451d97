/* What is said of the frame matrix: of a task, of a stage, and of all as text. */
#include "libs/view/frames.h"

#include <stdlib.h>

#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"
#include "libs/view/frames_priv.h"

enum { TIME_AT = 11, TIME_BYTES = 5 }; /* where 14:05 stands in a time */

static void add_window(const struct board_job *job, struct ja_window w, struct dstr *out)
{
    dstr_addf(out, "%s %u", job->rec.JB_job_name != NULL ? job->rec.JB_job_name : "",
              job_task_id(&job->rec, w.first));
    if (w.last > w.first)
        dstr_addf(out, "-%u", job_task_id(&job->rec, w.last));
}

/* between the words of a list */
static void add_comma(struct dstr *out, bool *is_first)
{
    dstr_add(out, *is_first ? "; waits for " : ", ");
    *is_first = false;
}

/* the tasks of other stages that the one pointed at waits for, as far as they are not done */
static void add_tasks_before(const struct frames *f, const struct board_job *at, struct dstr *out,
                             bool *is_first)
{
    struct ja_window w;
    for (uint32_t i = 0; i < f->pipeline.n; i++) {
        const struct board_job *job = f->pipeline.stages[i];
        if (!job_array_waits(at, job->rec.JB_job_number) || !frames_lit(f, i, &w) ||
            frames_all_in(&job->done, w))
            continue;
        add_comma(out, is_first);
        add_window(job, w, out);
    }
}

static void add_jobs_before(const struct frames *f, const struct board_job *at, struct dstr *out,
                            bool *is_first)
{
    const struct JRE_Type_list *list = &at->rec.JB_jid_predecessor_list;
    for (uint32_t i = 0; i < list->n; i++) {
        const struct board_job *job = board_job(f->board, list->v[i].JRE_job_number);
        if (job == NULL || job->is_over)
            continue;
        add_comma(out, is_first);
        dstr_addf(out, "all of %s %u", job->rec.JB_job_name != NULL ? job->rec.JB_job_name : "",
                  job->rec.JB_job_number);
    }
}

void frames_told(const struct frames *f, struct dstr *out)
{
    const struct board_job *at = f->is_pointing ? board_job(f->board, f->pointed) : NULL;
    if (at == NULL || f->ordinal >= job_task_count(&at->rec))
        return;
    dstr_addf(out, "%s %u, task %u: %s", at->rec.JB_job_name != NULL ? at->rec.JB_job_name : "",
              f->pointed, job_task_id(&at->rec, f->ordinal),
              look_name(board_task_look(at, f->ordinal)));
    frames_where(f, out);
    bool is_first = true;
    if (board_task_look(at, f->ordinal) != LOOK_HELD)
        return;
    add_tasks_before(f, at, out, &is_first);
    add_jobs_before(f, at, out, &is_first);
}

static bool waits_for(const struct board_job *job, uint32_t number)
{
    const struct JRE_Type_list *list = &job->rec.JB_jid_predecessor_list;
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i].JRE_job_number == number)
            return true;
    return job_array_waits(job, number);
}

/* Has the stage, or one that it waits for, a task in error? Then it ends when somebody has acted.
 * DEPTH is how many stages may lie before it. */
static bool is_stuck(const struct frames *f, uint32_t stage, uint32_t depth)
{
    const struct board_job *job = f->pipeline.stages[stage];
    bool is_stuck_here = board_look(job, LOOK_ERROR) > 0;
    for (uint32_t i = 0; depth > 0 && i < f->pipeline.n && !is_stuck_here; i++) {
        const struct board_job *before = f->pipeline.stages[i];
        is_stuck_here =
            i != stage && waits_for(job, before->rec.JB_job_number) && is_stuck(f, i, depth - 1);
    }
    return is_stuck_here;
}

/* as fast as it has been since we look; nothing is said before a task has ended */
static void add_estimate(const struct frames *f, uint32_t stage, uint64_t left, struct dstr *out)
{
    enum { DEPTH = 16 };
    struct dstr when = DSTR_INIT;
    uint64_t now = board_ended(f->pipeline.stages[stage]), before = f->done_before[stage];
    if (left == 0 || now <= before || f->now_s <= f->began_s || is_stuck(f, stage, DEPTH))
        return;
    uti_time_iso(f->now_s + left * (f->now_s - f->began_s) / (now - before), &when);
    if (when.len >= TIME_AT + TIME_BYTES)
        dstr_addf(out, ", end about %.*s", TIME_BYTES, when.s + TIME_AT);
    dstr_free(&when);
}

void frames_line(const struct frames *f, uint32_t stage, struct dstr *out)
{
    const struct board_job *job = f->pipeline.stages[stage];
    uint64_t all = job_task_count(&job->rec), ended = board_ended(job);
    dstr_addf(out, "%llu of %llu done", (unsigned long long)board_look(job, LOOK_DONE),
              (unsigned long long)all);
    board_add_counts(job, out);
    if (all >= ended)
        add_estimate(f, stage, all - ended, out);
}

static void add_stage_text(const struct frames *f, uint32_t stage, int columns,
                           struct frame_run *runs, struct dstr *out)
{
    static const char letters[LOOKS] = {
        [LOOK_ERROR] = 'E', [LOOK_SUSPENDED] = 's', [LOOK_RUNNING] = 'r', [LOOK_READY] = 'p',
        [LOOK_HELD] = 'h',  [LOOK_FAILED] = 'F',    [LOOK_UNKNOWN] = '?', [LOOK_DONE] = '.',
    };
    int column = 0;
    uint32_t n = frames_runs(f, stage, columns, runs);
    for (uint32_t i = 0; i < n; i++) {
        for (; column < runs[i].first; column++)
            dstr_addc(out, ' ');
        for (; column <= runs[i].last; column++)
            dstr_addc(out, letters[runs[i].look]);
    }
}

void frames_text(const struct frames *f, int columns, struct dstr *out)
{
    struct frame_run *runs = uti_calloc((size_t)columns, sizeof *runs);
    for (uint32_t i = 0; i < f->pipeline.n; i++) {
        const struct JB_Type *rec = &f->pipeline.stages[i]->rec;
        dstr_addf(out, "%u\t%s\t", rec->JB_job_number,
                  rec->JB_job_name != NULL ? rec->JB_job_name : "");
        add_stage_text(f, i, columns, runs, out);
        dstr_addc(out, '\t');
        frames_line(f, i, out);
        dstr_addc(out, '\n');
    }
    free(runs);
}

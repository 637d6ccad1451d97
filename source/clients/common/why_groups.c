/* Groups of tasks that wait, or run, for the same reason. */
#include "clients/common/why_groups.h"

#include <stdlib.h>
#include <string.h>

#include "libs/show/job_row.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum { MOST_BYTES = 1000 }; /* of the list of tasks in a heading */

static struct why_group *add_group(struct why_groups *out, uint32_t job, uint32_t task)
{
    out->v = uti_vec_grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
    out->v[out->n] = (struct why_group){ .job = job, .task = task };
    return &out->v[out->n++];
}

void why_groups_add_task(struct why_groups *g, uint32_t job, uint32_t task)
{
    (void)add_group(g, job, task);
}

/* Running tasks have a row each: those with the same state join the first of them, and leave their
 * own row empty. */
static void unite_running(struct job_rows *rows)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        struct job_row *row = &rows->v[i];
        for (uint32_t k = 0; k < i && row->kind == ROW_RUNNING; k++) {
            struct job_row *first = &rows->v[k];
            if (first->kind != ROW_RUNNING || range_set_is_empty(&first->ids) ||
                strcmp(first->state, row->state) != 0)
                continue;
            range_set_unite(&first->ids, &row->ids);
            range_set_free(&row->ids);
            break;
        }
    }
}

static void add_row(struct why_groups *out, const struct job_row *row)
{
    struct dstr tasks = DSTR_INIT;
    uint32_t first = 0;
    if (!range_set_min(&row->ids, &first))
        return;
    struct why_group *group = add_group(out, row->job_number, 0);
    memcpy(group->state, row->state, sizeof group->state);
    if (!row->is_array)
        return;
    group->task = row->ja_first + first * row->ja_step;
    group->n_tasks = range_set_count(&row->ids);
    row_tasks_text(row, MOST_BYTES, &tasks);
    group->tasks = uti_strdup(dstr_get(&tasks));
    dstr_free(&tasks);
}

void why_groups_add_job(struct why_groups *g, const struct JB_Type *job,
                        const struct JAT_Type *const *tasks, uint32_t n_tasks, uint64_t now_s)
{
    struct job_rows rows = { 0 };
    const struct row_wish wish = { .show = SHOW_DEFAULT, .now_s = now_s };
    job_rows_add(&rows, &wish, job, NULL, tasks, n_tasks);
    unite_running(&rows);
    for (uint32_t i = 0; i < rows.n; i++)
        add_row(g, &rows.v[i]);
    job_rows_free(&rows);
}

void why_groups_free(struct why_groups *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        free(g->v[i].tasks);
    free(g->v);
    *g = (struct why_groups){ 0 };
}

void why_group_heading(const struct why_group *g, struct dstr *out)
{
    if (g->state[0] == '\0')
        dstr_addf(out, "task %u.%u:", g->job, g->task);
    else if (g->task == 0)
        dstr_addf(out, "job %u (%s):", g->job, g->state);
    else if (g->n_tasks == 1)
        dstr_addf(out, "task %u.%u (%s):", g->job, g->task, g->state);
    else
        dstr_addf(out, "tasks %s of job %u (%s), such as %u.%u:", g->tasks, g->job, g->state,
                  g->job, g->task);
}

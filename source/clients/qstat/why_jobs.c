/* qstat -why: which tasks are asked about. JOB.TASK is one; a job without a task, or a name, stands
 * for the jobs that it means and all of their tasks. Those with the same state and holds are one
 * group, and its first task is asked about as an example: the number of questions follows the kinds
 * of states, not the tasks. */
#include <stdlib.h>

#include "clients/common/job_part.h"
#include "clients/common/job_row.h"
#include "clients/common/msg_clients.h"
#include "clients/qstat/why.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { MOST_BYTES = 1000 }; /* of the list of tasks in a heading */

struct gathering {
    struct why_groups *out;
    uint32_t task;   /* only this one, by its id; 0: all */
    uint32_t n_jobs; /* that the identifier means */
    uint64_t now_s;
};

static struct why_group *add_group(struct why_groups *out, uint32_t job, uint32_t task)
{
    out->v = uti_vec_grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
    out->v[out->n] = (struct why_group){ .job = job, .task = task };
    return &out->v[out->n++];
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

static int take_job(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                    uint32_t n_tasks, struct answer *ans)
{
    struct gathering *g = ctx;
    struct job_rows rows = { 0 };
    const struct row_wish wish = { .show = SHOW_DEFAULT, .now_s = g->now_s };
    (void)ans;
    g->n_jobs++;
    if (g->task != 0) {
        add_group(g->out, job->JB_job_number, g->task);
        return 0;
    }
    job_rows_add(&rows, &wish, job, tasks, n_tasks);
    unite_running(&rows);
    for (uint32_t i = 0; i < rows.n; i++)
        add_row(g->out, &rows.v[i]);
    job_rows_free(&rows);
    return 0;
}

/* The jobs that IDENTIFIER means, if any; -1 with ans if the qmaster did not answer */
static int gather_jobs(const struct qstat_world *w, const char *identifier, struct gathering *g,
                       struct answer *ans)
{
    struct GR_Type request = { 0 };
    struct answer told = ANSWER_INIT;
    struct job_stream stream = { .each = take_job, .ctx = g };
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_options, (uint32_t)GDI_WITH_TASKS);
    request_user(&request, "*");
    request_row_fields(&request);
    struct ID_Type *id = cull_append(&request, GR_select);
    cull_set(id, ID_str, identifier);
    int result = job_stream_get(&stream, &w->from, &request, &told);
    cull_clear(&cull_GR_Type, &request);
    if (result < 0 && told.n > 0 && told.v[0].status == STATUS_EUNKNOWN)
        result = 0;
    if (result < 0)
        ans_move(ans, &told);
    ans_free(&told);
    return result;
}

/* "name.3" means task 3 of the jobs called name, unless there is a job that is called so */
static int gather_task(const struct qstat_world *w, const char *identifier, struct gathering *g,
                       struct answer *ans)
{
    const char *dot = strrchr(identifier, '.');
    if (dot == NULL || !parse_u32(dot + 1, &g->task) || g->task == 0)
        return 0;
    char *name = uti_strndup(identifier, (size_t)(dot - identifier));
    int result = gather_jobs(w, name, g, ans);
    free(name);
    return result;
}

int why_groups_of(const struct qstat_world *w, const char *identifier, struct why_groups *out,
                  struct answer *ans)
{
    struct gathering g = { .out = out, .now_s = w->now_s };
    uint32_t job, task;
    if (job_identifier_split(identifier, &job, &task) && task != 0) {
        add_group(out, job, task);
        return 0;
    }
    if (gather_jobs(w, identifier, &g, ans) < 0)
        return -1;
    if (g.n_jobs == 0 && gather_task(w, identifier, &g, ans) < 0)
        return -1;
    if (g.n_jobs == 0)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_NO_JOB_S, identifier);
    return 0;
}

void why_groups_free(struct why_groups *groups)
{
    for (uint32_t i = 0; i < groups->n; i++)
        free(groups->v[i].tasks);
    free(groups->v);
    *groups = (struct why_groups){ 0 };
}

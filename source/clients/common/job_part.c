/* Jobs out of the parts of an answer, each with all of its tasks, and which job an identifier
 * means. */
#include "clients/common/job_part.h"

#include <stdlib.h>

#include "clients/common/source.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

static int task_compare(const void *left, const void *right)
{
    const struct JAT_Type *a = *(const struct JAT_Type *const *)left,
                          *b = *(const struct JAT_Type *const *)right;
    return (a->JAT_task_number > b->JAT_task_number) - (a->JAT_task_number < b->JAT_task_number);
}

void job_stream_drop(struct job_stream *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        cull_clear(&cull_JAT_Type, &s->tasks[i]);
    cull_clear(&cull_JB_Type, &s->job);
    for (uint32_t i = 0; i < s->reasons.n; i++)
        cull_clear(&cull_ST_Type, &s->reasons.v[i]);
    s->reasons.n = 0;
    s->n = 0;
    s->has_job = false;
}

/* TASKS of JOB, sorted; N_TASKS of them stand in a row */
static int give_job(struct job_stream *s, const struct JB_Type *job, const struct JAT_Type *tasks,
                    uint32_t n_tasks, struct answer *ans)
{
    const struct JAT_Type **sorted = n_tasks > 0 ? uti_calloc(n_tasks, sizeof *sorted) : NULL;
    for (uint32_t i = 0; i < n_tasks; i++)
        sorted[i] = &tasks[i];
    if (n_tasks > 1)
        qsort(sorted, n_tasks, sizeof *sorted, task_compare);
    int result = s->each(s->ctx, job, sorted, n_tasks, ans);
    free(sorted);
    return result;
}

/* the job that was gathered, which is whole now */
static int hand_over(struct job_stream *s, struct answer *ans)
{
    if (!s->has_job)
        return 0;
    int result = give_job(s, &s->job, s->tasks, s->n, ans);
    job_stream_drop(s);
    return result;
}

/* how many of the tasks of PART from AT on are of JOB: they stand in the order of their jobs */
static uint32_t tasks_of(const struct GA_Type *part, uint32_t at, const struct JB_Type *job)
{
    uint32_t n = 0;
    while (at + n < part->GA_tasks.n &&
           part->GA_tasks.v[at + n].JAT_job_number == job->JB_job_number)
        n++;
    return n;
}

/* More of its tasks may come with the next part. */
static void gather_job(struct job_stream *s, const struct JB_Type *job,
                       const struct JAT_Type *tasks, uint32_t n_tasks)
{
    if (!s->has_job)
        cull_copy(&cull_JB_Type, &s->job, job);
    s->has_job = true;
    for (uint32_t i = 0; i < n_tasks; i++) {
        s->tasks = uti_vec_grow(s->tasks, &s->cap, s->n + 1, sizeof *s->tasks);
        s->tasks[s->n] = (struct JAT_Type){ 0 };
        cull_copy(&cull_JAT_Type, &s->tasks[s->n++], &tasks[i]);
    }
}

static void take_reasons(struct job_stream *s, const struct GA_Type *part)
{
    s->has_reasons = s->has_reasons || cull_has(part, GA_reasons);
    for (uint32_t i = 0; i < part->GA_reasons.n; i++) {
        s->reasons.v =
            uti_vec_grow(s->reasons.v, &s->reasons.cap, s->reasons.n + 1, sizeof *s->reasons.v);
        s->reasons.v[s->reasons.n] = (struct ST_Type){ 0 };
        cull_copy(&cull_ST_Type, &s->reasons.v[s->reasons.n++], &part->GA_reasons.v[i]);
    }
}

/* The first job of a part may go on with the one that was gathered, and the last one may go on in
 * the next part; those between them are whole. */
int job_stream_part(void *stream, const struct GA_Type *part, struct answer *ans)
{
    struct job_stream *s = stream;
    uint32_t at = 0, n_tasks;
    for (uint32_t i = 0; i < part->GA_jobs.n; i++, at += n_tasks) {
        const struct JB_Type *job = &part->GA_jobs.v[i];
        n_tasks = tasks_of(part, at, job);
        const struct JAT_Type *tasks = n_tasks > 0 ? &part->GA_tasks.v[at] : NULL;
        bool goes_on = s->has_job && job->JB_job_number == s->job.JB_job_number;
        if (!goes_on && hand_over(s, ans) < 0)
            return -1;
        if (goes_on || i + 1 == part->GA_jobs.n)
            gather_job(s, job, tasks, n_tasks);
        else if (give_job(s, job, tasks, n_tasks, ans) < 0)
            return -1;
    }
    take_reasons(s, part);
    return 0;
}

int job_stream_end(struct job_stream *s, struct answer *ans)
{
    int result = hand_over(s, ans);
    free(s->tasks);
    free(s->reasons.v);
    s->tasks = NULL;
    s->cap = 0;
    s->reasons = (struct ST_Type_list){ 0 };
    return result;
}

int job_stream_get(struct job_stream *s, const struct source *from, struct GR_Type *request,
                   struct answer *ans)
{
    int result = source_ask(from, request, job_stream_part, s, ans);
    if (result < 0)
        job_stream_drop(s);
    return job_stream_end(s, ans) < 0 ? -1 : result;
}

bool job_identifier_split(const char *identifier, uint32_t *job, uint32_t *task)
{
    const char *dot = strchr(identifier, '.');
    *task = 0;
    if (dot == NULL)
        return parse_u32(identifier, job);
    char *number = uti_strndup(identifier, (size_t)(dot - identifier));
    bool is_number = parse_u32(number, job) && parse_u32(dot + 1, task) && *task > 0;
    free(number);
    return is_number;
}

bool job_is_meant(const struct JB_Type *job, const char *identifier)
{
    uint32_t number, task;
    if (job_identifier_split(identifier, &number, &task))
        return job->JB_job_number == number;
    return job->JB_job_name != NULL && pattern_match(identifier, job->JB_job_name);
}

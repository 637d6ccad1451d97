/* Parts of an answer about jobs: which tasks belong to which job, and which job an identifier means. */
#include "clients/common/job_part.h"

#include <stdlib.h>

#include "libs/uti/parse.h"

static int task_compare(const void *left, const void *right)
{
    const struct JAT_Type *a = *(const struct JAT_Type *const *)left,
                          *b = *(const struct JAT_Type *const *)right;
    if (a->JAT_job_number != b->JAT_job_number)
        return a->JAT_job_number < b->JAT_job_number ? -1 : 1;
    return (a->JAT_task_number > b->JAT_task_number) - (a->JAT_task_number < b->JAT_task_number);
}

/* The first task of JOB among the sorted N, or where it would be. */
static uint32_t task_lower_bound(const struct JAT_Type *const *tasks, uint32_t n, uint32_t job)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (tasks[middle]->JAT_job_number < job)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int job_part_walk(const struct GA_Type *part, job_fn each, void *ctx, struct answer *ans)
{
    uint32_t n = part->GA_tasks.n;
    const struct JAT_Type **tasks = uti_calloc(n > 0 ? n : 1, sizeof *tasks);
    for (uint32_t i = 0; i < n; i++)
        tasks[i] = &part->GA_tasks.v[i];
    if (n > 1)
        qsort(tasks, n, sizeof *tasks, task_compare);
    int result = 0;
    for (uint32_t i = 0; i < part->GA_jobs.n && result == 0; i++) {
        const struct JB_Type *job = &part->GA_jobs.v[i];
        uint32_t first = task_lower_bound(tasks, n, job->JB_job_number), end = first;
        while (end < n && tasks[end]->JAT_job_number == job->JB_job_number)
            end++;
        result = each(ctx, job, tasks + first, end - first, ans);
    }
    free(tasks);
    return result;
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

/* What the qmaster has told about jobs and queues. Nothing here is on disk: after a restart, and
 * after each new connection, it tells again. */
#include "daemons/execd/tables/job_cache.h"

#include <stdlib.h>
#include <string.h>

struct cached_job *job_cache_job(struct job_cache *c, uint32_t number)
{
    struct cached_job *job;
    HASH_FIND_U32(c->jobs, &number, job);
    return job;
}

static void drop_texts(struct cached_job *job)
{
    dstr_clear(&job->environment);
    dstr_clear(&job->config);
    free(job->made_for);
    job->made_for = NULL;
}

/* a task that is being started may be about to open the script that is there */
static bool has_script_of(const struct JB_Type *a, const struct JB_Type *b)
{
    return a->JB_script_ptr != NULL && b->JB_script_ptr != NULL && a->JB_uid == b->JB_uid &&
           strcmp(a->JB_script_ptr, b->JB_script_ptr) == 0;
}

void job_cache_put_job(struct job_cache *c, const struct JB_Type *record)
{
    struct cached_job *job = job_cache_job(c, record->JB_job_number);
    if (job == NULL) {
        job = uti_calloc(1, sizeof *job);
        job->number = record->JB_job_number;
        HASH_ADD_U32(c->jobs, number, job);
    }
    drop_texts(job);
    job->is_script_written = job->is_script_written && has_script_of(&job->record, record);
    job->connection = c->connection;
    cull_copy(&cull_JB_Type, &job->record, record);
}

void job_cache_put_queue(struct job_cache *c, const struct QU_Type *record)
{
    struct cached_queue *queue;
    const char *name = record->QU_full_name;
    if (name == NULL)
        return;
    HASH_FIND_STR(c->queues, name, queue);
    if (queue != NULL && cull_equal(&cull_QU_Type, &queue->record, record))
        return;
    if (queue != NULL) {
        HASH_DEL(c->queues, queue);
    } else {
        queue = uti_calloc(1, sizeof *queue);
    }
    cull_copy(&cull_QU_Type, &queue->record, record);
    HASH_ADD_KEYPTR(hh, c->queues, queue->record.QU_full_name, strlen(queue->record.QU_full_name),
                    queue);
    c->settings_version++;
}

const struct QU_Type *job_cache_queue(struct job_cache *c, const char *full_name)
{
    struct cached_queue *queue;
    HASH_FIND_STR(c->queues, full_name, queue);
    return queue == NULL ? NULL : &queue->record;
}

static void job_delete(struct job_cache *c, struct cached_job *job)
{
    HASH_DEL(c->jobs, job);
    drop_texts(job);
    dstr_free(&job->environment);
    dstr_free(&job->config);
    cull_clear(&cull_JB_Type, &job->record);
    free(job);
}

void job_cache_forget(struct job_cache *c, uint32_t number)
{
    struct cached_job *job = job_cache_job(c, number);
    if (job != NULL)
        job_delete(c, job);
}

void job_cache_free(struct job_cache *c)
{
    struct cached_job *job, *next_job;
    struct cached_queue *queue, *next_queue;
    HASH_ITER(hh, c->jobs, job, next_job)
        job_delete(c, job);
    HASH_ITER(hh, c->queues, queue, next_queue) {
        HASH_DEL(c->queues, queue);
        cull_clear(&cull_QU_Type, &queue->record);
        free(queue);
    }
}

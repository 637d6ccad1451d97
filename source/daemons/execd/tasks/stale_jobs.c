/* Forgetting jobs. In regular processing EXEC_FORGET_JOB does it and nothing here looks at more
 * than one entry; tables are only walked after a reconnect or a restart. */
#include "daemons/execd/tasks/stale_jobs.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemons/execd/tables/task_table.h"
#include "libs/uti/parse.h"

static bool has_task(const struct execd *x, uint32_t job_number)
{
    for (const struct exec_task *t = task_first(x); t != NULL; t = task_next(t))
        if (t->key.job_number == job_number)
            return true;
    return false;
}

void job_forget(struct execd *x, uint32_t job_number)
{
    char *script = host_dir_script(&x->dir, job_number);
    job_cache_forget(&x->cache, job_number);
    (void)unlink(script);
    free(script);
}

void stale_jobs_begin(struct execd *x)
{
    struct cached_job *job, *next;
    x->cache.connection++;
    HASH_ITER(hh, x->cache.jobs, job, next)
        if (!has_task(x, job->number))
            job_forget(x, job->number);
}

void stale_jobs_task_gone(struct execd *x, uint32_t job_number)
{
    const struct cached_job *job = job_cache_job(&x->cache, job_number);
    if (job != NULL && job->connection == x->cache.connection)
        return; /* nearly always: the qmaster knows that we have it */
    if (!has_task(x, job_number))
        job_forget(x, job_number);
}

void stale_jobs_recover(struct execd *x)
{
    DIR *dir = opendir(x->dir.scripts_path);
    struct dirent *entry;
    uint32_t number;
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (parse_u32(entry->d_name, &number) && !has_task(x, number))
            job_forget(x, number);
    if (dir != NULL)
        closedir(dir);
}

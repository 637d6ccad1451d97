/* Files of jobs. In memory they are one packed JB_Type record that holds only JB_env_list and JB_script_ptr; in the spool the script is a
 * record of plain bytes and the environment a packed record, so that each can be read with the tools of spool. */
#include "daemons/qmaster/job_files.h"

#include <stdlib.h>

#include "daemons/qmaster/change.h"
#include "daemons/qmaster/fetcher.h"
#include "daemons/qmaster/inbox.h"
#include "libs/cull/pack.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"

enum { KEEP_BYTES = 64 * 1024 * 1024 };

static void keep(struct qmaster *q, struct job *job, struct packer *p)
{
    job->files = (char *)p->data;
    job->files_len = p->len;
    q->kept_bytes += p->len;
    TAILQ_INSERT_TAIL(&q->kept_files, job, in_kept);
    struct job *oldest; /* what is not on disk yet could not be read again */
    while (q->kept_bytes > KEEP_BYTES && (oldest = TAILQ_FIRST(&q->kept_files)) != job &&
           oldest->changed <= change_durable(q))
        job_files_drop(q, oldest);
}

void job_files_take(struct qmaster *q, struct job *job)
{
    struct JB_Type files = { 0 };
    struct packer p = { 0 };
    cull_copy_field(&cull_JB_Type, &files, &job->rec, JB_env_list);
    cull_copy_field(&cull_JB_Type, &files, &job->rec, JB_script_ptr);
    cull_clear_field(&cull_JB_Type, &job->rec, JB_env_list);
    cull_clear_field(&cull_JB_Type, &job->rec, JB_script_ptr);
    cull_pack(&p, &cull_JB_Type, &files, NULL);
    cull_clear(&cull_JB_Type, &files);
    cull_set(&job->rec, JB_files_bytes, p.len);
    keep(q, job, &p);
}

static bool unpack_files(const void *data, size_t len, struct JB_Type *files)
{
    struct answer ans = ANSWER_INIT;
    struct unpacker u = unpacker_over_own(data, len);
    bool is_good = cull_unpack(&u, &cull_JB_Type, NULL, NULL, files, &ans) == 0;
    log_answer(&ans);
    ans_free(&ans);
    return is_good;
}

void job_files_stage(struct job *job, struct spool_batch *b)
{
    struct JB_Type files = { 0 };
    struct packer key = { 0 }, env = { 0 };
    if (!unpack_files(job->files, job->files_len, &files))
        return;
    pack_u32be(&key, job->rec.JB_job_number);
    if (files.JB_script_ptr != NULL)
        spool_put(b, SPOOL_JOB_SCRIPT, key.data, key.len, files.JB_script_ptr,
                  strlen(files.JB_script_ptr));
    cull_clear_field(&cull_JB_Type, &files, JB_script_ptr);
    cull_pack(&env, &cull_JB_Type, &files, NULL);
    spool_put(b, SPOOL_JOB_ENV, key.data, key.len, env.data, env.len);
    packer_free(&key);
    packer_free(&env);
    cull_clear(&cull_JB_Type, &files);
}

bool job_files_get(struct qmaster *q, struct job *job, struct JB_Type *rec)
{
    if (job->files == NULL ||
        job->is_fetching) { /* while fetching the environment may be there without the script */
        if (!job->is_fetching)
            fetcher_get(q->fetcher, SPOOL_JOB_ENV, job->rec.JB_job_number);
        job->is_fetching = true;
        return false;
    }
    TAILQ_REMOVE(&q->kept_files, job, in_kept);
    TAILQ_INSERT_TAIL(&q->kept_files, job, in_kept);
    struct JB_Type files = { 0 };
    if (unpack_files(job->files, job->files_len, &files))
        cull_merge(&cull_JB_Type, rec, &files);
    cull_clear(&cull_JB_Type, &files);
    return true;
}

/* the environment came first; the script follows and completes it */
static struct job *on_env(struct qmaster *q, struct job *job, struct note *n)
{
    job->files = n->data != NULL ? n->data : uti_calloc(1, 1);
    job->files_len = n->data != NULL ? n->len : 1;
    n->data = NULL;
    fetcher_get(q->fetcher, SPOOL_JOB_SCRIPT, job->rec.JB_job_number);
    return NULL;
}

static struct job *on_script(struct qmaster *q, struct job *job, struct note *n)
{
    struct JB_Type files = { 0 };
    struct packer p = { 0 };
    unpack_files(job->files, job->files_len, &files);
    if (n->data != NULL) {
        char *text = uti_strndup(n->data, n->len);
        cull_set(&files, JB_script_ptr, text);
        free(text);
    }
    cull_pack(&p, &cull_JB_Type, &files, NULL);
    cull_clear(&cull_JB_Type, &files);
    free(job->files);
    keep(q, job, &p);
    job->is_fetching = false;
    return job;
}

struct job *job_files_on_fetched(struct qmaster *q, struct note *n)
{
    struct job *job = jobs_find(&q->jobs, (uint32_t)n->number);
    if (job == NULL || !job->is_fetching)
        return NULL;
    return n->conn == SPOOL_JOB_ENV ? on_env(q, job, n) : on_script(q, job, n);
}

void job_files_drop(struct qmaster *q, struct job *job)
{
    if (job->files == NULL || job->is_fetching)
        return; /* while fetching, job_free frees what is there */
    TAILQ_REMOVE(&q->kept_files, job, in_kept);
    q->kept_bytes -= job->files_len;
    free(job->files);
    job->files = NULL;
    job->files_len = 0;
}

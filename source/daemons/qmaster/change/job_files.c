/* Files of jobs. In the spool the script is a record of plain bytes and the environment a packed
 * record, so that each can be read with the tools of spool. In memory they are the same bytes, one
 * behind the other: `env_len` of the environment, a record (records.h) of a JB_Type that holds only
 * JB_env_list, then the script with its end, if there is one. So nothing is packed twice, and
 * staging is copying. A long script (scripts.h) is not copied at all: it is a counted string beside
 * those bytes. */
#include "daemons/qmaster/change/job_files.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/marks.h"
#include "daemons/qmaster/change/scripts.h"
#include "daemons/qmaster/io/fetcher.h"
#include "daemons/qmaster/io/inbox.h"
#include "libs/cull/pack.h"
#include "libs/spool/records.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"

enum { KEEP_BYTES = 32 * 1024 * 1024 };

static void keep_files(struct qmaster *q, struct job *job)
{
    kept_files_add(&q->kept_files, &job->files);
    while (q->kept_files.bytes > KEEP_BYTES &&
           kept_files_drop_oldest(&q->kept_files, job->files, change_durable(q)))
        continue; /* what is not on disk yet could not be read again, and stays */
}

static void set_long_script(struct job *job, const char *counted, size_t len)
{
    job->files->long_script = counted;
    job->files->long_script_len = (uint32_t)len;
}

/* are they whole in memory? */
static bool is_there(struct job *job)
{
    if (!job->is_fetching && job->files != NULL && job->files->data == NULL)
        job_files_leave(&job->files);
    return !job->is_fetching && job->files != NULL;
}

size_t job_files_bytes(const struct job *job)
{
    const struct job_files *f = job->files;
    return f != NULL ? f->len + f->long_script_len : 0;
}

/* the script, or NULL */
static const char *script_of(const struct job *job)
{
    const struct job_files *f = job->files;
    return f->len > f->env_len ? f->data + f->env_len : NULL;
}

static void put_script(struct packer *p, const char *script, size_t len)
{
    pack_bytes(p, script, len);
    pack_bytes(p, "", 1);
}

/* the environment as the spool has it */
static void put_env(struct qmaster *q, struct packer *p, const struct job *job)
{
    uint64_t only_env[(JB_Type_FIELDS + 63) / 64] = { 0 };
    struct packer key = job_key(job->rec.JB_job_number);
    only_env[JB_env_list / 64] = UINT64_C(1) << (JB_env_list % 64);
    spool_record_begin(q->records, p);
    cull_pack(p, &cull_JB_Type, &job->rec, only_env);
    spool_record_end(q->records, p, (struct spool_key){ SPOOL_JOB_ENV, key.data, key.len });
    packer_free(&key);
}

void job_files_take(struct qmaster *q, struct job *job)
{
    const char *script = job->rec.JB_script_ptr;
    bool is_long = scripts_is_long(script);
    struct packer p = { 0 };
    put_env(q, &p, job);
    size_t env_len = p.len;
    if (script != NULL && !is_long)
        put_script(&p, script, strlen(script));
    job_files_new(&job->files, (char *)p.data, p.len, env_len)->changed = change_number(q);
    if (is_long)
        set_long_script(job, cull_string_hold(script), strlen(script));
    cull_clear_field(&cull_JB_Type, &job->rec, JB_env_list);
    cull_clear_field(&cull_JB_Type, &job->rec, JB_script_ptr);
    cull_set(&job->rec, JB_files_bytes, (uint64_t)job_files_bytes(job));
    keep_files(q, job);
}

static bool unpack_env(struct qmaster *q, const struct job *job, struct JB_Type *files)
{
    struct answer ans = ANSWER_INIT;
    struct packer key = job_key(job->rec.JB_job_number);
    int ret =
        spool_record_read(q->records, (struct spool_key){ SPOOL_JOB_ENV, key.data, key.len },
                          &cull_JB_Type, NULL, job->files->data, job->files->env_len, files, &ans);
    packer_free(&key);
    log_answer(&ans);
    ans_free(&ans);
    return ret == 0;
}

void job_files_stage(struct qmaster *q, struct job *job)
{
    struct spool_batch *b = change_batch(q);
    struct packer key = { 0 };
    const char *script = script_of(job);
    job->changed = job->files->changed = change_number(q);
    pack_u32be(&key, job->rec.JB_job_number);
    if (script != NULL)
        spool_put(b, SPOOL_JOB_SCRIPT, key.data, key.len, script, strlen(script));
    spool_put(b, SPOOL_JOB_ENV, key.data, key.len, job->files->data, job->files->env_len);
    packer_free(&key);
}

bool job_files_get(struct qmaster *q, struct job *job, struct JB_Type *rec)
{
    if (!is_there(job)) {
        if (!job->is_fetching)
            fetcher_get(q->fetcher, SPOOL_JOB_ENV, job->rec.JB_job_number);
        job->is_fetching = true;
        return false;
    }
    kept_files_use(job->files);
    struct JB_Type files = { 0 };
    if (unpack_env(q, job, &files))
        cull_merge(&cull_JB_Type, rec, &files);
    if (job->files->long_script != NULL)
        cull_share(rec, JB_script_ptr, job->files->long_script);
    cull_clear(&cull_JB_Type, &files);
    if (script_of(job) != NULL)
        cull_set(rec, JB_script_ptr, script_of(job));
    return true;
}

/* the environment came first; the script follows and completes it */
static struct job *on_env(struct qmaster *q, struct job *job, struct note *n)
{
    if (n->data == NULL) {
        struct packer empty = { 0 };
        put_env(q, &empty, job);
        n->data = (char *)empty.data;
        n->len = empty.len;
    }
    (void)job_files_new(&job->files, n->data, n->len, n->len);
    n->data = NULL;
    fetcher_get(q->fetcher, SPOOL_JOB_SCRIPT, job->rec.JB_job_number);
    return NULL;
}

static struct job *on_script(struct qmaster *q, struct job *job, struct note *n)
{
    struct job_files *f = job->files;
    if (n->data != NULL && n->len > SCRIPT_PIECE_BYTES) {
        set_long_script(job, cull_string_new(n->data, n->len), n->len);
    } else if (n->data != NULL) {
        struct packer p = { 0 };
        pack_bytes(&p, f->data, f->env_len);
        put_script(&p, n->data, n->len);
        free(f->data);
        f->data = (char *)p.data;
        f->len = (uint32_t)p.len;
    }
    job->is_fetching = false;
    keep_files(q, job);
    return job;
}

struct job *job_files_on_fetched(struct qmaster *q, struct note *n)
{
    struct job *job = jobs_find(&q->jobs, (uint32_t)n->number);
    if (job == NULL || !job->is_fetching)
        return NULL;
    return n->conn == SPOOL_JOB_ENV ? on_env(q, job, n) : on_script(q, job, n);
}

void job_files_drop(struct job *job)
{
    if (!job->is_fetching) /* else job_free frees what is there */
        job_files_leave(&job->files);
}

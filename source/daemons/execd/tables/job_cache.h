#ifndef EXECD_TABLES_JOB_CACHE_H
#define EXECD_TABLES_JOB_CACHE_H

#include "libs/sgeobj/rows.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

/* Jobs and queue instances that the qmaster has sent. It sends a job once per host and connection,
 * with script and environment. */
struct cached_job {
    uint32_t number;
    struct JB_Type record; /* owned */
    bool is_script_written;
    uint32_t connection; /* over which it came */
    /* what is the same for all its tasks in one queue; empty, or made for `made_for` with the settings of `made_at` */
    struct dstr environment, config;
    char *made_for;
    uint64_t made_at;
    bool has_hook_users; /* likewise: a hook names one */
    UT_hash_handle hh;
};
struct cached_queue {
    struct QU_Type record; /* owned; its QU_full_name is the key */
    UT_hash_handle hh;
};
struct job_cache {
    uint32_t connection; /* counts them */
    struct cached_job *jobs;
    struct cached_queue *queues;
    uint64_t settings_version; /* counts changes of queues and configurations */
};

void job_cache_put_job(struct job_cache *c,
                       const struct JB_Type *record); /* copied; replaces what is there */
void job_cache_put_queue(struct job_cache *c, const struct QU_Type *record);
struct cached_job *job_cache_job(struct job_cache *c,
                                 uint32_t number); /* borrowed; NULL if unknown */
const struct QU_Type *job_cache_queue(struct job_cache *c, const char *full_name);
void job_cache_forget(struct job_cache *c, uint32_t number);
void job_cache_free(struct job_cache *c);

#endif

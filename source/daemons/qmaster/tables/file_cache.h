#ifndef QMASTER_TABLES_FILE_CACHE_H
#define QMASTER_TABLES_FILE_CACHE_H

#include "common/basis.h"
#include "libs/uti/tree.h"

/* Environments and scripts that are in memory, those that are the same once: who submits many jobs
 * submits them from one environment. Which there are and for how long says change/job_files.c. */
struct job_files { /* of a job, and of all others that have the same */
    char *data;    /* packed environment, behind it the script; NULL: no longer in memory */
    const char *long_script; /* counted, beside `data`; NULL: the script is in there */
    uint32_t len, env_len, long_script_len;
    uint32_t n_jobs;
    struct job_files **first; /* where the first of its jobs has it; NULL: that one has gone */
    uint64_t changed; /* number of the batch that last wrote them: until then no disk has them */
    struct file_cache *cache; /* NULL: still on its way into memory, or out of it */
    bool is_shared;
    RB_ENTRY(job_files) by_content;
    TAILQ_ENTRY(job_files) by_use;
};
RB_HEAD(files_tree, job_files);
struct file_cache {
    struct files_tree shared;
    TAILQ_HEAD(, job_files) by_use; /* least recently used first */
    size_t bytes;
};

/* file_cache_init - none; they go with their jobs */
void file_cache_init(struct file_cache *k);
/* OF is where a job has its own: NULL there, or what it shares with others.
 * job_files_new - *OF, where nothing is, gets LEN bytes of DATA, taken, with no other reference;
 * ENV_LEN of them are the environment */
struct job_files *job_files_new(struct job_files **of, char *data, size_t len, size_t env_len);
/* file_cache_add - *OF is whole: from now on they are kept, maybe together with the same
 * of others. O(log), each step at most SHARED_MOST bytes */
void file_cache_add(struct file_cache *k, struct job_files **of);
/* file_cache_use - F has been used; the others go first */
void file_cache_use(struct job_files *f);
/* file_cache_drop_oldest - the least recently used goes out of memory, unless it is NOT_THIS or was
 * written after batch DURABLE. False if it stays */
bool file_cache_drop_oldest(struct file_cache *k, const struct job_files *not_this,
                            uint64_t durable);
/* job_files_leave - *OF has none in memory any more; fine if it had none */
void job_files_leave(struct job_files **of);

#endif

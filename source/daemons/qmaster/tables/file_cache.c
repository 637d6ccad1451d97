/* Environments and scripts in memory. Invariants: what is in the list by use has its bytes, and is
 * counted; of those that may be shared no two in the tree have the same bytes; the last of its jobs
 * frees it. What goes out of memory while several jobs have it stays as a shell without bytes,
 * which each of them leaves when it looks: to tell all of them would take as long as they are
 * many. */
#include "daemons/qmaster/tables/file_cache.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/cull.h"
#include "libs/uti/alloc.h"

/* more of an environment and a script than that is compared with no others: it would take long */
enum { SHARED_MOST = 64 * 1024 };

static int compare_files(const struct job_files *a, const struct job_files *b)
{
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    if (a->env_len != b->env_len)
        return a->env_len < b->env_len ? -1 : 1;
    return memcmp(a->data, b->data, a->len);
}
TREE_GENERATE(files_tree, job_files, by_content, compare_files)

void file_cache_init(struct file_cache *k)
{
    RB_INIT(&k->shared);
    TAILQ_INIT(&k->by_use);
    k->bytes = 0;
}

static size_t bytes_of(const struct job_files *f)
{
    return f->len + f->long_script_len;
}

struct job_files *job_files_new(struct job_files **of, char *data, size_t len, size_t env_len)
{
    struct job_files *f = uti_calloc(1, sizeof *f);
    f->data = data;
    f->len = (uint32_t)len;
    f->env_len = (uint32_t)env_len;
    f->first = of;
    f->n_jobs = 1;
    *of = f;
    return f;
}

/* out of all lists and out of memory; its jobs still have it */
static void drop_content(struct job_files *f)
{
    if (f->cache != NULL) {
        TAILQ_REMOVE(&f->cache->by_use, f, by_use);
        f->cache->bytes -= bytes_of(f);
        if (f->is_shared)
            RB_REMOVE(files_tree, &f->cache->shared, f);
    }
    f->cache = NULL;
    free(f->data);
    f->data = NULL;
    cull_string_drop(f->long_script);
    f->long_script = NULL;
}

void job_files_leave(struct job_files **of)
{
    struct job_files *f = *of;
    *of = NULL;
    if (f == NULL)
        return;
    if (f->first == of)
        f->first = NULL;
    if (--f->n_jobs > 0)
        return;
    drop_content(f);
    free(f);
}

void file_cache_add(struct file_cache *k, struct job_files **of)
{
    struct job_files *f = *of, *same = NULL;
    f->is_shared = f->long_script == NULL && f->len <= SHARED_MOST;
    if (f->is_shared)
        same = RB_INSERT(files_tree, &k->shared, f);
    if (same != NULL) {
        same->n_jobs++;
        same->changed = f->changed > same->changed ? f->changed : same->changed;
        job_files_leave(of);
        *of = same;
        file_cache_use(same);
        return;
    }
    f->data = uti_realloc(f->data, f->len); /* what is kept needs no room to grow */
    f->cache = k;
    k->bytes += bytes_of(f);
    TAILQ_INSERT_TAIL(&k->by_use, f, by_use);
}

void file_cache_use(struct job_files *f)
{
    TAILQ_REMOVE(&f->cache->by_use, f, by_use);
    TAILQ_INSERT_TAIL(&f->cache->by_use, f, by_use);
}

bool file_cache_drop_oldest(struct file_cache *k, const struct job_files *not_this,
                            uint64_t durable)
{
    struct job_files *f = TAILQ_FIRST(&k->by_use);
    if (f == NULL || f == not_this || f->changed > durable)
        return false;
    struct job_files **first = f->first;
    drop_content(f);
    if (first != NULL)
        job_files_leave(first);
    return true;
}

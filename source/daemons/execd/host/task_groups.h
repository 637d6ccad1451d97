#ifndef EXECD_HOST_TASK_GROUPS_H
#define EXECD_HOST_TASK_GROUPS_H

#include <sys/types.h>

#include "common/basis.h"
#include "libs/uti/dstr.h"

/* Additional group ids, one for each task that runs: they mark the job's processes. Pure. */
struct gid_pool {
    gid_t first, last; /* gid_range; first 0 = none are given */
    gid_t next;
    uint8_t *is_used; /* owned, by gid - first */
};
/* gid_pool_range - read "65400-65500" or "65400-65450,65460"; of several ranges the first counts
 * Ids in use stay marked where the new range has them. "none" and what cannot be read turn the pool
 * off. */
void gid_pool_range(struct gid_pool *p, const char *range);
gid_t gid_pool_take(struct gid_pool *p); /* 0 if all are in use: a start then waits */
/* gid_pool_set - GID is in use: a task found again has it; or it is not any more. Outside the range
 * nothing happens. */
void gid_pool_set(struct gid_pool *p, gid_t gid, bool is_used);
void gid_pool_free(struct gid_pool *p);

/* Where the cgroups of tasks are: one directory of this cell and host, below the execd's own
 * cgroup. A shepherd makes its task's below that, and removes it. */
struct cgroups {
    char *place; /* owned, absolute; NULL: this host has none */
    /* places of execds before us in which tasks run on, a line for each */
    struct dstr elsewhere;
    char *list_path; /* owned: the file that lists those and ours */
    bool is_listed;  /* ours is in it */
    bool is_on;      /* tasks that start get one */
    bool is_told;    /* that there can be none has been logged */
};

/* cgroups_init - for the execd whose directory is HOST_DIR: nothing is made yet; what execds before
 * us left elsewhere goes, unless tasks run in it */
void cgroups_init(struct cgroups *c, const char *host_dir);
/* cgroups_use - from now on tasks that start get a cgroup, if WANTED and if this host can have one:
 * see whether it works, and take away what an earlier execd left empty */
void cgroups_use(struct cgroups *c, bool wanted);
/* cgroups_of_task - the path of the one for task NAME ("12.3"; that of "12.3/1.node7" stands beside
 * it, not in it); new: free(), NULL if there is to be none */
char *cgroups_of_task(const struct cgroups *c, const char *name);
void cgroups_free(struct cgroups *c); /* the place goes, unless tasks run on in it */

#endif

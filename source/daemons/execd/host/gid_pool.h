#ifndef EXECD_HOST_GID_POOL_H
#define EXECD_HOST_GID_POOL_H

#include <sys/types.h>

#include "common/basis.h"

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
void gid_pool_mark(struct gid_pool *p,
                   gid_t gid); /* a task found again has it; outside the range nothing happens */
void gid_pool_return(struct gid_pool *p, gid_t gid);
void gid_pool_free(struct gid_pool *p);

#endif

#ifndef EXECD_HOST_REMOVALS_H
#define EXECD_HOST_REMOVALS_H

#include <sys/types.h>

#include "common/basis.h"
#include "libs/uti/tree.h"

/* Directories that are being removed, each by a process of its own: a tree of a user has any size
 * and may grow while it goes, which must not delay others. */
struct loop;
struct removal;
TAILQ_HEAD(removal_queue, removal);
struct removals {
    struct loop *loop;          /* borrowed */
    const char *program;        /* borrowed: path of sge_shepherd */
    struct removal_queue going; /* those that have a process */
    struct removal_queue waiting;
    uint32_t n_going, n_waiting;
};

void removals_init(struct removals *r, struct loop *loop, const char *program);
/* removals_add - remove PATH soon; more than REMOVALS_WAITING_MOST at a time are left for the next
 * start of the execd */
enum { REMOVALS_GOING_MOST = 4, REMOVALS_WAITING_MOST = 10000 };
void removals_add(struct removals *r, const char *path);
/* removals_has - is PID one of our processes? */
bool removals_has(const struct removals *r, pid_t pid);
/* removals_free - end those that go on; what they leave is for the next start */
void removals_free(struct removals *r);

#endif

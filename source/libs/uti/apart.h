#ifndef UTI_APART_H
#define UTI_APART_H

#include <stddef.h>
#include <sys/types.h>

#include "common/basis.h"

/* A child that stands in its parent's memory until it executes a program. fork(2) copies the tables
 * of the parent's memory for a child that throws them away at once, which is most of what a small
 * process pays for starting another. vfork(2) copies nothing, but the parent stands still until the
 * child has executed, and that may be long: files can be slow, and who owns the child can stop it.
 * This one copies nothing, and the parent goes on.
 *
 * So the child has rules. It has a stack of its own, and all other memory is the parent's: what it
 * writes there is for its parent to read, errno is not its own, and a lock that it took could stay
 * taken for ever. It makes calls with apart_call alone, and ends by SYS_execve or SYS_exit_group.
 * All signals are blocked when it is started. A child whose user changes is no longer to be traced
 * or to leave a core file before it has executed (PR_SET_DUMPABLE): its memory is its parent's. */
enum { APART_STACK_BYTES = 3840 }; /* few calls, none of them deep */
struct apart {
    _Alignas(16) char stack[APART_STACK_BYTES];
    volatile pid_t is_inside; /* the kernel makes it 0 when the child has executed or ended */
};
typedef void apart_fn(void *ctx); /* does not return */

/* apart_start - start RUN as a child; CGROUP_FD: of the cgroup that it begins in, 0: the parent's
 * Returns its pid, or -1 with errno: ENOSYS where such a child cannot be (on processors for which
 * the call is not written, under a sanitizer), EBUSY while the last one is inside. */
pid_t apart_start(struct apart *a, int cgroup_fd, apart_fn *run, void *ctx);
bool apart_is_inside(const struct apart *a);

/* apart_call - system call NUMBER, without the C library. Returns what the kernel does: -errno for
 * a failure. For any process. */
long apart_call(long number, long a, long b, long c, long d, long e);
/* apart_setgroups, apart_setgid, apart_setuid - the same for calls whose number depends on how wide
 * ids once were. For the calling process alone. Return 0, or an errno. */
int apart_setgroups(size_t n, const gid_t *groups);
int apart_setgid(gid_t gid);
int apart_setuid(uid_t uid);

#endif

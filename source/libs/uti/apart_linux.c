/* A child that stands in its parent's memory. What a C library has for it either keeps the parent
 * waiting or knows no cgroup, so the call is made here, for the one processor that most hosts have.
 * Source: clone(2), CLONE_VM, CLONE_CHILD_CLEARTID, CLONE_INTO_CGROUP. */
#include "libs/uti/apart.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_WATCHED
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_WATCHED
#endif

/* where ids once had 16 bits, calls with those of today have numbers of their own */
#ifdef SYS_setuid32
enum { SETGROUPS = SYS_setgroups32, SETGID = SYS_setgid32, SETUID = SYS_setuid32 };
#else
enum { SETGROUPS = SYS_setgroups, SETGID = SYS_setgid, SETUID = SYS_setuid };
#endif

int apart_setgroups(size_t n, const gid_t *groups)
{
    return (int)-apart_call(SETGROUPS, (long)n, (long)groups, 0, 0, 0);
}

int apart_setgid(gid_t gid)
{
    return (int)-apart_call(SETGID, (long)gid, 0, 0, 0, 0);
}

int apart_setuid(uid_t uid)
{
    return (int)-apart_call(SETUID, (long)uid, 0, 0, 0, 0);
}

bool apart_is_inside(const struct apart *a)
{
    return a->is_inside != 0;
}

#if defined __x86_64__ && defined SYS_clone3 && !defined IS_WATCHED
long apart_call(long number, long a, long b, long c, long d, long e)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
}

/* the parent returns from it, the child calls RUN on the stack that ARGS name */
static long clone_onto_stack(const struct clone_args *args, apart_fn *run, void *ctx)
{
    register apart_fn *r12 __asm__("r12") = run; /* the kernel keeps both */
    register void *r13 __asm__("r13") = ctx;
    long result;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "mov %%r13, %%rdi\n\t"
                     "call *%%r12\n\t"
                     "hlt\n"
                     "1:"
                     : "=a"(result)
                     : "a"((long)SYS_clone3), "D"(args), "S"(sizeof *args), "r"(r12), "r"(r13)
                     : "rcx", "r11", "memory");
    return result;
}

pid_t apart_start(struct apart *a, int cgroup_fd, apart_fn *run, void *ctx)
{
    struct clone_args args = { .flags = CLONE_VM | CLONE_CHILD_CLEARTID,
                               .child_tid = (uintptr_t)&a->is_inside,
                               .exit_signal = SIGCHLD,
                               .stack = (uintptr_t)a->stack,
                               .stack_size = sizeof a->stack };
    if (apart_is_inside(a)) {
        errno = EBUSY;
        return -1;
    }
    if (cgroup_fd > 0) {
        args.flags |= CLONE_INTO_CGROUP;
        args.cgroup = (unsigned)cgroup_fd;
    }
    a->is_inside = 1;
    long pid = clone_onto_stack(&args, run, ctx);
    if (pid > 0)
        return (pid_t)pid;
    a->is_inside = 0;
    errno = (int)-pid;
    return -1;
}
#else
long apart_call(long number, long a, long b, long c, long d, long e)
{
    long result = syscall(number, a, b, c, d, e);
    return result == -1 ? -errno : result;
}

pid_t apart_start(struct apart *a, int cgroup_fd, apart_fn *run, void *ctx)
{
    (void)a;
    (void)cgroup_fd;
    (void)run;
    (void)ctx;
    errno = ENOSYS;
    return -1;
}
#endif

/* A program that is nobody's child. A process between us and it starts it and ends at once, which
 * the kernel tells nobody: it was made without a signal for its end, and only who asks for such
 * children (__WCLONE) hears of it. Both share our memory until the program runs, and we stand still
 * that long (CLONE_VFORK), so nothing is copied. Invariant: both block all signals until then,
 * so that none of our handlers runs in them. */
#include "libs/uti/detached.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/basis.h"

enum { STACK_BYTES = 64 * 1024, END_FAILED = 127 };

struct start { /* borrowed */
    const char *program;
    char *const *argv;
    int fd;
    char *stack; /* of the second process: its end, where it begins */
    int err;     /* 0: the program runs */
};

static int take_input(int fd)
{
    if (fd == STDIN_FILENO)
        return fcntl(fd, F_SETFD, 0);
    return dup2(fd, STDIN_FILENO);
}

static int run_program(void *arg)
{
    struct start *s = arg;
    if (take_input(s->fd) >= 0)
        execv(s->program, s->argv);
    s->err = errno;
    _exit(END_FAILED);
}

static int run_between(void *arg)
{
    struct start *s = arg;
    if (clone(run_program, s->stack, CLONE_VM | CLONE_VFORK, s) < 0)
        s->err = errno;
    _exit(0);
}

/* with all signals blocked, on two stacks that end at HIGH and in its middle */
static void start_both(struct start *s, char *high)
{
    s->stack = high - STACK_BYTES;
    int pid = clone(run_between, high, CLONE_VM | CLONE_VFORK, s);
    if (pid < 0)
        s->err = errno;
    while (pid > 0 && wait4(pid, NULL, (int)__WCLONE, NULL) < 0 && errno == EINTR)
        ;
}

int detached_start(const char *program, char *const *argv, int fd)
{
    struct start s = { .program = program, .argv = argv, .fd = fd };
    sigset_t all, before;
    char *stacks = mmap(NULL, 2 * (size_t)STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED)
        return errno;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    start_both(&s, stacks + 2 * (size_t)STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stacks, 2 * (size_t)STACK_BYTES);
    return s.err;
}

/* The way back to the boundary of a library when a call cannot go on. The one static is the
 * innermost guard of each thread; guards stand on the stacks of the threads that called guard_call.
 * Invariants: `held` are the locks that this thread took with guard_lock since the guard began and
 * has not released, `opened` the descriptors of guard_opened that it has not closed. */
#include "libs/uti/guard.h"

#include <setjmp.h>
#include <stdio.h>
#include <unistd.h>

#include "libs/uti/msg_uti.h"

struct guard {
    sigjmp_buf back;
    struct guard *outer;
    char *claim;
    /* changes between the two returns of sigsetjmp */
    volatile enum guard_end end;
    unsigned n_held;
    pthread_mutex_t *held[GUARD_LOCKS_MOST];
    unsigned n_opened;
    int opened[GUARD_FDS_MOST];
};
static _Thread_local struct guard *guard_innermost;

enum guard_end guard_call(void (*fn)(void *ctx), void *ctx, char *claim)
{
    struct guard here = { .outer = guard_innermost, .claim = claim, .end = GUARD_DONE };
    /* signal masks are the host program's: they stay as they are */
    if (sigsetjmp(here.back, 0) == 0) {
        guard_innermost = &here;
        fn(ctx);
    }
    guard_innermost = here.outer;
    return here.end;
}

SGE_NORETURN static void jump_back(struct guard *to, enum guard_end why)
{
    while (to->n_held > 0)
        pthread_mutex_unlock(to->held[--to->n_held]);
    while (to->n_opened > 0)
        close(to->opened[--to->n_opened]);
    to->end = why;
    siglongjmp(to->back, 1);
}

void guard_refuse_memory(void)
{
    if (guard_innermost != NULL)
        jump_back(guard_innermost, GUARD_NO_MEMORY);
}

void guard_break(const char *claim, const char *file, int line, const char *func)
{
    struct guard *to = guard_innermost;
    if (to == NULL)
        return;
    if (to->claim != NULL)
        (void)snprintf(to->claim, GUARD_CLAIM_BYTES, MSG_ASSERT_FAILED_SSIS, claim, func, file,
                       line);
    jump_back(to, GUARD_BROKEN);
}

/* ---- locks ---- */

void guard_lock(pthread_mutex_t *m)
{
    struct guard *g = guard_innermost;
    pthread_mutex_lock(m);
    if (g != NULL && g->n_held < GUARD_LOCKS_MOST)
        g->held[g->n_held++] = m;
}

void guard_unlock(pthread_mutex_t *m)
{
    struct guard *g = guard_innermost;
    unsigned kept = 0;
    for (unsigned i = 0; g != NULL && i < g->n_held; i++)
        if (g->held[i] != m)
            g->held[kept++] = g->held[i];
    if (g != NULL)
        g->n_held = kept;
    pthread_mutex_unlock(m);
}

bool guard_wait(pthread_cond_t *cond, pthread_mutex_t *m, uint64_t until_us)
{
    struct timespec until = { .tv_sec = (time_t)(until_us / 1000000),
                              .tv_nsec = (long)(until_us % 1000000) * 1000 };
    if (until_us == UINT64_MAX)
        return pthread_cond_wait(cond, m) == 0;
    return pthread_cond_timedwait(cond, m, &until) == 0;
}

void guard_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}

/* ---- descriptors ---- */

int guard_opened(int fd)
{
    struct guard *g = guard_innermost;
    if (g != NULL && g->n_opened < GUARD_FDS_MOST)
        g->opened[g->n_opened++] = fd;
    return fd;
}

void guard_close(int fd)
{
    struct guard *g = guard_innermost;
    unsigned kept = 0;
    for (unsigned i = 0; g != NULL && i < g->n_opened; i++)
        if (g->opened[i] != fd)
            g->opened[kept++] = g->opened[i];
    if (g != NULL)
        g->n_opened = kept;
    close(fd);
}

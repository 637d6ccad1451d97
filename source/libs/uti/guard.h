#ifndef UTI_GUARD_H
#define UTI_GUARD_H

#include <pthread.h>
#include <time.h>

#include "common/basis.h"

/* Our code inside an external program (libdrmaa): memory that the system refuses and an ASSERT
 * that fails end the call, not the process.
 *
 * guard_call runs a function; what fails below it, in the same thread, jumps back to it. The frames
 * in between are not asked. What they had allocated stays allocated: that is the price, paid once
 * in an emergency. The locks that they held are released, which is why code that runs under a guard
 * takes its locks with guard_lock alone, and under a lock allocates before it changes anything that
 * others see. The descriptors that guard_opened knows are closed. The jump leaves no C library
 * function in the middle of its work: it begins in uti_alloc and ASSERT, which our own code calls.
 *
 * Without a guard in the thread nothing differs: the process says why and ends. */
enum guard_end {
    GUARD_DONE = 0,
    GUARD_NO_MEMORY, /* the system refused memory */
    GUARD_BROKEN     /* an ASSERT failed; do not trust what the call worked on */
};
enum { GUARD_CLAIM_BYTES = 200, GUARD_LOCKS_MOST = 4, GUARD_FDS_MOST = 4 };

/* guard_call - call FN with CTX
 *   claim  of GUARD_CLAIM_BYTES, or NULL; after GUARD_BROKEN: which claim failed, and where
 * May be nested. */
enum guard_end guard_call(void (*fn)(void *ctx), void *ctx, char *claim);

/* guard_lock, guard_unlock - as pthread_mutex_lock and _unlock; a jump releases it. At most
 * GUARD_LOCKS_MOST at a time in one guarded call.
 * guard_wait - wait for COND with M, locked by guard_lock, until the monotonic clock reaches
 * UNTIL_US (UINT64_MAX: for ever). COND's clock is monotonic (guard_cond_init). Returns false when
 * the time is over. */
void guard_lock(pthread_mutex_t *m);
void guard_unlock(pthread_mutex_t *m);
bool guard_wait(pthread_cond_t *cond, pthread_mutex_t *m, uint64_t until_us);
/* guard_cond_init - a condition for guard_wait; end it with pthread_cond_destroy */
void guard_cond_init(pthread_cond_t *cond);

/* guard_opened - a jump closes FD, which is >= 0; returns FD. At most GUARD_FDS_MOST at a time
 * guard_close - close it, and forget it */
int guard_opened(int fd);
void guard_close(int fd);

/* guard_refuse_memory, guard_break - for alloc.c and assert.c: jump to the innermost guard of this
 * thread; return if there is none */
void guard_refuse_memory(void);
void guard_break(const char *claim, const char *file, int line, const char *func);

#endif

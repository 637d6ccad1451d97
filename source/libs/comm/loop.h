#ifndef COMM_LOOP_H
#define COMM_LOOP_H

#include <sys/types.h>

#include "common/basis.h"

/* The event loop of a daemon thread (libevent behind it). Everything here runs in the thread of
 * loop_run, but loop_stop and loop_wake. */
struct answer;
struct loop;
struct turn_counts;
/* loop_new - returns new: loop_free; NULL with ans */
struct loop *loop_new(struct answer *ans);
/* loop_free - its timers and watches are freed before it */
void loop_free(struct loop *l);
/* loop_run - call what is due until loop_stop. Returns 0, or -1 on an internal failure. */
int loop_run(struct loop *l);
/* loop_stop - let loop_run return; from any thread or signal watcher */
void loop_stop(struct loop *l);

/* loop_measure - what its turns cost counts as that of THREAD, a literal for the log, "the core"
 * loop_turns - the figures; any thread may read them
 * loop_doing - what is done from now on in this turn; a literal for the log */
void loop_measure(struct loop *l, const char *thread);
const struct turn_counts *loop_turns(const struct loop *l);
void loop_doing(struct loop *l, const char *what);

typedef void (*loop_fn)(void *ctx);
struct loop_timer;
/* loop_timer_new - returns new: loop_timer_free; it is not armed */
struct loop_timer *loop_timer_new(struct loop *l, loop_fn fn, void *ctx);
/* loop_timer_set - call FN once, in IN_US microseconds; replaces what was set */
void loop_timer_set(struct loop_timer *t, uint64_t in_us);
/* loop_timer_clear - do not call it after all */
void loop_timer_clear(struct loop_timer *t);
/* loop_timer_free - NULL is fine */
void loop_timer_free(struct loop_timer *t);

struct loop_watch;
/* loop_watch_read - call FN whenever FD can be read (also: a pidfd whose process ended). FD stays
 * the caller's. */
struct loop_watch *loop_watch_read(struct loop *l, int fd, loop_fn fn, void *ctx);
/* loop_watch_signal - call FN in the loop after the process got SIG */
struct loop_watch *loop_watch_signal(struct loop *l, int sig, loop_fn fn, void *ctx);
/* loop_watch_free - stop watching, with any of the three kinds; NULL is fine */
void loop_watch_free(struct loop_watch *w);
/* loop_wake_new - FN runs in the loop after another thread has called loop_wake; once for several
 * calls that come together */
struct loop_watch *loop_wake_new(struct loop *l, loop_fn fn, void *ctx);
/* loop_wake - have the FN of W run; any thread; never blocks */
void loop_wake(struct loop_watch *w);

#endif

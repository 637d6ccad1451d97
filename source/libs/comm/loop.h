#ifndef COMM_LOOP_H
#define COMM_LOOP_H

#include <sys/types.h>

#include "common/basis.h"

/* The event loop of a daemon thread (libevent behind it). Everything here runs in the thread of loop_run, but loop_stop and loop_wake. */
struct answer;
struct loop;
struct loop *loop_new(struct answer *ans); /* new: loop_free */
void loop_free(struct loop *l);
int loop_run(struct loop *l);   /* until loop_stop; 0, or -1 on an internal failure */
void loop_stop(struct loop *l); /* from any thread or signal watcher */

typedef void (*loop_fn)(void *ctx);
struct loop_timer;
struct loop_timer *loop_timer_new(struct loop *l, loop_fn fn,
                                  void *ctx); /* not armed; new: loop_timer_free */
void loop_timer_set(struct loop_timer *t,
                    uint64_t in_us); /* once, in IN_US; replaces what was set */
void loop_timer_clear(struct loop_timer *t);
void loop_timer_free(struct loop_timer *t);

struct loop_watch;
/* loop_watch_read - call FN whenever FD can be read (also: a pidfd whose process ended). FD stays the caller's. */
struct loop_watch *loop_watch_read(struct loop *l, int fd, loop_fn fn, void *ctx);
/* loop_watch_signal - call FN in the loop after the process got SIG */
struct loop_watch *loop_watch_signal(struct loop *l, int sig, loop_fn fn, void *ctx);
void loop_watch_free(struct loop_watch *w);
/* loop_wake_new - something other threads can poke with loop_wake: FN then runs once in the loop, pokes merge */
struct loop_watch *loop_wake_new(struct loop *l, loop_fn fn, void *ctx);
void loop_wake(struct loop_watch *w); /* any thread; never blocks */

#endif

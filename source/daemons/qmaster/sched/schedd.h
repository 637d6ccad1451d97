#ifndef QMASTER_SCHED_SCHEDD_H
#define QMASTER_SCHED_SCHEDD_H

#include "common/basis.h"

/* Keeps a sge_schedd running: a thread that starts it, waits for its end and starts it again. Each
 * gets one end of a socketpair of its own; having that end is what makes it the scheduler. */
struct schedd;

/* schedd_keep - start PROGRAM, again and again
 *
 *   adopt  called on the keeper's thread for each one that runs: FD, taken, is the qmaster's end,
 *          non-blocking; CTX borrowed till schedd_stop
 *
 * Returns new: schedd_stop; NULL if there is no thread, which is logged. */
typedef void schedd_adopt_fn(void *ctx, int fd);
struct schedd *schedd_keep(const char *program, schedd_adopt_fn *adopt, void *ctx);
/* schedd_shown_job - the number of the job that the process says it is looking at; 0 without one,
 * and of NULL. It says what it likes: there need not be such a job. Never blocks. */
uint32_t schedd_shown_job(struct schedd *s);
/* schedd_take_crash - the number of the job that a process which crashed was looking at, once; 0 if
 * none has crashed since the last call, and of NULL */
uint32_t schedd_take_crash(struct schedd *s);
/* schedd_kill - end the process at once, so that another is started; NULL is fine */
void schedd_kill(struct schedd *s);
/* schedd_hold - end the process at once, and start none until schedd_release
 * schedd_release - start one again
 * Each returns whether that is a change; NULL is fine: there is no keeper, and nothing changes. */
bool schedd_hold(struct schedd *s);
bool schedd_release(struct schedd *s);
/* schedd_stop - end the process and wait for it; one that does not obey SIGTERM is killed; NULL is
 * fine */
void schedd_stop(struct schedd *s);

#endif

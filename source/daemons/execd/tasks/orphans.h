#ifndef EXECD_TASKS_ORPHANS_H
#define EXECD_TASKS_ORPHANS_H

#include "common/basis.h"

/* What a shepherd leaves that was killed itself. */
struct exec_task;

/* orphans_kill - SIGKILL to every process that belongs to the task
 * They are: those in the task's cgroup, if it has one; processes that fell to this execd (it is a
 * child subreaper) and are no shepherds; those with the task's additional group, and those whose
 * environment names the task's directory, if they have no shepherd. A thread reads all of /proc.
 * Returns how many were there, those that fell to us and may be another task's only WITH_UNMARKED:
 * call again, a little later, until the result is 0. */
uint32_t orphans_kill(struct exec_task *t, bool with_unmarked);
/* orphans_forget - no more calls for T: what still looks for them ends by itself */
void orphans_forget(struct exec_task *t);
/* orphans_reap - wait for all children that have ended. Files show how a task ended; the status of
 * its shepherd, or of what fell to us, says nothing more */
void orphans_reap(void);
/* orphans_remove_cgroup - of a task that has no processes any more, and whose shepherd could not do
 * it */
void orphans_remove_cgroup(const struct exec_task *t);

#endif

#ifndef SHEPHERD_TREE_H
#define SHEPHERD_TREE_H

#include "common/basis.h"

struct job_cgroup;

/* The job's process tree. The shepherd is a child subreaper: every process the job leaves behind
 * becomes its child, however often it forked or called setsid. So "no child is left" means "no
 * process of the job is left", and costs nothing to know. */

/* tree_signal - send SIG to every process below this one; a suspension is repeated until it finds
 * no new ones */
void tree_signal(int sig);
/* tree_kill - end every process below this one: those in CGROUP at once, and of the others stop all
 * first, so that none forks while they are ended. They still have to be waited for. Not by group
 * id: another cell on this machine may hand out the same one.
 * Returns how many were found. */
uint32_t tree_kill(const struct job_cgroup *cgroup);

#endif

#ifndef UTI_CGROUP_H
#define UTI_CGROUP_H

#include <sys/types.h>

#include "common/basis.h"

/* Cgroups of version 2: sets of processes that the kernel keeps. No process leaves its set by
 * forking, the kernel adds up what all of them used, and ends all of them at once. A cgroup is a
 * directory below a mount of "cgroup2"; nothing here needs a controller, so that nothing has to be
 * switched on for a whole machine. */
struct dstr;

/* cgroup_directory - append the directory of the cgroup that OWN (/proc/self/cgroup) names, where
 * MOUNTS (/proc/self/mountinfo) has it; false if it is not there. Pure. */
bool cgroup_directory(const char *mounts, const char *own, struct dstr *path);
/* cgroup_find - append the directory of the caller's own cgroup, if the caller may make others
 * there. Returns 0, or -1 errno. */
int cgroup_find(struct dstr *path);

/* cgroup_make - make PATH; a cgroup without processes that is there already is made anew
 * Returns an open directory, close-on-exec, or -1 errno.
 * cgroup_open - open PATH; -1 errno
 * cgroup_remove - remove PATH and the cgroups below it; 0, or -1 errno: EBUSY, and nothing has
 * changed, while there are processes */
int cgroup_make(const char *path);
int cgroup_open(const char *path);
int cgroup_remove(const char *path);

/* cgroup_fork - fork(2) a child that begins in that cgroup, which has not known a cgroup_kill
 * Linux 6.14 and later kill the child if either cgroup, the caller's or the child's, has known one
 * of its own. The child may only make async-signal-safe calls.
 * Returns as fork does; it fails where the kernel cannot do it.
 * cgroup_try - see whether all that works for the caller: make PATH, let a child begin and end
 * there, remove it. 0, or -1 errno */
pid_t cgroup_fork(int cgroup_fd);
int cgroup_try(const char *path);
/* cgroup_kill - SIGKILL to all processes in it and in cgroups below it, also to those just being
 * forked
 * Returns 0, or -1 errno: ENOENT before Linux 5.14. */
int cgroup_kill(int cgroup_fd);
/* cgroup_is_populated - are there processes in it, or below it? Those that have ended do not
 * count. */
bool cgroup_is_populated(int cgroup_fd);

/* cgroup_set_processors - its processes run on the processors of LIST ("0-3,8") alone; it needs the
 * cpuset controller
 * cgroup_offer_processors - cgroups below PATH, which has no processes of its own, have that
 * controller, if PATH has it
 * Return 0, or -1 errno: ENOENT without it. */
int cgroup_set_processors(int cgroup_fd, const char *list);
int cgroup_offer_processors(const char *path);

/* cgroup_cpu_us - processor time of all processes that ever were in it, also of those that no
 * process waited for
 * cgroup_rss_bytes - memory that its processes hold and have mapped, what they share counted once;
 * it needs the memory controller
 * Return 0, or -1 errno (*OUT unchanged). */
int cgroup_cpu_us(int cgroup_fd, uint64_t *out);
int cgroup_rss_bytes(int cgroup_fd, uint64_t *out);

#endif

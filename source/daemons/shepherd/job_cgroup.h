#ifndef SHEPHERD_JOB_CGROUP_H
#define SHEPHERD_JOB_CGROUP_H

#include "common/basis.h"

/* The cgroup of the job, which execd names in "config" where this host has one to give: the kernel
 * adds up there what the job used, and ends all of it at once. The shepherd stands outside of it,
 * and so do hooks. A job without one runs all the same: then its processes are those below the
 * shepherd. */
struct config;
struct trace;
struct job_cgroup {
    const char *path; /* borrowed from the configuration */
    int fd;           /* 0: the job has none */
};

/* job_cgroup_make - as the configuration says; what keeps it from being made stands in the trace */
void job_cgroup_make(struct job_cgroup *g, const struct config *conf, struct trace *trace);
void job_cgroup_remove(struct job_cgroup *g); /* once the job's last process has gone */
/* job_cgroup_kill - end all that is in it; without one nothing happens */
void job_cgroup_kill(const struct job_cgroup *g);
/* job_cgroup_cpu_us, job_cgroup_rss_bytes - what it says its processes used; false, *OUT unchanged,
 * if nothing */
bool job_cgroup_cpu_us(const struct job_cgroup *g, uint64_t *out);
bool job_cgroup_rss_bytes(const struct job_cgroup *g, uint64_t *out);

#endif

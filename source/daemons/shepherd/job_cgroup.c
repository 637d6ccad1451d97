/* The job's cgroup. It lives from just before the job's start to just after the end of its last
 * process, so that what it counts is the job's alone. Source: cgroups(7). */
#include "daemons/shepherd/job_cgroup.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "daemons/shepherd/config.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/privilege.h"
#include "daemons/shepherd/trace.h"
#include "libs/uti/cgroup.h"

void job_cgroup_make(struct job_cgroup *g, const struct config *conf, struct trace *trace)
{
    *g = (struct job_cgroup){ .path = config_get(conf, "cgroup", NULL) };
    if (g->path == NULL)
        return;
    int fd = privilege_make_cgroup(g->path);
    if (fd < 0)
        trace_add(trace, MSG_TRACE_NO_CGROUP_SS, g->path, strerror(errno));
    g->fd = fd > 0 ? fd : 0;
}

void job_cgroup_remove(struct job_cgroup *g)
{
    if (g->fd == 0)
        return;
    close(g->fd);
    (void)privilege_remove_cgroup(
        g->path); /* what stays is without processes: execd takes it away */
    *g = (struct job_cgroup){ 0 };
}

void job_cgroup_kill(const struct job_cgroup *g)
{
    if (g->fd != 0)
        (void)privilege_kill_cgroup(g->fd);
}

bool job_cgroup_cpu_us(const struct job_cgroup *g, uint64_t *out)
{
    return g->fd != 0 && cgroup_cpu_us(g->fd, out) == 0;
}

bool job_cgroup_rss_bytes(const struct job_cgroup *g, uint64_t *out)
{
    return g->fd != 0 && cgroup_rss_bytes(g->fd, out) == 0;
}

/* Limits of a task that has petasks. Each of its shepherds sees to the processes of one part of it;
 * here the parts on this host are added up, once a second while there are petasks, if a limit is
 * set: as many times what the job has requested as it has slots here. Invariants: a sum of memory
 * counts as reached when two looks in a row are above it; a soft limit is signalled once, with the
 * signal of RLIMIT_CPU. Source: queue_conf(5). */
#include "daemons/execd/tasks/tasks.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemons/execd/files/task_files.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/msg_tasks.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/log.h"
#include "libs/uti/process.h"

/* the limit KEY of all slots here; UINT64_MAX: there is none */
static uint64_t limit_of(const char *config, const char *key)
{
    char of_job[40];
    uint64_t value = task_files_number(config, key, UINT64_MAX);
    uint64_t slots = task_files_number(config, "host_slots", 1);
    (void)snprintf(of_job, sizeof of_job, "%s_is_consumable_job", key);
    if (value == UINT64_MAX || slots <= 1 || task_files_number(config, of_job, 0) == 1)
        return value;
    return value > UINT64_MAX / slots ? UINT64_MAX : value * slots;
}

static const struct {
    const char *soft, *hard;
    uint64_t unit;
    unsigned looks; /* above the limit in a row: it is exceeded */
} rows[SUMMED_LIMITS] = {
    [SUMMED_CPU] = { "s_cpu", "h_cpu", 1000, 1 },
    [SUMMED_VMEM] = { "s_vmem", "h_vmem", 1, 2 },
    [SUMMED_RSS] = { "s_rss", "h_rss", 1, 2 },
};

static uint64_t in_units(uint64_t limit, uint64_t unit)
{
    return limit > UINT64_MAX / unit ? UINT64_MAX : limit * unit;
}

void task_limits_take(struct exec_task *t, const char *config)
{
    struct summed_limits *l = &t->limits;
    l->is_set = false;
    for (unsigned i = 0; i < SUMMED_LIMITS; i++) {
        l->soft[i] = in_units(limit_of(config, rows[i].soft), rows[i].unit);
        l->hard[i] = in_units(limit_of(config, rows[i].hard), rows[i].unit);
        l->is_set = l->is_set || l->soft[i] != UINT64_MAX || l->hard[i] != UINT64_MAX;
    }
}

/* A cgroup counts processes that ended without a parent, and pages that several share once. */
static void take_counts_of_cgroup(const struct exec_task *part, uint64_t *cpu_ms, uint64_t *rss)
{
    uint64_t cpu_us = 0;
    int fd = part->cgroup != NULL ? cgroup_open(part->cgroup) : -1;
    if (fd < 0)
        return;
    if (cgroup_cpu_us(fd, &cpu_us) == 0 && cpu_us / 1000 > *cpu_ms)
        *cpu_ms = cpu_us / 1000;
    (void)cgroup_rss_bytes(fd, rss);
    close(fd);
}

static void add_part(const struct exec_task *t, uint64_t sum[SUMMED_LIMITS])
{
    struct process_list below = { 0 };
    struct process_usage usage = { 0 };
    if (t->state != EXEC_TASK_RUNNING || t->shepherd == NULL)
        return;
    process_descendants(shepherd_pid(t->shepherd), &below);
    for (uint32_t i = 0; i < below.n; i++)
        (void)os_process_size(below.v[i], &usage);
    process_list_free(&below);
    uint64_t cpu_ms = (uint64_t)(usage.cpu_s * 1000), rss_bytes = usage.rss_bytes;
    take_counts_of_cgroup(t, &cpu_ms, &rss_bytes);
    sum[SUMMED_CPU] += cpu_ms;
    sum[SUMMED_VMEM] += usage.vmem_bytes;
    sum[SUMMED_RSS] += rss_bytes;
}

/* all parts of T are to end, and to say why */
static int end_parts(struct exec_task *t, const char *limit)
{
    log_msg(LOG_LEVEL_WARNING, MSG_PETASK_LIMIT_SS, t->name, limit);
    t->limits.reached = limit;
    for (struct exec_task *p = petask_first(t); p != NULL; p = petask_next(p))
        p->limits.reached = limit;
    return SIGKILL;
}

static int judge_sum(struct exec_task *t, const uint64_t sum[SUMMED_LIMITS])
{
    struct summed_limits *l = &t->limits;
    int sig = 0;
    for (unsigned i = 0; i < SUMMED_LIMITS; i++) {
        l->looks_above[i] = sum[i] > l->hard[i] ? l->looks_above[i] + 1 : 0;
        if (l->looks_above[i] >= rows[i].looks)
            return end_parts(t, rows[i].hard);
        if (sum[i] > l->soft[i] && !l->is_soft_told[i]) {
            l->is_soft_told[i] = true;
            sig = SIGXCPU;
        }
    }
    return sig;
}

int task_limits_check(struct exec_task *t)
{
    uint64_t sum[SUMMED_LIMITS] = { [SUMMED_CPU] = t->limits.ended_cpu_ms };
    const struct exec_task *p = t->limits.is_set ? petask_first(t) : NULL;
    if (p == NULL || t->limits.reached != NULL)
        return 0; /* nearly always */
    add_part(t, sum);
    for (; p != NULL; p = petask_next(p))
        add_part(p, sum);
    return judge_sum(t, sum);
}

void task_limits_ended(const struct exec_task *petask)
{
    struct exec_task *t = task_of_petask(petask);
    for (uint32_t i = 0; t != NULL && i < petask->report.JR_usage.n; i++)
        if (strcmp(petask->report.JR_usage.v[i].UA_name, "cpu") == 0)
            t->limits.ended_cpu_ms += (uint64_t)(petask->report.JR_usage.v[i].UA_value * 1000);
}

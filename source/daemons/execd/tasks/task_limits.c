/* Limits of a task that has petasks. Each of its shepherds sees to the processes of one part of it;
 * here the parts on this host are added up, once a second while there are petasks, if a limit is
 * set: as many times what the job has requested as it has slots here. Invariant: a sum of memory
 * counts as reached when two looks in a row are above it. Source: queue_conf(5). */
#include "daemons/execd/tasks/tasks.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "daemons/execd/files/task_files.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/msg_tasks.h"
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

void task_limits_take(struct exec_task *t, const char *config)
{
    t->limits.cpu_s = limit_of(config, "h_cpu");
    t->limits.vmem_bytes = limit_of(config, "h_vmem");
    t->limits.is_set = t->limits.cpu_s != UINT64_MAX || t->limits.vmem_bytes != UINT64_MAX;
}

static void add_part(const struct exec_task *t, struct process_usage *sum)
{
    struct process_list below = { 0 };
    if (t->state != EXEC_TASK_RUNNING || t->shepherd == NULL)
        return;
    process_descendants(shepherd_pid(t->shepherd), &below);
    for (uint32_t i = 0; i < below.n; i++)
        (void)os_process_usage(below.v[i], sum);
    process_list_free(&below);
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

int task_limits_check(struct exec_task *t)
{
    struct process_usage sum = { 0 };
    const struct exec_task *p = t->limits.is_set ? petask_first(t) : NULL;
    if (p == NULL || t->limits.reached != NULL)
        return 0; /* nearly always */
    add_part(t, &sum);
    for (; p != NULL; p = petask_next(p))
        add_part(p, &sum);
    bool was_above = t->limits.is_above;
    t->limits.is_above = sum.vmem_bytes > t->limits.vmem_bytes;
    if (sum.cpu_s + t->limits.ended_cpu_s > (double)t->limits.cpu_s)
        return end_parts(t, "h_cpu");
    if (was_above && t->limits.is_above)
        return end_parts(t, "h_vmem");
    return 0;
}

void task_limits_ended(const struct exec_task *petask)
{
    struct exec_task *t = task_of_petask(petask);
    for (uint32_t i = 0; t != NULL && i < petask->report.JR_usage.n; i++)
        if (strcmp(petask->report.JR_usage.v[i].UA_name, "cpu") == 0)
            t->limits.ended_cpu_s += petask->report.JR_usage.v[i].UA_value;
}

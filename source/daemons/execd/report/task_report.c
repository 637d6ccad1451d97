/* Reports of tasks: functions of the table's entries, without a side effect. A report of an
 * ended task was made when it ended. */
#include "daemons/execd/report/task_report.h"

#include <string.h>

#include "daemons/execd/tables/task_table.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_report.h"

static const char *queue_of(const struct JAT_Type *record)
{
    return allocation_queue(&record->JAT_granted_destin_identifier_list);
}

void task_fill_key(const struct exec_task *t, struct JR_Type *report)
{
    task_key_report(&t->key, t->attempt, report);
    cull_set(report, JR_queue, queue_of(&t->record));
}

static void set_usage(struct JR_Type *report, const char *name, double value)
{
    for (uint32_t i = 0; i < report->JR_usage.n; i++)
        if (strcmp(report->JR_usage.v[i].UA_name, name) == 0) {
            if (report->JR_usage.v[i].UA_value < value)
                cull_set(&report->JR_usage.v[i], UA_value, value);
            return;
        }
    struct UA_Type *ua = cull_append(report, JR_usage);
    cull_set(ua, UA_name, name);
    cull_set(ua, UA_value, value);
}

void task_fill_sample(const struct exec_task *t, struct JR_Type *report)
{
    const struct task_sample *s = &t->sample;
    if (s->at_us == 0)
        return;
    set_usage(report, "cpu", s->cpu_s);
    set_usage(report, "mem", s->mem_gb_s);
    set_usage(report, "io", (double)s->io_bytes / (1024.0 * 1024 * 1024));
    set_usage(report, "vmem", (double)s->vmem_bytes);
    set_usage(report, "maxvmem", (double)s->vmem_max_bytes);
}

static double usage_of(const struct JR_Type *report, const char *name)
{
    for (uint32_t i = 0; i < report->JR_usage.n; i++)
        if (strcmp(report->JR_usage.v[i].UA_name, name) == 0)
            return report->JR_usage.v[i].UA_value;
    return 0;
}

void task_fill_least(struct JR_Type *report)
{
    const double block = 512, kilobyte = 1024, gigabyte = kilobyte * kilobyte * kilobyte;
    double rss = usage_of(report, "ru_maxrss") * kilobyte;
    set_usage(report, "maxvmem", rss);
    set_usage(report, "io",
              (usage_of(report, "ru_inblock") + usage_of(report, "ru_oublock")) * block / gigabyte);
    if (usage_of(report, "mem") <= 0)
        set_usage(report, "mem", rss / gigabyte * usage_of(report, "ru_wallclock"));
}

void task_fill_waiting(const struct exec_task *t, struct JR_Type *report)
{
    task_fill_key(t, report);
    cull_set(report, JR_state, (uint32_t)REPORT_PREPARING);
    if (t->next != NULL) {
        cull_set(report, JR_attempt, t->next->JAT_attempt);
        cull_set(report, JR_queue, queue_of(t->next));
    }
}

void task_fill_report(const struct exec_task *t, struct JR_Type *report)
{
    if (t->next != NULL || t->state == EXEC_TASK_PREPARING) {
        task_fill_waiting(t, report);
        return;
    }
    if (t->state == EXEC_TASK_ENDED) {
        cull_copy(&cull_JR_Type, report, &t->report);
        return;
    }
    task_fill_key(t, report);
    cull_set(report, JR_state,
             t->sample.at_us != 0 ? (uint32_t)REPORT_RUNNING : (uint32_t)REPORT_STARTED);
    if (t->start_s != 0)
        cull_set(report, JR_start_time, t->start_s);
    task_fill_sample(t, report);
}

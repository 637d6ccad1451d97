#ifndef SHOW_TEST_SAMPLE_H
#define SHOW_TEST_SAMPLE_H

/* Hand-made jobs for the tests of listings: the cell that the captured tables show. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/rows.h"
#include "libs/show/job_row.h"

enum { SAMPLE_SUBMIT_S = 1795164431, SAMPLE_NOW_S = 1795164500 }; /* 11/20/2026 08:47:11 UTC */

static inline void sample_utc(void)
{
    (void)setenv("TZ", "UTC", 1);
    tzset();
}

/* A job of alice's with no tasks yet. LAST 0: no array. */
static inline void sample_job(struct JB_Type *job, uint32_t number, const char *name,
                              uint32_t first, uint32_t last, uint32_t step)
{
    *job = (struct JB_Type){ 0 };
    cull_set(job, JB_job_number, number);
    cull_set(job, JB_job_name, name);
    cull_set(job, JB_owner, "alice");
    cull_set(job, JB_department, "defaultdepartment");
    cull_set(job, JB_submission_time, (uint64_t)SAMPLE_SUBMIT_S);
    cull_set(job, JB_priority, (uint32_t)JOB_PRIORITY_BASE);
    cull_set(job, JB_ja_first, last > 0 ? first : 1);
    cull_set(job, JB_ja_last, last > 0 ? last : 1);
    cull_set(job, JB_ja_step, last > 0 ? step : 1);
    cull_set(job, JB_type, (uint32_t)(JOB_TYPE_BINARY | (last > 0 ? JOB_TYPE_ARRAY : 0)));
}

static inline void sample_pending(struct JB_Type *job)
{
    range_set_add(cull_ranges(job, JB_ja_pending_ids), 0, job_task_count(job) - 1);
}

static inline void sample_task(struct JAT_Type *task, const struct JB_Type *job, uint32_t id,
                               double prio, uint32_t slots)
{
    *task = (struct JAT_Type){ 0 };
    cull_set(task, JAT_job_number, job->JB_job_number);
    cull_set(task, JAT_task_number, id);
    cull_set(task, JAT_status, (uint32_t)TASK_RUNNING);
    cull_set(task, JAT_start_time, (uint64_t)SAMPLE_SUBMIT_S);
    struct JG_Type *entry = cull_append(task, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qname, "all.q@HOST");
    cull_set(entry, JG_qhostname, "HOST");
    cull_set(entry, JG_slots, slots);
    cull_set(task, JAT_prio, prio);
    cull_set(task, JAT_ntix, 0.5);
}

static inline void sample_usage(struct JAT_Type *task, const char *name, double value)
{
    struct UA_Type *figure = cull_append(task, JAT_scaled_usage_list);
    cull_set(figure, UA_name, name);
    cull_set(figure, UA_value, value);
}

static inline void sample_all_usage(struct JAT_Type *task)
{
    sample_usage(task, "cpu", 0);
    sample_usage(task, "mem", 0);
    sample_usage(task, "io", 0.000038);
    sample_usage(task, "iow", 0);
    sample_usage(task, "vmem", 3534848);
    sample_usage(task, "maxvmem", 3534848);
}

/* what the qmaster says of jobs that were all submitted in the same second */
static inline const struct PF_Type *sample_figures(void)
{
    static struct PF_Type figures;
    cull_set(&figures, PF_prior, 0.5);
    cull_set(&figures, PF_npprior, 0.5);
    cull_set(&figures, PF_nurg, 0.5);
    cull_set(&figures, PF_ntckts, 0.5);
    return &figures;
}

#endif

/* Requests about jobs: a row says which. Source: qmod(1), qhold(1), qdel(1), qalter(1). */
#include "clients/qmon/job_acts.h"

#include <stdio.h>

#include "libs/sgeobj/job_state.h"

static const struct {
    enum gdi_verb verb;
    enum gdi_action action;
    uint32_t hold_op;
} rows[JOB_ACTS] = {
    [ACT_HOLD] = { .verb = GDI_MOD, .hold_op = GDI_HOLD_ADD },
    [ACT_RELEASE] = { .verb = GDI_MOD, .hold_op = GDI_HOLD_REMOVE },
    [ACT_SUSPEND] = { .verb = GDI_ACT, .action = GDI_ACT_SUSPEND },
    [ACT_RESUME] = { .verb = GDI_ACT, .action = GDI_ACT_UNSUSPEND },
    [ACT_RESCHEDULE] = { .verb = GDI_ACT, .action = GDI_ACT_RESCHEDULE },
    [ACT_CLEAR] = { .verb = GDI_ACT, .action = GDI_ACT_CLEAR_ERROR },
    [ACT_DELETE] = { .verb = GDI_DEL },
};

static void select_jobs(const struct range_set *jobs, struct GR_Type *out)
{
    struct range run;
    char number[16];
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(jobs, at, &run);
         at = (uint64_t)run.last + 1)
        for (uint64_t n = run.first; n <= run.last; n++) {
            snprintf(number, sizeof number, "%llu", (unsigned long long)n);
            cull_set(cull_append(out, GR_select), ID_str, number);
        }
}

static void begin_request(enum gdi_verb verb, const struct range_set *jobs, struct GR_Type *out)
{
    cull_set(out, GR_verb, (uint32_t)verb);
    cull_set(out, GR_target, (uint32_t)GDI_JOB);
    select_jobs(jobs, out);
}

void job_act_request(enum job_act act, const struct range_set *jobs, struct GR_Type *out)
{
    begin_request(rows[act].verb, jobs, out);
    if (rows[act].verb == GDI_MOD) {
        cull_set(out, GR_hold_op, rows[act].hold_op);
        cull_set(out, GR_hold_kinds, (uint32_t)MINUS_H_TGT_USER);
        (void)cull_append(out, GR_jobs);
    }
    if (rows[act].verb != GDI_ACT)
        return;
    cull_set(out, GR_action, (uint32_t)rows[act].action);
    cull_set(out, GR_options, (uint32_t)GDI_JOBS_ONLY);
}

void job_priority_request(const struct range_set *jobs, int32_t priority, struct GR_Type *out)
{
    begin_request(GDI_MOD, jobs, out);
    struct JB_Type *job = cull_append(out, GR_jobs);
    cull_set(job, JB_priority, (uint32_t)(JOB_PRIORITY_BASE + priority));
}

void job_get_request(const struct range_set *jobs, const char *const *fields, struct GR_Type *out)
{
    begin_request(GDI_GET, jobs, out);
    for (; fields != NULL && *fields != NULL; fields++)
        cull_set(cull_append(out, GR_fields), ST_name, *fields);
}

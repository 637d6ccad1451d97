/* A question about one task. Source: GDI_GET with GDI_WITH_TASKS (libs/gdi/message.h). */
#include "clients/qmon/task_ask.h"

#include <stdio.h>

#include "libs/feed/calls.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_state.h"

static void add_fields(struct GR_Type *request)
{
    static const char *const names[] = { "JB_job_number", "JAT_start_time",
                                         "JAT_granted_destin_identifier_list" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct ST_Type *entry = cull_append(request, GR_fields);
        cull_set(entry, ST_name, names[i]);
    }
}

static void select_task(const struct board_job *job, uint32_t ordinal, struct GR_Type *request)
{
    struct ID_Type *id = cull_append(request, GR_select);
    char number[16];
    snprintf(number, sizeof number, "%u", job->rec.JB_job_number);
    cull_set(id, ID_str, number);
    if (!job_is_array(&job->rec))
        return;
    struct TR_Type *range = cull_append(id, ID_tasks);
    cull_set(range, TR_min, job_task_id(&job->rec, ordinal));
    cull_set(range, TR_max, job_task_id(&job->rec, ordinal));
    cull_set(range, TR_step, 1u);
}

static void on_got(void *ctx, const struct GA_Type *all, const struct answer *texts SGE_UNUSED)
{
    struct task_asking *a = ctx;
    const struct JAT_Type *task = all != NULL && all->GA_tasks.n > 0 ? all->GA_tasks.v : NULL;
    const char *queue =
        task != NULL ? allocation_queue(&task->JAT_granted_destin_identifier_list) : "";
    a->is_open = false;
    a->got(a->ctx, a, *queue != '\0' ? queue : NULL, task != NULL ? task->JAT_start_time : 0);
}

void task_ask(struct qmon *q, struct task_asking *a, uint32_t job, uint32_t ordinal)
{
    const struct board_job *of = board_job(q->board, job);
    struct GR_Type request = { 0 };
    if (a->is_open || of == NULL || ordinal >= job_task_count(&of->rec))
        return;
    a->job = job;
    a->ordinal = ordinal;
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_options, (uint32_t)GDI_WITH_TASKS);
    select_task(of, ordinal, &request);
    add_fields(&request);
    a->is_open = calls_get(q->calls, &request, on_got, a, NULL) == 0;
    cull_clear(&cull_GR_Type, &request);
}

/* Requests of windows. */
#include "clients/qmon/widgets/requests.h"

#include <stdio.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/window.h"
#include "libs/feed/calls.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

void said_words(const struct answer *texts, struct dstr *out)
{
    const char *text = ans_has_error(texts) ? ans_first_error(texts)
                       : texts->n > 0       ? texts->v[texts->n - 1].text
                                            : MSG_QMON_NO_TEXT;
    for (; *text != '\0'; text++)
        dstr_addc(out, *text == '\n' ? ' ' : *text);
}

void said_answer(Widget said, const struct answer *texts, uint32_t n_texts)
{
    struct dstr line = DSTR_INIT;
    said_words(texts, &line);
    if (n_texts > 1)
        dstr_addf(&line, MSG_QMON_MORE_U, n_texts - 1);
    window_say(said, dstr_get(&line));
    dstr_free(&line);
}

static bool is_sent(int result, struct answer *ans, struct GR_Type *request, Widget said)
{
    if (result != 0)
        window_say(said, ans_first_error(ans));
    ans_free(ans);
    cull_clear(&cull_GR_Type, request);
    return result == 0;
}

bool ask_get(struct qmon *q, enum gdi_target target, const char *name, const char *const *fields,
             ask_got_fn got, void *ctx, Widget said)
{
    struct GR_Type request = { 0 };
    struct answer ans = ANSWER_INIT;
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)target);
    if (name != NULL)
        cull_set(cull_append(&request, GR_select), ID_str, name);
    for (; fields != NULL && *fields != NULL; fields++)
        cull_set(cull_append(&request, GR_fields), ST_name, *fields);
    return is_sent(calls_get(q->calls, &request, got, ctx, &ans), &ans, &request, said);
}

bool ask_names(struct qmon *q, enum gdi_target target, ask_got_fn got, void *ctx, Widget said)
{
    static const char *const keys[] = { "CQ_name",   "EH_name", "NM_name",
                                        "CONF_name", "TX_name", NULL };
    return ask_get(q, target, NULL, keys, got, ctx, said);
}

bool ask_change(struct qmon *q, struct GR_Type *request, ask_done_fn done, void *ctx, Widget said)
{
    struct answer ans = ANSWER_INIT;
    return is_sent(calls_send(q->calls, request, done, ctx, &ans), &ans, request, said);
}

static void on_change_answered(void *said, const struct answer *texts, uint32_t n_texts)
{
    said_answer(said, texts, n_texts);
}

void request_send(struct qmon *q, Widget said, struct GR_Type *request)
{
    if (ask_change(q, request, on_change_answered, said, said))
        window_say(said, MSG_QMON_ASKED);
}

/* ---- requests about jobs and tasks ---- */

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

/* ---- the place of a task ---- */

static void add_fields(struct GR_Type *request)
{
    static const char *const names[] = { "JB_job_number", "JAT_start_time",
                                         "JAT_granted_destin_identifier_list" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        cull_set(cull_append(request, GR_fields), ST_name, names[i]);
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

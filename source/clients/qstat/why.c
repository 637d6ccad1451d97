/* qstat -j JOB.TASK -why: the tasks that one task still waits for, and what each is doing; then whatever else keeps it from starting. The
 * qmaster words it. */
#include <stdlib.h>

#include "clients/common/job_part.h"
#include "clients/common/job_table.h"
#include "clients/common/msg_clients.h"
#include "clients/common/xml.h"
#include "clients/qstat/msg_qstat.h"
#include "clients/qstat/qstat.h"
#include "libs/uti/answer.h"
#include "libs/uti/parse.h"

struct wanted { /* whose question it is */
    uint32_t job;
    uint32_t task; /* 0: of a job that is no array; the qmaster knows whether it is one */
    uint32_t n_jobs;
};

static void put_text(FILE *out, const struct WT_Type_list *waits)
{
    fprintf(out, "%-20s %-20s %-6s %s\n", "waits for", "name", "state", "because of");
    job_table_bar(out, '-', 65);
    for (uint32_t i = 0; i < waits->n; i++) {
        const struct WT_Type *wait = &waits->v[i];
        char task[32] = "";
        snprintf(task, sizeof task, wait->WT_task_number > 0 ? "%u.%u" : "%u", wait->WT_job_number,
                 wait->WT_task_number);
        fprintf(out, "%-20s %-20s ", task, wait->WT_job_name != NULL ? wait->WT_job_name : "");
        fprintf(out, "%-6s %s\n", wait->WT_state != NULL ? wait->WT_state : "",
                wait->WT_kind != NULL ? wait->WT_kind : "");
    }
}

static void put_reasons(FILE *out, const struct ST_Type_list *reasons)
{
    for (uint32_t i = 0; i < reasons->n; i++)
        if (reasons->v[i].ST_name != NULL)
            fprintf(out, "%s\n", reasons->v[i].ST_name);
}

static void put_task_xml(struct xml *x, const struct wanted *of, const struct GA_Type *told)
{
    xml_elementf(x, "JB_job_number", "%u", of->job);
    xml_elementf(x, "JAT_task_number", "%u", of->task > 0 ? of->task : 1);
    for (uint32_t i = 0; i < told->GA_waits.n; i++) {
        const struct WT_Type *wait = &told->GA_waits.v[i];
        xml_start(x, "element");
        xml_elementf(x, "WT_job_number", "%u", wait->WT_job_number);
        xml_element(x, "WT_job_name", wait->WT_job_name);
        xml_elementf(x, "WT_task_number", "%u", wait->WT_task_number);
        xml_element(x, "WT_kind", wait->WT_kind);
        xml_element(x, "WT_state", wait->WT_state);
        xml_end(x);
    }
    for (uint32_t i = 0; i < told->GA_reasons.n; i++)
        xml_element(x, "message", told->GA_reasons.v[i].ST_name);
}

static int put_xml(const struct qstat_world *w, const struct wanted *of, const struct GA_Type *told,
                   struct answer *ans)
{
    struct xml *x = xml_open(w->out, "  ", ans);
    if (x == NULL)
        return -1;
    xml_start(x, "job_waits");
    put_task_xml(x, of, told);
    return xml_close(x, ans);
}

static void put_warnings(FILE *err, const struct answer *ans)
{
    for (uint32_t i = 0; i < ans->n; i++)
        if (ans->v[i].quality == ANSWER_QUALITY_WARNING)
            fprintf(err, "warning: %s\n", ans->v[i].text);
}

/* ---- which job ---- */
static int take_number(void *ctx, const struct GA_Type *part, struct answer *ans)
{
    struct wanted *of = ctx;
    (void)ans;
    for (uint32_t i = 0; i < part->GA_jobs.n; i++) {
        of->job = part->GA_jobs.v[i].JB_job_number;
        of->n_jobs++;
    }
    return 0;
}

/* Jobs called NAME, or whose names match it: their number, and the id of the last. -1 with ans if the qmaster could not be asked */
static int find_named(const struct qstat_world *w, const char *name, struct wanted *of,
                      struct answer *ans)
{
    struct GR_Type request = { 0 };
    struct answer told = ANSWER_INIT;
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    request_user(&request, "*");
    request_field(&request, "JB_job_number");
    struct ID_Type *id = cull_append(&request, GR_select);
    cull_set(id, ID_str, name);
    of->n_jobs = 0;
    int result = source_ask(&w->from, &request, take_number, of, &told);
    cull_clear(&cull_GR_Type, &request);
    if (result < 0 && told.n > 0 && told.v[0].status == STATUS_EUNKNOWN)
        result = 0;
    if (result < 0)
        ans_move(ans, &told);
    ans_free(&told);
    return result;
}

/* "name", or "name.3" unless there is a job that is called so */
static int find_task(const struct qstat_world *w, const char *identifier, struct wanted *of,
                     struct answer *ans)
{
    if (job_identifier_split(identifier, &of->job, &of->task))
        return 0;
    if (find_named(w, identifier, of, ans) < 0)
        return -1;
    const char *dot = strrchr(identifier, '.');
    uint32_t task;
    if (of->n_jobs == 0 && dot != NULL && parse_u32(dot + 1, &task) && task > 0) {
        char *name = uti_strndup(identifier, (size_t)(dot - identifier));
        int result = find_named(w, name, of, ans);
        free(name);
        of->task = task;
        if (result < 0)
            return -1;
    }
    if (of->n_jobs == 0)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_NO_JOB_S, identifier);
    if (of->n_jobs > 1)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_WHY_MANY_SU, identifier, of->n_jobs);
    return 0;
}

static struct GA_Type *ask_why(const struct qstat_world *w, const struct wanted *of,
                               struct answer *ans)
{
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_WHY);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_job_number, of->job);
    if (of->task != 0)
        cull_set(&request, GR_task_number, of->task);
    struct GA_Type *told = source_get_all(&w->from, &request, ans);
    cull_clear(&cull_GR_Type, &request);
    return told;
}

int qstat_why(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    struct wanted of = { 0 };
    if (find_task(w, o->jobs.v[0], &of, ans) < 0)
        return 1;
    struct GA_Type *told = ask_why(w, &of, ans);
    int result = 0;
    if (told == NULL)
        return 1;
    if (o->wants_xml)
        result = put_xml(w, &of, told, ans);
    else if (told->GA_waits.n > 0)
        put_text(w->out, &told->GA_waits);
    if (!o->wants_xml)
        put_reasons(w->out, &told->GA_reasons);
    put_warnings(w->err, ans);
    cull_delete(&cull_GA_Type, told);
    return result < 0 ? 1 : 0;
}

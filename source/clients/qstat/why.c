/* qstat -j JOB.TASK -why: the tasks that one pending task still waits for, and what each is doing. */
#include <stdlib.h>

#include "clients/common/job_part.h"
#include "clients/common/job_table.h"
#include "clients/common/xml.h"
#include "clients/qstat/msg_qstat.h"
#include "clients/qstat/qstat.h"
#include "libs/uti/answer.h"

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

static int put_xml(const struct qstat_world *w, uint32_t job, uint32_t task,
                   const struct WT_Type_list *waits, struct answer *ans)
{
    struct xml *x = xml_open(w->out, "  ", ans);
    if (x == NULL)
        return -1;
    xml_start(x, "job_waits");
    xml_elementf(x, "JB_job_number", "%u", job);
    xml_elementf(x, "JAT_task_number", "%u", task);
    for (uint32_t i = 0; i < waits->n; i++) {
        const struct WT_Type *wait = &waits->v[i];
        xml_start(x, "element");
        xml_elementf(x, "WT_job_number", "%u", wait->WT_job_number);
        xml_element(x, "WT_job_name", wait->WT_job_name);
        xml_elementf(x, "WT_task_number", "%u", wait->WT_task_number);
        xml_element(x, "WT_kind", wait->WT_kind);
        xml_element(x, "WT_state", wait->WT_state);
        xml_end(x);
    }
    return xml_close(x, ans);
}

static void put_warnings(FILE *err, const struct answer *ans)
{
    for (uint32_t i = 0; i < ans->n; i++)
        if (ans->v[i].quality == ANSWER_QUALITY_WARNING)
            fprintf(err, "warning: %s\n", ans->v[i].text);
}

int qstat_why(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    uint32_t job, task;
    if (!job_identifier_split(o->jobs.v[0], &job, &task)) {
        (void)ans_fail(ans, STATUS_ESYNTAX, MSG_WHY_NEEDS_TASK);
        return 1;
    }
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_WHY);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_job_number, job);
    if (task != 0)
        cull_set(&request, GR_task_number, task);
    else
        task = 1; /* of a job that is no array; the qmaster knows whether it is one */
    struct GA_Type *all = source_get_all(&w->from, &request, ans);
    cull_clear(&cull_GR_Type, &request);
    if (all == NULL)
        return 1;
    int result = 0;
    if (o->wants_xml)
        result = put_xml(w, job, task, &all->GA_waits, ans);
    else if (all->GA_waits.n > 0)
        put_text(w->out, &all->GA_waits);
    else
        fprintf(w->out, MSG_WHY_NOTHING_UU "\n", job, task);
    put_warnings(w->err, ans);
    cull_delete(&cull_GA_Type, all);
    return result < 0 ? 1 : 0;
}

/* The lines of a job listing as XML: the same rows that job_table.c prints, the same order of facts, one element each.
 * Element names and order are those that clients parse. */
#include "clients/common/job_row_xml.h"

#include "clients/common/job_table.h"
#include "clients/common/xml.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

static void put_time(struct xml *x, const char *name, uint64_t at_s)
{
    struct dstr text = DSTR_INIT;
    uti_time_iso(at_s, &text);
    xml_element(x, name, dstr_get(&text));
    dstr_free(&text);
}

static void put_priorities(struct xml *x, unsigned options, const struct job_row *row)
{
    xml_elementf(x, "JAT_prio", "%.5f", row->prior);
    if ((options & (TABLE_EXT | TABLE_PRI)) != 0)
        xml_elementf(x, "JAT_ntix", "%.5f", row->is_active ? 0.5 : 0.0);
    if ((options & TABLE_PRI) != 0)
        xml_elementf(x, "JB_nppri", "%.5f",
                     row->job != NULL && row->is_active ? job_npprior(row->job) : 0.0);
    if ((options & (TABLE_PRI | TABLE_URG)) != 0)
        xml_elementf(x, "JB_nurg", "%.5f", row->nurg);
    if ((options & TABLE_URG) != 0) {
        xml_element(x, "JB_rrcontr", "0");
        xml_element(x, "JB_wtcontr", "0");
        xml_element(x, "JB_dlcontr", "0");
    }
    if ((options & TABLE_PRI) != 0) {
        bool has_priority = row->job != NULL && cull_has(row->job, JB_priority);
        xml_elementf(x, "JB_priority", "%d",
                     has_priority ? (int)row->job->JB_priority - (int)JOB_PRIORITY_BASE : 0);
    }
}

static void put_extended(struct xml *x, const struct job_row *row)
{
    double cpu = task_usage(row->task, "cpu"), mem = task_usage(row->task, "mem"),
           io = task_usage(row->task, "io");
    if (row->kind == ROW_RUNNING && cpu >= 0) {
        xml_elementf(x, "cpu_usage", "%.5f", cpu);
        xml_elementf(x, "mem_usage", "%.5f", mem < 0 ? 0 : mem);
        xml_elementf(x, "io_usage", "%.5f", io < 0 ? 0 : io);
    }
    xml_element(x, "tickets", "0");
    xml_elementf(x, "JB_override_tickets", "%u",
                 row->job != NULL ? row->job->JB_override_tickets : 0);
    xml_elementf(x, "JB_jobshare", "%u", row->job != NULL ? row->job->JB_jobshare : 0);
    xml_element(x, "otickets", "0");
    xml_element(x, "ftickets", "0");
    xml_element(x, "stickets", "0");
    xml_element(x, "JAT_share", "0.00000");
}

static void put_requested(struct xml *x, const struct CE_Type_list *list, bool is_hard)
{
    for (uint32_t i = 0; i < list->n; i++) {
        xml_start(x, is_hard ? "hard_request" : "soft_request");
        xml_attribute(x, "name", list->v[i].CE_name, '"');
        if (is_hard)
            xml_attribute(x, "resource_contribution", "0.000000", '"');
        xml_text(x, list->v[i].CE_stringval != NULL ? list->v[i].CE_stringval : "");
        xml_end(x);
    }
}

static void put_queues(struct xml *x, const char *name, const struct QR_Type_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        xml_element(x, name, list->v[i].QR_name);
}

static void put_jobs(struct xml *x, const char *name, const struct JRE_Type_list *list,
                     void (*text)(const struct JRE_Type_list *, struct dstr *))
{
    if (list->n == 0)
        return;
    struct dstr ids = DSTR_INIT;
    text(list, &ids);
    xml_element(x, name, dstr_get(&ids));
    dstr_free(&ids);
}

static void put_pe(struct xml *x, const struct job_row *row)
{
    if (row->job->JB_pe == NULL)
        return;
    struct dstr range = DSTR_INIT;
    job_pe_range_text(row->job, &range);
    xml_start(x, "requested_pe");
    xml_attribute(x, "name", row->job->JB_pe, '"');
    xml_text(x, dstr_get(&range));
    xml_end(x);
    if (row->kind == ROW_RUNNING) {
        dstr_clear(&range);
        dstr_addf(&range, "%u", row->slots);
        xml_start(x, "granted_pe");
        xml_attribute(x, "name", row->job->JB_pe, '"');
        xml_text(x, dstr_get(&range));
        xml_end(x);
    }
    dstr_free(&range);
}

static void put_requests(struct xml *x, unsigned options, const struct job_row *row)
{
    const struct JB_Type *job = row->job;
    xml_element(x, "full_job_name", row->name);
    put_pe(x, row);
    put_requested(x, &job->JB_hard_resource_list, true);
    put_requested(x, &job->JB_soft_resource_list, false);
    put_queues(x, "hard_req_queue", &job->JB_hard_queue_list);
    put_queues(x, "soft_req_queue", &job->JB_soft_queue_list);
    put_queues(x, "master_hard_req_queue", &job->JB_master_hard_queue_list);
    put_jobs(x, "predecessor_jobs_req", &job->JB_jid_request_list, job_request_list_text);
    put_jobs(x, "predecessor_jobs", &job->JB_jid_predecessor_list, job_ids_list_text);
    put_jobs(x, "ad_predecessor_jobs_req", &job->JB_ja_ad_request_list, job_request_list_text);
    put_jobs(x, "ad_predecessor_jobs", &job->JB_ja_ad_predecessor_list, job_ids_list_text);
    if ((options & TABLE_NO_BINDING) == 0) {
        struct dstr binding = DSTR_INIT;
        job_binding_text(job, &binding);
        xml_element(x, "binding", dstr_get(&binding));
        dstr_free(&binding);
    }
}

static void put_place(struct xml *x, unsigned options, const struct job_row *row, bool is_slave)
{
    if ((options & TABLE_FULL) == 0)
        xml_element(x, "queue_name", row->queue);
    if ((options & TABLE_MASTER) != 0)
        xml_element(x, "master", row->kind != ROW_RUNNING ? "" : is_slave ? "SLAVE" : "MASTER");
    xml_elementf(x, "slots", "%u",
                 (options & TABLE_MASTER) != 0 && row->kind == ROW_RUNNING ? 1 : row->slots);
    if (row->is_array) {
        struct dstr tasks = DSTR_INIT;
        row_tasks_text(row, SIZE_MAX, &tasks);
        xml_element(x, "tasks", dstr_get(&tasks));
        dstr_free(&tasks);
    }
}

static void put_job_list(struct xml *x, unsigned options, const struct job_row *row, bool is_slave)
{
    static const char *const kinds[] = {
        [ROW_RUNNING] = "running", [ROW_PENDING] = "pending", [ROW_FINISHED] = "zombie"
    };
    xml_start(x, "job_list");
    xml_attribute(x, "state", kinds[row->kind], '"');
    xml_elementf(x, "JB_job_number", "%u", row->job_number);
    put_priorities(x, options, row);
    xml_element(x, "JB_name", row->name);
    xml_element(x, "JB_owner", row->owner);
    if ((options & TABLE_EXT) != 0) {
        xml_element(x, "JB_project", row->job != NULL ? row->job->JB_project : NULL);
        xml_element(x, "JB_department",
                    row->job != NULL && row->job->JB_department != NULL ? row->job->JB_department
                                                                        : "defaultdepartment");
    }
    xml_element(x, "state", row->state);
    if ((options & TABLE_EXT) == 0 || (options & TABLE_URG) != 0)
        put_time(x, row->kind == ROW_RUNNING ? "JAT_start_time" : "JB_submission_time", row->at_s);
    if ((options & TABLE_EXT) != 0)
        put_extended(x, row);
    put_place(x, options, row, is_slave);
    if ((options & TABLE_REQUESTS) != 0 && row->job != NULL)
        put_requests(x, options, row);
    xml_end(x);
}

static void put_row(struct xml *x, unsigned options, const struct job_row *row)
{
    put_job_list(x, options, row, false);
    for (uint32_t i = 1;
         (options & TABLE_MASTER) != 0 && row->kind == ROW_RUNNING && i < row->slots; i++)
        put_job_list(x, options, row, true);
}

struct each_task {
    struct xml *x;
    unsigned options;
};

static void put_task_row(void *ctx, const struct job_row *one)
{
    const struct each_task *e = ctx;
    put_row(e->x, e->options, one);
}

void job_row_xml(struct xml *x, unsigned options, const struct job_row *row)
{
    struct each_task each = { x, options };
    if ((options & TABLE_EACH_TASK) != 0)
        job_row_each_task(row, put_task_row, &each);
    else
        put_row(x, options, row);
}

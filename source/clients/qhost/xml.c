/* qhost -xml: its white space and quotes are as clients have seen them, so it is written element by element without indent. */
#include "clients/common/xml.h"

#include <string.h>

#include "clients/common/load.h"
#include "clients/qhost/qhost.h"
#include "libs/sgeobj/qinstance.h"
#include "libs/uti/dstr.h"

static void start_named(struct xml *x, const char *white, const char *element, const char *name)
{
    xml_space(x, white);
    xml_start(x, element);
    xml_attribute(x, "name", name, '\'');
}

static void put_host_value(struct xml *x, const char *name, const char *value)
{
    start_named(x, "\n   ", "hostvalue", name);
    xml_text(x, value);
    xml_end(x);
}

static void put_resources(struct xml *x, const struct qhost_options *o, const struct EH_Type *host)
{
    struct resources list = { 0 };
    host_resources(host, o->resources, &list);
    for (uint32_t i = 0; i < list.n; i++) {
        start_named(x, "\n   ", "resourcevalue", list.v[i].name);
        xml_attribute(x, "dominance", list.v[i].dominance, '\'');
        xml_text(x, list.v[i].value);
        xml_end(x);
    }
    resources_free(&list);
}

static void put_queue_value(struct xml *x, const char *queue, const char *name, const char *value)
{
    xml_space(x, "\n   ");
    xml_start(x, "queuevalue");
    xml_attribute(x, "qname", queue, '\'');
    xml_attribute(x, "name", name, '\'');
    xml_text(x, value);
    xml_end(x);
}

static void put_queue_number(struct xml *x, const char *queue, const char *name, uint32_t number)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%u", number);
    put_queue_value(x, queue, name, dstr_get(&text));
    dstr_free(&text);
}

static void put_queue(struct xml *x, const struct QU_Type *queue)
{
    struct dstr text = DSTR_INIT;
    start_named(x, "\n ", "queue", queue->QU_qname);
    qinstance_type_text(queue, &text);
    put_queue_value(x, queue->QU_qname, "qtype_string", dstr_get(&text));
    put_queue_number(x, queue->QU_qname, "slots_used", queue->QU_slots_used);
    put_queue_number(x, queue->QU_qname, "slots", queue->QU_job_slots);
    put_queue_number(x, queue->QU_qname, "slots_resv", queue->QU_slots_reserved);
    dstr_clear(&text);
    qinstance_state_text(queue->QU_state, &text);
    put_queue_value(x, queue->QU_qname, "state_string", dstr_get(&text));
    xml_space(x, "\n ");
    xml_end(x);
    dstr_free(&text);
}

static void put_job_value(struct xml *x, const char *job, const char *name, const char *value)
{
    xml_space(x, "\n   ");
    xml_start(x, "jobvalue");
    xml_attribute(x, "jobid", job, '\'');
    xml_attribute(x, "name", name, '\'');
    xml_text(x, value != NULL ? value : "");
    xml_end(x);
}

static void put_job(struct xml *x, const struct job_row *row, bool with_queue, bool is_slave)
{
    struct dstr job = DSTR_INIT, text = DSTR_INIT;
    dstr_addf(&job, "%u", row->job_number);
    start_named(x, "\n ", "job", dstr_get(&job));
    dstr_addf(&text, "'%f'", row->prior);
    put_job_value(x, dstr_get(&job), "priority", dstr_get(&text));
    put_job_value(x, dstr_get(&job), "qinstance_name", row->queue);
    put_job_value(x, dstr_get(&job), "job_name", row->name);
    put_job_value(x, dstr_get(&job), "job_owner", row->owner);
    put_job_value(x, dstr_get(&job), "job_state", row->state);
    dstr_clear(&text);
    dstr_addf(&text, "%llu", (unsigned long long)row->at_s);
    put_job_value(x, dstr_get(&job), "start_time", dstr_get(&text));
    if (with_queue)
        put_job_value(x, dstr_get(&job), "queue_name", row->queue);
    put_job_value(x, dstr_get(&job), "pe_master", is_slave ? "SLAVE" : "MASTER");
    dstr_clear(&text);
    row_tasks_text(row, SIZE_MAX, &text);
    if (text.len > 0 && !is_slave)
        put_job_value(x, dstr_get(&job), "taskid", dstr_get(&text));
    xml_space(x, "\n ");
    xml_end(x);
    dstr_free(&job);
    dstr_free(&text);
}

static void put_row(struct xml *x, const struct job_row *row, bool with_queue)
{
    put_job(x, row, with_queue, false);
    for (uint32_t i = 1; i < row->slots; i++)
        put_job(x, row, with_queue, true);
}

void qhost_xml(struct xml *x, const struct qhost_options *o, const struct host_view *view)
{
    struct dstr text = DSTR_INIT;
    start_named(x, "\n ", "host", view->name);
    for (int i = 0; i < CELLS; i++) {
        if (o->hides_topology && i >= CELL_SOCKET && i <= CELL_THREAD)
            continue;
        dstr_clear(&text);
        host_cell(view->host, i, &text);
        put_host_value(x, cell_names[i], dstr_get(&text));
    }
    dstr_free(&text);
    if (o->wants_resources && view->host != NULL)
        put_resources(x, o, view->host);
    for (uint32_t i = 0; o->wants_queues && i < view->n_queues; i++) {
        put_queue(x, view->queues[i]);
        for (uint32_t k = 0; o->wants_jobs && k < view->n_rows; k++) {
            if (strcmp(view->rows[k]->queue, view->queues[i]->QU_full_name) == 0)
                put_row(x, view->rows[k], false);
        }
    }
    for (uint32_t i = 0; o->wants_jobs && !o->wants_queues && i < view->n_rows; i++)
        put_row(x, view->rows[i], true);
    xml_space(x, "\n ");
    xml_end(x);
}

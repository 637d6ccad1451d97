/* qhost's table, to the letter. */
#include <string.h>

#include "clients/common/job_table.h"
#include "clients/common/load.h"
#include "clients/qhost/qhost.h"
#include "libs/sgeobj/host.h"
#include "libs/sgeobj/qinstance.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

const char *const cell_names[CELLS] = {
    [CELL_ARCH] = "arch_string",    [CELL_NUM_PROC] = "num_proc", [CELL_SOCKET] = "m_socket",
    [CELL_CORE] = "m_core",         [CELL_THREAD] = "m_thread",   [CELL_LOAD] = "load_avg",
    [CELL_MEM_TOTAL] = "mem_total", [CELL_MEM_USED] = "mem_used", [CELL_SWAP_TOTAL] = "swap_total",
    [CELL_SWAP_USED] = "swap_used",
};

/* A host that is not heard of keeps what it is, but not what it does. */
void host_cell(const struct EH_Type *host, int cell, struct dstr *out)
{
    bool is_silent = host != NULL && cull_has(host, EH_is_connected) && !host->EH_is_connected;
    const char *name = cell == CELL_ARCH ? "arch" : cell_names[cell];
    const char *value = host != NULL ? host_load_value(host, name) : NULL;
    if (is_silent && (cell == CELL_LOAD || cell == CELL_MEM_USED || cell == CELL_SWAP_USED))
        value = NULL;
    if (cell == CELL_LOAD)
        load_short_number(value, out);
    else if (cell >= CELL_MEM_TOTAL)
        load_short_memory(value, out);
    else
        dstr_add(out, value != NULL ? value : "-");
}

void qhost_text_head(FILE *out, const struct qhost_options *o)
{
    fputs("HOSTNAME                ARCH         NCPU ", out);
    if (!o->hides_topology)
        fputs("NSOC NCOR NTHR ", out);
    fputs(" LOAD  MEMTOT  MEMUSE  SWAPTO  SWAPUS\n", out);
    job_table_bar(out, '-', o->hides_topology ? 79 : 94);
}

static void put_host(FILE *out, const struct qhost_options *o, const struct host_view *view)
{
    static const int widths[CELLS] = { -12, 4, 4, 4, 4, 5, 7, 7, 7, 7 };
    struct dstr text = DSTR_INIT;
    fprintf(out, "%-23s", view->name);
    for (int i = 0; i < CELLS; i++) {
        if (o->hides_topology && i >= CELL_SOCKET && i <= CELL_THREAD)
            continue;
        dstr_clear(&text);
        host_cell(view->host, i, &text);
        fprintf(out, " %*s", widths[i], dstr_get(&text));
    }
    fputc('\n', out);
    dstr_free(&text);
}

static void put_resources(FILE *out, const struct qhost_options *o, const struct host_view *view)
{
    struct resources list = { 0 };
    if (view->host == NULL)
        return;
    host_resources(view->host, o->resources, &list);
    if (o->resources != NULL && list.n > 0)
        fputs("    Host Resource(s):     ", out);
    for (uint32_t i = 0; i < list.n; i++) {
        if (o->resources != NULL)
            fprintf(out, " %s:%s=%s", list.v[i].dominance, list.v[i].name, list.v[i].value);
        else
            fprintf(out, "   %s:%s=%s\n", list.v[i].dominance, list.v[i].name, list.v[i].value);
    }
    if (o->resources != NULL && list.n > 0)
        fputc('\n', out);
    resources_free(&list);
}

static void put_queue(FILE *out, const struct QU_Type *queue)
{
    struct dstr type = DSTR_INIT, slots = DSTR_INIT, state = DSTR_INIT;
    qinstance_type_text(queue, &type);
    dstr_addf(&slots, "%u/%u/%u", queue->QU_slots_reserved, queue->QU_slots_used,
              queue->QU_job_slots);
    qinstance_state_text(queue->QU_state, &state);
    fprintf(out, "   %-20s %-5s %-13s %s\n", queue->QU_qname, dstr_get(&type), dstr_get(&slots),
            dstr_get(&state));
    dstr_free(&type);
    dstr_free(&slots);
    dstr_free(&state);
}

static void put_place(FILE *out, const struct job_row *row, bool with_queue, bool is_slave)
{
    if (with_queue)
        fprintf(out, "%-10.10s ", row->queue);
    fprintf(out, "%-6s ", is_slave ? "SLAVE" : "MASTER");
    if (row->is_array && !is_slave) {
        struct dstr tasks = DSTR_INIT;
        row_tasks_text(row, SIZE_MAX, &tasks);
        fprintf(out, "%s\n", dstr_get(&tasks));
        dstr_free(&tasks);
    } else {
        fputs("       \n", out);
    }
}

static void put_row(FILE *out, const struct job_row *row, bool with_queue)
{
    struct dstr at = DSTR_INIT;
    uti_time_us_date(row->at_s, &at);
    fprintf(out, "   %7u %7.5f %-10.10s %-12.12s %-5.5s %s ", row->job_number, row->prior,
            row->name != NULL ? row->name : "", row->owner != NULL ? row->owner : "", row->state,
            dstr_get(&at));
    dstr_free(&at);
    put_place(out, row, with_queue, false);
    for (uint32_t i = 1; i < row->slots; i++) {
        fprintf(out, "%69s", "");
        put_place(out, row, with_queue, true);
    }
}

static void put_rows(FILE *out, const struct host_view *view)
{
    if (view->n_rows == 0)
        return;
    fputs("   job-ID  prior   name       user         state submit/start at     queue      master "
          "ja-task-ID \n   ",
          out);
    job_table_bar(out, '-', 94);
    for (uint32_t i = 0; i < view->n_rows; i++)
        put_row(out, view->rows[i], true);
}

void qhost_text(FILE *out, const struct qhost_options *o, const struct host_view *view)
{
    put_host(out, o, view);
    if (o->wants_resources)
        put_resources(out, o, view);
    for (uint32_t i = 0; o->wants_queues && i < view->n_queues; i++) {
        put_queue(out, view->queues[i]);
        for (uint32_t k = 0; o->wants_jobs && k < view->n_rows; k++) {
            if (strcmp(view->rows[k]->queue, view->queues[i]->QU_full_name) == 0)
                put_row(out, view->rows[k], false);
        }
    }
    if (o->wants_jobs && !o->wants_queues)
        put_rows(out, view);
}

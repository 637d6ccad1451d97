/* The block of `qstat -j`: the lines of the job (job_lines.c), then those of its tasks. Spelling is
 * captured behaviour. */
#include "clients/common/job_detail.h"

#include "clients/common/job_lines.h"
#include "clients/common/job_requests.h"
#include "clients/common/job_table.h"
#include "clients/common/msg_clients.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

static void add_bytes(struct dstr *out, double bytes)
{
    static const char units[] = "KMGTPE";
    if (bytes <= 0) {
        dstr_add(out, "N/A");
        return;
    }
    size_t unit = 0;
    bytes /= 1024;
    while (bytes >= 1024 && unit + 1 < strlen(units)) {
        bytes /= 1024;
        unit++;
    }
    dstr_addf(out, "%.3f%c", bytes, units[unit]);
}

static void put_usage(FILE *out, const struct JAT_Type *task)
{
    double cpu = task_usage(task, "cpu"), mem = task_usage(task, "mem"),
           io = task_usage(task, "io");
    unsigned long s = cpu > 0 ? (unsigned long)cpu : 0;
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "usage%10u:            cpu=", task->JAT_task_number);
    if (s >= 86400)
        dstr_addf(&line, "%lu:", s / 86400);
    dstr_addf(&line, "%02lu:%02lu:%02lu, mem=%.5f GB s, io=%.5f GB, vmem=", s / 3600 % 24,
              s / 60 % 60, s % 60, mem > 0 ? mem : 0, io > 0 ? io : 0);
    add_bytes(&line, task_usage(task, "vmem"));
    dstr_add(&line, ", maxvmem=");
    add_bytes(&line, task_usage(task, "maxvmem"));
    dstr_addc(&line, '\n');
    fputs(dstr_get(&line), out);
    dstr_free(&line);
}

static void put_devices(FILE *out, const struct JAT_Type *task)
{
    struct dstr map = DSTR_INIT;
    allocation_devices_text(&task->JAT_granted_destin_identifier_list, &map);
    if (map.len > 0)
        fprintf(out, "resource map%3u:            %s\n", task->JAT_task_number, dstr_get(&map));
    dstr_free(&map);
}

static bool task_occupies_slot(const struct JAT_Type *task)
{
    return task->JAT_status == TASK_RUNNING || task->JAT_status == TASK_TRANSFERRING;
}

void job_detail_text(FILE *out, const struct job_detail *d)
{
    job_table_bar(out, '=', 62);
    job_lines_put(out, d->job);
    struct dstr binding = DSTR_INIT;
    job_binding_text(d->job, &binding);
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (task_occupies_slot(d->tasks[i]))
            put_usage(out, d->tasks[i]);
    }
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (task_occupies_slot(d->tasks[i]))
            fprintf(out, "binding%8u:            %s\n", d->tasks[i]->JAT_task_number,
                    dstr_get(&binding));
    }
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (task_occupies_slot(d->tasks[i]))
            put_devices(out, d->tasks[i]);
    }
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (d->tasks[i]->JAT_error_reason != NULL)
            fprintf(out, "error reason%11u:      %s\n", d->tasks[i]->JAT_task_number,
                    d->tasks[i]->JAT_error_reason);
    }
    dstr_free(&binding);
}

void job_verify_text(FILE *out, const struct JB_Type *job)
{
    job_lines_put(out, job);
}

void scheduling_info_text(FILE *out, const struct ST_Type_list *reasons)
{
    if (reasons == NULL || reasons->n == 0)
        fprintf(out, "%-27s %s\n",
                "scheduling info:", reasons == NULL ? MSG_SCHEDD_INFO_OFF : MSG_SCHEDD_INFO_NONE);
    for (uint32_t i = 0; reasons != NULL && i < reasons->n; i++)
        fprintf(out, "%-27s %s\n", i == 0 ? "scheduling info:" : "",
                reasons->v[i].ST_name ? reasons->v[i].ST_name : "");
}

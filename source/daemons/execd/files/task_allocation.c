/* A job without a parallel environment has one slot, and no file says so. What an order does not
 * say counts as one. */
#include "daemons/execd/files/task_allocation.h"

#include "libs/sgeobj/allocation.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"

static const struct JG_Type_list *granted_slots(const struct task_text_input *in)
{
    return &in->task->JAT_granted_destin_identifier_list;
}

/* the one that it runs in; what the job asks for may be a pattern */
static const char *granted_pe(const struct task_text_input *in)
{
    const char *pe = allocation_pe(granted_slots(in));
    return pe != NULL ? pe : in->job->JB_pe;
}

static void add_number(struct dstr *out, const char *key, uint32_t n)
{
    dstr_addf(out, "%s=%u\n", key, n > 0 ? n : 1);
}

static void add_hostfile(const struct task_text_input *in, const char *key, struct dstr *out)
{
    struct dstr path = DSTR_INIT;
    dstr_addf(&path, "%s/%s", in->task_dir, TASK_FILE_PE_HOSTFILE);
    task_text_add(out, key, dstr_get(&path));
    dstr_free(&path);
}

void task_allocation_environment(const struct task_text_input *in, struct dstr *out)
{
    add_number(out, "NSLOTS", allocation_slots(granted_slots(in)));
    add_number(out, "NQUEUES", granted_slots(in)->n);
    add_number(out, "NHOSTS", allocation_hosts(granted_slots(in)));
    if (in->job->JB_pe == NULL)
        return;
    task_text_add(out, "PE", granted_pe(in));
    add_hostfile(in, "PE_HOSTFILE", out);
}

/* what the shepherd runs before and after the task itself; a part of it on a host has none */
static void add_procedures(const struct task_text_input *in, struct dstr *out)
{
    const char *start = allocation_pe_start(granted_slots(in));
    const char *stop = allocation_pe_stop(granted_slots(in));
    if (in->task->JAT_pe_task_id != NULL)
        return;
    if (start != NULL)
        task_text_add(out, "pe_start", start);
    if (stop != NULL)
        task_text_add(out, "pe_stop", stop);
}

void task_allocation_config(const struct task_text_input *in, struct dstr *out)
{
    bool is_parallel = in->job->JB_pe != NULL;
    task_text_add(out, "pe", is_parallel ? granted_pe(in) : "none");
    add_number(out, "pe_slots", allocation_slots(granted_slots(in)));
    if (!is_parallel)
        return;
    add_number(out, "host_slots",
               allocation_slots_on(granted_slots(in), allocation_host(granted_slots(in))));
    add_hostfile(in, "pe_hostfile", out);
    add_procedures(in, out);
}

void task_hostfile(const struct task_text_input *in, struct dstr *out)
{
    for (uint32_t i = 0; i < granted_slots(in)->n; i++) {
        const struct JG_Type *entry = &granted_slots(in)->v[i];
        const char *host = entry->JG_qhostname != NULL ? entry->JG_qhostname : "UNKNOWN";
        dstr_addf(out, "%s %u %s UNDEFINED\n", host, entry->JG_slots, entry->JG_qname);
    }
}

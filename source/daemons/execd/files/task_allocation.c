/* A job without a parallel environment has one slot, and no file says so. What an order does not
 * say counts as one. */
#include "daemons/execd/files/task_allocation.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/execd/files/task_binding.h"
#include "daemons/execd/host/user.h"
#include "libs/config/conf.h"
#include "libs/config/conf_words.h"
#include "libs/config/job_resources.h"
#include "libs/config/quantity.h"
#include "libs/resource/consumption.h"
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

/* those on this host */
static uint32_t slots_here(const struct task_text_input *in)
{
    const char *host =
        in->task->JAT_is_slave ? in->place->host : allocation_host(granted_slots(in));
    return allocation_slots_on(granted_slots(in), host);
}

void task_allocation_environment(const struct task_text_input *in, struct dstr *out)
{
    add_number(out, "NSLOTS",
               in->task->JAT_is_slave ? slots_here(in) : allocation_slots(granted_slots(in)));
    add_number(out, "NQUEUES", granted_slots(in)->n);
    add_number(out, "NHOSTS", allocation_hosts(granted_slots(in)));
    if (in->job->JB_pe == NULL)
        return;
    task_text_add(out, "PE", granted_pe(in));
    add_hostfile(in, "PE_HOSTFILE", out);
    task_text_add(out, "SGE_RSH_COMMAND",
                  conf_get(in->place->global_conf, in->place->host_conf, "rsh_command"));
}

/* what the shepherd runs before and after the task itself; a part of it on a host has none */
static void add_procedures(const struct task_text_input *in, struct dstr *out)
{
    const char *start = allocation_pe_start(granted_slots(in));
    const char *stop = allocation_pe_stop(granted_slots(in));
    if (in->task->JAT_pe_task_id != NULL || in->task->JAT_is_slave)
        return;
    if (start != NULL)
        task_text_add(out, "pe_start", start);
    if (stop != NULL)
        task_text_add(out, "pe_stop", stop);
}

/* the amount of the resource NAME that ENTRY takes; 0: none */
static uint64_t taken_of(const struct JG_Type *entry, const char *name)
{
    for (uint32_t i = 0; i < entry->JG_taken.n; i++)
        if (entry->JG_taken.v[i].TK_name != NULL && strcmp(entry->JG_taken.v[i].TK_name, name) == 0)
            return entry->JG_taken.v[i].TK_amount;
    return 0;
}

/* is the task charged for less than what it asks for times its slots: once in all (consumable JOB),
 * or once on each host (HOST)? */
static bool is_charged_once(const struct task_text_input *in, const struct job_limit *limit)
{
    const struct JG_Type_list *granted = granted_slots(in);
    const struct CE_Type *request =
        cull_find(&cull_CE_Type, &in->job->JB_hard_resource_list, limit->name);
    uint64_t asked, taken = 0;
    if (request == NULL || request->CE_stringval == NULL ||
        !(limit->is_time ? quantity_time_parse(request->CE_stringval, &asked)
                         : quantity_memory_parse(request->CE_stringval, &asked)))
        return false;
    for (uint32_t i = 0; i < granted->n; i++)
        taken = amount_sum(taken, taken_of(&granted->v[i], limit->name));
    return taken > 0 && taken < amount_times(asked, allocation_slots(granted));
}

/* the shepherd multiplies the others by the slots here */
static void add_limits_of_job(const struct task_text_input *in, struct dstr *out)
{
    for (unsigned i = 0; i < job_limits_n; i++)
        if (is_charged_once(in, &job_limits[i]))
            dstr_addf(out, "%s_is_consumable_job=1\n", job_limits[i].name);
}

/* how many petasks may run here at a time, and what their files are made from besides: the job
 * itself may count as one of them */
static void add_petasks(const struct task_text_input *in, struct dstr *out)
{
    const struct JG_Type_list *granted = granted_slots(in);
    if (!allocation_controls_slaves(granted) || in->task->JAT_pe_task_id != NULL)
        return;
    uint32_t most = slots_here(in);
    if (granted->v[0].JG_job_is_first_task && !in->task->JAT_is_slave && most > 0)
        most--;
    dstr_addf(out, "petasks=%u\nslave=%u\n", most, in->task->JAT_is_slave ? 1u : 0u);
    if (in->user->shell != NULL)
        task_text_add(out, "user_shell", in->user->shell);
}

void task_allocation_config(const struct task_text_input *in, struct dstr *out)
{
    bool is_parallel = in->job->JB_pe != NULL;
    task_text_add(out, "pe", is_parallel ? granted_pe(in) : "none");
    add_number(out, "pe_slots", allocation_slots(granted_slots(in)));
    if (!is_parallel)
        return;
    add_number(out, "host_slots", slots_here(in));
    add_limits_of_job(in, out);
    add_hostfile(in, "pe_hostfile", out);
    add_procedures(in, out);
    add_petasks(in, out);
}

void task_hostfile(const struct task_text_input *in, struct dstr *out)
{
    for (uint32_t i = 0; i < granted_slots(in)->n; i++) {
        const struct JG_Type *entry = &granted_slots(in)->v[i];
        const char *host = entry->JG_qhostname != NULL ? entry->JG_qhostname : "UNKNOWN";
        dstr_addf(out, "%s %u %s ", host, entry->JG_slots, entry->JG_qname);
        task_binding_column(in, entry, out);
        dstr_addc(out, '\n');
    }
}

/* ---- devices ---- */
/* What a task has on other hosts is for its parts there; what it has in several queues of this
 * host is one list. */

/* ---- what the task has here ---- */
static bool is_here(const struct task_text_input *in, const struct JG_Type *entry)
{
    return entry->JG_qhostname != NULL && strcmp(entry->JG_qhostname, in->place->host) == 0;
}

static const struct TK_Type *devices_of(const struct JG_Type *entry, const char *resource)
{
    for (uint32_t i = 0; i < entry->JG_taken.n; i++)
        if (entry->JG_taken.v[i].TK_name != NULL &&
            strcmp(entry->JG_taken.v[i].TK_name, resource) == 0)
            return &entry->JG_taken.v[i];
    return NULL;
}

static void add_names(const struct TK_Type *taken, char between, struct dstr *out)
{
    for (uint32_t i = 0; i < taken->TK_devices.n; i++) {
        if (taken->TK_devices.v[i].ST_name == NULL)
            continue;
        if (out->len > 0)
            dstr_addc(out, between);
        dstr_add(out, taken->TK_devices.v[i].ST_name);
    }
}

/* VARIABLE: the devices of RESOURCE, of all entries here */
static void add_variable(const struct task_text_input *in, const char *variable,
                         const char *resource, char between, struct dstr *out)
{
    const struct JG_Type_list *granted = &in->task->JAT_granted_destin_identifier_list;
    struct dstr names = DSTR_INIT;
    for (uint32_t i = 0; i < granted->n; i++) {
        const struct TK_Type *taken =
            is_here(in, &granted->v[i]) ? devices_of(&granted->v[i], resource) : NULL;
        if (taken != NULL)
            add_names(taken, between, &names);
    }
    task_text_add(out, variable, dstr_get(&names));
    dstr_free(&names);
}

/* is there an entry before the one at AT, on this host, that has devices of RESOURCE as well? */
static bool is_said(const struct task_text_input *in, uint32_t at, const char *resource)
{
    const struct JG_Type_list *granted = &in->task->JAT_granted_destin_identifier_list;
    for (uint32_t i = 0; i < at; i++) {
        const struct TK_Type *taken =
            is_here(in, &granted->v[i]) ? devices_of(&granted->v[i], resource) : NULL;
        if (taken != NULL && taken->TK_devices.n > 0)
            return true;
    }
    return false;
}

static void add_entry(const struct task_text_input *in, uint32_t at, struct dstr *out)
{
    const struct JG_Type *entry = &in->task->JAT_granted_destin_identifier_list.v[at];
    for (uint32_t i = 0; i < entry->JG_taken.n; i++) {
        const struct TK_Type *taken = &entry->JG_taken.v[i];
        struct dstr variable = DSTR_INIT;
        if (taken->TK_name == NULL || taken->TK_devices.n == 0 || is_said(in, at, taken->TK_name))
            continue;
        dstr_addf(&variable, TASK_DEVICES_PREFIX "%s", taken->TK_name);
        add_variable(in, dstr_get(&variable), taken->TK_name, ' ', out);
        dstr_free(&variable);
    }
}

/* ---- the variables that are configured ---- */
bool task_devices_set(const struct task_place *place, const char *variable)
{
    char *list = device_variables(place->global_conf, place->host_conf);
    struct dstr pair = DSTR_INIT;
    const char *at = list, *name;
    bool is_found = false;
    while (list != NULL && !is_found &&
           (name = device_variables_next(&at, task_is_system_variable, &pair)) != NULL)
        is_found = strcmp(name, variable) == 0;
    dstr_free(&pair);
    free(list);
    return is_found;
}

void task_devices_environment(const struct task_text_input *in, struct dstr *out)
{
    const struct JG_Type_list *granted = &in->task->JAT_granted_destin_identifier_list;
    char *list = device_variables(in->place->global_conf, in->place->host_conf);
    struct dstr pair = DSTR_INIT;
    const char *at = list, *variable;
    for (uint32_t i = 0; i < granted->n; i++)
        if (is_here(in, &granted->v[i]))
            add_entry(in, i, out);
    while (list != NULL &&
           (variable = device_variables_next(&at, task_is_system_variable, &pair)) != NULL)
        add_variable(in, variable, pair.s, ',', out);
    dstr_free(&pair);
    free(list);
}

/* What a task has on other hosts is for its parts there; what it has in several queues of this
 * host is one list. */
#include "daemons/execd/files/task_devices.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/device_variables.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"

/* ---- what the task has here ---- */
static bool is_here(const struct task_text_input *in, const struct JG_Type *entry)
{
    return entry->JG_qhostname != NULL && strcmp(entry->JG_qhostname, in->place->host) == 0;
}

static const struct TK_Type *taken_of(const struct JG_Type *entry, const char *resource)
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
            is_here(in, &granted->v[i]) ? taken_of(&granted->v[i], resource) : NULL;
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
            is_here(in, &granted->v[i]) ? taken_of(&granted->v[i], resource) : NULL;
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

/* Managers, operators, hosts on lists; removing objects by name; starting and stopping. One request
 * for each option, with all of its names. */
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/qconf.h"
#include "libs/config/object.h"

/* an empty list of names would be carried out by doing nothing */
static int send_names(struct qconf *q, const struct qconf_row *row, struct GR_Type *request,
                      uint32_t n_names)
{
    if (n_names > 0)
        return qconf_send(q, request, q->err);
    cull_clear(&cull_GR_Type, request);
    return qconf_fail(q, MSG_QCONF_NO_ARGUMENT_S, row->name);
}

int add_names(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct GR_Type request = { 0 };
    struct name_list names = { 0 };
    qconf_request(&request, GDI_ADD, row->target);
    for (int i = 0; i < n; i++)
        name_list_split(&names, args[i]);
    int status = qconf_check_qualified(q, row->target, &names);
    for (uint32_t i = 0; i < names.n; i++) {
        struct NM_Type *name = cull_append(&request, GR_names);
        cull_set(name, NM_name, names.v[i]);
    }
    name_list_free(&names);
    if (status == 0)
        return send_names(q, row, &request, request.GR_names.n);
    cull_clear(&cull_GR_Type, &request);
    return status;
}

static void select_all(struct GR_Type *request, char *const *args, int n)
{
    struct name_list names = { 0 };
    for (int i = 0; i < n; i++)
        name_list_split(&names, args[i]);
    for (uint32_t i = 0; i < names.n; i++)
        qconf_select(request, names.v[i]);
    name_list_free(&names);
}

int delete_names(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct GR_Type request = { 0 };
    const struct object_rules *rules = object_rules_of((enum object_kind)row->target);
    qconf_request(&request, GDI_DEL, row->target);
    if (rules != NULL && rules->own->only != NULL)
        qconf_select(&request, rules->own->only);
    struct name_list names = { 0 };
    for (int i = 0; i < n; i++)
        name_list_split(&names, args[i]);
    int status = qconf_check_qualified(q, row->target, &names);
    name_list_free(&names);
    select_all(&request, args, n);
    if (status == 0)
        return send_names(q, row, &request, request.GR_select.n);
    cull_clear(&cull_GR_Type, &request);
    return status;
}

static int act_on_hosts(struct qconf *q, const struct qconf_row *row, enum gdi_action action,
                        uint32_t options, char *const *args, int n)
{
    struct GR_Type request = { 0 };
    qconf_request(&request, GDI_ACT, row->target);
    cull_set(&request, GR_action, (uint32_t)action);
    cull_set(&request, GR_options, options);
    if (n > 0 && strcmp(args[0], "all") == 0)
        qconf_select(&request, "*");
    else
        select_all(&request, args, n);
    return n > 0 ? send_names(q, row, &request, request.GR_select.n)
                 : qconf_send(q, &request, q->err);
}

int stop_hosts(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return act_on_hosts(q, row, GDI_ACT_SHUTDOWN, 0, args, n);
}

int stop_hosts_and_jobs(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return act_on_hosts(q, row, GDI_ACT_SHUTDOWN, GDI_FORCE, args, n);
}

int stop_qmaster(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return act_on_hosts(q, row, GDI_ACT_SHUTDOWN, 0, args, n);
}

int trigger_scheduling(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return act_on_hosts(q, row, GDI_ACT_TRIGGER_SCHEDULING, 0, args, n);
}

/* ---- queues, threads, event clients ---- */
static int act_on_names(struct qconf *q, const struct qconf_row *row, enum gdi_action action,
                        const char *list)
{
    struct GR_Type request = { 0 };
    qconf_request(&request, GDI_ACT, row->target);
    cull_set(&request, GR_action, (uint32_t)action);
    select_all(&request, (char *const[]){ (char *)list }, 1);
    return send_names(q, row, &request, request.GR_select.n);
}

int stop_named(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return act_on_names(q, row, GDI_ACT_SHUTDOWN, args[0]);
}

int start_named(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return act_on_names(q, row, GDI_ACT_START, args[0]);
}

int stop_scheduler(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)args;
    (void)n;
    return act_on_names(q, row, GDI_ACT_SHUTDOWN, "scheduler");
}

int clean_queues(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return act_on_names(q, row, GDI_ACT_CLEAN, args[0]);
}

/* Objects and hosts that the command line names: managers, operators, hosts on lists; removing
 * objects by name; starting and stopping. One request for each option, with all of its names.
 * Source: qconf(1). */
#include "clients/qconf/qconf.h"

#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "libs/config/attr_names.h"
#include "libs/config/object.h"
#include "libs/uti/host_name.h"

/* ---- hosts ---- */
/* The hosts that queues and host groups name: each is an execution host, or at least one that can
 * be resolved. A host may come to a queue before its execution daemon does. */

static bool is_exec_host(const struct GA_Type *hosts, const char *name)
{
    char unique[HOST_NAME_BYTES];
    host_name_unique(name, unique);
    return cull_find(&cull_EH_Type, &hosts->GA_hosts, name) != NULL ||
           cull_find(&cull_EH_Type, &hosts->GA_hosts, unique) != NULL;
}

static int check_host(struct qconf *q, const struct GA_Type *hosts, const char *name)
{
    if (name[0] == '@' || is_exec_host(hosts, name) || q->resolves(name))
        return 0;
    return qconf_fail(q, MSG_HOST_UNRESOLVED_S, name);
}

/* is each of NAMES a host group, an execution host, or at least a host that can be resolved? 0,
 * or 1 after saying which is not */
static int qconf_check_hosts(struct qconf *q, const struct ST_Type_list *names)
{
    struct GA_Type *hosts = qconf_get_names(q, GDI_EXECHOST);
    int status = hosts != NULL ? 0 : 1;
    for (uint32_t i = 0; status == 0 && i < names->n; i++)
        status = check_host(q, hosts, names->v[i].ST_name);
    cull_delete(&cull_GA_Type, hosts);
    return status;
}

/* is NAME in the list of hosts that ALL is? */
static bool is_listed(const struct GA_Type *all, const char *name)
{
    for (uint32_t i = 0; i < all->GA_names.n; i++)
        if (host_name_equal(all->GA_names.v[i].NM_name, name))
            return true;
    return is_exec_host(all, name);
}

/* is each of NAMES that has a domain on the list of TARGET, or a host that can be resolved? The
 * qmaster, which knows hosts without their domains, would name another. 0, or 1 after saying which
 * is not; other kinds have no hosts */
static int qconf_check_qualified(struct qconf *q, enum gdi_target target,
                                 const struct name_list *names)
{
    bool is_of_hosts =
        target == GDI_ADMINHOST || target == GDI_SUBMITHOST || target == GDI_EXECHOST;
    int status = 0;
    for (uint32_t i = 0; is_of_hosts && status == 0 && i < names->n; i++) {
        const char *name = names->v[i];
        if (strchr(name, '.') == NULL || q->resolves(name))
            continue;
        struct GA_Type *all = qconf_get_names(q, target);
        status = all == NULL            ? 1
                 : is_listed(all, name) ? 0
                                        : qconf_fail(q, MSG_HOST_CANNOT_S, name);
        cull_delete(&cull_GA_Type, all);
    }
    return status;
}

int qconf_check_host_words(struct qconf *q, const char *list)
{
    struct GA_Type *hosts = qconf_get_names(q, GDI_EXECHOST);
    struct dstr word = DSTR_INIT;
    int status = hosts != NULL ? 0 : 1;
    if (!attr_is_none(list))
        for (const char *at = list; status == 0 && attr_next_word(&at, " ,", &word);)
            status = check_host(q, hosts, dstr_get(&word));
    dstr_free(&word);
    cull_delete(&cull_GA_Type, hosts);
    return status;
}

/* ---- names of objects ---- */

int say_unknown(struct qconf *q, const struct kind *kind, const char *name)
{
    struct dstr text = DSTR_INIT;
    kind_add_unknown(kind, name, &text);
    int status = qconf_fail(q, "%s", dstr_get(&text));
    dstr_free(&text);
    return status;
}

static int all_names(struct qconf *q, const struct kind *kind, struct name_list *out)
{
    struct GA_Type *all = qconf_get_names(q, kind->target);
    const struct cull_list *l = all != NULL ? kind_objects(kind, all) : NULL;
    for (uint32_t i = 0; l != NULL && i < l->n; i++) {
        const char *name = kind_name(kind, cull_list_at(kind_type(kind), l, i));
        if (name != NULL)
            name_list_add(out, name, strlen(name));
    }
    cull_delete(&cull_GA_Type, all);
    return out->n > 0 ? 0 : qconf_fail(q, MSG_NONE_FOUND_S, kind_noun(kind));
}

int named_objects(struct qconf *q, const struct kind *kind, char *const *args, int n,
                  struct name_list *out)
{
    const char *only = kind_only(kind) != NULL ? kind_only(kind) : kind->unnamed;
    if (kind_only(kind) == NULL && n > 0)
        name_list_split(out, args[0]);
    else if (only != NULL)
        name_list_add(out, only, strlen(only));
    else
        return all_names(q, kind, out);
    return 0;
}

int check_named_hosts(struct qconf *q, const struct kind *kind, const void *object)
{
    if (kind->target == GDI_CQUEUE)
        return qconf_check_hosts(q, &((const struct CQ_Type *)object)->CQ_hostlist);
    if (kind->target == GDI_HOSTGROUP)
        return qconf_check_host_words(q, object_value(object, "hostlist"));
    return 0;
}

/* ---- options with lists of names ---- */

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

int clear_usage(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct GR_Type request = { 0 };
    qconf_request(&request, GDI_DEL, row->target);
    select_all(&request, args, n);
    return qconf_send(q, &request, q->err);
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

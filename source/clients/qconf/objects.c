/* Queues, hosts and configurations as wholes: from a file, or through an editor. What comes back is
 * read and checked here, so that the user hears of a mistake while the text is at hand; the qmaster
 * checks again. */
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/qconf.h"
#include "libs/config/attr_names.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"

static const char kind_queue[] = "Cluster queue", kind_host[] = "Execution host",
                  kind_conf[] = "Configuration", kind_sched[] = "Scheduler configuration";

/* ---- queues ---- */
static bool is_exec_host(const struct GA_Type *hosts, const char *name)
{
    for (uint32_t i = 0; i < hosts->GA_hosts.n; i++)
        if (hosts->GA_hosts.v[i].EH_name != NULL && strcmp(hosts->GA_hosts.v[i].EH_name, name) == 0)
            return true;
    return false;
}

static int check_host(struct qconf *q, const struct GA_Type *hosts, const char *name)
{
    if (name[0] == '@' || is_exec_host(hosts, name) || q->resolves(name))
        return 0;
    return qconf_fail(q, MSG_HOST_UNRESOLVED_S, name);
}

int qconf_check_hosts(struct qconf *q, const struct CQ_Type *queue)
{
    struct GA_Type *hosts = qconf_get(q, GDI_EXECHOST, NULL);
    int status = hosts != NULL ? 0 : 1;
    for (uint32_t i = 0; status == 0 && i < queue->CQ_hostlist.n; i++)
        status = check_host(q, hosts, queue->CQ_hostlist.v[i].ST_name);
    cull_delete(&cull_GA_Type, hosts);
    return status;
}

int qconf_check_host_words(struct qconf *q, const char *list)
{
    struct GA_Type *hosts = qconf_get(q, GDI_EXECHOST, NULL);
    struct dstr word = DSTR_INIT;
    int status = hosts != NULL ? 0 : 1;
    if (!attr_is_none(list))
        for (const char *at = list; status == 0 && attr_next_word(&at, " ,", &word);)
            status = check_host(q, hosts, dstr_get(&word));
    dstr_free(&word);
    cull_delete(&cull_GA_Type, hosts);
    return status;
}

static int send_queue(struct qconf *q, enum gdi_verb verb, const struct CQ_Type *queue)
{
    struct GR_Type request = { 0 };
    if (qconf_check_hosts(q, queue) != 0)
        return 1;
    qconf_request(&request, verb, GDI_CQUEUE);
    cull_copy(&cull_CQ_Type, cull_append(&request, GR_cqueues), queue);
    return qconf_send(q, &request, q->err);
}

static int queue_from_text(struct qconf *q, enum gdi_verb verb, const char *text, const char *path)
{
    struct CQ_Type queue = { 0 };
    struct answer ans = ANSWER_INIT;
    int status = 0;
    if (cqueue_parse(text, &queue, &ans) == 0)
        status = send_queue(q, verb, &queue);
    else if (path != NULL)
        status = qconf_bad_file(q, kind_queue, path, &ans);
    else
        status = qconf_print_failure(q, &ans, "");
    cull_clear(&cull_CQ_Type, &queue);
    return status;
}

static int queue_from_file(struct qconf *q, enum gdi_verb verb, const char *path)
{
    struct dstr text = DSTR_INIT;
    int status = qconf_read_file(q, kind_queue, path, &text)
                     ? queue_from_text(q, verb, dstr_get(&text), path)
                     : 1;
    dstr_free(&text);
    return status;
}

int queue_add_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    return queue_from_file(q, GDI_ADD, args[0]);
}

int queue_modify_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    return queue_from_file(q, GDI_MOD, args[0]);
}

/* A new queue may be taken as the template has it; a change must change something. */
static int queue_edit(struct qconf *q, enum gdi_verb verb, const struct CQ_Type *queue)
{
    struct dstr before = DSTR_INIT, after = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    int status;
    cqueue_text(queue, q->is_single, &before);
    int edited = q->edit(q->edit_ctx, dstr_get(&before), &after, &ans);
    if (edited < 0)
        status = qconf_print_failure(q, &ans, "");
    else if (edited == 0 && verb == GDI_MOD)
        status = qconf_fail(q, MSG_FILE_UNCHANGED);
    else
        status = queue_from_text(q, verb, dstr_get(&after), NULL);
    dstr_free(&before);
    dstr_free(&after);
    return status;
}

int queue_add(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    struct CQ_Type *queue = cqueue_template(n > 0 ? args[0] : "template");
    int status = queue_edit(q, GDI_ADD, queue);
    cull_delete(&cull_CQ_Type, queue);
    return status;
}

int queue_modify(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    struct GA_Type *all = qconf_get(q, row->target, args[0]);
    if (all == NULL)
        return 1;
    int status = all->GA_cqueues.n > 0 ? queue_edit(q, GDI_MOD, &all->GA_cqueues.v[0])
                                       : qconf_fail(q, MSG_QUEUE_UNKNOWN_S, args[0]);
    cull_delete(&cull_GA_Type, all);
    return status;
}

/* ---- hosts ---- */
static int host_from_text(struct qconf *q, enum gdi_verb verb, const char *text, const char *path)
{
    struct GR_Type request = { 0 };
    struct answer ans = ANSWER_INIT;
    qconf_request(&request, verb, GDI_EXECHOST);
    if (host_parse(text, cull_append(&request, GR_hosts), &ans) == 0)
        return qconf_send(q, &request, q->err);
    cull_clear(&cull_GR_Type, &request);
    return path != NULL ? qconf_bad_file(q, kind_host, path, &ans)
                        : qconf_print_failure(q, &ans, "");
}

static int host_from_file(struct qconf *q, enum gdi_verb verb, const char *path)
{
    struct dstr text = DSTR_INIT;
    int status = qconf_read_file(q, kind_host, path, &text)
                     ? host_from_text(q, verb, dstr_get(&text), path)
                     : 1;
    dstr_free(&text);
    return status;
}

int host_add_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    return host_from_file(q, GDI_ADD, args[0]);
}

int host_modify_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    return host_from_file(q, GDI_MOD, args[0]);
}

static int host_edit(struct qconf *q, enum gdi_verb verb, const struct EH_Type *host)
{
    struct dstr before = DSTR_INIT, after = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    int status;
    host_text(host, true, q->is_single, &before);
    int edited = q->edit(q->edit_ctx, dstr_get(&before), &after, &ans);
    if (edited < 0)
        status = qconf_print_failure(q, &ans, "");
    else if (edited == 0)
        status = qconf_fail(q, MSG_FILE_UNCHANGED);
    else
        status = host_from_text(q, verb, dstr_get(&after), NULL);
    dstr_free(&before);
    dstr_free(&after);
    return status;
}

static int host_edit_named(struct qconf *q, enum gdi_verb verb, const char *name)
{
    struct GA_Type *all = qconf_get(q, GDI_EXECHOST, name);
    if (all == NULL)
        return 1;
    int status = all->GA_hosts.n > 0 ? host_edit(q, verb, &all->GA_hosts.v[0])
                                     : qconf_fail(q, MSG_RESOLVE_S, name);
    cull_delete(&cull_GA_Type, all);
    return status;
}

int host_add(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    if (n > 0)
        return host_edit_named(q, GDI_ADD, args[0]);
    struct EH_Type *host = host_template("template");
    int status = host_edit(q, GDI_ADD, host);
    cull_delete(&cull_EH_Type, host);
    return status;
}

int host_modify(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    return host_edit_named(q, GDI_MOD, args[0]);
}

/* ---- configurations ---- */
static int conf_from_text(struct qconf *q, enum gdi_target target, enum gdi_verb verb,
                          const char *text, const char *name, const char *path)
{
    struct GR_Type request = { 0 };
    struct answer ans = ANSWER_INIT;
    qconf_request(&request, verb, target);
    if (conf_parse(text, name, cull_append(&request, GR_confs), &ans) == 0)
        return qconf_send(q, &request, q->err);
    cull_clear(&cull_GR_Type, &request);
    if (path == NULL)
        return qconf_print_failure(q, &ans, "");
    return qconf_bad_file(q, target == GDI_SCHEDCONF ? kind_sched : kind_conf, path, &ans);
}

static int conf_edit(struct qconf *q, enum gdi_target target, enum gdi_verb verb,
                     const struct CONF_Type *conf, const char *name)
{
    struct dstr before = DSTR_INIT, after = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    int status;
    if (conf != NULL)
        conf_text(conf, q->is_single, &before);
    if (target == GDI_CONFIG)
        dstr_addc(&before, '\n');
    int edited = q->edit(q->edit_ctx, dstr_get(&before), &after, &ans);
    if (edited < 0)
        status = qconf_print_failure(q, &ans, "");
    else if (edited == 0)
        status =
            qconf_fail(q, "%s", target == GDI_CONFIG ? MSG_CONF_UNCHANGED : MSG_FILE_UNCHANGED);
    else
        status = conf_from_text(q, target, verb, dstr_get(&after), name, NULL);
    dstr_free(&before);
    dstr_free(&after);
    return status;
}

static int conf_edit_named(struct qconf *q, enum gdi_verb verb, const char *name)
{
    struct GA_Type *all = qconf_get(q, GDI_CONFIG, name);
    if (all == NULL)
        return 1;
    int status;
    bool is_there = all->GA_confs.n > 0;
    if (verb == GDI_ADD && is_there)
        status = qconf_fail(q, MSG_CONF_EXISTS_S, name);
    else if (verb == GDI_MOD && !is_there)
        status = qconf_fail(q, MSG_CONF_NOT_DEFINED_S, name);
    else
        status = conf_edit(q, GDI_CONFIG, verb, is_there ? &all->GA_confs.v[0] : NULL, name);
    cull_delete(&cull_GA_Type, all);
    return status;
}

static int each_conf(struct qconf *q, enum gdi_verb verb, const char *list)
{
    struct name_list names = { 0 };
    int status = 0;
    name_list_split(&names, list);
    for (uint32_t i = 0; i < names.n && status == 0; i++)
        status = conf_edit_named(q, verb, names.v[i]);
    name_list_free(&names);
    return status;
}

int conf_modify(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    return each_conf(q, GDI_MOD, n > 0 ? args[0] : CONF_GLOBAL);
}

int conf_add(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    return each_conf(q, GDI_ADD, args[0]);
}

/* The configuration that a file is for is the file's own name, without its folders. */
static int conf_from_file(struct qconf *q, enum gdi_verb verb, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    struct dstr text = DSTR_INIT;
    if (!qconf_read_file(q, kind_conf, path, &text))
        return 1;
    struct GA_Type *all = qconf_get(q, GDI_CONFIG, name);
    int status = 1;
    if (all != NULL && verb == GDI_MOD && all->GA_confs.n == 0)
        (void)qconf_fail(q, MSG_CONF_UNKNOWN_S, name);
    else if (all != NULL && verb == GDI_ADD && all->GA_confs.n > 0)
        (void)qconf_fail(q, MSG_CONF_EXISTS_S, name);
    else if (all != NULL)
        status = conf_from_text(q, GDI_CONFIG, verb, dstr_get(&text), name, path);
    cull_delete(&cull_GA_Type, all);
    dstr_free(&text);
    return status;
}

static int each_conf_file(struct qconf *q, enum gdi_verb verb, const char *list)
{
    struct name_list paths = { 0 };
    int status = 0;
    name_list_split(&paths, list);
    for (uint32_t i = 0; i < paths.n && status == 0; i++)
        status = conf_from_file(q, verb, paths.v[i]);
    name_list_free(&paths);
    return status;
}

int conf_modify_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    return each_conf_file(q, GDI_MOD, args[0]);
}

int conf_add_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    return each_conf_file(q, GDI_ADD, args[0]);
}

int sched_conf_modify(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)args;
    (void)n;
    struct GA_Type *all = qconf_get(q, row->target, NULL);
    if (all == NULL)
        return 1;
    int status = all->GA_confs.n > 0
                     ? conf_edit(q, GDI_SCHEDCONF, GDI_MOD, &all->GA_confs.v[0], CONF_SCHEDULER)
                     : qconf_fail(q, MSG_NONE_DEFINED_S, "scheduler configuration");
    cull_delete(&cull_GA_Type, all);
    return status;
}

int sched_conf_modify_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct dstr text = DSTR_INIT;
    (void)row;
    (void)n;
    int status = 1;
    if (qconf_read_file(q, kind_sched, args[0], &text))
        status =
            conf_from_text(q, GDI_SCHEDCONF, GDI_MOD, dstr_get(&text), CONF_SCHEDULER, args[0]);
    dstr_free(&text);
    return status;
}

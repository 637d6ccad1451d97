/* The hosts that queues and host groups name: each is an execution host, or at least one that can
 * be resolved. A host may come to a queue before its execution daemon does. */
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/qconf.h"
#include "libs/config/attr_names.h"
#include "libs/uti/host_name.h"

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

int qconf_check_hosts(struct qconf *q, const struct ST_Type_list *names)
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

int qconf_check_qualified(struct qconf *q, enum gdi_target target, const struct name_list *names)
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

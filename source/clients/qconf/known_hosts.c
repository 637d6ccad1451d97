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

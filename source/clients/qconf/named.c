/* Names of objects on the command line, and of hosts in objects. Source: qconf(1). */
#include "clients/qconf/named.h"

#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "libs/config/object.h"

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

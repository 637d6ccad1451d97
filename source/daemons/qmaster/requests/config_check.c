/* What the values of a valid object mean in this cell: names of objects must be those of objects, since one that does not exist would be
 * without effect, and nobody would know; and who sets something that nothing obeys yet hears it at once. */
#include "daemons/qmaster/requests/config_priv.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/requests/msg_requests.h"
#include "libs/config/attr_names.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/uti/dstr.h"

/* attributes whose values are names of objects, or lists of them; those of queues, hosts and configurations are called the same */
static const struct reference {
    const char *attr;
    enum gdi_target kind;
    const char *noun;
} references[] = {
    { "pe_list", GDI_PE, "parallel environment" },
    { "ckpt_list", GDI_CKPT, "checkpointing environment" },
    { "user_lists", GDI_USERSET, "user set" },
    { "xuser_lists", GDI_USERSET, "user set" },
    { "projects", GDI_PROJECT, "project" },
    { "xprojects", GDI_PROJECT, "project" },
    { "auto_user_default_project", GDI_PROJECT, "project" },
    { "calendar", GDI_CALENDAR, "calendar" },
    { "subordinate_list", GDI_CQUEUE, "cluster queue" },
};

/* the object under check */
struct check {
    struct qmaster *q;
    struct request *r;
    const char *name;
};

static int check_exists(struct check *c, const char *attr, enum gdi_target kind, const char *noun,
                        const char *name)
{
    bool is_there = kind == GDI_CQUEUE ? queues_cqueue(&c->q->queues, name) != NULL
                                       : settings_text(&c->q->settings, kind, name) != NULL;
    return is_there ? 0
                    : ans_fail(&c->r->ans, STATUS_EUNKNOWN, MSG_CONFIG_NAMES_SSSSS,
                               config_kind_of(c->r)->noun, c->name, attr, noun, name);
}

/* VALUE: names with blanks or commas between them, perhaps with =something each, or NONE */
static int check_names(struct check *c, const struct reference *to, const char *value)
{
    int rc = 0;
    if (attr_is_none(value))
        return 0;
    for (const char *at = value; rc == 0 && *at != '\0'; at += strspn(at, " ,")) {
        size_t len = strcspn(at, " ,");
        char *name = uti_strndup(at, len);
        name[strcspn(name, "=")] = '\0';
        rc = check_exists(c, to->attr, to->kind, to->noun, name);
        free(name);
        at += len;
    }
    return rc;
}

static int check_value(struct check *c, const char *attr, const char *value)
{
    for (size_t i = 0; i < ARRAY_LEN(references); i++)
        if (strcmp(references[i].attr, attr) == 0)
            return check_names(c, &references[i], value);
    return 0;
}

static int check_group(struct check *c, const char *attr, const char *host)
{
    return host[0] == '@' ? check_exists(c, attr, GDI_HOSTGROUP, "host group", host) : 0;
}

static void warn_idle(struct check *c, const char *attr)
{
    ans_add(&c->r->ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_CONFIG_IDLE_S, attr);
}

/* ---- queues ---- */
static int check_settings(struct check *c, const struct CQ_Type *cq, const struct cqueue_attr *attr)
{
    const struct AT_Type_list *l = cqueue_settings(cq, attr);
    for (uint32_t i = 0; i < l->n; i++)
        if (check_group(c, attr->rule.name, l->v[i].AT_href) != 0 ||
            check_value(c, attr->rule.name, l->v[i].AT_value) != 0)
            return -1;
    return 0;
}

static bool is_idle(const struct CQ_Type *cq, const struct cqueue_attr *attr)
{
    const struct AT_Type_list *l = cqueue_settings(cq, attr);
    for (uint32_t i = 0; i < l->n; i++)
        if (attr_is_idle(&attr->rule, attr->effect, l->v[i].AT_value))
            return true;
    return false;
}

static bool has_host(const struct CQ_Type *cq, const char *host)
{
    for (uint32_t i = 0; i < cq->CQ_hostlist.n; i++)
        if (strcmp(cq->CQ_hostlist.v[i].ST_name, host) == 0)
            return true;
    return false;
}

/* OLD may be NULL */
static void warn_of_hosts(struct check *c, const struct CQ_Type *cq, const struct CQ_Type *old)
{
    for (uint32_t i = 0; i < cq->CQ_hostlist.n; i++) {
        const char *host = cq->CQ_hostlist.v[i].ST_name;
        bool was_there = old != NULL && has_host(old, host);
        if (host[0] != '@' && !was_there && hosts_find(&c->q->hosts, host) == NULL)
            ans_add(&c->r->ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_CONFIG_NO_EXEC_HOST_SS, host,
                    c->name);
    }
}

int config_check_cqueue(struct qmaster *q, struct request *r, const struct CQ_Type *rec)
{
    struct check c = { q, r, rec->CQ_name };
    const struct cqueue *old = queues_cqueue(&q->queues, rec->CQ_name);
    for (uint32_t i = 0; i < rec->CQ_hostlist.n; i++)
        if (check_group(&c, "hostlist", rec->CQ_hostlist.v[i].ST_name) != 0)
            return -1;
    for (unsigned i = 0; i < cqueue_attrs_n; i++)
        if (check_settings(&c, rec, &cqueue_attrs[i]) != 0)
            return -1;
    for (unsigned i = 0; i < cqueue_attrs_n; i++) {
        bool is_same =
            old != NULL && cull_field_equal(&cull_CQ_Type, &old->rec, rec, cqueue_attrs[i].field);
        if (!is_same && is_idle(rec, &cqueue_attrs[i]))
            warn_idle(&c, cqueue_attrs[i].rule.name);
    }
    warn_of_hosts(&c, rec, old != NULL ? &old->rec : NULL);
    return 0;
}

/* ---- hosts ---- */
int config_check_host(struct qmaster *q, struct request *r, const struct EH_Type *rec)
{
    struct check c = { q, r, rec->EH_name };
    const struct host *old = hosts_find(&q->hosts, rec->EH_name);
    struct dstr value = DSTR_INIT, before = DSTR_INIT;
    struct host_attr_view attr, old_attr;
    int rc = 0;
    for (size_t i = 0; rc == 0 && host_attr(rec, i, &attr, &value); i++)
        rc = check_value(&c, attr.name, dstr_get(&value));
    for (size_t i = 0; rc == 0 && host_attr(rec, i, &attr, &value); i++) {
        bool is_same = old != NULL && host_attr(&old->rec, i, &old_attr, &before) &&
                       strcmp(dstr_get(&before), dstr_get(&value)) == 0;
        if (!is_same && attr.is_idle)
            warn_idle(&c, attr.name);
    }
    dstr_free(&value);
    dstr_free(&before);
    return rc;
}

/* ---- configurations ---- */
int config_check_conf(struct qmaster *q, struct request *r, const struct CONF_Type *rec)
{
    struct check c = { q, r, rec->CONF_name };
    const struct conf *old = settings_conf(&q->settings, rec->CONF_name);
    const struct VA_Type_list *l = &rec->CONF_entries;
    for (uint32_t i = 0; i < l->n; i++)
        if (check_value(&c, l->v[i].VA_variable, l->v[i].VA_value) != 0)
            return -1;
    for (uint32_t i = 0; i < l->n; i++) {
        const char *attr = l->v[i].VA_variable, *value = l->v[i].VA_value;
        bool is_same = old != NULL && strcmp(conf_get(NULL, &old->rec, attr), value) == 0;
        if (!is_same && conf_is_idle(attr, value))
            warn_idle(&c, attr);
    }
    return 0;
}

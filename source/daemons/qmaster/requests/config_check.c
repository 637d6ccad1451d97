/* What the values of a valid object mean in this cell: names of objects must be those of objects,
 * since one that does not exist would be without effect, and nobody would know; and who sets
 * something that nothing obeys yet hears it at once. */
#include "daemons/qmaster/requests/config_priv.h"

#include <string.h>

#include "daemons/qmaster/requests/msg_requests.h"
#include "libs/config/complex.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/config/reference.h"
#include "libs/uti/dstr.h"

/* the object under check */
struct check {
    struct qmaster *q;
    struct request *r;
    const char *name;
};

static bool is_there(struct qmaster *q, enum gdi_target kind, const char *name)
{
    if (kind == GDI_CQUEUE)
        return queues_cqueue(&q->queues, name) != NULL;
    if (kind == GDI_COMPLEX) /* by its shortcut, too */
        return complex_find(settings_complex(&q->settings), name) != NULL;
    return settings_text(&q->settings, kind, name) != NULL;
}

static int check_exists(struct check *c, const char *attr, enum gdi_target kind, const char *noun,
                        const char *name)
{
    return is_there(c->q, kind, name)
               ? 0
               : ans_fail(&c->r->ans, STATUS_EUNKNOWN, MSG_CONFIG_NAMES_SSSSS, config_noun(c->r),
                          c->name, attr, noun, name);
}

static int check_value(struct check *c, const char *attr, const char *value)
{
    const struct attr_reference *to = attr_reference_find(attr);
    struct dstr name = DSTR_INIT;
    int rc = 0;
    for (const char *at = value; to != NULL && rc == 0 && attr_value_next_name(&at, &name);)
        rc = check_exists(c, attr, (enum gdi_target)to->kind, to->noun, dstr_get(&name));
    dstr_free(&name);
    return rc;
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

/* ---- the other kinds ---- */
/* the resources that rules limit */
static int check_limits(struct check *c, const struct object_rules *rules,
                        const struct TX_Type *rec)
{
    struct RQS_Type *rqs = object_record(rules, rec);
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < rqs->RQS_rule.n; i++) {
        const struct VA_Type_list *l = &rqs->RQS_rule.v[i].RQR_limit;
        for (uint32_t k = 0; rc == 0 && k < l->n; k++)
            rc = check_exists(c, "limit", GDI_COMPLEX, "resource", l->v[k].VA_variable);
    }
    cull_delete(&cull_RQS_Type, rqs);
    return rc;
}

static int check_groups(struct check *c, const char *hosts)
{
    struct dstr name = DSTR_INIT;
    int rc = 0;
    /* that a group is in itself is said by those who know groups */
    for (const char *at = hosts; rc == 0 && attr_value_next_name(&at, &name);)
        if (strcmp(dstr_get(&name), c->name) != 0)
            rc = check_group(c, "hostlist", dstr_get(&name));
    dstr_free(&name);
    return rc;
}

int config_check_object(struct qmaster *q, struct request *r, const struct TX_Type *rec)
{
    struct check c = { q, r, rec->TX_name };
    const struct object_rules *rules = object_rules_of((enum object_kind)rec->TX_kind);
    const struct VA_Type_list *l = &rec->TX_entries;
    for (uint32_t i = 0; i < l->n; i++)
        if (check_value(&c, l->v[i].VA_variable, l->v[i].VA_value) != 0)
            return -1;
    if (rec->TX_kind == OBJECT_RQS && check_limits(&c, rules, rec) != 0)
        return -1;
    if (rec->TX_kind == OBJECT_HOSTGROUP && check_groups(&c, object_value(rec, "hostlist")) != 0)
        return -1;
    if (rules != NULL && rules->effect == ATTR_STORED)
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_CONFIG_KIND_IDLE_SS,
                rules->words.noun, rec->TX_name);
    return 0;
}

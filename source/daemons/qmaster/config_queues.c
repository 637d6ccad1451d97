/* Changing queues and hosts. Both decide which queue instances there are (queue_setup.h), so that neither goes while tasks run there. */
#include "daemons/qmaster/config_priv.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change.h"
#include "daemons/qmaster/exec.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/queue_setup.h"
#include "libs/sgeobj/cqueue.h"
#include "libs/sgeobj/host.h"

/* ---- queues ---- */
struct reference {
    const char *attr;
    enum gdi_target kind;
    const char *noun;
};

static int check_reference(struct qmaster *q, const struct CQ_Type *cq, const struct reference *to,
                           const char *name, struct answer *ans)
{
    if (settings_text(&q->settings, to->kind, name) != NULL)
        return 0;
    return ans_fail(ans, STATUS_EUNKNOWN, MSG_QUEUE_NAMES_SSSS, cq->CQ_name, to->attr, to->noun,
                    name);
}

/* LIST: words with blanks between them, or NONE */
static int check_words(struct qmaster *q, const struct CQ_Type *cq, const struct reference *to,
                       const char *list, struct answer *ans)
{
    int rc = 0;
    if (attr_is_none(list))
        return 0;
    for (const char *at = list; rc == 0 && *at != '\0'; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");
        char *name = uti_strndup(at, len);
        rc = check_reference(q, cq, to, name, ans);
        free(name);
        at += len;
    }
    return rc;
}

static int check_settings(struct qmaster *q, const struct CQ_Type *cq,
                          const struct cqueue_attr *attr, struct answer *ans)
{
    const struct AT_Type_list *l = cqueue_settings(cq, attr);
    const struct reference group = { attr->rule.name, GDI_HOSTGROUP, "host group" };
    const struct reference pe = { attr->rule.name, GDI_PE, "parallel environment" };
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->v[i].AT_href[0] == '@' && check_reference(q, cq, &group, l->v[i].AT_href, ans) != 0)
            return -1;
        if (attr->field == CQ_pe_list && check_words(q, cq, &pe, l->v[i].AT_value, ans) != 0)
            return -1;
    }
    return 0;
}

/* a host group or a parallel environment that does not exist would be without effect, and nobody would know */
static int check_references(struct qmaster *q, const struct CQ_Type *cq, struct answer *ans)
{
    const struct reference group = { "hostlist", GDI_HOSTGROUP, "host group" };
    for (uint32_t i = 0; i < cq->CQ_hostlist.n; i++) {
        const char *name = cq->CQ_hostlist.v[i].ST_name;
        if (name[0] == '@' && check_reference(q, cq, &group, name, ans) != 0)
            return -1;
    }
    for (unsigned i = 0; i < cqueue_attrs_n; i++)
        if (check_settings(q, cq, &cqueue_attrs[i], ans) != 0)
            return -1;
    return 0;
}

void config_put_cqueue(struct qmaster *q, struct request *r, struct CQ_Type *rec, bool is_new)
{
    if (!config_has_name(r, rec->CQ_name) || cqueue_check(rec, &r->ans) != 0)
        return;
    if (!config_is_in_place(r, rec->CQ_name, queues_cqueue(&q->queues, rec->CQ_name) != NULL,
                            is_new))
        return;
    if (check_references(q, rec, &r->ans) != 0)
        return;
    struct cqueue *cq = queues_add_cqueue(&q->queues, rec);
    cq->changed = change_number(q);
    change_record(q, SPOOL_CQUEUE, cq->rec.CQ_name, &cull_CQ_Type, &cq->rec);
    queue_resolve(q, cq);
    config_say(q, r, is_new ? CONFIG_ADDED : CONFIG_MODIFIED, cq->rec.CQ_name);
}

void config_del_cqueue(struct qmaster *q, struct request *r, const char *name)
{
    struct cqueue *cq = queues_cqueue(&q->queues, name);
    if (cq == NULL)
        config_say_unknown(r, name);
    else if (!queue_drop(q, cq))
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_QUEUE_IN_USE_S, name);
    else
        config_say(q, r, CONFIG_REMOVED, name);
}

/* ---- hosts ---- */
void config_put_host(struct qmaster *q, struct request *r, struct EH_Type *rec, bool is_new)
{
    if (!config_has_name(r, rec->EH_name) || host_check(rec, &r->ans) != 0)
        return;
    if (!config_is_in_place(r, rec->EH_name, hosts_find(&q->hosts, rec->EH_name) != NULL, is_new) ||
        !config_host_is_known(q, r, rec->EH_name))
        return;
    struct host *h = hosts_put(&q->hosts, rec->EH_name, rec);
    h->changed = change_number(q);
    change_record(q, SPOOL_HOST, h->rec.EH_name, &cull_EH_Type, &h->rec);
    queue_resolve_all(q);
    config_say(q, r, is_new ? CONFIG_ADDED : CONFIG_MODIFIED, h->rec.EH_name);
}

void config_del_host(struct qmaster *q, struct request *r, const char *name)
{
    struct host *h = hosts_find(&q->hosts, name);
    struct qinstance *qi, *next;
    if (h == NULL) {
        config_say_unknown(r, name);
        return;
    }
    HASH_ITER(hh, q->queues.instances, qi, next) {
        if (qi->host == h) {
            ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_HOST_IN_QUEUE_SS, name,
                    qi->rec.QU_qname);
            return;
        }
    }
    config_say(q, r, CONFIG_REMOVED, name);
    change_record_gone(q, SPOOL_HOST, name);
    q->hosts.removed = change_number(q);
    exec_send_away(q, h);
    hosts_remove(&q->hosts, h);
}

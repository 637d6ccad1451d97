/* Changing queues and hosts. Both decide which queue instances there are (queue_setup.h), so that
 * neither goes while tasks run there. */
#include "daemons/qmaster/requests/objects/config.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/cell_load.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/config/renewal.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/uti/host_name.h"

/* ---- queues ---- */
void config_put_cqueue(struct qmaster *q, struct request *r, void *record, bool is_new)
{
    struct CQ_Type *rec = record;
    if (!config_has_name(r, rec->CQ_name) || cqueue_check(rec, &r->ans) != 0)
        return;
    if (!config_is_in_place(r, rec->CQ_name, queues_cqueue(&q->queues, rec->CQ_name) != NULL,
                            is_new))
        return;
    if (config_check_cqueue(q, r, rec) != 0)
        return;
    struct cqueue *cq = queues_cqueue(&q->queues, rec->CQ_name);
    struct CQ_Type before = { 0 };
    if (cq != NULL)
        cull_copy(&cull_CQ_Type, &before, &cq->rec);
    cq = queues_add_cqueue(&q->queues, rec);
    cq->changed = change_number(q);
    change_record(q, SPOOL_CQUEUE, cq->rec.CQ_name, &cull_CQ_Type, &cq->rec);
    renew_queue(q, r->from->who.uid, cq, &before);
    cull_clear(&cull_CQ_Type, &before);
    config_say(r, is_new ? CONFIG_ADDED : CONFIG_MODIFIED, cq->rec.CQ_name);
}

void config_del_cqueue(struct qmaster *q, struct request *r, const char *name)
{
    struct cqueue *cq = queues_cqueue(&q->queues, name);
    if (cq == NULL)
        config_say_unknown(r, name);
    else if (!config_is_free(q, r, name))
        return;
    else if (!remove_queue(q, r->from->who.uid, cq))
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_QUEUE_IN_USE_S, name);
    else
        config_say(r, CONFIG_REMOVED, name);
}

/* ---- hosts ---- */
void config_put_host(struct qmaster *q, struct request *r, void *record, bool is_new)
{
    static const unsigned own[] = { EH_closed_until, EH_closings, EH_closed_why };
    struct EH_Type *rec = record;
    for (size_t i = 0; i < ARRAY_LEN(own); i++) /* nobody configures these */
        cull_clear_field(&cull_EH_Type, rec, own[i]);
    if (!config_has_name(r, rec->EH_name) || host_check(rec, &r->ans) != 0)
        return;
    if (!config_is_in_place(r, rec->EH_name, hosts_find(&q->hosts, rec->EH_name) != NULL, is_new) ||
        !config_host_is_known(q, r, rec->EH_name) || config_check_host(q, r, rec) != 0)
        return;
    struct host *h = hosts_put(&q->hosts, rec->EH_name, rec);
    h->changed = change_number(q);
    change_record(q, SPOOL_HOST, h->rec.EH_name, &cull_EH_Type, &h->rec);
    events_host(q, h);
    queue_resolve_host(q, h);
    config_say(r, is_new ? CONFIG_ADDED : CONFIG_MODIFIED, h->rec.EH_name);
}

/* the first host group that has the host NAME among its own members; NULL: none has */
static const char *group_naming(const struct qmaster *q, const char *name)
{
    for (const struct text_object *t = q->settings.texts[GDI_HOSTGROUP]; t != NULL;
         t = t->hh.next) {
        const struct HGRP_Type *group = t->record;
        for (uint32_t i = 0; i < group->HGRP_host_list.n; i++)
            if (host_name_equal(group->HGRP_host_list.v[i].ST_name, name))
                return t->rec.TX_name;
    }
    return NULL;
}

void config_del_host(struct qmaster *q, struct request *r, const char *name)
{
    struct host *h = hosts_find(&q->hosts, name);
    if (h == NULL) {
        config_say_unknown(r, name);
        return;
    }
    queue_drop_leaving_on(q, h);
    if (!LIST_EMPTY(&h->instances)) {
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_HOST_IN_QUEUE_SS, name,
                LIST_FIRST(&h->instances)->rec.QU_qname);
        return;
    }
    const char *group = group_naming(q, name);
    if (group != NULL) {
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_HOST_IN_GROUP_SS, name, group);
        return;
    }
    config_say(r, CONFIG_REMOVED, name);
    change_record_gone(q, SPOOL_HOST, name);
    q->hosts.removed = change_number(q);
    exec_send_away(q, h);
    cell_load_end(q, h);
    events_host_del(q, h);
    hosts_remove(&q->hosts, h);
}

/* Changing objects: queues, hosts, lists of names, configurations, and the kinds of
 * libs/config/object.h, all of them in one way. An object is
 * checked whole before anything changes: by the rules of its kind, and by what the names in it
 * mean in this cell; it goes when nobody names it any more. */
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/calendars.h"
#include "daemons/qmaster/config/load.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/config/renewal.h"
#include "daemons/qmaster/config/users.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/jobs/usage_count.h"
#include "daemons/qmaster/requests/objects/config.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/config/complex.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/uti/alloc.h"
#include "libs/uti/host_name.h"

/* ---- members of host groups ---- */

static const struct ST_Type_list *members_of(const struct text_object *group)
{
    static const struct ST_Type_list nobody;
    return group != NULL ? &((const struct HGRP_Type *)group->record)->HGRP_host_list : &nobody;
}

/* a host group as it now is, GROUP its record; only hosts that came to it or left it are looked
 * at */
static struct text_object *put_group(struct qmaster *q, struct request *r, struct TX_Type *rec,
                                     struct HGRP_Type *group)
{
    struct text_object *t = settings_text(&q->settings, GDI_HOSTGROUP, rec->TX_name);
    struct ST_Type_list moved = { 0 };
    concerned_by_list(members_of(t), &group->HGRP_host_list, &moved);
    t = settings_put_taken(&q->settings, rec, group);
    renew_members(q, r->from->who.uid, &moved);
    cull_list_clear(&cull_ST_Type, &moved);
    return t;
}

static void drop_group(struct qmaster *q, struct request *r, struct text_object *t)
{
    struct ST_Type_list nobody = { 0 }, moved = { 0 };
    concerned_by_list(members_of(t), &nobody, &moved);
    settings_drop_text(&q->settings, t);
    renew_members(q, r->from->who.uid, &moved);
    cull_list_clear(&cull_ST_Type, &moved);
}

/* ---- all kinds ---- */

/* What was taken is counted in units of the type, and the devices of a task are those of a list; so
 * the type stays as long as anything counts on it, also of a resource that was removed meanwhile
 * and comes back. Returns 0, or -1 with the reason. */
static int check_type(struct qmaster *q, struct request *r, const struct CE_Type *next)
{
    const struct CE_Type *now = complex_find(settings_complex(&q->settings), next->CE_name);
    if (now != NULL && now->CE_valtype == next->CE_valtype)
        return 0;
    const struct resource_name *name = resource_name_find(&q->resources, next->CE_name);
    uint64_t taken = name != NULL ? supply_booked(&q->hosts.cell, name->number) : 0;
    if (taken > 0)
        return ans_fail(&r->ans, STATUS_ESEMANTIC, MSG_COMPLEX_IN_USE_US, taken, next->CE_name);
    if (now == NULL)
        return 0;
    bool is_of_devices = now->CE_valtype == COMPLEX_RSMAP || next->CE_valtype == COMPLEX_RSMAP;
    return !is_of_devices || config_is_free(q, r, next->CE_name) ? 0 : -1;
}

/* a word means one resource, whether it is a name or a shortcut */
static int check_resource(struct qmaster *q, struct request *r, const struct TX_Type *rec,
                          const struct CE_Type *next)
{
    const struct CE_Type_list *all = settings_complex(&q->settings);
    const char *words[] = { rec->TX_name, object_value(rec, "shortcut") };
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        const struct CE_Type *other = complex_find(all, words[i]);
        if (other != NULL && strcmp(other->CE_name, rec->TX_name) != 0)
            return ans_fail(&r->ans, STATUS_EEXIST, MSG_COMPLEX_TAKEN_SSS, rec->TX_name, words[i],
                            other->CE_name);
    }
    return check_type(q, r, next);
}

static bool may_go(struct qmaster *q, struct request *r, const char *name)
{
    if (r->gr.GR_target != GDI_COMPLEX || !settings_is_builtin(name))
        return config_is_free(q, r, name);
    ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_COMPLEX_BUILTIN_S, name);
    return false;
}

/* may it be, beside what else there is? */
static int check_object(struct qmaster *q, struct request *r, const struct TX_Type *rec,
                        const void *record)
{
    if (config_check_object(q, r, rec, record) != 0)
        return -1;
    if (rec->TX_kind == OBJECT_HOSTGROUP)
        return groups_check(&q->settings.groups, record, &r->ans);
    return rec->TX_kind == OBJECT_COMPLEX ? check_resource(q, r, rec, record) : 0;
}

/* REC, settled, with its record: made once, since a large object costs a good part of a turn.
 * False if it may not be. */
static bool take_object(struct qmaster *q, struct request *r, struct TX_Type *rec, void **record)
{
    const struct object_rules *rules = object_rules_of((enum object_kind)rec->TX_kind);
    if (rules != NULL && (*record = object_take(rules, rec, &r->ans)) == NULL)
        return false;
    if (check_object(q, r, rec, *record) == 0 && config_reserved_object(q, r, rec, *record) == 0)
        return true;
    if (rules != NULL)
        cull_delete(rules->type, *record);
    return false;
}

void config_put_object(struct qmaster *q, struct request *r, void *record, bool is_new)
{
    struct TX_Type *rec = record;
    enum gdi_target kind = (enum gdi_target)r->gr.GR_target;
    cull_set(rec, TX_kind, (uint32_t)kind);
    if (config_only(r) != NULL)
        cull_set(rec, TX_name, config_only(r));
    if (!config_has_name(r, rec->TX_name))
        return;
    struct text_object *t = settings_text(&q->settings, kind, rec->TX_name);
    void *taken = NULL;
    if (!config_is_in_place(r, rec->TX_name, t != NULL, is_new) || !take_object(q, r, rec, &taken))
        return;
    t = kind == GDI_HOSTGROUP ? put_group(q, r, rec, taken)
                              : settings_put_taken(&q->settings, rec, taken);
    config_stage_text(q, &t->rec);
    events_object(q, &t->rec);
    if (kind == GDI_USERSET)
        access_renew_jobs(q, r->from->who.uid);
    if (kind == GDI_CALENDAR)
        calendars_changed(q, t->rec.TX_name);
    config_answer(r, is_new ? CONFIG_ADDED : CONFIG_MODIFIED, t->rec.TX_name);
}

void config_del_object(struct qmaster *q, struct request *r, const char *name)
{
    struct text_object *t = settings_text(&q->settings, (enum gdi_target)r->gr.GR_target, name);
    if (t == NULL) {
        config_answer_unknown(r, name);
        return;
    }
    if (!may_go(q, r, name))
        return;
    config_answer(r, CONFIG_REMOVED, name);
    config_stage_text_gone(q, &t->rec);
    events_object_del(q, &t->rec);
    if (r->gr.GR_target == GDI_HOSTGROUP)
        drop_group(q, r, t);
    else
        settings_drop_text(&q->settings, t);
    if (r->gr.GR_target == GDI_USERSET)
        access_renew_jobs(q, r->from->who.uid);
}

/* Changing queues and hosts. Both decide which queue instances there are (queue_setup.h), so that
 * neither goes while tasks run there. */
/* ---- queues ---- */
void config_put_cqueue(struct qmaster *q, struct request *r, void *record, bool is_new)
{
    struct CQ_Type *rec = record;
    if (!config_has_name(r, rec->CQ_name) || cqueue_check(rec, &r->ans) != 0)
        return;
    if (!config_is_in_place(r, rec->CQ_name, queues_cqueue(&q->queues, rec->CQ_name) != NULL,
                            is_new))
        return;
    if (config_check_cqueue(q, r, rec) != 0 || config_reserved_cqueue(q, r, rec) != 0)
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
    config_answer(r, is_new ? CONFIG_ADDED : CONFIG_MODIFIED, cq->rec.CQ_name);
}

void config_del_cqueue(struct qmaster *q, struct request *r, const char *name)
{
    struct cqueue *cq = queues_cqueue(&q->queues, name);
    if (cq == NULL)
        config_answer_unknown(r, name);
    else if (!config_is_free(q, r, name) || config_reserved_queue_goes(q, r, name) != 0)
        return;
    else if (!remove_queue(q, r->from->who.uid, cq))
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_QUEUE_IN_USE_S, name);
    else
        config_answer(r, CONFIG_REMOVED, name);
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
        !config_host_is_known(q, r, rec->EH_name) || config_check_host(q, r, rec) != 0 ||
        config_reserved_host(q, r, rec) != 0)
        return;
    struct host *h = hosts_put(&q->hosts, rec->EH_name, rec);
    h->changed = change_number(q);
    change_record(q, SPOOL_HOST, h->rec.EH_name, &cull_EH_Type, &h->rec);
    events_host(q, h);
    queue_resolve_host(q, h);
    config_answer(r, is_new ? CONFIG_ADDED : CONFIG_MODIFIED, h->rec.EH_name);
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
        config_answer_unknown(r, name);
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
    config_answer(r, CONFIG_REMOVED, name);
    change_record_gone(q, SPOOL_HOST, name);
    q->hosts.removed = change_number(q);
    exec_disconnect(q, h);
    cell_load_end(q, h);
    events_host_del(q, h);
    hosts_remove(&q->hosts, h);
}

/* Changing name lists and configurations. Execds get configurations at once, the scheduler its
 * own. */
/* ---- name lists ---- */
void config_put_name(struct qmaster *q, struct request *r, void *record, bool is_new)
{
    const char *name = ((const struct NM_Type *)record)->NM_name;
    if (!is_new || !config_has_name(r, name))
        return;
    enum admin_list list = config_kind_of(r)->names;
    bool is_host = list == NAMES_ADMIN_HOST || list == NAMES_SUBMIT_HOST;
    if (is_host && !config_host_is_known(q, r, name))
        return;
    if (!config_is_in_place(r, name, settings_has_name(&q->settings, list, name), true))
        return;
    settings_put_name(&q->settings, list, name);
    config_stage_names(q, list);
    if (is_host)
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_HOST_ADDED_SS, name,
                config_kind_of(r)->list);
    else
        config_answer(r, CONFIG_ADDED, name);
}

void config_del_name(struct qmaster *q, struct request *r, const char *name)
{
    enum admin_list list = config_kind_of(r)->names;
    if (list == NAMES_MANAGER && right_stays(q, name)) {
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_MANAGER_STAYS_SS, name,
                config_kind_of(r)->list);
        return;
    }
    if (list == NAMES_ADMIN_HOST && host_name_equal(name, q->host)) {
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_MASTER_HOST_STAYS_SS, name,
                config_kind_of(r)->list);
        return;
    }
    if (!settings_drop_name(&q->settings, list, name)) {
        config_answer_unknown(r, name);
        return;
    }
    config_stage_names(q, list);
    config_answer(r, CONFIG_REMOVED, name);
}

/* ---- configurations ---- */
/* the doors of the cell as they are: cull_clear */
static struct QU_Type copy_doors(const struct qmaster *q)
{
    struct QU_Type now = { .QU_access = q->settings.doors }, copy = { 0 };
    cull_mark(&now, QU_access);
    cull_copy_field(&cull_QU_Type, &copy, &now, QU_access);
    return copy;
}

/* each queue instance says who may use the cell; BEFORE, which is cleared, was so before */
static void renew_doors(struct qmaster *q, struct request *r, struct QU_Type *before)
{
    struct QU_Type now = { .QU_access = q->settings.doors };
    if (!cull_field_equal(&cull_QU_Type, before, &now, QU_access))
        renew_all(q, r->from->who.uid);
    cull_clear(&cull_QU_Type, before);
}

void config_put_conf(struct qmaster *q, struct request *r, void *record, bool is_new)
{
    struct CONF_Type *rec = record;
    if (!config_has_name(r, rec->CONF_name))
        return;
    struct conf *old =
        config_is_conf_of(r, rec->CONF_name) ? settings_conf(&q->settings, rec->CONF_name) : NULL;
    if (!config_is_in_place(r, rec->CONF_name, old != NULL, is_new))
        return;
    if ((is_new && !config_host_is_known(q, r, rec->CONF_name)) || conf_check(rec, &r->ans) != 0 ||
        config_check_conf(q, r, rec) != 0)
        return;
    cull_set(rec, CONF_version, old != NULL ? old->rec.CONF_version + 1 : 1u);
    uint32_t most_before = q->settings.max_aj_instances;
    struct QU_Type doors = copy_doors(q);
    struct conf *c = settings_put_conf(&q->settings, rec);
    renew_doors(q, r, &doors);
    if (q->settings.max_aj_instances != most_before)
        events_start_anew(q); /* it knows how many tasks of each array may run */
    q->settings.changed = change_number(q);
    change_record(q, SPOOL_CONFIG, c->rec.CONF_name, &cull_CONF_Type, &c->rec);
    if (r->gr.GR_target == GDI_SCHEDCONF) {
        usage_configured(q);
        events_conf(q, &c->rec);
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_SCHEDCONF_CHANGED);
        return;
    }
    conf_changed(q, r->from->who.uid, c->rec.CONF_name);
    config_answer(r, old == NULL ? CONFIG_ADDED : CONFIG_MODIFIED, c->rec.CONF_name);
}

void config_del_conf(struct qmaster *q, struct request *r, const char *name)
{
    struct conf *c = settings_conf(&q->settings, name);
    if (c == NULL || strcmp(name, CONF_GLOBAL) == 0 || strcmp(name, CONF_SCHEDULER) == 0) {
        config_answer_unknown(r, name);
        return;
    }
    config_answer(r, CONFIG_REMOVED, name);
    change_record_gone(q, SPOOL_CONFIG, name);
    q->settings.changed = change_number(q);
    settings_drop_conf(&q->settings, c);
    conf_changed(q, r->from->who.uid, name);
}

/* Changing objects of the kinds of libs/config/object.h: all of them in one way. An object is
 * checked whole before anything changes: by the rules of its kind, and by what the names in it
 * mean in this cell; it goes when nobody names it any more. */
#include "daemons/qmaster/requests/objects/config.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/config/access_renewal.h"
#include "daemons/qmaster/config/concerned.h"
#include "daemons/qmaster/config/renewal.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/complex.h"
#include "libs/config/object.h"
#include "libs/uti/alloc.h"

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
    if (check_object(q, r, rec, *record) == 0)
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
    config_say(r, is_new ? CONFIG_ADDED : CONFIG_MODIFIED, t->rec.TX_name);
}

void config_del_object(struct qmaster *q, struct request *r, const char *name)
{
    struct text_object *t = settings_text(&q->settings, (enum gdi_target)r->gr.GR_target, name);
    if (t == NULL) {
        config_say_unknown(r, name);
        return;
    }
    if (!may_go(q, r, name))
        return;
    config_say(r, CONFIG_REMOVED, name);
    config_stage_text_gone(q, &t->rec);
    events_object_del(q, &t->rec);
    if (r->gr.GR_target == GDI_HOSTGROUP)
        drop_group(q, r, t);
    else
        settings_drop_text(&q->settings, t);
    if (r->gr.GR_target == GDI_USERSET)
        access_renew_jobs(q, r->from->who.uid);
}

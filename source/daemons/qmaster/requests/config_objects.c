/* Changing objects of the kinds of libs/config/object.h: all of them in one way. An object is checked whole before anything changes: by the
 * rules of its kind, and by what the names in it mean in this cell; it goes when nobody names it any more. */
#include "daemons/qmaster/requests/config_priv.h"

#include "daemons/qmaster/config/queue_setup.h"
#include "libs/config/object.h"

/* may it be, whatever else there is? */
static int check(struct qmaster *q, struct request *r, struct TX_Type *rec)
{
    const struct object_rules *rules = object_rules_of((enum object_kind)rec->TX_kind);
    if (rules != NULL && object_settle(rules, rec, &r->ans) != 0)
        return -1;
    if (config_check_object(q, r, rec) != 0)
        return -1;
    if (rec->TX_kind != OBJECT_HOSTGROUP)
        return 0;
    struct HGRP_Type *group = object_record(rules, rec);
    int rc = queue_check_group(q, group, &r->ans);
    cull_delete(&cull_HGRP_Type, group);
    return rc;
}

void config_put_object(struct qmaster *q, struct request *r, void *record, bool is_new)
{
    struct TX_Type *rec = record;
    enum gdi_target kind = (enum gdi_target)r->gr.GR_target;
    cull_set(rec, TX_kind, (uint32_t)kind);
    if (!config_has_name(r, rec->TX_name))
        return;
    bool is_there = settings_text(&q->settings, kind, rec->TX_name) != NULL;
    if (!config_is_in_place(r, rec->TX_name, is_there, is_new) || check(q, r, rec) != 0)
        return;
    struct text_object *t = settings_put_text(&q->settings, rec);
    config_stage_text(q, &t->rec);
    if (kind == GDI_HOSTGROUP)
        queue_resolve_all(q);
    config_say(r, is_new ? CONFIG_ADDED : CONFIG_MODIFIED, t->rec.TX_name);
}

void config_del_object(struct qmaster *q, struct request *r, const char *name)
{
    struct text_object *t = settings_text(&q->settings, (enum gdi_target)r->gr.GR_target, name);
    if (t == NULL) {
        config_say_unknown(r, name);
        return;
    }
    if (!config_is_free(q, r, name))
        return;
    config_say(r, CONFIG_REMOVED, name);
    config_stage_text_gone(q, &t->rec);
    settings_drop_text(&q->settings, t);
    if (r->gr.GR_target == GDI_HOSTGROUP)
        queue_resolve_all(q);
}

/* Changing name lists and configurations. Who has to hear of it does at once: the execds of
 * configurations, the scheduler of its own. */
#include "daemons/qmaster/requests/objects/config.h"

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/renewal.h"
#include "daemons/qmaster/hosts/conf_notifications.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/config/conf.h"
#include "libs/uti/host_name.h"

/* ---- name lists ---- */
void config_put_name(struct qmaster *q, struct request *r, void *record, bool is_new)
{
    const char *name = ((const struct NM_Type *)record)->NM_name;
    if (!is_new || !config_has_name(r, name))
        return;
    enum name_list list = config_kind_of(r)->names;
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
        config_say(r, CONFIG_ADDED, name);
}

void config_del_name(struct qmaster *q, struct request *r, const char *name)
{
    enum name_list list = config_kind_of(r)->names;
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
        config_say_unknown(r, name);
        return;
    }
    config_stage_names(q, list);
    config_say(r, CONFIG_REMOVED, name);
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
        events_conf(q, &c->rec);
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_SCHEDCONF_CHANGED);
        return;
    }
    conf_changed(q, r->from->who.uid, c->rec.CONF_name);
    config_say(r, old == NULL ? CONFIG_ADDED : CONFIG_MODIFIED, c->rec.CONF_name);
}

void config_del_conf(struct qmaster *q, struct request *r, const char *name)
{
    struct conf *c = settings_conf(&q->settings, name);
    if (c == NULL || strcmp(name, CONF_GLOBAL) == 0 || strcmp(name, CONF_SCHEDULER) == 0) {
        config_say_unknown(r, name);
        return;
    }
    config_say(r, CONFIG_REMOVED, name);
    change_record_gone(q, SPOOL_CONFIG, name);
    q->settings.changed = change_number(q);
    settings_drop_conf(&q->settings, c);
    conf_changed(q, r->from->who.uid, name);
}

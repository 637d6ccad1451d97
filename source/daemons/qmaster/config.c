/* Objects of the administrator: GET, ADD, MOD, DEL of queues, hosts, name lists, configurations and plain objects (qconf). One row for each kind
 * says how it is called; what differs in substance is a function. Changing needs a manager; reading is for everybody. */
#include "daemons/qmaster/config.h"

#include "daemons/qmaster/change.h"
#include "daemons/qmaster/events.h"
#include "daemons/qmaster/exec.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/queue_setup.h"
#include "daemons/qmaster/requests.h"
#include "libs/sgeobj/conf.h"
#include "libs/sgeobj/cqueue.h"
#include "libs/sgeobj/host.h"
#include "libs/sgeobj/qinstance.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

static const struct kind {
    const char *noun; /* `manager "bob" already exists` */
    const char *list; /* `added "bob" to manager list` */
    enum { IS_NONE, IS_CQUEUE, IS_QINSTANCE, IS_HOST, IS_NAMES, IS_CONF, IS_TEXT } form;
    enum name_list names;
} kinds[GDI_MASTER + 1] = {
    [GDI_CQUEUE] = { "cluster queue", "cluster queue list", IS_CQUEUE, 0 },
    [GDI_QINSTANCE] = { "queue instance", "queue list", IS_QINSTANCE, 0 },
    [GDI_EXECHOST] = { "exechost", "exechost list", IS_HOST, 0 },
    [GDI_ADMINHOST] = { "adminhost", "admin host list", IS_NAMES, NAMES_ADMIN_HOST },
    [GDI_SUBMITHOST] = { "submithost", "submit host list", IS_NAMES, NAMES_SUBMIT_HOST },
    [GDI_MANAGER] = { "manager", "manager list", IS_NAMES, NAMES_MANAGER },
    [GDI_OPERATOR] = { "operator", "operator list", IS_NAMES, NAMES_OPERATOR },
    [GDI_CONFIG] = { "configuration", "configuration list", IS_CONF, 0 },
    [GDI_SCHEDCONF] = { "scheduler configuration", "scheduler", IS_CONF, 0 },
    [GDI_COMPLEX] = { "complex", "complex list", IS_TEXT, 0 },
    [GDI_PE] = { "parallel environment", "parallel environment", IS_TEXT, 0 },
    [GDI_CKPT] = { "checkpoint interface", "checkpoint interface", IS_TEXT, 0 },
    [GDI_CALENDAR] = { "calendar", "calendar list", IS_TEXT, 0 },
    [GDI_USERSET] = { "userset", "userset list", IS_TEXT, 0 },
    [GDI_PROJECT] = { "project", "project list", IS_TEXT, 0 },
    [GDI_USER] = { "user", "user list", IS_TEXT, 0 },
    [GDI_HOSTGROUP] = { "host group", "host group list", IS_TEXT, 0 },
    [GDI_RQS] = { "resource quota set", "resource quota set list", IS_TEXT, 0 },
    [GDI_SHARETREE] = { "sharetree", "sharetree", IS_TEXT, 0 },
};

static const struct kind *kind_of(const struct request *r)
{
    return &kinds[r->gr.GR_target];
}

/* ---- texts ---- */
enum deed { ADDED, MODIFIED, REMOVED };

static void say(struct qmaster *q, struct request *r, enum deed deed, const char *name)
{
    static const struct {
        const char *did, *where;
    } words[] = { { "added", "to" }, { "modified", "in" }, { "removed", "from" } };
    ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_CONFIG_DID_SSSSSS, r->from->peer.user,
            session_host(q, r->from), words[deed].did, name, words[deed].where, kind_of(r)->list);
}

static void say_exists(struct request *r, const char *name)
{
    ans_add(&r->ans, STATUS_EEXIST, ANSWER_QUALITY_ERROR, MSG_CONFIG_EXISTS_SS, kind_of(r)->noun,
            name);
}

static void say_unknown(struct request *r, const char *name)
{
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_CONFIG_UNKNOWN_SS, kind_of(r)->noun,
            name);
}

static bool has_name(struct request *r, const char *name)
{
    if (name != NULL && *name != '\0')
        return true;
    ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_CONFIG_NAMELESS_S,
            kind_of(r)->noun);
    return false;
}

/* is what is to be made new, and what is to be changed there? */
static bool is_in_place(struct request *r, const char *name, bool is_there, bool is_new)
{
    if (is_there && is_new)
        say_exists(r, name);
    else if (!is_there && !is_new)
        say_unknown(r, name);
    return is_there != is_new;
}

static void say_unsupported(struct request *r)
{
    ans_add(&r->ans, STATUS_ENOTSUP, ANSWER_QUALITY_ERROR, MSG_REQUEST_UNKNOWN_UU, r->gr.GR_verb,
            r->gr.GR_target);
}

static bool may_change(struct qmaster *q, struct request *r)
{
    if (settings_is_manager(&q->settings, r->from->peer.user))
        return true;
    ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_MUST_BE_MANAGER_S,
            r->from->peer.user);
    return false;
}

/* ---- reading ---- */
static bool is_selected(const struct request *r, const char *name)
{
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++)
        if (r->gr.GR_select.v[i].ID_str != NULL && pattern_match(r->gr.GR_select.v[i].ID_str, name))
            return true;
    return r->gr.GR_select.n == 0;
}

static void read_at(struct request *r, uint64_t changed)
{
    if (changed > r->after)
        r->after = changed;
}

static void get_cqueues(struct qmaster *q, struct request *r)
{
    struct cqueue *cq, *next;
    HASH_ITER(hh, q->queues.cqueues, cq, next) {
        if (!is_selected(r, cq->rec.CQ_name))
            continue;
        read_at(r, cq->changed);
        struct CQ_Type *rec = cull_append(&r->ga, GA_cqueues);
        cull_copy(&cull_CQ_Type, rec, &cq->rec);
    }
    read_at(r, q->queues.removed);
}

static void get_instances(struct qmaster *q, struct request *r)
{
    struct qinstance *qi, *next;
    HASH_ITER(hh, q->queues.instances, qi, next) {
        if (!is_selected(r, qi->rec.QU_full_name))
            continue;
        read_at(r, qi->changed);
        read_at(r, qi->host->changed);
        struct QU_Type *rec = cull_append(&r->ga, GA_queues);
        cull_copy(&cull_QU_Type, rec, &qi->rec);
        if (qi->host->conn == 0)
            cull_set(rec, QU_state, rec->QU_state | QI_UNKNOWN);
    }
    read_at(r, q->queues.removed);
}

static void get_hosts(struct qmaster *q, struct request *r)
{
    struct host *h, *next;
    HASH_ITER(hh, q->hosts.all, h, next) {
        if (!is_selected(r, h->rec.EH_name))
            continue;
        read_at(r, h->changed);
        struct EH_Type *rec = cull_append(&r->ga, GA_hosts);
        cull_copy(&cull_EH_Type, rec, &h->rec);
        cull_set(rec, EH_is_connected, h->conn != 0);
    }
    read_at(r, q->hosts.removed);
}

static void get_names(struct qmaster *q, struct request *r)
{
    struct name *n, *next;
    HASH_ITER(hh, q->settings.names[kind_of(r)->names], n, next) {
        if (!is_selected(r, n->rec.NM_name))
            continue;
        struct NM_Type *rec = cull_append(&r->ga, GA_names);
        cull_copy(&cull_NM_Type, rec, &n->rec);
    }
    read_at(r, q->settings.changed);
}

static bool is_conf_of(const struct request *r, const char *name)
{
    return (strcmp(name, CONF_SCHEDULER) == 0) == (r->gr.GR_target == GDI_SCHEDCONF);
}

static void get_confs(struct qmaster *q, struct request *r)
{
    struct conf *c, *next;
    HASH_ITER(hh, q->settings.confs, c, next) {
        if (!is_conf_of(r, c->rec.CONF_name) || !is_selected(r, c->rec.CONF_name))
            continue;
        struct CONF_Type *rec = cull_append(&r->ga, GA_confs);
        cull_copy(&cull_CONF_Type, rec, &c->rec);
    }
    read_at(r, q->settings.changed);
}

static void get_texts(struct qmaster *q, struct request *r)
{
    struct text_object *t, *next;
    HASH_ITER(hh, q->settings.texts[r->gr.GR_target], t, next) {
        if (!is_selected(r, t->rec.TX_name))
            continue;
        struct TX_Type *rec = cull_append(&r->ga, GA_texts);
        cull_copy(&cull_TX_Type, rec, &t->rec);
    }
    read_at(r, q->settings.changed);
}

void get_config_request(struct qmaster *q, struct request *r)
{
    r->after = 0;
    switch (kind_of(r)->form) {
    case IS_CQUEUE:
        get_cqueues(q, r);
        break;
    case IS_QINSTANCE:
        get_instances(q, r);
        break;
    case IS_HOST:
        get_hosts(q, r);
        break;
    case IS_NAMES:
        get_names(q, r);
        break;
    case IS_CONF:
        get_confs(q, r);
        break;
    case IS_TEXT:
        get_texts(q, r);
        break;
    case IS_NONE:
        say_unsupported(r);
        break;
    }
}

/* ---- queues ---- */
static void put_cqueue(struct qmaster *q, struct request *r, struct CQ_Type *rec, bool is_new)
{
    if (!has_name(r, rec->CQ_name) || cqueue_check(rec, &r->ans) != 0)
        return;
    if (!is_in_place(r, rec->CQ_name, queues_cqueue(&q->queues, rec->CQ_name) != NULL, is_new))
        return;
    struct cqueue *cq = queues_add_cqueue(&q->queues, rec);
    cq->changed = change_number(q);
    change_record(q, SPOOL_CQUEUE, cq->rec.CQ_name, &cull_CQ_Type, &cq->rec);
    queue_resolve(q, cq);
    say(q, r, is_new ? ADDED : MODIFIED, cq->rec.CQ_name);
}

static void del_cqueue(struct qmaster *q, struct request *r, const char *name)
{
    struct cqueue *cq = queues_cqueue(&q->queues, name);
    if (cq == NULL)
        say_unknown(r, name);
    else if (!queue_drop(q, cq))
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_QUEUE_IN_USE_S, name);
    else
        say(q, r, REMOVED, name);
}

/* ---- hosts ---- */
static bool host_is_known(struct qmaster *q, struct request *r, const char *name)
{
    if (strcmp(name, q->host) == 0 || hosts_find(&q->hosts, name) != NULL)
        return true;
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_HOST_UNRESOLVED_S, name);
    return false;
}

static void put_host(struct qmaster *q, struct request *r, struct EH_Type *rec, bool is_new)
{
    if (!has_name(r, rec->EH_name) || host_check(rec, &r->ans) != 0)
        return;
    if (!is_in_place(r, rec->EH_name, hosts_find(&q->hosts, rec->EH_name) != NULL, is_new) ||
        !host_is_known(q, r, rec->EH_name))
        return;
    struct host *h = hosts_add(&q->hosts, rec->EH_name);
    const char *key = cull_string_hold(h->rec.EH_name); /* the table's key: it must not move */
    cull_merge(&cull_EH_Type, &h->rec, rec);
    cull_string_drop(h->rec.EH_name);
    h->rec.EH_name = key;
    h->changed = change_number(q);
    change_record(q, SPOOL_HOST, h->rec.EH_name, &cull_EH_Type, &h->rec);
    queue_resolve_all(q);
    say(q, r, is_new ? ADDED : MODIFIED, h->rec.EH_name);
}

static void del_host(struct qmaster *q, struct request *r, const char *name)
{
    struct host *h = hosts_find(&q->hosts, name);
    struct qinstance *qi, *next;
    if (h == NULL) {
        say_unknown(r, name);
        return;
    }
    HASH_ITER(hh, q->queues.instances, qi, next) {
        if (qi->host == h) {
            ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_HOST_IN_QUEUE_SS, name,
                    qi->rec.QU_qname);
            return;
        }
    }
    say(q, r, REMOVED, name);
    change_record_gone(q, SPOOL_HOST, name);
    q->hosts.removed = change_number(q);
    exec_send_away(q, h);
    hosts_remove(&q->hosts, h);
}

/* ---- name lists ---- */
void config_stage_names(struct qmaster *q, enum name_list list)
{
    static const char *const keys[NAME_LISTS] = { "managers", "operators", "admin_hosts",
                                                  "submit_hosts" };
    struct TX_Type all = { 0 };
    struct name *n, *next;
    HASH_ITER(hh, q->settings.names[list], n, next) {
        struct VA_Type *va = cull_append(&all, TX_entries);
        cull_set(va, VA_variable, n->rec.NM_name);
    }
    q->settings.changed = change_number(q);
    change_record(q, SPOOL_NAMES, keys[list], &cull_TX_Type, &all);
    cull_clear(&cull_TX_Type, &all);
}

static void add_name(struct qmaster *q, struct request *r, const char *name)
{
    enum name_list list = kind_of(r)->names;
    bool is_host = list == NAMES_ADMIN_HOST || list == NAMES_SUBMIT_HOST;
    if (is_host && !host_is_known(q, r, name))
        return;
    if (settings_has_name(&q->settings, list, name)) {
        say_exists(r, name);
        return;
    }
    settings_put_name(&q->settings, list, name);
    config_stage_names(q, list);
    if (is_host)
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_HOST_ADDED_SS, name, kind_of(r)->list);
    else
        say(q, r, ADDED, name);
}

static void del_name(struct qmaster *q, struct request *r, const char *name)
{
    enum name_list list = kind_of(r)->names;
    if (list == NAMES_MANAGER && strcmp(name, "root") == 0) {
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_ROOT_STAYS_S, kind_of(r)->list);
        return;
    }
    if (list == NAMES_ADMIN_HOST && strcmp(name, q->host) == 0) {
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_MASTER_HOST_STAYS_SS, name,
                kind_of(r)->list);
        return;
    }
    if (!settings_drop_name(&q->settings, list, name)) {
        say_unknown(r, name);
        return;
    }
    config_stage_names(q, list);
    say(q, r, REMOVED, name);
}

/* ---- configurations ---- */
static void put_conf(struct qmaster *q, struct request *r, struct CONF_Type *rec, bool is_new)
{
    if (!has_name(r, rec->CONF_name))
        return;
    struct conf *old =
        is_conf_of(r, rec->CONF_name) ? settings_conf(&q->settings, rec->CONF_name) : NULL;
    if (!is_in_place(r, rec->CONF_name, old != NULL, is_new))
        return;
    if ((is_new && !host_is_known(q, r, rec->CONF_name)) || conf_check(rec, &r->ans) != 0)
        return;
    cull_set(rec, CONF_version, old != NULL ? old->rec.CONF_version + 1 : 1u);
    struct conf *c = settings_put_conf(&q->settings, rec);
    q->settings.changed = change_number(q);
    change_record(q, SPOOL_CONFIG, c->rec.CONF_name, &cull_CONF_Type, &c->rec);
    if (r->gr.GR_target == GDI_SCHEDCONF) {
        events_conf(q, &c->rec);
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_SCHEDCONF_CHANGED);
        return;
    }
    exec_conf_changed(q);
    say(q, r, old == NULL ? ADDED : MODIFIED, c->rec.CONF_name);
}

static void del_conf(struct qmaster *q, struct request *r, const char *name)
{
    struct conf *c = settings_conf(&q->settings, name);
    if (c == NULL || strcmp(name, CONF_GLOBAL) == 0 || strcmp(name, CONF_SCHEDULER) == 0) {
        say_unknown(r, name);
        return;
    }
    say(q, r, REMOVED, name);
    change_record_gone(q, SPOOL_CONFIG, name);
    q->settings.changed = change_number(q);
    settings_drop_conf(&q->settings, c);
    exec_conf_changed(q);
}

/* ---- plain objects ---- */
void config_stage_text(struct qmaster *q, const struct TX_Type *rec)
{
    struct dstr key = DSTR_INIT;
    dstr_addf(&key, "%u %s", rec->TX_kind, rec->TX_name);
    q->settings.changed = change_number(q);
    change_record(q, SPOOL_TEXT, dstr_get(&key), &cull_TX_Type, rec);
    dstr_free(&key);
}

static void put_text(struct qmaster *q, struct request *r, struct TX_Type *rec, bool is_new)
{
    enum gdi_target kind = (enum gdi_target)r->gr.GR_target;
    cull_set(rec, TX_kind, (uint32_t)kind);
    if (!has_name(r, rec->TX_name))
        return;
    if (!is_in_place(r, rec->TX_name, settings_text(&q->settings, kind, rec->TX_name) != NULL,
                     is_new))
        return;
    struct text_object *t = settings_put_text(&q->settings, rec);
    config_stage_text(q, &t->rec);
    if (r->gr.GR_target == GDI_HOSTGROUP)
        queue_resolve_all(q);
    say(q, r, is_new ? ADDED : MODIFIED, t->rec.TX_name);
}

static void del_text(struct qmaster *q, struct request *r, const char *name)
{
    struct text_object *t = settings_text(&q->settings, (enum gdi_target)r->gr.GR_target, name);
    if (t == NULL) {
        say_unknown(r, name);
        return;
    }
    struct dstr key = DSTR_INIT;
    dstr_addf(&key, "%u %s", r->gr.GR_target, name);
    say(q, r, REMOVED, name);
    change_record_gone(q, SPOOL_TEXT, dstr_get(&key));
    dstr_free(&key);
    q->settings.changed = change_number(q);
    settings_drop_text(&q->settings, t);
    if (r->gr.GR_target == GDI_HOSTGROUP)
        queue_resolve_all(q);
}

void config_stage_all(struct qmaster *q)
{
    struct cqueue *cq, *nq;
    struct qinstance *qi, *ni;
    struct host *h, *nh;
    struct conf *c, *nc;
    HASH_ITER(hh, q->queues.cqueues, cq, nq) {
        change_record(q, SPOOL_CQUEUE, cq->rec.CQ_name, &cull_CQ_Type, &cq->rec);
    }
    HASH_ITER(hh, q->queues.instances, qi, ni) {
        change_record(q, SPOOL_QINSTANCE, qi->rec.QU_full_name, &cull_QU_Type, &qi->rec);
    }
    HASH_ITER(hh, q->hosts.all, h, nh) {
        change_record(q, SPOOL_HOST, h->rec.EH_name, &cull_EH_Type, &h->rec);
    }
    HASH_ITER(hh, q->settings.confs, c, nc) {
        change_record(q, SPOOL_CONFIG, c->rec.CONF_name, &cull_CONF_Type, &c->rec);
    }
    for (int i = 0; i < NAME_LISTS; i++)
        config_stage_names(q, (enum name_list)i);
    for (int i = 0; i <= GDI_MASTER; i++) {
        struct text_object *t, *nt;
        HASH_ITER(hh, q->settings.texts[i], t, nt) {
            config_stage_text(q, &t->rec);
        }
    }
}

/* ---- requests ---- */
/* a request about nothing is answered, too */
static void say_if_nothing(struct request *r)
{
    if (r->ans.n == 0)
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_CONFIG_NONE_S,
                kind_of(r)->noun);
}

static void put_all(struct qmaster *q, struct request *r, bool is_new)
{
    struct GR_Type *gr = &r->gr;
    if (!may_change(q, r))
        return;
    switch (kind_of(r)->form) {
    case IS_CQUEUE:
        for (uint32_t i = 0; i < gr->GR_cqueues.n; i++)
            put_cqueue(q, r, &gr->GR_cqueues.v[i], is_new);
        break;
    case IS_HOST:
        for (uint32_t i = 0; i < gr->GR_hosts.n; i++)
            put_host(q, r, &gr->GR_hosts.v[i], is_new);
        break;
    case IS_NAMES:
        for (uint32_t i = 0; i < gr->GR_names.n; i++)
            if (has_name(r, gr->GR_names.v[i].NM_name))
                add_name(q, r, gr->GR_names.v[i].NM_name);
        break;
    case IS_CONF:
        for (uint32_t i = 0; i < gr->GR_confs.n; i++)
            put_conf(q, r, &gr->GR_confs.v[i], is_new);
        break;
    case IS_TEXT:
        for (uint32_t i = 0; i < gr->GR_texts.n; i++)
            put_text(q, r, &gr->GR_texts.v[i], is_new);
        break;
    case IS_QINSTANCE:
    case IS_NONE:
        say_unsupported(r);
        break;
    }
    say_if_nothing(r);
}

void add_config_request(struct qmaster *q, struct request *r)
{
    put_all(q, r, true);
}

void mod_config_request(struct qmaster *q, struct request *r)
{
    put_all(q, r, false);
}

void del_config_request(struct qmaster *q, struct request *r)
{
    if (!may_change(q, r))
        return;
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++) {
        const char *name = r->gr.GR_select.v[i].ID_str;
        if (!has_name(r, name))
            continue;
        switch (kind_of(r)->form) {
        case IS_CQUEUE:
            del_cqueue(q, r, name);
            break;
        case IS_HOST:
            del_host(q, r, name);
            break;
        case IS_NAMES:
            del_name(q, r, name);
            break;
        case IS_CONF:
            del_conf(q, r, name);
            break;
        case IS_TEXT:
            del_text(q, r, name);
            break;
        case IS_QINSTANCE:
        case IS_NONE:
            say_unsupported(r);
            break;
        }
    }
    say_if_nothing(r);
}

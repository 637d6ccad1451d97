/* Reading the administrator's objects: GET. Whoever asks gets copies of those whose names match; the answer waits for the batches that
 * last changed what it shows, and for those that removed something, since a name that is missing is shown, too. */
#include "daemons/qmaster/config_priv.h"

#include "daemons/qmaster/handlers.h"
#include "libs/sgeobj/qinstance.h"
#include "libs/uti/parse.h"

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
    HASH_ITER(hh, q->settings.names[config_kind_of(r)->names], n, next) {
        if (!is_selected(r, n->rec.NM_name))
            continue;
        struct NM_Type *rec = cull_append(&r->ga, GA_names);
        cull_copy(&cull_NM_Type, rec, &n->rec);
    }
    read_at(r, q->settings.changed);
}

static void get_confs(struct qmaster *q, struct request *r)
{
    struct conf *c, *next;
    HASH_ITER(hh, q->settings.confs, c, next) {
        if (!config_is_conf_of(r, c->rec.CONF_name) || !is_selected(r, c->rec.CONF_name))
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
    switch (config_kind_of(r)->form) {
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
        config_say_unsupported(r);
        break;
    }
}

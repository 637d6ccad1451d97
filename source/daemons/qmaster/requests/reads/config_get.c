/* Reading the administrator's objects: GET. A walk over their table (walk.h) copies those whose
 * names match into the answer, with the fields that were asked for, as many as a slice has time
 * for; the rest goes in further parts. What comes and goes meanwhile is seen or not; what stays is
 * seen once. A part waits for the batches that last changed what it shows, and the last
 * one for those that removed something, since a name that is missing is shown, too. */
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/calendars.h"
#include "daemons/qmaster/config/load.h"
#include "daemons/qmaster/config/subordinates.h"
#include "daemons/qmaster/requests/objects/config.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/reads/wanted.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/tables/connection.h"
#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/resource/named_devices.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/pattern.h"

enum { PART_OBJECTS = 1000 };

struct config_read {
    struct piece piece;      /* waits in the lane of the connection that asked */
    struct request r;        /* what was asked, and the part that is being made */
    const struct form *form; /* of the objects */
    struct walk walk;        /* over all of them */
    struct wanted wanted;    /* of each */
};

/* struct form - how objects of a kind are found */
struct form {
    const struct cull_type *type;
    size_t hh_offset; /* of the handle in an element; its key is the name */
    void (*add)(struct qmaster *q, struct config_read *rd, const void *element);
};
static void read_at(struct request *r, uint64_t changed)
{
    if (changed > r->after)
        r->after = changed;
}

/* ---- the kinds ---- */
static void add_cqueue(struct qmaster *q SGE_UNUSED, struct config_read *rd, const void *element)
{
    const struct cqueue *cq = element;
    read_at(&rd->r, cq->changed);
    wanted_copy(&rd->wanted, cull_append(&rd->r.ga, GA_cqueues), &cq->rec);
}

/* why it is in alarm or closed by its calendar or another queue, as far as it was requested */
static void add_alarms(struct qmaster *q, const struct wanted *wanted, const struct qinstance *qi,
                       struct QU_Type *rec)
{
    struct dstr text = DSTR_INIT;
    if ((qi->load_state & QI_ALARM) != 0 && wanted_has(wanted, QU_load_alarm)) {
        load_state_explain(q, qi, &text);
        cull_set(rec, QU_load_alarm, dstr_get(&text));
    }
    dstr_clear(&text);
    if ((qi->load_state & QI_SUSPEND_ALARM) != 0 && wanted_has(wanted, QU_suspend_alarm)) {
        load_state_explain_suspend(q, qi, &text);
        cull_set(rec, QU_suspend_alarm, dstr_get(&text));
    }
    dstr_clear(&text);
    if (wanted_has(wanted, QU_calendar_state)) {
        calendars_explain(qi, &text);
        if (text.len > 0)
            cull_set(rec, QU_calendar_state, dstr_get(&text));
    }
    dstr_clear(&text);
    if (qi->is_subordinated && wanted_has(wanted, QU_subordinated)) {
        subordinates_explain(qi, &text);
        cull_set(rec, QU_subordinated, dstr_get(&text));
    }
    dstr_free(&text);
}

static int taken_order(const void *a, const void *b)
{
    return strcmp(((const struct TK_Type *)a)->TK_name, ((const struct TK_Type *)b)->TK_name);
}

/* what tasks have booked there of resources that run out; slots of queues are shown apart */
static void add_taken(struct qmaster *q, const struct supply *s, struct TK_Type_list *out)
{
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t resource = s->v[i].resource;
        uint64_t amount = supply_booked(s, resource);
        if (amount == 0 || (resource == RESOURCE_SLOTS && s->kind == SUPPLY_QUEUE))
            continue;
        struct TK_Type *tk = cull_push(out);
        cull_share(tk, TK_name, resource_text(&q->resources, resource));
        cull_set(tk, TK_amount, amount);
        cull_mark(tk, TK_devices);
        devices_add_booked(s->devices, resource, &tk->TK_devices);
    }
    if (out->n > 1)
        qsort(out->v, out->n, sizeof *out->v, taken_order);
}

/* an instance may be in error for a reason of its own, and its host be closed besides */
static void add_closed(const struct qinstance *qi, struct QU_Type *rec)
{
    const char *own = qi->rec.QU_message;
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%s%s%s", own != NULL ? own : "", own != NULL ? "; " : "",
              qi->host->rec.EH_closed_why);
    cull_set(rec, QU_message, dstr_get(&text));
    dstr_free(&text);
}

static void add_instance(struct qmaster *q, struct config_read *rd, const void *element)
{
    const struct qinstance *qi = element;
    if (!qinstance_is_there(qi))
        return;
    read_at(&rd->r, qi->changed);
    read_at(&rd->r, qi->host->changed);
    struct QU_Type *rec = cull_append(&rd->r.ga, GA_queues);
    wanted_copy(&rd->wanted, rec, &qi->rec);
    cull_set(rec, QU_state, qinstance_state(qi));
    if (host_is_closed(qi->host) && wanted_has(&rd->wanted, QU_message))
        add_closed(qi, rec);
    add_alarms(q, &rd->wanted, qi, rec);
    if (wanted_has(&rd->wanted, QU_taken)) {
        add_taken(q, &qi->supply, &rec->QU_taken);
        cull_mark(rec, QU_taken);
    }
}

static void add_host(struct qmaster *q, struct config_read *rd, const void *element)
{
    const struct host *h = element;
    read_at(&rd->r, h->changed);
    struct EH_Type *rec = cull_append(&rd->r.ga, GA_hosts);
    wanted_copy(&rd->wanted, rec, &h->rec);
    cull_set(rec, EH_is_connected, h->conn != 0);
    if (wanted_has(&rd->wanted, EH_taken)) {
        bool is_cell = strcmp(h->rec.EH_name, HOST_OF_CELL) == 0;
        add_taken(q, is_cell ? &q->hosts.cell : &h->supply, &rec->EH_taken);
        cull_mark(rec, EH_taken);
    }
}

static void add_name(struct qmaster *q SGE_UNUSED, struct config_read *rd, const void *element)
{
    const struct name *n = element;
    wanted_copy(&rd->wanted, cull_append(&rd->r.ga, GA_names), &n->rec);
}

static void add_conf(struct qmaster *q SGE_UNUSED, struct config_read *rd, const void *element)
{
    const struct conf *c = element;
    if (config_is_conf_of(&rd->r, c->rec.CONF_name))
        wanted_copy(&rd->wanted, cull_append(&rd->r.ga, GA_confs), &c->rec);
}

static void add_text(struct qmaster *q SGE_UNUSED, struct config_read *rd, const void *element)
{
    const struct text_object *t = element;
    wanted_copy(&rd->wanted, cull_append(&rd->r.ga, GA_texts), &t->rec);
}

static const struct form forms[] = {
    [IS_CQUEUE] = { &cull_CQ_Type, offsetof(struct cqueue, hh), add_cqueue },
    [IS_QINSTANCE] = { &cull_QU_Type, offsetof(struct qinstance, hh), add_instance },
    [IS_HOST] = { &cull_EH_Type, offsetof(struct host, hh), add_host },
    [IS_NAMES] = { &cull_NM_Type, offsetof(struct name, hh), add_name },
    [IS_CONF] = { &cull_CONF_Type, offsetof(struct conf, hh), add_conf },
    [IS_OBJECT] = { &cull_TX_Type, offsetof(struct text_object, hh), add_text },
};

/* a walk over all objects of the kind of R */
static void begin_walk(struct qmaster *q, const struct request *r, struct walk *w)
{
    const struct config_kind *kind = config_kind_of(r);
    if (kind->form == IS_CQUEUE)
        walk_begin(&q->queues.walks, w, q->queues.cqueues);
    else if (kind->form == IS_QINSTANCE)
        walk_begin(&q->queues.walks, w, q->queues.instances);
    else if (kind->form == IS_HOST)
        walk_begin(&q->hosts.walks, w, q->hosts.all);
    else if (kind->form == IS_NAMES)
        walk_begin(&q->settings.walks, w, q->settings.names[kind->names]);
    else if (kind->form == IS_CONF)
        walk_begin(&q->settings.walks, w, q->settings.confs);
    else
        walk_begin(&q->settings.walks, w, q->settings.texts[r->gr.GR_target]);
}

/* the batch that last removed one of these objects; of settings, that changed one */
static uint64_t last_removal(const struct qmaster *q, const struct request *r)
{
    enum config_form form = config_kind_of(r)->form;
    if (form == IS_CQUEUE || form == IS_QINSTANCE)
        return q->queues.removed;
    return form == IS_HOST ? q->hosts.removed : q->settings.changed;
}

/* ---- the answer ---- */
static bool is_selected(const struct request *r, const char *name)
{
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++)
        if (r->gr.GR_select.v[i].ID_str != NULL && pattern_match(r->gr.GR_select.v[i].ID_str, name))
            return true;
    return r->gr.GR_select.n == 0;
}

static const char *name_of(const struct config_read *rd, const void *element)
{
    return ((const UT_hash_handle *)((const char *)element + rd->form->hh_offset))->key;
}

/* a part into rd->r.ga; true when it is the last one */
static bool make_part(struct qmaster *q, struct config_read *rd)
{
    for (uint32_t n = 0; rd->walk.next != NULL; n++) {
        if (n > 0 && (n >= PART_OBJECTS || slice_is_over(q)))
            return false;
        const void *element = walk_take(&rd->walk, rd->form->hh_offset);
        if (is_selected(&rd->r, name_of(rd, element)))
            rd->form->add(q, rd, element);
    }
    read_at(&rd->r, last_removal(q, &rd->r));
    return true;
}

static void config_read_free(struct piece *p)
{
    struct config_read *rd = (struct config_read *)p;
    walk_end(&rd->walk);
    request_clear(&rd->r);
    free(rd);
}

static void send_part(struct qmaster *q, struct config_read *rd)
{
    const struct request *r = &rd->r;
    change_answer(q, r->after, r->from->conn, r->serial, &rd->r.ga);
}

static bool go_on(struct qmaster *q, struct piece *p)
{
    struct config_read *rd = (struct config_read *)p;
    bool is_last = make_part(q, rd);
    if (is_last)
        cull_set(&rd->r.ga, GA_is_last, true);
    send_part(q, rd);
    return is_last;
}

static const struct piece_kind config_read_kind = { "a part of an answer", go_on,
                                                    config_read_free };

void get_config_request(struct qmaster *q, struct request *r)
{
    r->after = 0;
    if (config_kind_of(r)->form == IS_NONE) {
        config_answer_unsupported(r);
        return;
    }
    if (r->gr.GR_fields.n > FIELDS_MOST) {
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_GET_FIELDS_UU,
                r->gr.GR_fields.n, (unsigned)FIELDS_MOST);
        return;
    }
    struct config_read *rd = uti_calloc(1, sizeof *rd);
    rd->piece.kind = &config_read_kind;
    rd->form = &forms[config_kind_of(r)->form];
    rd->r = *r;
    wanted_read(&rd->wanted, rd->form->type, &rd->r.gr.GR_fields);
    begin_walk(q, &rd->r, &rd->walk);
    *r = (struct request){ .from = rd->r.from, .is_answered_later = true };
    if (make_part(q, rd)) { /* all of it: the one part is the answer */
        *r = rd->r;
        rd->r = (struct request){ 0 };
        config_read_free(&rd->piece);
    } else {
        send_part(q, rd);
        lane_put_piece(r->from->lane, &rd->piece);
    }
}

/* Reading the administrator's objects: GET. Which objects there are is settled at the start; then
 * those whose names match are copied into the answer, as many as a slice has time for, and the rest
 * goes in further parts. A part waits for the batches that last changed what it shows, and the last
 * one for those that removed something, since a name that is missing is shown, too. */
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/config_priv.h"
#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/tables/session.h"
#include "daemons/qmaster/tables/slice.h"
#include "libs/config/qinstance.h"
#include "libs/uti/alloc.h"
#include "libs/uti/parse.h"

enum { PART_OBJECTS = 1000 };

struct config_read {
    struct piece piece;      /* waits in the lane of the connection that asked */
    struct request r;        /* what was asked, and the part that is being made */
    const struct form *form; /* of the objects */
    char **names;            /* of all of them; owned */
    uint32_t n, cap, at;
};

/* struct form - how objects of a kind are found */
struct form {
    void (*list)(struct qmaster *q, struct config_read *rd);             /* the names of all */
    void (*add)(struct qmaster *q, struct request *r, const char *name); /* one, if it is there */
    uint64_t (*removed)(const struct qmaster *q); /* the batch that last removed one */
};

static void note_name(struct config_read *rd, const char *name)
{
    rd->names = uti_vec_grow(rd->names, &rd->cap, rd->n + 1, sizeof *rd->names);
    rd->names[rd->n++] = uti_strdup(name);
}

static void read_at(struct request *r, uint64_t changed)
{
    if (changed > r->after)
        r->after = changed;
}

static uint64_t removed_queue(const struct qmaster *q)
{
    return q->queues.removed;
}

static uint64_t removed_host(const struct qmaster *q)
{
    return q->hosts.removed;
}

static uint64_t changed_settings(const struct qmaster *q)
{
    return q->settings.changed;
}

/* ---- the kinds ---- */
static void list_cqueues(struct qmaster *q, struct config_read *rd)
{
    for (const struct cqueue *cq = q->queues.cqueues; cq != NULL; cq = cq->hh.next)
        note_name(rd, cq->rec.CQ_name);
}

static void add_cqueue(struct qmaster *q, struct request *r, const char *name)
{
    const struct cqueue *cq = queues_cqueue(&q->queues, name);
    if (cq == NULL)
        return;
    read_at(r, cq->changed);
    cull_copy(&cull_CQ_Type, cull_append(&r->ga, GA_cqueues), &cq->rec);
}

static void list_instances(struct qmaster *q, struct config_read *rd)
{
    for (const struct qinstance *qi = q->queues.instances; qi != NULL; qi = qi->hh.next)
        note_name(rd, qi->rec.QU_full_name);
}

static void add_instance(struct qmaster *q, struct request *r, const char *name)
{
    const struct qinstance *qi = queues_instance(&q->queues, name);
    if (qi == NULL)
        return;
    read_at(r, qi->changed);
    read_at(r, qi->host->changed);
    struct QU_Type *rec = cull_append(&r->ga, GA_queues);
    cull_copy(&cull_QU_Type, rec, &qi->rec);
    if (qi->host->conn == 0)
        cull_set(rec, QU_state, rec->QU_state | QI_UNKNOWN);
}

static void list_hosts(struct qmaster *q, struct config_read *rd)
{
    for (const struct host *h = q->hosts.all; h != NULL; h = h->hh.next)
        note_name(rd, h->rec.EH_name);
}

static void add_host(struct qmaster *q, struct request *r, const char *name)
{
    const struct host *h = hosts_find(&q->hosts, name);
    if (h == NULL)
        return;
    read_at(r, h->changed);
    struct EH_Type *rec = cull_append(&r->ga, GA_hosts);
    cull_copy(&cull_EH_Type, rec, &h->rec);
    cull_set(rec, EH_is_connected, h->conn != 0);
}

static void list_names(struct qmaster *q, struct config_read *rd)
{
    const struct name *n = q->settings.names[config_kind_of(&rd->r)->names];
    for (; n != NULL; n = n->hh.next)
        note_name(rd, n->rec.NM_name);
}

static void add_name(struct qmaster *q, struct request *r, const char *name)
{
    struct name *n;
    HASH_FIND_STR(q->settings.names[config_kind_of(r)->names], name, n);
    if (n != NULL)
        cull_copy(&cull_NM_Type, cull_append(&r->ga, GA_names), &n->rec);
}

static void list_confs(struct qmaster *q, struct config_read *rd)
{
    for (const struct conf *c = q->settings.confs; c != NULL; c = c->hh.next)
        if (config_is_conf_of(&rd->r, c->rec.CONF_name))
            note_name(rd, c->rec.CONF_name);
}

static void add_conf(struct qmaster *q, struct request *r, const char *name)
{
    const struct conf *c = settings_conf(&q->settings, name);
    if (c != NULL)
        cull_copy(&cull_CONF_Type, cull_append(&r->ga, GA_confs), &c->rec);
}

static void list_texts(struct qmaster *q, struct config_read *rd)
{
    const struct text_object *t = q->settings.texts[rd->r.gr.GR_target];
    for (; t != NULL; t = t->hh.next)
        note_name(rd, t->rec.TX_name);
}

static void add_text(struct qmaster *q, struct request *r, const char *name)
{
    const struct text_object *t =
        settings_text(&q->settings, (enum gdi_target)r->gr.GR_target, name);
    if (t != NULL)
        cull_copy(&cull_TX_Type, cull_append(&r->ga, GA_texts), &t->rec);
}

static const struct form forms[] = {
    [IS_CQUEUE] = { list_cqueues, add_cqueue, removed_queue },
    [IS_QINSTANCE] = { list_instances, add_instance, removed_queue },
    [IS_HOST] = { list_hosts, add_host, removed_host },
    [IS_NAMES] = { list_names, add_name, changed_settings },
    [IS_CONF] = { list_confs, add_conf, changed_settings },
    [IS_OBJECT] = { list_texts, add_text, changed_settings },
};

/* ---- the answer ---- */
static bool is_selected(const struct request *r, const char *name)
{
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++)
        if (r->gr.GR_select.v[i].ID_str != NULL && pattern_match(r->gr.GR_select.v[i].ID_str, name))
            return true;
    return r->gr.GR_select.n == 0;
}

/* a part into rd->r.ga; true when it is the last one */
static bool make_part(struct qmaster *q, struct config_read *rd)
{
    for (uint32_t n = 0; rd->at < rd->n; n++) {
        if (n > 0 && (n >= PART_OBJECTS || slice_is_over(q)))
            return false;
        const char *name = rd->names[rd->at++];
        if (is_selected(&rd->r, name))
            rd->form->add(q, &rd->r, name);
    }
    read_at(&rd->r, rd->form->removed(q));
    return true;
}

static void config_read_free(struct piece *p)
{
    struct config_read *rd = (struct config_read *)p;
    for (uint32_t i = 0; i < rd->n; i++)
        free(rd->names[i]);
    free(rd->names);
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
        config_say_unsupported(r);
        return;
    }
    struct config_read *rd = uti_calloc(1, sizeof *rd);
    rd->piece.kind = &config_read_kind;
    rd->form = &forms[config_kind_of(r)->form];
    rd->r = *r;
    rd->form->list(q, rd);
    *r = (struct request){ .from = rd->r.from, .is_taken = true };
    if (make_part(q, rd)) { /* all of it: the one part is the answer */
        *r = rd->r;
        rd->r = (struct request){ 0 };
        config_read_free(&rd->piece);
    } else {
        send_part(q, rd);
        lane_put_piece(r->from->lane, &rd->piece);
    }
}

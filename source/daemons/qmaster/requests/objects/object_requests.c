/* Requests about the administrator's objects (qconf): one object after another is compared with
 * what the sender saw, changed, and noted in the trail. What the change of a kind means is in
 * config_objects.c. */
#include "daemons/qmaster/requests/objects/object_requests.h"

#include <stdlib.h>

#include "daemons/qmaster/change/trail.h"
#include "daemons/qmaster/config/renewal.h"
#include "daemons/qmaster/requests/objects/config.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/uti/alloc.h"

/* forms: where a request has the objects, and what is done with each. A name is never changed, only
 * added. */
static const struct {
    unsigned field; /* of GR_Type */
    config_put_fn *put;
    config_del_fn *del;
} forms[CONFIG_FORMS] = {
    [IS_CQUEUE] = { GR_cqueues, config_put_cqueue, config_del_cqueue },
    [IS_HOST] = { GR_hosts, config_put_host, config_del_host },
    [IS_NAMES] = { GR_names, config_put_name, config_del_name },
    [IS_CONF] = { GR_confs, config_put_conf, config_del_conf },
    [IS_OBJECT] = { GR_texts, config_put_object, config_del_object },
};

/* ---- objects as the client saw them ---- */
/* Is an object still what the sender saw before he changed it? A request may say what he saw, in
 * full: a list of GR_Type for each form of objects. What is compared is what administrators set,
 * which is what the spool keeps; loads of hosts change all the time. Who does not say what he saw
 * means the object whatever it is. */
/* the object NAME of the kind of R, which may be NULL, as it is; NULL: there is none */
static const void *object_now(struct qmaster *q, const struct request *r, const char *name,
                              const struct cull_type **type)
{
    const struct cqueue *cq;
    const struct host *h;
    const struct conf *c;
    const struct text_object *t;
    name = name != NULL ? name : "";
    switch (config_kind_of(r)->form) {
    case IS_CQUEUE:
        *type = &cull_CQ_Type;
        return (cq = queues_cqueue(&q->queues, name)) != NULL ? &cq->rec : NULL;
    case IS_HOST:
        *type = &cull_EH_Type;
        return (h = hosts_find(&q->hosts, name)) != NULL ? &h->rec : NULL;
    case IS_CONF:
        *type = &cull_CONF_Type;
        return (c = settings_conf(&q->settings, name)) != NULL ? &c->rec : NULL;
    case IS_OBJECT:
        *type = &cull_TX_Type;
        t = settings_text(&q->settings, (enum gdi_target)r->gr.GR_target, name);
        return t != NULL ? &t->rec : NULL;
    case IS_NONE:
    case IS_QINSTANCE:
    case IS_NAMES:
    case CONFIG_FORMS:
        break;
    }
    return NULL;
}

static const char *name_of_record(const struct cull_type *type, const void *record)
{
    unsigned field = 0;
    while (type->fields[field].kind != CULL_STRING)
        field++;
    const char *const *name = cull_member(type, record, field);
    return *name;
}

static bool is_same(const struct cull_type *type, const void *seen, const void *now)
{
    for (unsigned i = 0; i < type->n_fields; i++)
        if ((type->fields[i].flags & CULL_SPOOL) != 0 && !cull_field_equal(type, seen, now, i))
            return false;
    return true;
}

static bool is_as_seen(struct qmaster *q, struct request *r, const char *name)
{
    /* names of lists come and go, and never change */
    static const unsigned fields[CONFIG_FORMS] = {
        [IS_CQUEUE] = GR_seen_cqueues,
        [IS_HOST] = GR_seen_hosts,
        [IS_CONF] = GR_seen_confs,
        [IS_OBJECT] = GR_seen,
    };
    const unsigned field = fields[config_kind_of(r)->form];
    if (field == 0 || name == NULL)
        return true;
    const struct cull_type *type = cull_GR_Type.fields[field].element;
    const struct cull_list *seen = cull_member(&cull_GR_Type, &r->gr, field);
    for (uint32_t i = 0; i < seen->n; i++) {
        const void *it = cull_list_at(type, seen, i);
        const char *its = name_of_record(type, it);
        if (its == NULL || strcmp(its, name) != 0)
            continue;
        const void *now = object_now(q, r, name, &type);
        if (now != NULL && is_same(type, it, now))
            continue;
        config_answer_moved(r, name);
        return false;
    }
    return true;
}

/* ---- requests ---- */

/* the answer is given when the instances are as the change says, so that who asks for them next
 * sees it whole */
static enum step_result await_renewals(struct qmaster *q, struct request *r)
{
    /* a request about nothing is answered, too */
    if (r->ans.n == 0)
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_CONFIG_NONE_S, config_noun(r));
    return renewals_are_over(q, (uint32_t)r->awaited) ? STEP_NEXT : STEP_WAIT_SLICE;
}

/* the I-th object of R is put, or removed */
typedef void one_fn(struct qmaster *q, struct request *r, uint32_t i);

static void put_one(struct qmaster *q, struct request *r, uint32_t i)
{
    enum config_form form = config_kind_of(r)->form;
    const struct cull_list *l = cull_member(&cull_GR_Type, &r->gr, forms[form].field);
    const struct cull_type *type = cull_GR_Type.fields[forms[form].field].element;
    void *record = (char *)l->v + i * type->bytes;
    const char *only = config_only(r);
    const char *name = only != NULL ? only : name_of_record(type, record);
    char *called = name != NULL ? uti_strdup(name) : NULL; /* the record may be taken */
    if (is_as_seen(q, r, name)) {
        struct config_trail trail;
        const struct cull_type *of = NULL;
        const void *now = object_now(q, r, called, &of);
        config_trail_begin(r, of, now, &trail);
        forms[form].put(q, r, record, r->gr.GR_verb == GDI_ADD);
        config_trail_end(r, object_now(q, r, called, &of), &trail);
    }
    free(called);
}

static void del_one(struct qmaster *q, struct request *r, uint32_t i)
{
    enum config_form form = config_kind_of(r)->form;
    const char *name = r->gr.GR_select.v[i].ID_str;
    if (!config_has_name(r, name))
        return;
    if (forms[form].del == NULL) {
        config_answer_unsupported(r);
    } else if (is_as_seen(q, r, name)) {
        struct config_trail trail;
        config_trail_begin(r, NULL, NULL, &trail);
        forms[form].del(q, r, name);
        config_trail_end(r, NULL, &trail);
    }
}

/* N objects, each by itself, in slices: others may come in between */
static enum step_result each_one(struct qmaster *q, struct request *r, one_fn *fn, uint32_t n)
{
    if (right_to_configure(q, &r->from->who, &r->ans) != 0)
        return STEP_NEXT;
    for (uint32_t first = r->at; r->at < n; r->at++) {
        uint32_t before = q->last_renewal;
        if (r->at > first && slice_is_over(q))
            return STEP_WAIT_SLICE;
        fn(q, r, r->at);
        if (q->last_renewal != before)
            r->awaited = q->last_renewal;
    }
    return STEP_NEXT;
}

static enum step_result put_objects(struct qmaster *q, struct request *r)
{
    const unsigned field = forms[config_kind_of(r)->form].field;
    return each_one(q, r, put_one,
                    ((const struct cull_list *)cull_member(&cull_GR_Type, &r->gr, field))->n);
}

static enum step_result del_objects(struct qmaster *q, struct request *r)
{
    return each_one(q, r, del_one, r->gr.GR_select.n);
}

static void put_all(struct qmaster *q, struct request *r, enum gdi_verb verb)
{
    static step_fn *const steps[] = { put_objects, await_renewals, NULL };
    cull_set(&r->gr, GR_verb, (uint32_t)verb);
    if (forms[config_kind_of(r)->form].put != NULL)
        request_run(q, r, steps);
    else if (right_to_configure(q, &r->from->who, &r->ans) == 0)
        config_answer_unsupported(r);
}

void add_config_request(struct qmaster *q, struct request *r)
{
    put_all(q, r, GDI_ADD);
}

void mod_config_request(struct qmaster *q, struct request *r)
{
    put_all(q, r, GDI_MOD);
}

void del_config_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = { del_objects, await_renewals, NULL };
    if (config_kind_of(r)->form != IS_NONE)
        request_run(q, r, steps);
    else if (right_to_configure(q, &r->from->who, &r->ans) == 0)
        config_answer_unsupported(r);
}

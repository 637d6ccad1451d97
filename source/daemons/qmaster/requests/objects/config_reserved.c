/* What advance reservations have stays: a change that takes it away is refused, and changes
 * nothing. Each queue instance that a reservation has is made anew, as the changed object says, and
 * compared with what is reserved there. Without reservations nothing here is done. */
#include <stdlib.h>

#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/jobs/ar_books.h"
#include "daemons/qmaster/requests/objects/config.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "libs/config/calendar_time.h"
#include "libs/config/complex.h"
#include "libs/config/cqueue.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"

/* a queue instance as it will be */
struct outlook {
    const struct qinstance *qi; /* the key */
    struct QU_Type rec;
    UT_hash_handle hh;
};
/* the object under check */
struct check {
    struct qmaster *q;
    struct answer *ans;
    const struct CQ_Type *cq; /* the queue that changes; NULL: all are as they are */
    struct outlook *all;
};

static void outlooks_free(struct outlook *all)
{
    struct outlook *o, *next;
    HASH_ITER(hh, all, o, next) {
        HASH_DEL(all, o);
        cull_clear(&cull_QU_Type, &o->rec);
        free(o);
    }
}

/* ---- amounts ---- */
static int check_supply(struct check *c, const struct supply *of, const struct CE_Type_list *offers,
                        const char *where)
{
    struct supply next = { 0 };
    const char *name;
    supply_read(&next, offers, settings_consumables(&c->q->settings), &c->q->resources);
    bool holds = ars_fit_in(c->q, of, &next, &name);
    supply_free(&next);
    return holds ? 0 : ans_fail(c->ans, STATUS_ESEMANTIC, MSG_AR_AMOUNT_SS, name, where);
}

/* ---- queue instances ---- */
static int check_amounts(struct check *c, struct qinstance *qi, const struct QU_Type *next)
{
    uint64_t slots = ars_slots(c->q, qi);
    if (next->QU_job_slots < slots && next->QU_job_slots < qi->rec.QU_job_slots)
        return ans_fail(c->ans, STATUS_ESEMANTIC, MSG_AR_SLOTS_US, slots, qi->rec.QU_full_name);
    return check_supply(c, &qi->supply, &next->QU_consumable_config_list, qi->rec.QU_full_name);
}

/* QI as it will be; NULL with the reason: not there, or with less than is reserved */
static const struct outlook *outlook_of(struct check *c, const struct ar *ar, struct qinstance *qi)
{
    const struct CQ_Type *cq = c->cq != NULL ? c->cq : &qi->cqueue->rec;
    struct outlook *o;
    HASH_FIND(hh, c->all, &qi, sizeof qi, o);
    if (o != NULL)
        return o;
    o = uti_calloc(1, sizeof *o);
    o->qi = qi;
    HASH_ADD(hh, c->all, qi, sizeof o->qi, o);
    if (!queue_foresee(c->q, cq, qi, &o->rec))
        return ans_null(c->ans, STATUS_ESEMANTIC, MSG_AR_REMOVING_SSU, qi->rec.QU_qhostname,
                        "hostlist", ar->rec.AR_id);
    return check_amounts(c, qi, &o->rec) == 0 ? o : NULL;
}

/* NAME was in the list and no longer is */
static int check_offered(struct check *c, const struct ar *ar, const char *name, const char *attr,
                         const char *before, const char *after)
{
    if (name == NULL || !pe_list_has(before, name) || pe_list_has(after, name))
        return 0;
    return ans_fail(c->ans, STATUS_ESEMANTIC, MSG_AR_REMOVING_SSU, name, attr, ar->rec.AR_id);
}

static bool calendar_holds(struct check *c, const struct ar *ar, const struct CAL_Type *calendar)
{
    uint64_t from_s = ar->rec.AR_start_time, now_s = c->q->now_s;
    return ar->rec.AR_state == AR_ENDING ||
           calendar_stays_on(calendar, from_s > now_s ? from_s : now_s, ar->rec.AR_end_time);
}

static int check_calendar(struct check *c, const struct ar *ar, const struct qinstance *qi,
                          const struct QU_Type *next)
{
    const char *before = qinstance_setting(&qi->rec, "calendar"),
               *after = qinstance_setting(next, "calendar");
    if (after == NULL || (before != NULL && strcmp(before, after) == 0))
        return 0;
    const struct text_object *t = settings_text(&c->q->settings, GDI_CALENDAR, after);
    if (t == NULL || t->record == NULL || calendar_holds(c, ar, t->record))
        return 0;
    return ans_fail(c->ans, STATUS_ESEMANTIC, MSG_AR_CHANGING_SSU, after, "calendar",
                    ar->rec.AR_id);
}

static int check_place(struct check *c, const struct ar *ar, struct qinstance *qi)
{
    if ((qi->rec.QU_state & QI_ORPHANED) != 0)
        return 0;
    const struct outlook *o = outlook_of(c, ar, qi);
    if (o == NULL)
        return -1;
    const char *pe = allocation_pe(&ar->rec.AR_granted), *ckpt = ar_request(ar)->JB_checkpoint_name;
    if (check_offered(c, ar, pe, "pe_list", qi->rec.QU_pe_list, o->rec.QU_pe_list) != 0 ||
        check_offered(c, ar, ckpt, "ckpt_list", qi->rec.QU_ckpt_list, o->rec.QU_ckpt_list) != 0)
        return -1;
    return check_calendar(c, ar, qi, &o->rec);
}

static int check_places(struct check *c)
{
    int rc = 0;
    for (struct ar *ar = c->q->ars.all; rc == 0 && ar != NULL; ar = ar->hh.next)
        for (uint32_t i = 0; rc == 0 && i < ar->n_places; i++) {
            struct qinstance *qi = ar->places[i].qi;
            if (c->cq == NULL || strcmp(qi->rec.QU_qname, c->cq->CQ_name) == 0)
                rc = check_place(c, ar, qi);
        }
    outlooks_free(c->all);
    return rc;
}

static bool attr_is_reserved(const char *attr)
{
    static const char *const attrs[] = { "slots", "calendar", "pe_list", "ckpt_list",
                                         "complex_values" };
    for (size_t i = 0; i < ARRAY_LEN(attrs); i++)
        if (strcmp(attr, attrs[i]) == 0)
            return true;
    return false;
}

static bool queue_differs(const struct CQ_Type *a, const struct CQ_Type *b)
{
    bool are_other = !cull_field_equal(&cull_CQ_Type, a, b, CQ_hostlist);
    for (unsigned i = 0; i < cqueue_attrs_n && !are_other; i++)
        are_other = attr_is_reserved(cqueue_attrs[i].rule.name) &&
                    !cull_field_equal(&cull_CQ_Type, a, b, cqueue_attrs[i].field);
    return are_other;
}

int config_reserved_cqueue(struct qmaster *q, struct request *r, const struct CQ_Type *rec)
{
    struct check c = { .q = q, .ans = &r->ans, .cq = rec };
    const struct cqueue *old = queues_cqueue(&q->queues, rec->CQ_name);
    return q->ars.n > 0 && old != NULL && queue_differs(&old->rec, rec) ? check_places(&c) : 0;
}

int config_reserved_queue_goes(struct qmaster *q, struct request *r, const char *name)
{
    for (const struct ar *ar = q->ars.all; ar != NULL; ar = ar->hh.next)
        for (uint32_t i = 0; i < ar->n_places; i++)
            if (strcmp(ar->places[i].qi->rec.QU_qname, name) == 0)
                return ans_fail(&r->ans, STATUS_ESEMANTIC, MSG_AR_REMOVING_QUEUE_SU, name,
                                ar->rec.AR_id);
    return 0;
}

/* ---- hosts ---- */
int config_reserved_host(struct qmaster *q, struct request *r, const struct EH_Type *rec)
{
    struct check c = { .q = q, .ans = &r->ans };
    const struct host *h = hosts_find(&q->hosts, rec->EH_name);
    bool is_cell = strcmp(rec->EH_name, HOST_OF_CELL) == 0;
    const struct supply *of = is_cell ? &q->hosts.cell : h != NULL ? &h->supply : NULL;
    if (q->ars.n == 0 || of == NULL)
        return 0;
    return check_supply(&c, of, &rec->EH_consumable_config_list, rec->EH_name);
}

/* ---- objects ---- */
/* the groups are as they will be while it is looked */
static int check_group(struct check *c, const struct text_object *old, const struct HGRP_Type *next)
{
    groups_put(&c->q->settings.groups, next);
    int rc = check_places(c);
    groups_put(&c->q->settings.groups, old->record);
    return rc;
}

static int check_pe(struct check *c, const struct text_object *old, const struct PE_Type *next)
{
    const struct PE_Type *now = old->record;
    uint64_t slots = ars_slots_in_pe(c->q, old);
    if (next->PE_slots >= slots || next->PE_slots >= now->PE_slots)
        return 0;
    return ans_fail(c->ans, STATUS_ESEMANTIC, MSG_AR_SLOTS_PE_US, slots, old->rec.TX_name);
}

/* has AR a queue instance with that calendar? */
static bool has_calendar(const struct ar *ar, const char *name)
{
    for (uint32_t i = 0; i < ar->n_places; i++) {
        const struct qinstance *qi = ar->places[i].qi;
        if (qi->calendar != NULL && strcmp(qi->calendar->name, name) == 0)
            return true;
    }
    return false;
}

static int check_calendar_object(struct check *c, const char *name, const struct CAL_Type *next)
{
    for (const struct ar *ar = c->q->ars.all; ar != NULL; ar = ar->hh.next)
        if (has_calendar(ar, name) && !calendar_holds(c, ar, next))
            return ans_fail(c->ans, STATUS_ESEMANTIC, MSG_AR_CALENDAR_SU, name, ar->rec.AR_id);
    return 0;
}

static int check_resource(struct check *c, const struct CE_Type *next)
{
    const struct resource_name *name = resource_name_find(&c->q->resources, next->CE_name);
    if (name == NULL || next->CE_consumable != COMPLEX_CONSUMABLE_NO ||
        !ars_take(c->q, name->number))
        return 0;
    return ans_fail(c->ans, STATUS_ESEMANTIC, MSG_AR_COMPLEX_S, next->CE_name);
}

int config_reserved_object(struct qmaster *q, struct request *r, const struct TX_Type *rec,
                           const void *record)
{
    struct check c = { .q = q, .ans = &r->ans };
    const struct text_object *old =
        settings_text(&q->settings, (enum gdi_target)rec->TX_kind, rec->TX_name);
    if (q->ars.n == 0)
        return 0;
    if (rec->TX_kind == OBJECT_COMPLEX)
        return check_resource(&c, record);
    if (old == NULL)
        return 0;
    if (rec->TX_kind == OBJECT_HOSTGROUP)
        return check_group(&c, old, record);
    if (rec->TX_kind == OBJECT_PE)
        return check_pe(&c, old, record);
    return rec->TX_kind == OBJECT_CALENDAR ? check_calendar_object(&c, rec->TX_name, record) : 0;
}

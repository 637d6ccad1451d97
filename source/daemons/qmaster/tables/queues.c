/* The tables of cluster queues and queue instances. */
#include "daemons/qmaster/tables/queues.h"

#include <stdlib.h>

#include "daemons/qmaster/tables/hosts.h"
#include "libs/config/qinstance.h"
#include "libs/config/subordinates.h"
#include "libs/cull/shared.h"
#include "libs/uti/alloc.h"

struct cqueue *queues_cqueue(struct queues *queues, const char *name)
{
    struct cqueue *cq;
    HASH_FIND_STR(queues->cqueues, name, cq);
    return cq;
}

static struct qinstance *instance_find(struct queues *queues, const char *full_name)
{
    struct qinstance *qi;
    HASH_FIND_STR(queues->instances, full_name, qi);
    return qi;
}

struct qinstance *queues_instance(struct queues *queues, const char *full_name)
{
    struct qinstance *qi = instance_find(queues, full_name);
    return qi != NULL && qinstance_is_there(qi) ? qi : NULL;
}

struct qinstance *queues_leaving_instance(struct queues *queues, const char *full_name)
{
    struct qinstance *qi = LIST_EMPTY(&queues->leaving) ? NULL : instance_find(queues, full_name);
    return qi != NULL && !qinstance_is_there(qi) ? qi : NULL;
}

bool qinstance_is_there(const struct qinstance *qi)
{
    return !qi->cqueue->is_leaving;
}

/* QI, or the first behind it that is there */
static struct qinstance *first_there(struct qinstance *qi)
{
    while (qi != NULL && !qinstance_is_there(qi))
        qi = qi->hh.next;
    return qi;
}

struct qinstance *queues_first(const struct queues *queues)
{
    return first_there(queues->instances);
}

struct qinstance *queues_next(const struct qinstance *qi)
{
    return first_there(qi->hh.next);
}

void queues_init(struct queues *queues)
{
    *queues = (struct queues){ .shared = shared_records_new(&cull_QU_Type) };
    LIST_INIT(&queues->emptied);
    LIST_INIT(&queues->leaving);
    queues->calendars_due_s = UINT64_MAX;
}

/* ---- cluster queues ---- */

static struct cqueue *cqueue_new(struct queues *queues, const char *name)
{
    struct cqueue *cq = uti_calloc(1, sizeof *cq);
    LIST_INIT(&cq->instances);
    cull_set(&cq->rec, CQ_name, name);
    HASH_ADD_KEYPTR(hh, queues->cqueues, cq->rec.CQ_name, strlen(cq->rec.CQ_name), cq);
    return cq;
}

/* the key lives in the record: an older one keeps its own */
struct cqueue *queues_add_cqueue(struct queues *queues, struct CQ_Type *rec)
{
    struct cqueue *cq = queues_cqueue(queues, rec->CQ_name);
    if (cq == NULL)
        cq = cqueue_new(queues, rec->CQ_name);
    cull_share(rec, CQ_name, cq->rec.CQ_name);
    struct CQ_Type old = cq->rec;
    cq->rec = *rec;
    *rec = (struct CQ_Type){ 0 };
    cull_clear(&cull_CQ_Type, &old);
    return cq;
}

void queues_leave(struct queues *queues, struct cqueue *cq)
{
    walks_pass(&queues->walks, cq, cq->hh.next);
    HASH_DEL(queues->cqueues, cq);
    cq->is_leaving = true;
    LIST_INSERT_HEAD(&queues->leaving, cq, in_leaving);
}

void queues_remove_cqueue(struct queues *queues, struct cqueue *cq)
{
    if (!cq->is_leaving)
        queues_leave(queues, cq);
    LIST_REMOVE(cq, in_leaving);
    cull_clear(&cull_CQ_Type, &cq->rec);
    free(cq);
}

/* ---- instances ---- */

/* the two lists of the record move to where equal ones are */
static void instance_share(struct queues *queues, struct qinstance *qi)
{
    struct QU_Type settings = { .QU_settings = qi->rec.QU_settings };
    struct QU_Type groups = { .QU_hostgroups = qi->rec.QU_hostgroups };
    cull_mark(&settings, QU_settings);
    cull_mark(&groups, QU_hostgroups);
    qi->settings = shared_records_get(queues->shared, &settings);
    qi->groups = shared_records_get(queues->shared, &groups);
    qi->rec.QU_settings = qi->settings->QU_settings;
    qi->rec.QU_hostgroups = qi->groups->QU_hostgroups;
}

/* the lists are not the record's to free */
static void instance_clear(struct queues *queues, struct qinstance *qi)
{
    qi->rec.QU_settings = (struct VA_Type_list){ 0 };
    qi->rec.QU_hostgroups = (struct ST_Type_list){ 0 };
    cull_clear(&cull_QU_Type, &qi->rec);
    shared_records_drop(queues->shared, qi->settings);
    shared_records_drop(queues->shared, qi->groups);
    qi->settings = qi->groups = NULL;
}

static struct qinstance *instance_new(struct queues *queues, struct cqueue *cq, struct host *host,
                                      const struct QU_Type *rec)
{
    struct qinstance *qi = uti_calloc(1, sizeof *qi);
    qi->cqueue = cq;
    qi->host = host;
    qi->place = ++queues->last_place;
    LIST_INSERT_HEAD(&cq->instances, qi, in_cqueue);
    LIST_INSERT_HEAD(&host->instances, qi, in_host);
    cull_share(&qi->rec, QU_full_name, rec->QU_full_name);
    HASH_ADD_KEYPTR(hh, queues->instances, qi->rec.QU_full_name, strlen(qi->rec.QU_full_name), qi);
    return qi;
}

static void keep_counts(struct QU_Type *rec, const struct qinstance *qi)
{
    cull_set(rec, QU_slots_used, qi->rec.QU_slots_used);
    if (qi->rec.QU_slots_reserved != 0)
        cull_set(rec, QU_slots_reserved, qi->rec.QU_slots_reserved);
}

/* An older one stays where it is in the table, and so does the name, which is the key. */
struct qinstance *queues_put_instance(struct queues *queues, struct cqueue *cq, struct host *host,
                                      struct QU_Type *rec)
{
    struct qinstance *qi = queues_instance(queues, rec->QU_full_name);
    if (qi == NULL)
        qi = instance_new(queues, cq, host, rec);
    else
        keep_counts(rec, qi);
    cull_share(rec, QU_full_name, qi->rec.QU_full_name);
    cull_share(rec, QU_qname, cq->rec.CQ_name);
    cull_share(rec, QU_qhostname, host->rec.EH_name);
    struct qinstance old = *qi;
    qi->rec = *rec;
    qi->offers_round = 0;
    *rec = (struct QU_Type){ 0 };
    instance_share(queues, qi);
    queues->groups_round += old.groups != NULL && old.groups != qi->groups;
    instance_clear(queues, &old);
    return qi;
}

void queues_note_change(struct queues *queues, struct qinstance *qi, uint64_t number)
{
    qi->changed = queues->changed = number;
}

void queues_note_emptied(struct queues *queues, struct qinstance *qi)
{
    if (qi->is_emptied)
        return;
    qi->is_emptied = true;
    LIST_INSERT_HEAD(&queues->emptied, qi, in_emptied);
}

void queues_note_uneasy(struct queues *queues, struct qinstance *qi)
{
    if (qi->is_uneasy)
        return;
    qi->is_uneasy = true;
    LIST_INSERT_HEAD(&queues->uneasy, qi, in_uneasy);
}

void queues_note_calm(struct qinstance *qi)
{
    if (qi->is_uneasy)
        LIST_REMOVE(qi, in_uneasy);
    qi->is_uneasy = false;
}

void queues_note_turned(struct queues *queues, struct qinstance *qi)
{
    if (qi->is_turned)
        return;
    qi->is_turned = true;
    LIST_INSERT_HEAD(&queues->turned, qi, in_turned);
}

void queues_forget_turned(struct qinstance *qi)
{
    if (qi->is_turned)
        LIST_REMOVE(qi, in_turned);
    qi->is_turned = false;
}

/* ---- calendars ---- */
static struct calendar_use *calendar_use(struct queues *queues, const char *name)
{
    struct calendar_use *use;
    HASH_FIND_STR(queues->calendars, name, use);
    if (use != NULL)
        return use;
    use = uti_calloc(1, sizeof *use);
    use->name = uti_strdup(name);
    HASH_ADD_KEYPTR(hh, queues->calendars, use->name, strlen(use->name), use);
    return use;
}

static void leave_calendar(struct queues *queues, struct qinstance *qi)
{
    struct calendar_use *use = qi->calendar;
    if (use == NULL)
        return;
    if (use->at == qi)
        use->at = LIST_NEXT(qi, in_calendar);
    LIST_REMOVE(qi, in_calendar);
    qi->calendar = NULL;
    if (!LIST_EMPTY(&use->instances))
        return;
    HASH_DEL(queues->calendars, use);
    free(use->name);
    free(use);
}

bool queues_set_calendar(struct queues *queues, struct qinstance *qi, const char *name)
{
    if (name == NULL ? qi->calendar == NULL
                     : qi->calendar != NULL && strcmp(qi->calendar->name, name) == 0)
        return false;
    leave_calendar(queues, qi);
    if (name == NULL)
        return true;
    qi->calendar = calendar_use(queues, name);
    LIST_INSERT_HEAD(&qi->calendar->instances, qi, in_calendar);
    return true;
}

void queues_remove_instance(struct queues *queues, struct qinstance *qi)
{
    if (qi->is_emptied)
        LIST_REMOVE(qi, in_emptied);
    queues_note_calm(qi);
    queues_forget_turned(qi);
    leave_calendar(queues, qi);
    walks_pass(&queues->walks, qi, qi->hh.next);
    HASH_DEL(queues->instances, qi);
    LIST_REMOVE(qi, in_cqueue);
    LIST_REMOVE(qi, in_host);
    instance_clear(queues, qi);
    supply_free(&qi->supply);
    subordination_free(qi->subordination);
    free(qi);
}

void queues_clear(struct queues *queues)
{
    struct qinstance *qi, *nqi;
    struct cqueue *cq, *ncq;
    HASH_ITER(hh, queues->instances, qi, nqi) {
        queues_remove_instance(queues, qi);
    }
    HASH_ITER(hh, queues->cqueues, cq, ncq) {
        queues_remove_cqueue(queues, cq);
    }
    while ((cq = LIST_FIRST(&queues->leaving)) != NULL)
        queues_remove_cqueue(queues, cq);
    shared_records_free(queues->shared);
    *queues = (struct queues){ 0 };
}

uint32_t qinstance_state(const struct qinstance *qi)
{
    const struct host *h = qi->host;
    return qi->rec.QU_state | qi->load_state |
           (h->conn == 0 || h->is_leaving ? (uint32_t)QI_UNKNOWN : 0) |
           (host_is_closed(h) ? (uint32_t)QI_ERROR : 0) |
           (qi->calendar != NULL ? qi->calendar->state : 0) |
           (qi->is_subordinated ? (uint32_t)QI_SUBORDINATED : 0);
}

bool qinstance_may_start(const struct qinstance *qi)
{
    return (qinstance_state(qi) & QI_BLOCKING) == 0;
}

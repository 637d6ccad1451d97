/* Slots of tasks: the only place where QU_slots_used, the used slots of a queue and of a parallel
 * environment, the tasks of a host and the running tasks of a job change. A task has slots in all
 * queue instances of its allocation or in none; the host of the first, where it runs, is the one
 * that knows it. The other hosts of a parallel task have it in their lists of slaves. */
#include "daemons/qmaster/jobs/slots.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/reporting.h"
#include "daemons/qmaster/config/load.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/jobs/bookings.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "daemons/qmaster/jobs/place_path.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/allocation.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/log.h"

/* the record of QI follows its supply */
static void show_slots(struct qmaster *q, struct qinstance *qi)
{
    cull_set(&qi->rec, QU_slots_used,
             (uint32_t)supply_booked(&qi->supply, RESOURCE_SLOTS) + qi->ar_used);
    qi->used_us = q->queues.used_us = q->now_us;
    if (qi->host->n_superiors > 0 || qi->host->n_watching > 0)
        host_note_unbalanced(&q->hosts, qi->host);
    if (q->hosts.n_watching > 0 && q->hosts.cell.n_limited > 0)
        q->hosts.is_cell_other = true;
    queues_note_change(&q->queues, qi, change_number(q));
}

static void book_entry(struct qmaster *q, const struct job *job, struct qinstance *qi,
                       const struct JG_Type *entry)
{
    bookings_add(q, job->rec.JB_ar, qi, entry->JG_slots, &entry->JG_taken);
    qi->ar_used += job->rec.JB_ar != 0 ? entry->JG_slots : 0;
    qi->cqueue->slots_used += entry->JG_slots;
    show_slots(q, qi);
}

static void release_entry(struct qmaster *q, const struct job *job, struct qinstance *qi,
                          const struct JG_Type *entry)
{
    ASSERT(qi->cqueue->slots_used >= entry->JG_slots);
    bookings_end(q, job->rec.JB_ar, qi, entry->JG_slots, &entry->JG_taken);
    qi->ar_used -= job->rec.JB_ar != 0 ? entry->JG_slots : 0;
    qi->cqueue->slots_used -= entry->JG_slots;
    show_slots(q, qi);
    if (qi->rec.QU_slots_used == 0 && qi->n_ars == 0 && (qi->rec.QU_state & QI_ORPHANED) != 0)
        queues_note_emptied(&q->queues, qi); /* it goes later: callers walk queues and hosts */
}

static void set_taken(struct JG_Type *entry, const struct TK_Type_list *taken)
{
    if (taken->n == 0)
        return;
    cull_mark(entry, JG_taken);
    cull_room(&entry->JG_taken, taken->n);
    for (uint32_t i = 0; i < taken->n; i++)
        cull_copy(&cull_TK_Type, cull_push(&entry->JG_taken), &taken->v[i]);
}

/* the strings of the record are those of the queue instances: there may be many tasks */
static void set_granted(struct JAT_Type *rec, const struct places *places)
{
    struct JG_Type_list *granted = &rec->JAT_granted_destin_identifier_list;
    cull_list_clear(&cull_JG_Type, granted);
    cull_mark(rec, JAT_granted_destin_identifier_list);
    cull_room(granted, places->n);
    for (uint32_t i = 0; i < places->n; i++) {
        const struct QU_Type *queue = &places->v[i].qi->rec;
        allocation_add(granted, queue->QU_full_name, queue->QU_qhostname, places->v[i].slots);
        set_taken(&granted->v[i], &places->v[i].taken);
    }
    if (places->pe == NULL)
        return;
    allocation_set_pe(granted, places->pe->rec.TX_name);
    allocation_keep_pe(granted, places->pe->record);
}

/* the same for a record from the spool, which keeps all else that it says */
static void share_names(struct JG_Type_list *granted, const struct places *places)
{
    for (uint32_t i = 0; i < places->n; i++) {
        const struct QU_Type *queue = &places->v[i].qi->rec;
        cull_share(&granted->v[i], JG_qname, queue->QU_full_name);
        cull_share(&granted->v[i], JG_qhostname, queue->QU_qhostname);
    }
    allocation_set_pe(granted, places->pe != NULL ? places->pe->rec.TX_name : NULL);
}

/* the parallel environment of an allocation, which stays while a task is in it; NULL: there is
 * none */
static struct text_object *pe_of(const struct qmaster *q, const struct JG_Type_list *granted)
{
    const char *name = allocation_pe(granted);
    return name != NULL ? settings_text(&q->settings, GDI_PE, name) : NULL;
}

static void join_slaves(struct task *t, const struct places *places)
{
    if (places->n > 1)
        t->slaves = uti_calloc(places->n - 1, sizeof *t->slaves);
    for (uint32_t i = 1; i < places->n; i++) {
        struct host *h = places->v[i].qi->host;
        if (h == t->host || h->joined_last == t)
            continue; /* it knows the task already */
        h->joined_last = t;
        struct slave_host *slave = &t->slaves[t->n_slaves++];
        slave->task = t;
        slave->host = h;
        LIST_INSERT_HEAD(&h->slaves, slave, in_host);
    }
}

static void leave_slaves(struct task *t)
{
    tight_free(t->tight);
    t->tight = NULL;
    for (uint32_t i = 0; i < t->n_slaves; i++) {
        LIST_REMOVE(&t->slaves[i], in_host);
        if (t->slaves[i].host->joined_last == t)
            t->slaves[i].host->joined_last = NULL;
    }
    free(t->slaves);
    t->slaves = NULL;
    t->n_slaves = 0;
}

static bool takes_one_of(const struct JG_Type *entry, const struct CE_Type_list *offers)
{
    for (uint32_t i = 0; i < entry->JG_taken.n; i++)
        if (cull_find(&cull_CE_Type, offers, entry->JG_taken.v[i].TK_name) != NULL)
            return true;
    return false;
}

static bool takes_of_cell(struct qmaster *q, const struct JG_Type_list *granted)
{
    const struct CE_Type_list *offers = granted->v[0].JG_taken.n > 0 ? cell_offers(q) : NULL;
    for (uint32_t i = 0; offers != NULL && offers->n > 0 && i < granted->n; i++)
        if (takes_one_of(&granted->v[i], offers))
            return true;
    return false;
}

static void note_wide(struct qmaster *q, struct task *t, const struct places *places)
{
    t->is_wide =
        t->job->rec.JB_ar == 0 &&
        (places->pe != NULL || takes_of_cell(q, &t->rec.JAT_granted_destin_identifier_list));
    if (!t->is_wide)
        return;
    TAILQ_INSERT_TAIL(&q->ars.wide, t, in_wide);
    q->ars.wide_round++;
}

static void forget_wide(struct qmaster *q, struct task *t)
{
    if (!t->is_wide)
        return;
    TAILQ_REMOVE(&q->ars.wide, t, in_wide);
    q->ars.wide_round++;
    t->is_wide = false;
}

static void hold_slots(struct qmaster *q, struct task *t, const struct places *places)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    for (uint32_t i = 0; i < places->n; i++) {
        book_entry(q, t->job, places->v[i].qi, &granted->v[i]);
        if (q->settings.has_load_adjustments)
            load_note_start(q, places->v[i].qi->host, t->rec.JAT_start_time,
                            granted->v[i].JG_slots);
    }
    bookings_add_limits(q, t, places->pe);
    jobs_count_running(&q->jobs, t->job, 1);
    t->host = places->v[0].qi->host;
    t->is_preempted = false;
    TAILQ_INSERT_TAIL(&t->host->tasks, t, in_host);
    join_slaves(t, places);
    note_wide(q, t, places);
    if (allocation_controls_slaves(granted))
        t->tight = tight_new(t, t->host, t->slaves, t->n_slaves);
}

void slots_take(struct qmaster *q, struct task *t, const struct places *places)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    set_granted(&t->rec, places);
    hold_slots(q, t, places);
    for (uint32_t i = 0; q->settings.has_reporting && i < places->n; i++)
        reporting_consumables(q, places->v[i].qi, &granted->v[i]);
}

void slots_give_back(struct qmaster *q, struct task *t)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    if (t->host == NULL)
        return;
    bookings_end_limits(q, t, pe_of(q, granted));
    for (uint32_t i = 0; i < granted->n; i++) {
        struct qinstance *qi = queues_instance(&q->queues, granted->v[i].JG_qname);
        ASSERT(qi != NULL); /* neither a queue nor a host goes while a task has slots in it */
        release_entry(q, t->job, qi, &granted->v[i]);
        reporting_consumables(q, qi, &granted->v[i]);
    }
    TAILQ_REMOVE(&t->host->tasks, t, in_host);
    leave_slaves(t);
    forget_wide(q, t);
    t->host = NULL;
    jobs_count_running(&q->jobs, t->job, -1);
    events_task_ended(q, t);
}

/* the queue instance of an entry of the spool, which the configuration may have left; NULL, with a
 * line in the log: the queue or the host does not exist */
static struct qinstance *instance_of(struct qmaster *q, const struct task *t, const char *name)
{
    struct qinstance *qi = queues_instance(&q->queues, name);
    if (qi == NULL)
        qi = queue_bring_back(q, name);
    if (qi == NULL)
        log_msg(LOG_LEVEL_ERROR, MSG_TASK_WITHOUT_QUEUE_UUS, t->rec.JAT_job_number,
                t->rec.JAT_task_number, name);
    return qi;
}

void slots_restore(struct qmaster *q, struct task *t)
{
    struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    if (!task_holds_slots(t))
        return;
    struct places places = { .v = uti_calloc((size_t)granted->n + 1, sizeof *places.v),
                             .pe = pe_of(q, granted) };
    while (places.n < granted->n) {
        const struct JG_Type *entry = &granted->v[places.n];
        struct qinstance *qi = instance_of(q, t, entry->JG_qname);
        if (qi == NULL)
            break;
        places.v[places.n++] = (struct place){ .qi = qi, .slots = entry->JG_slots };
    }
    if (places.n == granted->n && places.n > 0) {
        share_names(granted, &places);
        hold_slots(q, t, &places);
    }
    free(places.v);
}

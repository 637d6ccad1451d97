/* The comparison of the queue instances of one host. Slot-wise lists suspend tasks and not
 * instances: here they are only counted, and reports/slotwise.c looks at the tasks. */
#include "daemons/qmaster/config/subordinates.h"

#include "daemons/qmaster/config/load.h"
#include "daemons/qmaster/config/msg_config.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/qinstance.h"
#include "libs/config/subordinates.h"
#include "libs/uti/dstr.h"

static bool is_slotwise(const struct subordination *s)
{
    return s != NULL && s->slots > 0;
}

/* QI suspends what NEXT says, taken */
static void put_list(struct qmaster *q, struct qinstance *qi, struct subordination *next)
{
    struct subordination *old = qi->subordination;
    struct host *h = qi->host;
    if (is_slotwise(old) || is_slotwise(next))
        host_note_crowded(&q->hosts, h);
    h->n_superiors = h->n_superiors + (next != NULL) - (old != NULL);
    h->n_slotwise = h->n_slotwise + is_slotwise(next) - is_slotwise(old);
    q->hosts.n_slotwise = q->hosts.n_slotwise + is_slotwise(next) - is_slotwise(old);
    qi->subordination = next;
    if (old != NULL || h->n_superiors > 0)
        host_note_unbalanced(&q->hosts, h);
    subordination_free(old);
}

void subordinates_settle(struct qmaster *q, struct qinstance *qi)
{
    put_list(q, qi, subordination_read(qinstance_setting(&qi->rec, "subordinate_list")));
}

void subordinates_leave(struct qmaster *q, struct qinstance *qi)
{
    put_list(q, qi, NULL);
}

/* from so many slots of SUPERIOR on the queue is suspended */
static uint32_t limit_of(const struct qinstance *superior, const struct subordinate *s)
{
    uint32_t limit = s->slots > 0 ? s->slots : superior->rec.QU_job_slots;
    return limit > 0 ? limit : 1;
}

static bool is_suspending(const struct qinstance *superior, const struct subordinate *s)
{
    return superior->rec.QU_slots_used >= limit_of(superior, s);
}

static bool is_superior(const struct qinstance *qi)
{
    return qi->subordination != NULL && qi->subordination->slots == 0 && qinstance_is_there(qi);
}

static void mark_subordinates(const struct qinstance *superior)
{
    const struct subordination *l = superior->subordination;
    struct qinstance *qi;
    for (uint32_t i = 0; i < l->n; i++) {
        if (!is_suspending(superior, &l->v[i]))
            continue;
        LIST_FOREACH(qi, &superior->host->instances, in_host)
            if (qi != superior && strcmp(qi->rec.QU_qname, l->v[i].queue) == 0)
                qi->is_to_be_subordinated = true;
    }
}

static void look_at(struct qmaster *q, struct host *h)
{
    struct qinstance *qi;
    LIST_FOREACH(qi, &h->instances, in_host)
        qi->is_to_be_subordinated = false;
    LIST_FOREACH(qi, &h->instances, in_host)
        if (is_superior(qi))
            mark_subordinates(qi);
    LIST_FOREACH(qi, &h->instances, in_host) {
        if (qi->is_subordinated == qi->is_to_be_subordinated)
            continue;
        qi->is_subordinated = qi->is_to_be_subordinated;
        queues_note_turned(&q->queues, qi);
        if (qinstance_is_there(qi))
            events_queue_mod(q, qi);
    }
}

void subordinates_step(struct qmaster *q)
{
    struct host *h;
    while ((h = TAILQ_FIRST(&q->hosts.unbalanced)) != NULL) {
        host_forget_unbalanced(&q->hosts, h);
        look_at(q, h);
        load_left_update(q, h);
        if (h->n_slotwise > 0)
            host_note_crowded(&q->hosts, h);
    }
}

void subordinates_explain(const struct qinstance *qi, struct dstr *out)
{
    const struct qinstance *other;
    size_t before = out->len;
    LIST_FOREACH(other, &qi->host->instances, in_host)
        for (uint32_t i = 0; is_superior(other) && i < other->subordination->n; i++) {
            const struct subordinate *s = &other->subordination->v[i];
            if (other == qi || strcmp(s->queue, qi->rec.QU_qname) != 0 || !is_suspending(other, s))
                continue;
            dstr_add(out, out->len > before ? "\n" : "");
            dstr_addf(out, MSG_SUBORDINATED_SUU, other->rec.QU_full_name, other->rec.QU_slots_used,
                      limit_of(other, s));
        }
}

/* initial_state of queue_conf(5). A state that comes from it is spooled as one that somebody has
 * set with qmod: it outlives the qmaster. */
#include "daemons/qmaster/config/initial_state.h"

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/qinstance.h"

static uint32_t wanted_state(const struct QU_Type *qu)
{
    const char *initial = qinstance_setting(qu, "initial_state");
    if (initial != NULL && strcmp(initial, "enabled") == 0)
        return qu->QU_state & ~(uint32_t)QI_DISABLED;
    if (initial != NULL && strcmp(initial, "disabled") == 0)
        return qu->QU_state | QI_DISABLED;
    return qu->QU_state;
}

/* false: it was in that state */
static bool put_state(struct qmaster *q, struct qinstance *qi)
{
    uint32_t state = wanted_state(&qi->rec);
    if (state == qi->rec.QU_state)
        return false;
    cull_set(&qi->rec, QU_state, state);
    queues_note_change(&q->queues, qi, change_number(q));
    change_record(q, SPOOL_QINSTANCE, qi->rec.QU_full_name, &cull_QU_Type, &qi->rec);
    return true;
}

void initial_state_begin(struct qmaster *q, struct qinstance *qi)
{
    (void)put_state(q, qi);
}

void initial_state_host(struct qmaster *q, struct host *h)
{
    struct qinstance *qi;
    LIST_FOREACH(qi, &h->instances, in_host)
        if (qinstance_is_there(qi) && put_state(q, qi))
            events_queue_mod(q, qi);
}

#ifndef QMASTER_TABLES_QUEUES_H
#define QMASTER_TABLES_QUEUES_H

#include <sys/queue.h>

#include "daemons/qmaster/tables/walk.h"
#include "libs/resource/supply.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/hash.h"

/* Cluster queues and their instances. State only; the core's alone. Many instances have the same
 * settings and groups: each content is kept once (libs/cull/shared.h), so that an instance is
 * small. */
struct host;
struct shared_records;
struct subordination;
/* a calendar that queue instances have (config/calendars.h) */
struct calendar_use {
    char *name;       /* owned */
    uint32_t state;   /* of all its instances: QI_CAL_DISABLED, QI_CAL_SUSPENDED, or 0 */
    uint64_t until_s; /* wall clock: when it is to be looked at again; UINT64_MAX: never */
    bool is_change;   /* its state differs then */
    LIST_HEAD(, qinstance) instances;
    struct qinstance *at; /* of them, the next that is to follow its state; NULL: all have */
    UT_hash_handle hh;    /* by name */
};
struct cqueue {
    struct CQ_Type rec;
    uint64_t changed;
    uint64_t slots_used; /* in all of its instances */
    LIST_HEAD(, qinstance) instances;
    bool is_leaving; /* it has been removed, and its instances follow */
    LIST_ENTRY(cqueue) in_leaving;
    UT_hash_handle hh; /* by CQ_name */
};
struct qinstance {
    /* resolved for its host; QU_state, QU_slots_used kept current here. QU_settings and
     * QU_hostgroups are those of the next two, and they are constant. */
    struct QU_Type rec;
    const struct QU_Type *settings, *groups; /* shared; held */
    struct supply supply;  /* what its tasks book of it; jobs/bookings.c alone changes it */
    uint64_t offers_round; /* of the complex (settings.h), as the offers were read; 0: not yet */
    struct cqueue *cqueue;
    struct host *host;
    uint64_t changed;
    uint64_t used_us; /* monotonic: when its used slots changed last */
    /* advance reservations that have slots here, and slots of tasks in those, which their supplies
     * count and not this one */
    uint32_t n_ars, ar_used;
    uint32_t load_state;     /* QI_ALARM, QI_SUSPEND_ALARM (config/load.h) */
    bool watches_left;       /* one of its thresholds is on what is left of a resource */
    uint32_t reported_state; /* as the reporting file has it */
    uint64_t place;          /* in the table: those that came later have higher ones */
    bool is_emptied;         /* it is in the list of those */
    /* it is in the list of those that exceed a suspend threshold, or have tasks that stand still
     * since they did; the next step is due then (reports/load_suspend.h) */
    bool is_uneasy;
    uint64_t suspend_due_s;
    LIST_ENTRY(qinstance) in_uneasy;
    struct calendar_use *calendar; /* NULL: it has none */
    LIST_ENTRY(qinstance) in_calendar;
    struct subordination *subordination; /* owned: queues that it suspends; NULL: none */
    /* by a queue instance on its host (config/subordinates.h), and so it will be */
    bool is_subordinated, is_to_be_subordinated;
    uint64_t crowd_stamp; /* of the last group of queues that it was counted in (slotwise.c) */
    /* in the list of those whose tasks are to stop or to continue (reports/queue_suspend.c) */
    bool is_turned;
    LIST_ENTRY(qinstance) in_turned;
    LIST_ENTRY(qinstance) in_cqueue, in_host, in_emptied;
    UT_hash_handle hh; /* by QU_full_name */
};
struct queues {
    struct cqueue *cqueues;
    struct qinstance *instances;
    struct shared_records *shared; /* QU_Type: settings alone, groups alone */
    struct walks walks;            /* over either */
    uint64_t last_place, last_crowd;
    uint64_t used_us;          /* the latest of those of all instances */
    uint64_t groups_round;     /* how often the groups of an instance have changed */
    bool are_recovered;        /* those that come now are new */
    uint64_t changed, removed; /* the batches that last changed an instance, and removed one */
    /* orphans whose last task has ended: they may go */
    LIST_HEAD(, qinstance) emptied;
    LIST_HEAD(, qinstance) uneasy;
    LIST_HEAD(, qinstance) turned;
    struct calendar_use *calendars;
    bool has_calendar_turned;    /* one of them has instances that have not followed */
    uint64_t calendars_due_s;    /* when the first of them is to be looked at again */
    uint64_t calendars_looked_s; /* when that was done last: the clock may be set back */
    /* removed, and in no table any more; their instances are, until their turn comes, but lookups
     * do not find them */
    LIST_HEAD(, cqueue) leaving;
};
/* queues_init - none; end with queues_clear, which frees all of them */
void queues_init(struct queues *queues);
void queues_clear(struct queues *queues);
/* queues_cqueue, queues_instance - by name ("all.q", "all.q@host"); NULL without one. O(1)
 * queues_leaving_instance - the same of a queue that is leaving */
struct cqueue *queues_cqueue(struct queues *queues, const char *name);
struct qinstance *queues_instance(struct queues *queues, const char *full_name);
struct qinstance *queues_leaving_instance(struct queues *queues, const char *full_name);
/* qinstance_is_there - is QI an instance of a queue that is not leaving? Ask where one comes from
 * the table or from its host
 * queues_first, queues_next - all that are there, in the order in which they came; NULL at the
 * end */
bool qinstance_is_there(const struct qinstance *qi);
struct qinstance *queues_first(const struct queues *queues);
struct qinstance *queues_next(const struct qinstance *qi);
/* queues_add_cqueue - REC is moved in; replaces an older one of the name. Its instances are the
 * caller's to resolve. */
struct cqueue *queues_add_cqueue(struct queues *queues, struct CQ_Type *rec);
/* queues_leave - lookups no longer find CQ or its instances; there may be another queue of its
 * name. O(1)
 * queues_remove_cqueue - free CQ, which has no instances any more */
void queues_leave(struct queues *queues, struct cqueue *cq);
void queues_remove_cqueue(struct queues *queues, struct cqueue *cq);
/* queues_put_instance - add one, or give an older one what REC says, which is moved in; the used
 * slots of an older one are kept, and so is its place. None of that name is leaving. */
struct qinstance *queues_put_instance(struct queues *queues, struct cqueue *cq, struct host *host,
                                      struct QU_Type *rec);
/* queues_note_change - batch NUMBER, the latest of all, changes QI */
void queues_note_change(struct queues *queues, struct qinstance *qi, uint64_t number);
/* queues_note_emptied - the last task in QI, an orphan, has ended */
void queues_note_emptied(struct queues *queues, struct qinstance *qi);
/* queues_note_uneasy - QI exceeds a suspend threshold, or has tasks that stand still because it did
 * queues_note_calm - neither is so */
void queues_note_uneasy(struct queues *queues, struct qinstance *qi);
void queues_note_calm(struct qinstance *qi);
/* queues_note_turned - tasks in QI may have to stop or to continue
 * queues_forget_turned - they have */
void queues_note_turned(struct queues *queues, struct qinstance *qi);
void queues_forget_turned(struct qinstance *qi);
/* queues_set_calendar - QI has the calendar NAME from now on; NULL: none. Returns true if it had
 * another one; then its state is not looked at yet if no other instance has it (until_s is 0) */
bool queues_set_calendar(struct queues *queues, struct qinstance *qi, const char *name);
/* queues_remove_instance - free QI, in which nothing runs */
void queues_remove_instance(struct queues *queues, struct qinstance *qi);
/* qinstance_state - its QI_... bits: what people and failures did to it, and what follows from its
 * host: that it does not report, has too much load, or is closed since starts failed there; and
 * from its calendar and the queues that it is subordinate to
 * qinstance_may_start - is it enabled, reachable, not in error or suspended? */
uint32_t qinstance_state(const struct qinstance *qi);
bool qinstance_may_start(const struct qinstance *qi);

#endif

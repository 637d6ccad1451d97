#ifndef SGEOBJ_EVENT_H
#define SGEOBJ_EVENT_H

#include "common/basis.h"

/* Events to the scheduler and to other event clients, and the orders that come back. A client
 * passes over kinds that it does not know: those of a newer qmaster.
 * The first package after a registration is the state as a stream of the same events (JOB_ADD,
 * QUEUE_ADD ...), ended by EV_SYNCED. */
enum event_kind {
    /* what follows are changes */
    EV_SYNCED = 1,
    /* EV_jobs[0]: the fields scheduling needs; EV_ids: tasks ready to start. To others than the
     * scheduler, when the state comes, EV_failed_ids and EV_unknown_ids: of the tasks that have
     * ended, those that failed or did not run, and those of which it is not known */
    EV_JOB_ADD = 2,
    /* EV_jobs[0]: number and the fields that changed */
    EV_JOB_MOD = 3,
    /* EV_job_number */
    EV_JOB_DEL = 4,
    /* EV_job_number, EV_ids: these may start now (released, put back, refused order) */
    EV_TASKS_READY = 5,
    /* EV_ids: these may not (held, deleted, in error) */
    EV_TASKS_UNREADY = 6,
    /* EV_ids, EV_granted: they occupy slots; not ready any more */
    EV_TASKS_STARTED = 7,
    /* EV_ids, EV_granted: slots free again. A task that was put back follows with EV_TASKS_READY */
    EV_TASKS_ENDED = 8,
    /* EV_queues[0]: QU_full_name QU_job_slots QU_seq_no QU_state QU_qtype QU_hostgroups QU_pe_list
     * QU_ckpt_list QU_consumable_config_list; QU_slots_used is not sent: STARTED events follow. To the scheduler
     * also QU_load QU_load_step, which come alone when nothing else has changed */
    EV_QUEUE_ADD = 9,
    EV_QUEUE_MOD = 10,
    /* EV_queue */
    EV_QUEUE_DEL = 11,
    /* EV_confs[0]: the scheduler's configuration (sched_conf(5)) */
    EV_CONF = 12,
    /* qconf -tsm: run now */
    EV_TRIGGER = 13,
    /* EV_job_number, EV_ids: these have finally ended, whether they ran or not; not for the
     * scheduler */
    EV_TASKS_DONE = 14,
    /* discard earlier state; a full resend follows: the client was too slow, or the scheduler has
     * registered again, for more */
    EV_ANEW = 15,
    /* EV_texts[0]: an object that administrators keep (object_kind.h), new or changed; for the
     * scheduler parallel environments, resources, quotas, and what it names */
    EV_OBJECT = 16,
    /* EV_texts[0]: its kind and name */
    EV_OBJECT_DEL = 17,
    /* EV_hosts[0]: EH_name EH_consumable_config_list, what a host has of resources, and
     * EH_load_list, which may come alone; "global": what the cell has. A host without an event has
     * nothing. Others than the scheduler get these two kinds only if they name them, loads at most
     * once a second, and QU_slots_used of queue instances likewise */
    EV_HOST = 18,
    /* EV_hosts[0]: its name */
    EV_HOST_DEL = 19,
    /* EV_job_number, EV_ids, EV_status (enum task_status), EV_state (TASK_IS_... bits): they went
     * into error or out of it, were suspended or go on; for the scheduler if it names them */
    EV_TASKS_STATE = 20,
    /* EV_job_number, EV_ids, EV_owner, EV_project, EV_usage: these have finally ended and used so
     * much together; only for those who name it */
    EV_USAGE = 21,
    /* EV_owner, EV_project, EV_usage, EV_start_time: what all jobs of the owner in the project, or of
     * the owner without a project, had used until that time, decayed until then; without EV_usage:
     * nothing any more. Values decay on as sched_conf(5) says. For the scheduler if it names it,
     * each pair of them at most once a second */
    EV_SHARE_USAGE = 22,
    /* EV_ars[0]: AR_id AR_state AR_start_time AR_end_time AR_granted of an advance reservation that
     * came or has begun; only for those who name it, and for the scheduler */
    EV_AR = 23,
    /* EV_ars[0]: AR_id; it has gone */
    EV_AR_DEL = 24,
    EV_KINDS
};
/* The qmaster answers every order also by events: EV_TASKS_STARTED confirms (it may repeat what the
 * scheduler has booked already and then changes nothing), EV_TASKS_READY takes the booking back and
 * makes the task ready again, EV_TASKS_ENDED removes it finally. */
/* tasks that the scheduler orders at a time, so that the qmaster's turns stay short */
enum { ORDER_PACKAGE_TASKS = 1000 };
/* reservations of an order, and of each the queue instances that are named */
enum { RESERVATIONS_MOST = 1000, RESERVED_PLACES_MOST = 32 };
enum order_kind {
    ORDER_START = 1,
    ORDER_REMOVE = 2, /* an immediate job that cannot start as a whole; no tasks */
    ORDER_LAST = 3,   /* the jobs of an owner come after those of others, for what they cost the
                       * scheduler: to be shown */
    ORDER_PRIOR = 4,  /* OR_terms, OR_granted_by_policy: what the priority of jobs follows from */
    ORDER_RESERVE = 5 /* OR_reserved: all that is reserved from now on, to be shown */
};

struct EV_Type;
struct answer;
/* event_check - is EVENT of a known kind, with the fields that its kind needs? A receiver of events
 * asks before changing anything.
 * Returns 0, or -1 with ans (STATUS_EPROTO) naming the kind and the field. Pure, O(1). */
int event_check(const struct EV_Type *event, struct answer *ans);
/* event_kind_name - "job_add", what an event client asks for; NULL if KIND is not a kind */
const char *event_kind_name(uint32_t kind);
/* event_kind_find - the kind called NAME (any case), 0 if there is no such kind here */
uint32_t event_kind_find(const char *name);

#endif

#ifndef SGEOBJ_TASK_STATE_H
#define SGEOBJ_TASK_STATE_H

#include "libs/sgeobj/job_state.h"

/* The life of a task in the qmaster as a table: [state][event] -> {next state, action}. Pure. The
 * state is not stored: it follows from JAT_status and JAT_state, which task_state_enter writes.
 *
 * Every reason of a suspension has a bit of its own (TASK_SUSPENSIONS). A task that was sent, or is
 * on its way to its end, keeps its state while it has such reasons; one that runs is suspended. */
enum task_state {
    TASK_STATE_PENDING,       /* waits for its first start, or for another */
    TASK_STATE_SENT,          /* ordered; its host has not confirmed the start */
    TASK_STATE_RUNNING,       /* without a reason to be suspended */
    TASK_STATE_SUSPENDED,     /* runs, with one reason or more */
    TASK_STATE_CHECKPOINTING, /* its state is being saved; it runs on afterwards */
    TASK_STATE_MIGRATING,     /* its state is being saved; it starts elsewhere afterwards */
    TASK_STATE_RESCHEDULING,  /* ending: its end puts it back (qmod -rj) */
    TASK_STATE_DELETING,      /* ending: its end is final (qdel) */
    TASK_STATE_LOST,          /* its host is unknown; the task may still run there */
    TASK_STATE_ERROR,         /* waits for qmod -cj */
    TASK_STATE_ENDED,         /* final; its record is removed */
    TASK_STATES
};
enum task_event {
    TASK_EVENT_ORDERED, /* by the scheduler */
    TASK_EVENT_STARTED, /* confirmed by the host */
    /* task_suspension_event chooses among these four */
    TASK_EVENT_STOPPED,       /* a first reason to be suspended */
    TASK_EVENT_STOPPED_AGAIN, /* one more */
    TASK_EVENT_REASON_GONE,   /* another is left */
    TASK_EVENT_RESUMED,       /* the last reason is gone */
    TASK_EVENT_CHECKPOINT,    /* a checkpoint begins */
    TASK_EVENT_CHECKPOINTED,  /* it is complete, or has failed */
    TASK_EVENT_MIGRATE,       /* a migration begins; an end is to follow */
    TASK_EVENT_NOT_MIGRATED,  /* it has failed, and the task runs on */
    TASK_EVENT_HOST_LOST,     /* the host is away and the task may not be given up */
    TASK_EVENT_HOST_FOUND,    /* it is back, with the task */
    TASK_EVENT_RESCHEDULE,
    TASK_EVENT_DELETE,
    TASK_EVENT_CLEAN, /* a deletion, after which a host removes what it has saved */
    /* its end on the host, by what follows from it unless it was deleted or rescheduled */
    TASK_EVENT_END_FINAL,
    TASK_EVENT_END_AGAIN,       /* starts again */
    TASK_EVENT_END_ERROR,       /* goes into error */
    TASK_EVENT_END_QUEUE_ERROR, /* its queue instance goes into error, the task starts elsewhere */
    TASK_EVENT_END_FINAL_QUEUE_ERROR,
    TASK_EVENT_CLEARED, /* its error (qmod -cj) */
    TASK_EVENTS
};
/* What follows from a transition, for the qmaster to carry out after the record has changed. */
enum task_action {
    TASK_ACTION_START,        /* take slots, send it to its host */
    TASK_ACTION_RECORD_START, /* store that it runs */
    TASK_ACTION_STOP,         /* store, and stop its processes */
    TASK_ACTION_CONTINUE,     /* store, and let its processes continue */
    TASK_ACTION_NOTE,         /* store; its processes are not concerned */
    TASK_ACTION_REPEAT,       /* store, and send its host what it may have missed */
    TASK_ACTION_MIGRATE,      /* store, and have its host save and end it */
    TASK_ACTION_KILL,         /* store, and end its processes */
    TASK_ACTION_CLEAN,        /* take a slot, have its last host run clean_command alone */
    TASK_ACTION_END,          /* account for it, return its slots, remove it */
    TASK_ACTION_END_UNRUN,    /* remove it: it holds no slots */
    TASK_ACTION_END_QUEUE_ERROR,
    TASK_ACTION_PUT_BACK, /* account for it, return its slots, count a restart */
    TASK_ACTION_PUT_BACK_QUEUE_ERROR,
    TASK_ACTION_PARK,  /* account for it, return its slots, keep it in error */
    TASK_ACTION_CLEAR, /* let it start again */
    TASK_ACTIONS
};
struct task_cell {
    bool is_there;
    enum task_state next; /* RUNNING: SUSPENDED while there are reasons */
    enum task_action action;
};

/* task_state_of - of a record; one without a status is pending */
enum task_state task_state_of(const struct JAT_Type *task);
/* task_suspension_event - REASON (TASK_IS_SUSPENDED ...) comes to, or goes from, those in the
 * JAT_state BITS */
enum task_event task_suspension_event(uint32_t bits, uint32_t reason, bool is_on);
/* task_cell - what EVENT does in STATE; NULL: nothing, it is to be refused. O(1) */
const struct task_cell *task_cell(enum task_state state, enum task_event event);
/* task_state_enter - JAT_status and JAT_state of TASK as CELL wants them, which is that of EVENT in
 * its present state; REASON: of a suspension event, else 0. A record that ends stays unchanged. */
void task_state_enter(struct JAT_Type *task, enum task_event event, const struct task_cell *cell,
                      uint32_t reason);
/* task_state_name, task_event_name - for the log */
const char *task_state_name(enum task_state state);
const char *task_event_name(enum task_event event);

struct dstr;
/* task_state_text - the letters qstat shows: "qw", "hqw", "r", "t", "dr", "Eqw", "hRq", "s", "Rr"
 * ... JAT NULL = pending; HOLDS as job_task_holds gives. Appends to OUT. */
void task_state_text(const struct JAT_Type *jat, unsigned holds, struct dstr *out);

#endif

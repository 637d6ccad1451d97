/* The states of a task: the table of its life, how records store them, and the letters that users
 * see. An absent cell refuses its event. Events that no program fires yet (checkpoints, lost hosts)
 * have their cells as well. Source: qstat(1), qmod(1), checkpoint(5); the letters that
 * scripts match. */
#include "libs/sgeobj/task_state.h"

#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"

/* ---- the table ---- */
#define TO(state, act)                                                                             \
    {                                                                                              \
        .is_there = true, .next = TASK_STATE_##state, .action = TASK_ACTION_##act                  \
    }

/* the end of a task, by what its host reports */
#define ENDS_AS_REPORTED                                                                           \
    [TASK_EVENT_END_FINAL] = TO(ENDED, END), [TASK_EVENT_END_AGAIN] = TO(PENDING, PUT_BACK),       \
    [TASK_EVENT_END_ERROR] = TO(ERROR, PARK),                                                      \
    [TASK_EVENT_END_QUEUE_ERROR] = TO(PENDING, PUT_BACK_QUEUE_ERROR),                              \
    [TASK_EVENT_END_FINAL_QUEUE_ERROR] = TO(ENDED, END_QUEUE_ERROR)
/* the same end, whatever its host reports */
#define ENDS_AS(state, act)                                                                        \
    [TASK_EVENT_END_FINAL] = TO(state, act), [TASK_EVENT_END_AGAIN] = TO(state, act),              \
    [TASK_EVENT_END_ERROR] = TO(state, act), [TASK_EVENT_END_QUEUE_ERROR] = TO(state, act),        \
    [TASK_EVENT_END_FINAL_QUEUE_ERROR] = TO(state, act)
/* reasons of a suspension come and go, and the state stays */
#define STOPS_AND_STAYS(state)                                                                     \
    [TASK_EVENT_STOPPED] = TO(state, STOP), [TASK_EVENT_STOPPED_AGAIN] = TO(state, NOTE),          \
    [TASK_EVENT_REASON_GONE] = TO(state, NOTE), [TASK_EVENT_RESUMED] = TO(state, CONTINUE)
/* the same without a signal: its processes must not stop now, or cannot be reached */
#define NOTES_REASONS(state)                                                                       \
    [TASK_EVENT_STOPPED] = TO(state, NOTE), [TASK_EVENT_STOPPED_AGAIN] = TO(state, NOTE),          \
    [TASK_EVENT_REASON_GONE] = TO(state, NOTE), [TASK_EVENT_RESUMED] = TO(state, NOTE)
#define CAN_BE_ENDED                                                                               \
    [TASK_EVENT_RESCHEDULE] = TO(RESCHEDULING, KILL), [TASK_EVENT_DELETE] = TO(DELETING, KILL)

static const struct task_cell cells[TASK_STATES][TASK_EVENTS] = {
    [TASK_STATE_PENDING] = { [TASK_EVENT_ORDERED] = TO(SENT, START),
                             [TASK_EVENT_CLEAN] = TO(DELETING, CLEAN),
                             [TASK_EVENT_DELETE] = TO(ENDED, END_UNRUN) },
    [TASK_STATE_SENT] = { [TASK_EVENT_STARTED] = TO(RUNNING, RECORD_START),
                          STOPS_AND_STAYS(SENT),
                          CAN_BE_ENDED,
                          ENDS_AS_REPORTED },
    [TASK_STATE_RUNNING] = { [TASK_EVENT_STOPPED] = TO(SUSPENDED, STOP),
                             [TASK_EVENT_RESUMED] = TO(RUNNING, CONTINUE),
                             [TASK_EVENT_CHECKPOINT] = TO(CHECKPOINTING, NOTE),
                             [TASK_EVENT_MIGRATE] = TO(MIGRATING, MIGRATE),
                             [TASK_EVENT_HOST_LOST] = TO(LOST, NOTE),
                             CAN_BE_ENDED,
                             ENDS_AS_REPORTED },
    [TASK_STATE_SUSPENDED] = { [TASK_EVENT_STOPPED] = TO(SUSPENDED, STOP),
                               [TASK_EVENT_STOPPED_AGAIN] = TO(SUSPENDED, NOTE),
                               [TASK_EVENT_REASON_GONE] = TO(SUSPENDED, NOTE),
                               [TASK_EVENT_RESUMED] = TO(RUNNING, CONTINUE),
                               [TASK_EVENT_MIGRATE] = TO(MIGRATING, MIGRATE),
                               [TASK_EVENT_HOST_LOST] = TO(LOST, NOTE),
                               CAN_BE_ENDED,
                               ENDS_AS_REPORTED },
    /* reasons that come meanwhile take effect when the checkpoint is complete */
    [TASK_STATE_CHECKPOINTING] = { NOTES_REASONS(CHECKPOINTING),
                                   [TASK_EVENT_CHECKPOINTED] = TO(RUNNING, REPEAT),
                                   [TASK_EVENT_MIGRATE] = TO(MIGRATING, MIGRATE),
                                   [TASK_EVENT_HOST_LOST] = TO(LOST, NOTE), CAN_BE_ENDED,
                                   ENDS_AS_REPORTED },
    [TASK_STATE_MIGRATING] = { NOTES_REASONS(MIGRATING),
                               [TASK_EVENT_NOT_MIGRATED] = TO(RUNNING, REPEAT),
                               [TASK_EVENT_HOST_LOST] = TO(LOST, NOTE), CAN_BE_ENDED,
                               ENDS_AS_REPORTED },
    [TASK_STATE_RESCHEDULING] = { [TASK_EVENT_STARTED] = TO(RESCHEDULING, RECORD_START),
                                  STOPS_AND_STAYS(RESCHEDULING),
                                  CAN_BE_ENDED,
                                  ENDS_AS(PENDING, PUT_BACK) },
    [TASK_STATE_DELETING] = { [TASK_EVENT_STARTED] = TO(DELETING, RECORD_START),
                              STOPS_AND_STAYS(DELETING),
                              [TASK_EVENT_RESCHEDULE] = TO(DELETING, KILL),
                              [TASK_EVENT_DELETE] = TO(DELETING, KILL),
                              ENDS_AS(ENDED, END) },
    [TASK_STATE_LOST] = { NOTES_REASONS(LOST), [TASK_EVENT_HOST_FOUND] = TO(RUNNING, REPEAT),
                          CAN_BE_ENDED, ENDS_AS_REPORTED },
    [TASK_STATE_ERROR] = { [TASK_EVENT_CLEARED] = TO(PENDING, CLEAR),
                           [TASK_EVENT_CLEAN] = TO(DELETING, CLEAN),
                           [TASK_EVENT_DELETE] = TO(ENDED, END_UNRUN) },
};

const struct task_cell *task_cell(enum task_state state, enum task_event event)
{
    ASSERT(state < TASK_STATES && event < TASK_EVENTS);
    return cells[state][event].is_there ? &cells[state][event] : NULL;
}

const char *task_state_name(enum task_state state)
{
    static const char *const names[TASK_STATES] = {
        [TASK_STATE_PENDING] = "pending",
        [TASK_STATE_SENT] = "sent",
        [TASK_STATE_RUNNING] = "running",
        [TASK_STATE_SUSPENDED] = "suspended",
        [TASK_STATE_CHECKPOINTING] = "checkpointing",
        [TASK_STATE_MIGRATING] = "migrating",
        [TASK_STATE_RESCHEDULING] = "rescheduling",
        [TASK_STATE_DELETING] = "deleting",
        [TASK_STATE_LOST] = "lost",
        [TASK_STATE_ERROR] = "in error",
        [TASK_STATE_ENDED] = "ended",
    };
    return names[state];
}

const char *task_event_name(enum task_event event)
{
    static const char *const names[TASK_EVENTS] = {
        [TASK_EVENT_ORDERED] = "an order",
        [TASK_EVENT_STARTED] = "a start",
        [TASK_EVENT_STOPPED] = "a suspension",
        [TASK_EVENT_STOPPED_AGAIN] = "another suspension",
        [TASK_EVENT_REASON_GONE] = "the end of one suspension",
        [TASK_EVENT_RESUMED] = "a resumption",
        [TASK_EVENT_CHECKPOINT] = "a checkpoint",
        [TASK_EVENT_CHECKPOINTED] = "the end of a checkpoint",
        [TASK_EVENT_MIGRATE] = "a migration",
        [TASK_EVENT_NOT_MIGRATED] = "the failure of a migration",
        [TASK_EVENT_HOST_LOST] = "the loss of its host",
        [TASK_EVENT_HOST_FOUND] = "the return of its host",
        [TASK_EVENT_RESCHEDULE] = "a rescheduling",
        [TASK_EVENT_DELETE] = "a deletion",
        [TASK_EVENT_CLEAN] = "a deletion with a clean-up",
        [TASK_EVENT_END_FINAL] = "an end",
        [TASK_EVENT_END_AGAIN] = "an end before another start",
        [TASK_EVENT_END_ERROR] = "an end in error",
        [TASK_EVENT_END_QUEUE_ERROR] = "a failure of its queue",
        [TASK_EVENT_END_FINAL_QUEUE_ERROR] = "an end with a failure of its queue",
        [TASK_EVENT_CLEARED] = "the clearing of an error",
    };
    return names[event];
}

/* ---- records ---- */
enum { PASSING = TASK_IS_CHECKPOINTING | TASK_IS_MIGRATING | TASK_IS_LOST };

enum task_state task_state_of(const struct JAT_Type *task)
{
    uint32_t bits = task->JAT_state;
    if (task->JAT_status != TASK_TRANSFERRING && task->JAT_status != TASK_RUNNING)
        return task->JAT_status == TASK_ERROR ? TASK_STATE_ERROR : TASK_STATE_PENDING;
    return (bits & TASK_IS_DELETED) != 0              ? TASK_STATE_DELETING
           : (bits & TASK_IS_RESCHEDULED) != 0        ? TASK_STATE_RESCHEDULING
           : task->JAT_status == TASK_TRANSFERRING    ? TASK_STATE_SENT
           : (bits & TASK_IS_LOST) != 0               ? TASK_STATE_LOST
           : (bits & TASK_IS_MIGRATING) != 0          ? TASK_STATE_MIGRATING
           : (bits & TASK_IS_CHECKPOINTING) != 0      ? TASK_STATE_CHECKPOINTING
           : (bits & (uint32_t)TASK_SUSPENSIONS) != 0 ? TASK_STATE_SUSPENDED
                                                      : TASK_STATE_RUNNING;
}

enum task_event task_suspension_event(uint32_t bits, uint32_t reason, bool is_on)
{
    bool is_only = (bits & TASK_SUSPENSIONS & ~reason) == 0;
    if (is_on)
        return is_only ? TASK_EVENT_STOPPED : TASK_EVENT_STOPPED_AGAIN;
    return is_only ? TASK_EVENT_RESUMED : TASK_EVENT_REASON_GONE;
}

struct record_marks {        /* what a record gets */
    enum task_status status; /* 0: it keeps its own */
    uint32_t set, clear;     /* of JAT_state; what is set wins */
};

static struct record_marks marks_of_event(enum task_event event, uint32_t reason)
{
    static const struct record_marks marks[TASK_EVENTS] = {
        [TASK_EVENT_ORDERED] = { TASK_TRANSFERRING, 0, ~(uint32_t)TASK_IS_RESTARTED },
        [TASK_EVENT_STARTED] = { TASK_RUNNING, 0, PASSING },
        [TASK_EVENT_CHECKPOINT] = { 0, TASK_IS_CHECKPOINTING, 0 },
        [TASK_EVENT_CHECKPOINTED] = { 0, 0, TASK_IS_CHECKPOINTING },
        [TASK_EVENT_MIGRATE] = { 0, TASK_IS_MIGRATING, PASSING },
        [TASK_EVENT_NOT_MIGRATED] = { 0, 0, PASSING },
        [TASK_EVENT_HOST_LOST] = { 0, TASK_IS_LOST, PASSING },
        [TASK_EVENT_HOST_FOUND] = { 0, 0, PASSING },
        [TASK_EVENT_RESCHEDULE] = { 0, TASK_IS_RESCHEDULED, 0 },
        [TASK_EVENT_DELETE] = { 0, TASK_IS_DELETED, 0 },
        [TASK_EVENT_CLEAN] = { TASK_TRANSFERRING, TASK_IS_DELETED | TASK_IS_CLEANING,
                               ~(uint32_t)0 },
        [TASK_EVENT_CLEARED] = { TASK_WAITING, 0, 0 },
    };
    if (event == TASK_EVENT_STOPPED || event == TASK_EVENT_STOPPED_AGAIN)
        return (struct record_marks){ 0, reason | TASK_WAS_SUSPENDED, 0 };
    if (event == TASK_EVENT_RESUMED || event == TASK_EVENT_REASON_GONE)
        return (struct record_marks){ 0, 0, reason };
    return marks[event];
}

static bool is_end(enum task_event event)
{
    return event >= TASK_EVENT_END_FINAL && event <= TASK_EVENT_END_FINAL_QUEUE_ERROR;
}

void task_state_enter(struct JAT_Type *task, enum task_event event, const struct task_cell *cell,
                      uint32_t reason)
{
    struct record_marks m = marks_of_event(event, reason);
    if (cell->next == TASK_STATE_ENDED)
        return;
    if (is_end(event)) {
        m.status = cell->next == TASK_STATE_ERROR ? TASK_ERROR : TASK_WAITING;
        m.clear = ~(uint32_t)TASK_IS_RESTARTED;
        m.set = cell->action == TASK_ACTION_PUT_BACK ? TASK_IS_RESTARTED : 0;
    }
    if (m.status != 0)
        cull_set(task, JAT_status, (uint32_t)m.status);
    cull_set(task, JAT_state, (task->JAT_state & ~m.clear) | m.set);
}

/* ---- letters ---- */
enum {
    SHOWN_AS_RESTARTED = TASK_IS_RESTARTED | TASK_IS_RESCHEDULED | TASK_IS_MIGRATING,
    SHOWN_AS_OWN = TASK_IS_SUSPENDED | TASK_IS_CHECKPOINT_SUSPENDED,
    SHOWN_AS_LOAD = TASK_IS_LOAD_SUSPENDED,
    SHOWN_AS_QUEUES = TASK_SUSPENSIONS & ~(SHOWN_AS_OWN | SHOWN_AS_LOAD)
};

static void add_if(struct dstr *out, bool condition, char letter)
{
    if (condition)
        dstr_addc(out, letter);
}

/* a task that waits to start: E h R q w, where a task that was put back shows R and q without w;
 * one whose error was cleared waits as if it had never started */
static void waiting_text(enum task_status status, uint32_t state, unsigned holds, struct dstr *out)
{
    bool is_restarted = (state & TASK_IS_RESTARTED) != 0;
    bool was_put_back = status == TASK_WAITING && is_restarted;

    add_if(out, status == TASK_ERROR, 'E');
    add_if(out, holds != 0, 'h');
    add_if(out, is_restarted, 'R');
    dstr_addc(out, 'q');
    add_if(out, !was_put_back, 'w');
}

/* a task on its host: d h R t, then what it does there: S, s and T instead of r */
static void running_text(enum task_status status, uint32_t state, unsigned holds, struct dstr *out)
{
    uint32_t suspended = state & TASK_SUSPENSIONS;

    add_if(out, (state & TASK_IS_DELETED) != 0, 'd');
    add_if(out, (holds & (MINUS_H_TGT_USER | MINUS_H_TGT_OPERATOR | MINUS_H_TGT_SYSTEM)) != 0, 'h');
    add_if(out, (state & SHOWN_AS_RESTARTED) != 0, 'R');
    add_if(out, status == TASK_TRANSFERRING, 't');
    add_if(out, (suspended & SHOWN_AS_QUEUES) != 0, 'S');
    add_if(out, (suspended & SHOWN_AS_OWN) != 0, 's');
    add_if(out, (suspended & SHOWN_AS_LOAD) != 0, 'T');
    add_if(out, suspended == 0 && status == TASK_RUNNING, 'r');
}

void task_state_text(const struct JAT_Type *jat, unsigned holds, struct dstr *out)
{
    if (jat == NULL) {
        dstr_add(out, holds != 0 ? "hqw" : "qw");
        return;
    }
    if (jat->JAT_status == TASK_RUNNING || jat->JAT_status == TASK_TRANSFERRING)
        running_text(jat->JAT_status, jat->JAT_state, holds, out);
    else
        waiting_text(jat->JAT_status, jat->JAT_state, holds, out);
}

/* The states of a task on its host. An absent cell refuses its event. The events that only petasks,
 * interactive tasks and slaves have (MASTER_ENDED, CLIENT_LOST, ANNOUNCED and EMPTIED) are for
 * those kinds alone, and a slave has none of those that come from a shepherd. Source:
 * sge_execd(8), sge_shepherd(8). */
#include "libs/sgeobj/exec_task_state.h"

#include "libs/uti/assert.h"

#define TO(state, act)                                                                             \
    {                                                                                              \
        .is_there = true, .next = EXEC_TASK_##state, .action = EXEC_TASK_DO_##act                  \
    }

static const struct exec_task_cell cells[EXEC_TASK_STATES][EXEC_TASK_EVENTS] = {
    [EXEC_TASK_PREPARING] = { [EXEC_TASK_WATCHED] = TO(RUNNING, WATCH),
                              [EXEC_TASK_SOUGHT] = TO(RUNNING, NOTHING),
                              [EXEC_TASK_UNSTARTED] = TO(ENDED, END),
                              [EXEC_TASK_SIGNALLED] = TO(PREPARING, NOTHING),
                              [EXEC_TASK_KILLED] = TO(ENDED, WITHDRAW),
                              [EXEC_TASK_MASTER_ENDED] = TO(ENDED, WITHDRAW),
                              [EXEC_TASK_CLIENT_LOST] = TO(ENDED, WITHDRAW),
                              [EXEC_TASK_ANNOUNCED] = TO(RUNNING, NOTHING) },
    [EXEC_TASK_RUNNING] = { [EXEC_TASK_WATCHED] = TO(RUNNING, WATCH),
                            [EXEC_TASK_SOUGHT] = TO(RUNNING, NOTHING),
                            [EXEC_TASK_SIGNALLED] = TO(RUNNING, SIGNAL),
                            [EXEC_TASK_FINISHED] = TO(ENDED, END),
                            [EXEC_TASK_UNTAKEN] = TO(PREPARING, START_AGAIN),
                            [EXEC_TASK_DIED] = TO(CLEANING, CLEAN),
                            [EXEC_TASK_KILLED] = TO(RUNNING, KILL),
                            [EXEC_TASK_MASTER_ENDED] = TO(RUNNING, KILL),
                            [EXEC_TASK_CLIENT_LOST] = TO(RUNNING, KILL),
                            [EXEC_TASK_EMPTIED] = TO(ENDED, END) },
    [EXEC_TASK_CLEANING] = { [EXEC_TASK_LEFT_OVER] = TO(CLEANING, CLEAN_LATER),
                             [EXEC_TASK_CLEANED] = TO(ENDED, END),
                             [EXEC_TASK_SIGNALLED] = TO(CLEANING, NOTHING),
                             [EXEC_TASK_KILLED] = TO(CLEANING, NOTHING),
                             [EXEC_TASK_MASTER_ENDED] = TO(CLEANING, NOTHING),
                             [EXEC_TASK_CLIENT_LOST] = TO(CLEANING, NOTHING) },
    [EXEC_TASK_ENDED] = { [EXEC_TASK_SIGNALLED] = TO(ENDED, REPORT),
                          [EXEC_TASK_KILLED] = TO(ENDED, REPORT),
                          [EXEC_TASK_MASTER_ENDED] = TO(ENDED, NOTHING),
                          [EXEC_TASK_CLIENT_LOST] = TO(ENDED, NOTHING),
                          [EXEC_TASK_ACKNOWLEDGED] = TO(GONE, REMOVE) },
};

static const bool is_of_slave[EXEC_TASK_EVENTS] = {
    [EXEC_TASK_UNSTARTED] = true,    [EXEC_TASK_KILLED] = true,    [EXEC_TASK_SIGNALLED] = true,
    [EXEC_TASK_ACKNOWLEDGED] = true, [EXEC_TASK_ANNOUNCED] = true, [EXEC_TASK_EMPTIED] = true,
};

static bool has_event(enum exec_task_kind kind, enum exec_task_event event)
{
    if (kind == EXEC_TASK_SLAVE)
        return is_of_slave[event];
    return event == EXEC_TASK_MASTER_ENDED  ? kind == EXEC_TASK_PETASK
           : event == EXEC_TASK_CLIENT_LOST ? kind == EXEC_TASK_INTERACTIVE
                                            : event < EXEC_TASK_ANNOUNCED;
}

const struct exec_task_cell *exec_task_cell(enum exec_task_kind kind, enum exec_task_state state,
                                            enum exec_task_event event)
{
    ASSERT(kind < EXEC_TASK_KINDS && state < EXEC_TASK_STATES && event < EXEC_TASK_EVENTS);
    const struct exec_task_cell *cell = &cells[state][event];
    return cell->is_there && has_event(kind, event) ? cell : NULL;
}

const char *exec_task_state_name(enum exec_task_state state)
{
    static const char *const names[EXEC_TASK_STATES] = {
        [EXEC_TASK_PREPARING] = "being prepared",
        [EXEC_TASK_RUNNING] = "running",
        [EXEC_TASK_CLEANING] = "being cleaned up",
        [EXEC_TASK_ENDED] = "ended",
        [EXEC_TASK_GONE] = "gone",
    };
    return names[state];
}

const char *exec_task_event_name(enum exec_task_event event)
{
    static const char *const names[EXEC_TASK_EVENTS] = {
        [EXEC_TASK_WATCHED] = "a shepherd",
        [EXEC_TASK_SOUGHT] = "a search for its shepherd",
        [EXEC_TASK_UNSTARTED] = "a failed start",
        [EXEC_TASK_KILLED] = "a request to end it",
        [EXEC_TASK_SIGNALLED] = "a signal",
        [EXEC_TASK_FINISHED] = "the last word of its shepherd",
        [EXEC_TASK_UNTAKEN] = "the loss of a shepherd that had not taken it",
        [EXEC_TASK_DIED] = "the death of its shepherd",
        [EXEC_TASK_LEFT_OVER] = "a process that is left",
        [EXEC_TASK_CLEANED] = "the end of its last process",
        [EXEC_TASK_ACKNOWLEDGED] = "an acknowledgement",
        [EXEC_TASK_MASTER_ENDED] = "the end of its parallel job",
        [EXEC_TASK_CLIENT_LOST] = "the loss of its client",
        [EXEC_TASK_ANNOUNCED] = "an announcement",
        [EXEC_TASK_EMPTIED] = "the end of its last petask",
    };
    return names[event];
}

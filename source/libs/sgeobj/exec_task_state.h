#ifndef SGEOBJ_EXEC_TASK_STATE_H
#define SGEOBJ_EXEC_TASK_STATE_H

#include "common/basis.h"

/* The life of a task on its host as a table: [kind][state][event] -> {next state, action}. Pure.
 *
 *   PREPARING  ordered: waits for its turn, or for its owner's entry
 *   RUNNING    has a shepherd, or its directory says that it had one
 *   CLEANING   its shepherd left no last word: what is left of it is ended
 *   ENDED      its report is final; directory and report stay until the qmaster has acknowledged
 *   GONE       out of the table of tasks */
enum exec_task_kind {
    EXEC_TASK_JOB,
    EXEC_TASK_PETASK,      /* of a parallel job (qrsh -inherit): ends with the task of its job */
    EXEC_TASK_INTERACTIVE, /* ends with its client */
    EXEC_TASK_SLAVE, /* of a parallel job that runs on another host: it has petasks, no process */
    EXEC_TASK_KINDS
};
enum exec_task_state {
    EXEC_TASK_PREPARING,
    EXEC_TASK_RUNNING,
    EXEC_TASK_CLEANING,
    EXEC_TASK_ENDED,
    EXEC_TASK_GONE,
    EXEC_TASK_STATES
};
enum exec_task_event {
    EXEC_TASK_WATCHED,   /* it has a shepherd */
    EXEC_TASK_SOUGHT,    /* found after a restart: its directory says what became of it */
    EXEC_TASK_UNSTARTED, /* it cannot be started */
    EXEC_TASK_KILLED,    /* its end is requested */
    EXEC_TASK_SIGNALLED, /* another signal is for it */
    EXEC_TASK_FINISHED,  /* its shepherd has written the last word */
    EXEC_TASK_UNTAKEN,   /* its shepherd ended before it took the task */
    EXEC_TASK_DIED,      /* its shepherd ended otherwise */
    EXEC_TASK_LEFT_OVER, /* processes of it are still there */
    EXEC_TASK_CLEANED,   /* and now none is */
    EXEC_TASK_ACKNOWLEDGED,
    EXEC_TASK_MASTER_ENDED, /* the task of its parallel job has ended */
    EXEC_TASK_CLIENT_LOST,  /* the client of an interactive task is away */
    EXEC_TASK_ANNOUNCED,    /* a slave's directory is there: its petasks can start */
    EXEC_TASK_EMPTIED,      /* the last petask of a slave that is to end has ended */
    EXEC_TASK_EVENTS
};
enum exec_task_action {
    EXEC_TASK_DO_NOTHING,
    EXEC_TASK_DO_WATCH,       /* stay with its shepherd */
    EXEC_TASK_DO_SIGNAL,      /* send its shepherd the signal */
    EXEC_TASK_DO_KILL,        /* send its shepherd SIGKILL */
    EXEC_TASK_DO_WITHDRAW,    /* report that it was ended before it was started */
    EXEC_TASK_DO_START_AGAIN, /* put it into the queue of starts */
    EXEC_TASK_DO_CLEAN,       /* end what is left of it */
    EXEC_TASK_DO_CLEAN_LATER,
    EXEC_TASK_DO_END,    /* complete its report, and send it */
    EXEC_TASK_DO_REPORT, /* send the report again */
    EXEC_TASK_DO_REMOVE, /* directory and entry */
    EXEC_TASK_ACTIONS
};
struct exec_task_cell {
    bool is_there;
    enum exec_task_state next;
    enum exec_task_action action;
};

/* exec_task_cell - what EVENT does in STATE to a task of KIND; NULL: it is to be refused. O(1) */
const struct exec_task_cell *exec_task_cell(enum exec_task_kind kind, enum exec_task_state state,
                                            enum exec_task_event event);
/* exec_task_state_name, exec_task_event_name - for the log */
const char *exec_task_state_name(enum exec_task_state state);
const char *exec_task_event_name(enum exec_task_event event);

#endif

#ifndef CLIENTS_QMON_TASK_WINDOW_PRIV_H
#define CLIENTS_QMON_TASK_WINDOW_PRIV_H

#include "clients/qmon/task_window.h"

/* Task: task_window.c has its widgets, task_steps.c fills them. */
enum task_step { STEP_WHY, STEP_RECORD, STEP_OUTPUT, STEPS };

struct task_window {
    struct qmon *q;
    Widget shell, about, record, where, output, said;
    uint32_t job, ordinal;
    enum task_look look; /* when it was shown */
    bool is_seen;
    enum task_step step;     /* of `running`, or the last one that ended */
    struct command *running; /* NULL: none */
    XtIntervalId follow;     /* 0: none */
    char *host;              /* where it ran, as its record says; owned, NULL: not known */
};

/* task_steps_begin - show all of it anew
 * task_steps_stop - nothing runs any more, and nothing will */
void task_steps_begin(struct task_window *w);
void task_steps_stop(struct task_window *w);

#endif

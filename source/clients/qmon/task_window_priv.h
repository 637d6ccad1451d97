#ifndef CLIENTS_QMON_TASK_WINDOW_PRIV_H
#define CLIENTS_QMON_TASK_WINDOW_PRIV_H

#include "clients/qmon/task_ask.h"
#include "clients/qmon/task_window.h"

/* Task: task_window.c has its widgets, task_steps.c fills them. */
enum task_step { STEP_WHY, STEP_RECORD, STEP_OUTPUT, STEPS };

struct task_window {
    struct qmon *q;
    Widget shell, about, record, where, output, said;
    uint32_t job, ordinal;
    enum task_look look; /* when it was shown */
    bool is_seen;
    enum task_step step;       /* of `running`, or the last one that ended */
    struct command *running;   /* NULL: none */
    XtIntervalId follow;       /* 0: none */
    struct task_asking asking; /* where it runs */
    char *host;                /* where it ran, as its record says; owned, NULL: not known */
};

/* task_steps_got - what `asking` has become
 * task_steps_begin - show all of it anew
 * task_steps_stop - nothing runs any more, and nothing will */
void task_steps_got(void *w, const struct task_asking *a, const char *queue, uint64_t start_s);
void task_steps_begin(struct task_window *w);
void task_steps_stop(struct task_window *w);

#endif

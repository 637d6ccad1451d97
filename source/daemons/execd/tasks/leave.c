/* The end of an execd whose tasks are saved first, to run elsewhere (checkpoint(5), when s). It
 * takes no more starts meanwhile, and does not wait longer than LEAVE_MOST_US. If its tasks are to
 * end with it (qconf -kej), those that cannot be saved, or are not saved by then, are killed. Their
 * ends are reports as others: what is not acknowledged by then the next execd reports. Source:
 * checkpoint(5), sge_execd(8). */
#include <signal.h>

#include "daemons/execd/report/report.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/msg_tasks.h"
#include "daemons/execd/tasks/tasks.h"
#include "libs/comm/link.h"
#include "libs/comm/loop.h"
#include "libs/task/task_dir.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum { LEAVE_MOST_US = 60 * 1000 * 1000 };

static bool is_to_wait_for(const struct exec_task *t)
{
    bool is_over = t->state == EXEC_TASK_ENDED && !link_is_up(t->x->link);
    return t->checkpoint.is_migrating && !is_over;
}

static uint32_t migrate_all(struct execd *x)
{
    uint32_t n = 0;
    for (struct exec_task *t = task_first(x); t != NULL; t = task_next(t)) {
        if (!t->checkpoint.is_at_shutdown || t->state != EXEC_TASK_RUNNING)
            continue;
        (void)task_signal(x, &t->key, t->attempt, (int)TASK_REQUEST_MIGRATE);
        n++;
    }
    return n;
}

/* the tasks that run, or, of these, those that do not migrate */
static void kill_tasks(struct execd *x, bool also_migrating)
{
    for (struct exec_task *t = task_first(x); t != NULL; t = task_next(t)) {
        if (!also_migrating && t->checkpoint.is_migrating)
            continue;
        t->checkpoint.is_migrating = false;
        (void)task_signal(x, &t->key, t->attempt, SIGKILL);
    }
}

void execd_leave_with_tasks(struct execd *x)
{
    bool is_again = x->is_ending;
    x->is_ending = true;
    if (!is_again && migrate_all(x) > 0) {
        x->leave_by_us = uti_mono_us() + LEAVE_MOST_US;
        report_leaving(x);
    }
    kill_tasks(x, is_again);
}

void execd_leave(struct execd *x)
{
    bool is_again = x->leave_by_us != 0;
    uint32_t n = is_again ? 0 : migrate_all(x);
    if (n == 0) {
        loop_stop(x->loop);
        return;
    }
    log_msg(LOG_LEVEL_INFO, MSG_LEAVING_U, n);
    x->leave_by_us = uti_mono_us() + LEAVE_MOST_US;
    report_leaving(x);
}

void execd_leave_if_done(struct execd *x)
{
    if (x->leave_by_us == 0)
        return;
    uint32_t n = 0;
    for (const struct exec_task *t = task_first(x); t != NULL; t = task_next(t))
        n += is_to_wait_for(t);
    if (n > 0 && uti_mono_us() < x->leave_by_us)
        return;
    if (n > 0)
        log_msg(LOG_LEVEL_WARNING, MSG_LEFT_MIGRATING_UU, n, LEAVE_MOST_US / 1000000);
    if (!x->is_ending)
        loop_stop(x->loop);
    else if (n > 0)
        kill_tasks(x, true); /* it ends when their ends have been acknowledged */
}

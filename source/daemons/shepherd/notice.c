/* Stopping, continuing and ending the job. Signals reach all its processes. While a method runs,
 * no other is started: what is due then comes a moment later, and a limit ends job and method at
 * once. Source: queue_conf(5) notify, suspend_method, s_rt; submit(1) -notify; captured runs. */
#include "daemons/shepherd/notice.h"

#include <signal.h>

#include "daemons/shepherd/children.h"
#include "daemons/shepherd/hooks.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/shepherd.h"
#include "libs/uti/time.h"

enum {
    BUSY_US = 100 * 1000,       /* another method runs */
    AGAIN_US = 3 * 1000 * 1000, /* between two calls of terminate_method */
    OF_MEMORY_US = 1000 * 1000  /* for a terminate_method, before the kill */
};

static uint64_t after_us(uint64_t wait_us)
{
    uint64_t now_us = uti_mono_us();
    return wait_us > UINT64_MAX - now_us ? UINT64_MAX : now_us + wait_us;
}

static uint64_t after_notify(const struct shepherd *s)
{
    uint64_t notify_s = s->conf.notify_s;
    return notify_s > UINT64_MAX / 1000000 ? UINT64_MAX : after_us(notify_s * 1000000);
}

static bool is_method_running(const struct shepherd *s)
{
    const struct supervised *hook = &s->supervisor.child[SUPERVISE_HOOK];
    return hook->pid != 0 && !hook->is_done;
}

static uint64_t *alarm_of(struct shepherd *s, enum job_alarm which)
{
    return &s->supervisor.alarms[which].at_us;
}

static void send_all(struct shepherd *s, int sig)
{
    trace_add(&s->trace, MSG_TRACE_SEND_SIGNAL_I, sig);
    tree_signal(&s->supervisor, sig);
}

/* ---- the end ---- */

static uint64_t kill_now(struct shepherd *s)
{
    trace_add(&s->trace, MSG_TRACE_SEND_SIGNAL_I, SIGKILL);
    (void)tree_kill(&s->supervisor, &s->cgroup);
    return UINT64_MAX;
}

/* Returns when the next step is due */
static uint64_t end_now(struct shepherd *s)
{
    if (s->is_kill_due || !hook_method(s, PLAN_TERMINATE))
        return kill_now(s);
    if (s->is_stopped)
        send_all(s, SIGCONT); /* a stopped process does not see what the method sent */
    s->is_kill_due = s->is_limit_reached;
    if (s->is_limit_of_memory)
        return after_us(OF_MEMORY_US);
    return s->is_limit_reached ? after_notify(s) : after_us(AGAIN_US);
}

static uint64_t warn_or_end(struct shepherd *s)
{
    if (!s->conf.is_notified || s->conf.notify_kill == 0 || s->is_warned)
        return end_now(s);
    s->is_warned = true;
    send_all(s, s->conf.notify_kill);
    return after_notify(s);
}

uint64_t notice_ring_end(void *shepherd)
{
    struct shepherd *s = shepherd;
    return is_method_running(s) ? after_us(BUSY_US) : end_now(s);
}

void notice_end(struct shepherd *s)
{
    *alarm_of(s, ALARM_STOP) = UINT64_MAX;
    if (*alarm_of(s, ALARM_END) == UINT64_MAX) /* else it is on its way */
        *alarm_of(s, ALARM_END) = warn_or_end(s);
}

void notice_limit(struct shepherd *s, enum limit_kind kind)
{
    s->is_limit_reached = true;
    s->is_limit_of_memory = kind == LIMIT_OF_MEMORY;
    *alarm_of(s, ALARM_STOP) = UINT64_MAX;
    if (is_method_running(s))
        *alarm_of(s, ALARM_END) = kill_now(s);
    else
        *alarm_of(s, ALARM_END) = kind == LIMIT_OF_TIME ? warn_or_end(s) : end_now(s);
}

uint64_t notice_soft_time(struct shepherd *s)
{
    send_all(s, SIGUSR1);
    return after_notify(s);
}

/* ---- suspension ---- */

static void stop_now(struct shepherd *s)
{
    s->is_stopped = true;
    if (!hook_method(s, PLAN_SUSPEND))
        send_all(s, SIGSTOP);
}

/* a command that saves the job would stop, too */
static bool is_to_stop_later(const struct shepherd *s)
{
    return is_method_running(s) || s->checkpointing.is_command;
}

uint64_t notice_ring_stop(void *shepherd)
{
    struct shepherd *s = shepherd;
    if (is_to_stop_later(s))
        return after_us(BUSY_US);
    stop_now(s);
    return UINT64_MAX;
}

void notice_stop(struct shepherd *s)
{
    uint64_t *at_us = alarm_of(s, ALARM_STOP);
    if (!s->conf.is_notified || s->conf.notify_susp == 0 || s->is_stopped) {
        if (s->checkpointing.is_command)
            *at_us = after_us(BUSY_US);
        else
            stop_now(s);
    } else if (*at_us == UINT64_MAX) { /* else it is on its way */
        send_all(s, s->conf.notify_susp);
        *at_us = after_notify(s);
    }
}

void notice_continue(struct shepherd *s)
{
    if (!s->is_stopped && *alarm_of(s, ALARM_STOP) == UINT64_MAX)
        return; /* the qmaster repeats what may have been lost */
    *alarm_of(s, ALARM_STOP) = UINT64_MAX;
    s->is_stopped = false;
    if (!hook_method(s, PLAN_RESUME))
        send_all(s, SIGCONT);
}

/* Hosts that come and go. Invariant: a host is in `here` from presence_begin to presence_end, and
 * in `away` otherwise. Time is monotonic, and counts only while this process could hear: a qmaster
 * that was stopped, or restarted, blames no host for that.
 *
 * A task of a host that is away may still run there. It is put back, if at all, under its next
 * attempt: should the host come back, it gets the order to end the old one before it starts
 * anything (exec_reports.c). A parallel task that has slots on a lost host and runs on another one
 * is ended there before it is put back. */
#include "daemons/qmaster/reports/reports.h"

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/load.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/reports/msg_reports.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/conf.h"
#include "libs/uti/log.h"

enum { US_OF_S = 1000000, REPORTS_MISSED = 2 };

static void announce_queues(struct qmaster *q, struct host *h)
{
    struct qinstance *qi;
    load_state_renew(q, h);
    LIST_FOREACH(qi, &h->instances, in_host)
        if (qinstance_is_there(qi))
            events_queue_mod(q, qi);
}

void presence_begin(struct qmaster *q, struct host *h, struct connection *s)
{
    if (h->conn != s->conn)
        exec_disconnect(q, h);
    h->conn = s->conn;
    s->execd_of = h;
    h->is_given_up = h->is_leaving = h->is_lost = false;
    h->changed = change_number(q);
    host_note_seen(&q->hosts, h, true, q->now_us);
    host_forget_sent(h);
    cull_clear(&cull_XM_Type, &h->starts);
    h->starts_bytes = 0;
    exec_send_conf(q, h);
    load_state_send(q, h);
    announce_queues(q, h);
    load_suspend_find(q, h);
    queue_suspend_find(q, h);
}

void presence_end(struct qmaster *q, struct host *h)
{
    h->conn = 0;
    h->changed = change_number(q);
    host_note_seen(&q->hosts, h, false, q->now_us);
    exec_discard(q, h);
    cell_load_end(q, h);
    announce_queues(q, h);
}

void presence_leaving(struct qmaster *q, struct host *h)
{
    h->is_leaving = true;
    h->changed = change_number(q);
    announce_queues(q, h);
}

/* ---- looking ---- */
static uint64_t unseen_s(const struct qmaster *q, const struct host *h)
{
    return (q->now_us - h->seen_us) / US_OF_S;
}

/* what the configuration of H says, in seconds */
static uint64_t time_of(const struct qmaster *q, const struct host *h, const char *param)
{
    const struct conf *global = settings_conf(&q->settings, CONF_GLOBAL);
    const struct conf *own = settings_conf(&q->settings, h->rec.EH_name);
    return conf_get_time_s(global != NULL ? &global->rec : NULL, own != NULL ? &own->rec : NULL,
                           param);
}

/* a host that reports less often than max_unheard is not silent */
static bool is_silent(const struct qmaster *q, const struct host *h)
{
    return unseen_s(q, h) / REPORTS_MISSED >= time_of(q, h, "load_report_time");
}

static void end_silent(struct qmaster *q)
{
    uint64_t most_s = q->settings.max_unheard_s;
    struct host *h, *next;
    TAILQ_FOREACH_SAFE(h, &q->hosts.here, in_seen, next)
    {
        if (most_s == 0 || unseen_s(q, h) < most_s)
            return;
        if (!is_silent(q, h))
            continue;
        log_msg(LOG_LEVEL_WARNING, MSG_EXEC_SILENT_SU, h->rec.EH_name, unseen_s(q, h));
        exec_disconnect(q, h);
        presence_end(q, h);
    }
}

static bool may_leave(struct qmaster *q, const struct task *t)
{
    return (t->rec.JAT_state & TASK_IS_DELETED) == 0 && !task_has_ended(t) &&
           task_is_rerunnable(q, t);
}

/* returns how many tasks with slots on H that run on other hosts are put back as a whole; those
 * that may not run again go on without it */
static uint32_t give_up_slaves(struct qmaster *q, const struct host *h)
{
    uint32_t n = 0;
    struct slave_host *slave;
    LIST_FOREACH(slave, &h->slaves, in_host) {
        struct task *t = slave->task;
        if ((t->rec.JAT_state & TASK_IS_RESCHEDULED) != 0 || !may_leave(q, t))
            continue;
        task_reschedule(q, t, false);
        n++;
    }
    if (n > 0)
        log_msg(LOG_LEVEL_WARNING, MSG_EXEC_SLAVES_GIVEN_UP_SU, h->rec.EH_name, n);
    return n;
}

/* returns how many tasks of H were put back; those that may not run again stay with it */
static uint32_t give_up_host(struct qmaster *q, struct host *h)
{
    struct task *t, *next;
    uint32_t n = 0, n_stay = 0;
    TAILQ_FOREACH_SAFE(t, &h->tasks, in_host, next)
    {
        if (!may_leave(q, t)) {
            n_stay++;
            continue;
        }
        task_give_away(q, t);
        n++;
    }
    h->is_given_up = true;
    log_msg(LOG_LEVEL_WARNING, MSG_EXEC_GIVEN_UP_SUUU, h->rec.EH_name, unseen_s(q, h), n, n_stay);
    return n + give_up_slaves(q, h);
}

static bool is_to_be_given_up(const struct qmaster *q, const struct host *h)
{
    if (h->is_given_up || (TAILQ_EMPTY(&h->tasks) && LIST_EMPTY(&h->slaves)))
        return false;
    uint64_t patience_s = time_of(q, h, "reschedule_unknown");
    return patience_s > 0 && unseen_s(q, h) >= patience_s;
}

/* how long a task that has ended waits for slaves on a host that is away */
static uint64_t slave_patience_s(const struct qmaster *q)
{
    return q->settings.max_unheard_s != 0 ? q->settings.max_unheard_s : SLAVES_AWAY_S;
}

static void give_up_away(struct qmaster *q)
{
    uint32_t n = 0;
    struct host *h;
    TAILQ_FOREACH(h, &q->hosts.away, in_seen) {
        if (n >= GIVEN_A_CHECK)
            return;
        if (is_to_be_given_up(q, h))
            n += give_up_host(q, h);
        if (!h->is_lost && (h->is_given_up || unseen_s(q, h) >= slave_patience_s(q)))
            slaves_host_lost(q, h);
    }
}

static void begin_anew(struct qmaster *q)
{
    struct host *h;
    TAILQ_FOREACH(h, &q->hosts.here, in_seen)
        h->seen_us = q->now_us;
    TAILQ_FOREACH(h, &q->hosts.away, in_seen)
        h->seen_us = q->now_us;
    slaves_wait_anew(q);
}

void presence_check(struct qmaster *q)
{
    bool was_blind = q->now_us - q->hosts.looked_us > BLIND_US;
    q->hosts.looked_us = q->now_us;
    if (was_blind)
        begin_anew(q);
    end_silent(q);
    give_up_away(q);
    slaves_check(q);
}

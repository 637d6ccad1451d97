/* The core thread's turn: sort all notes, do the work that is next (work.h) until the turn's budget
 * is spent, hand the changes over. What a note itself asks for is quick; frames go into the lane of
 * their connection and wait for their turn. The wall clock is read once a turn. The core waits for
 * its inbox and for nothing else. */
#include "daemons/qmaster/core.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/calendars.h"
#include "daemons/qmaster/config/load.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/config/users.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/jobs/ar_life.h"
#include "daemons/qmaster/jobs/mail.h"
#include "daemons/qmaster/jobs/start_failures.h"
#include "daemons/qmaster/jobs/task_actions.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/jobs/usage_count.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/reports/reports.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sessions/ends.h"
#include "daemons/qmaster/sessions/session_records.h"
#include "daemons/qmaster/sessions/waiting_clients.h"
#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum {
    STRINGS_SWEPT = 2000,
    HOUSEKEEPING_US = 1000000,
    PACK_US = 2 * WORK_SLICE_US, /* of a turn, to hand changes over */
    SETTLE_US = 1000000,
    SETTLE_LOOK_US = 50000
};

void core_on_frame(struct qmaster *q, struct connection *s, struct frame *f)
{
    if (!connection_may_send(q, s, f->kind)) {
        comm_server_close(net_server(q->net), s->conn);
        return;
    }
    switch ((enum gdi_frame)f->kind) {
    case GDI_FRAME_REQUEST:
        requests_handle(q, s, f);
        break;
    case GDI_FRAME_EVENT_REGISTER:
        events_on_register(q, s, f);
        break;
    case GDI_FRAME_EVENT_ACK:
        events_on_ack(q, s, f);
        break;
    case GDI_FRAME_ORDERS:
        orders_handle(q, s, f);
        break;
    case GDI_FRAME_EXEC:
        exec_handle(q, s, f);
        break;
    case GDI_FRAME_HELLO:
    case GDI_FRAME_SCHEMA:
    case GDI_FRAME_ANSWER:
    case GDI_FRAME_EVENTS:
    case GDI_FRAME_ORDERS_ACK:
    case GDI_FRAME_REFUSED:
    case GDI_FRAME_REVOKED:
    case GDI_FRAME_KINDS:
    default:
        comm_server_close(net_server(q->net), s->conn);
        break;
    }
}

static void on_frame_note(struct qmaster *q, struct note *n)
{
    struct connection *s = connections_find(q, n->conn);
    struct answer ans = ANSWER_INIT;
    struct frame f;
    if (s == NULL)
        return;
    if (n->frame.kind == GDI_FRAME_HELLO || n->frame.kind == GDI_FRAME_SCHEMA)
        comm_server_done(net_server(q->net), n->conn, n->frame.len);
    if (connection_take(q, s, &n->frame, &ans) != 0) {
        log_msg_of(s->who.uid, LOG_LEVEL_WARNING, MSG_PEER_MALFORMED_SS, s->who.user,
                   ans_first_error(&ans));
        comm_server_close(net_server(q->net), s->conn);
    }
    n->frame.body = NULL;
    ans_free(&ans);
    if ((s->execd_of != NULL && s->who.role != ROLE_HOST) || events_is_scheduler(q, s->conn))
        lane_set_user(s->lane, WORK_OF_DAEMONS);
    while (connection_next(s, &f))
        lane_put_frame(s->lane, &f);
}

static void on_closed(struct qmaster *q, uint64_t conn)
{
    struct connection *s = connections_find(q, conn);
    if (s == NULL)
        return;
    events_on_closed(q, conn);
    exec_on_closed(q, s);
    lane_last_words(q, s->lane, GDI_LAST_WORDS_MOST, requests_last_words);
    waiting_clients_on_closed(q, s);
    connections_close(q, conn);
}

static void on_drained(struct qmaster *q, uint64_t conn)
{
    struct connection *s = connections_find(q, conn);
    if (s != NULL)
        lane_drained(s->lane);
}

static void on_fetched(struct qmaster *q, struct note *n)
{
    if (n->conn == SPOOL_END) {
        waiting_clients_on_fetched(q, n);
        return;
    }
    struct job *job = job_files_on_fetched(q, n);
    if (job != NULL)
        exec_job_files_arrived(q, job);
    bool has_gone = jobs_find(&q->jobs, (uint32_t)n->number) == NULL;
    if (job != NULL || has_gone) { /* ended or deleted meanwhile: all look again */
        reads_job_files_arrived(q);
        waiting_on_files(q, (uint32_t)n->number);
    }
}

void core_on_note(struct qmaster *q, struct note *n)
{
    switch (n->kind) {
    case NOTE_OPENED:
        connections_open(q, n);
        break;
    case NOTE_FRAME:
        on_frame_note(q, n);
        break;
    case NOTE_CLOSED:
        on_closed(q, n->conn);
        break;
    case NOTE_DRAINED:
        on_drained(q, n->conn);
        break;
    case NOTE_DURABLE:
        change_set_durable(q, n->number);
        break;
    case NOTE_FETCHED:
        on_fetched(q, n);
        break;
    case NOTE_ACCOUNT:
        accounting_on_slice(q, n);
        break;
    case NOTE_OWNER:
        waiting_on_owner(q, n);
        break;
    case NOTE_GROUPS:
        access_on_groups(q, n);
        waiting_on_groups(q, (uid_t)n->number);
        break;
    case NOTE_STOP:
        q->is_stopping = true;
        break;
    }
}

static void read_clocks(struct qmaster *q)
{
    q->now_us = uti_mono_us();
    q->now_s = uti_now_s();
}

static void take_notes(struct qmaster *q, uint64_t until_us)
{
    struct note_list notes;
    struct note *n;
    inbox_take(q->inbox, until_us, &notes);
    read_clocks(q);
    turns_begin(&q->turns, q->now_us);
    while ((n = STAILQ_FIRST(&notes)) != NULL) {
        STAILQ_REMOVE_HEAD(&notes, next);
        core_on_note(q, n);
        note_free(n);
    }
    turns_part(&q->turns, "sorting what came in", NULL, uti_mono_us());
}

/* slices of the work that is next, until the budget of the turn is spent */
static void spend_budget(struct qmaster *q)
{
    uint64_t now_us = uti_mono_us(), until_us = q->now_us + q->settings.turn_budget_us;
    do {
        q->slice_until_us = now_us + WORK_SLICE_US;
        if (!work_step(q))
            break;
        now_us = uti_mono_us();
        q->turns.slices++;
        turns_part(&q->turns, q->turns.doing, q->turns.for_whom, now_us);
    } while (now_us < until_us);
    q->slice_until_us = 0;
}

/* queues follow the load of the cell, and tasks their queues; true while there is more */
static bool follow_queues(struct qmaster *q)
{
    if (!queue_suspend_is_due(q) && !load_cell_is_due(q))
        return false;
    q->slice_until_us = uti_mono_us() + WORK_SLICE_US;
    bool is_more = load_cell_step(q);
    is_more = queue_suspend_step(q) || is_more;
    q->slice_until_us = 0;
    return is_more;
}

void core_commit(struct qmaster *q)
{
    events_flush(q);
    exec_flush(q);
    session_records_flush(q);
    change_commit(q);
}

void core_hand_over(struct qmaster *q)
{
    uint32_t job = change_is_free(q) ? scripts_stage(q) : 0;
    q->slice_until_us = uti_mono_us() + PACK_US;
    core_commit(q);
    q->slice_until_us = 0;
    if (job != 0)
        waiting_on_files(q, job);
    waiting_on_starts(q);
    waiting_on_commit(q);
    work_on_commit(q);
    removals_on_commit(q);
    waiting_clients_on_commit(q);
}

/* what the settings say of connections; whoever is a manager now gets in when the server is full */
static void tell_network(struct qmaster *q)
{
    net_set_limits(q->net, q->settings.user_connections, (size_t)q->settings.user_bytes,
                   q->settings.host_silence_s);
    net_set_names_time(q->net, q->settings.names_time_s);
    uint32_t n = 0;
    struct name *list = q->settings.names[NAMES_MANAGER], *m, *next;
    const char **names = uti_calloc(HASH_COUNT(list), sizeof *names);
    HASH_ITER(hh, list, m, next)
        names[n++] = m->rec.NM_name;
    net_set_managers(q->net, names, n);
    free(names);
}

static void keep_house(struct qmaster *q)
{
    tell_network(q);
    connections_check(q);
    cull_pool_sweep(q->jobs.pool, STRINGS_SWEPT);
    recent_expire(q);
    tasks_end_delays(q);
    start_failures_step(q);
    presence_check(q);
    users_expire(q);
    usage_expire(q);
    mails_step(q);
    membership_check(q);
    load_state_step(q);
    load_suspend_step(q);
    ends_expire(q);
    ars_tidy(q);
    queue_drop_orphans(q);
    change_all_later(q);
    events_check(q);
    turns_part(&q->turns, "housekeeping", NULL, uti_mono_us());
}

/* of all that still comes in, only what the committer says counts now */
static void take_durable(struct qmaster *q, uint64_t until_us)
{
    struct note_list notes;
    struct note *n;
    inbox_take(q->inbox, until_us, &notes);
    read_clocks(q);
    while ((n = STAILQ_FIRST(&notes)) != NULL) {
        STAILQ_REMOVE_HEAD(&notes, next);
        if (n->kind == NOTE_DURABLE)
            core_on_note(q, n);
        note_free(n);
    }
}

/* What was applied goes to disk before we end, if the disk takes it. No frame is handled and
 * nothing is stepped any more; what does not get through was never acknowledged. */
static void settle_changes(struct qmaster *q)
{
    read_clocks(q);
    uint64_t until_us = q->now_us + SETTLE_US;
    change_all_later(q);
    core_commit(q);
    while (!change_is_settled(q) && q->now_us < until_us &&
           committer_trouble(q->committer) == COMMITTER_WORKS) {
        take_durable(q, q->now_us + SETTLE_LOOK_US);
        core_commit(q);
    }
    if (change_is_settled(q))
        return;
    log_msg(LOG_LEVEL_WARNING, MSG_STOPPED_UNSETTLED);
    committer_give_up(q->committer);
}

void core_run(struct qmaster *q)
{
    uint64_t housekeeping_us = 0;
    bool is_more = false;
    log_thread("core");
    q->turns.counts.thread = "the core";
    read_clocks(q);
    core_commit(q);
    while (!q->is_stopping) {
        uint64_t wake_us = ars_wake_us(q, q->now_us + HOUSEKEEPING_US);
        take_notes(q, is_more ? 1 : calendars_wake_us(q, wake_us));
        calendars_step(q);
        ars_step(q);
        spend_budget(q);
        is_more = follow_queues(q);
        is_more = events_step(q) || is_more;
        turns_part(&q->turns, "events for the scheduler", NULL, uti_mono_us());
        if (q->now_us >= housekeeping_us) {
            keep_house(q);
            housekeeping_us = q->now_us + HOUSEKEEPING_US;
        }
        core_hand_over(q);
        turns_part(&q->turns, "handing over changes", NULL, uti_mono_us());
        if (heap_trim_look(&q->heap_trim, q->jobs.share.memory))
            turns_part(&q->turns, "giving memory back", NULL, uti_mono_us());
        is_more = is_more || work_is_due(q) || change_is_behind(q);
        turns_end(&q->turns, uti_mono_us());
    }
    settle_changes(q);
}

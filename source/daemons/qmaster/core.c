/* The core thread's turn: take all notes, handle each, take a bounded step of every long answer and request, hand the changes over.
 * The clock is read once a turn. Nothing here waits but inbox_take. */
#include "daemons/qmaster/core.h"

#include <stdlib.h>

#include "daemons/qmaster/change.h"
#include "daemons/qmaster/events.h"
#include "daemons/qmaster/exec.h"
#include "daemons/qmaster/inbox.h"
#include "daemons/qmaster/job_files.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/net.h"
#include "daemons/qmaster/orders.h"
#include "daemons/qmaster/parked.h"
#include "daemons/qmaster/queue_setup.h"
#include "daemons/qmaster/reads.h"
#include "daemons/qmaster/recent.h"
#include "daemons/qmaster/requests.h"
#include "daemons/qmaster/watches.h"
#include "libs/comm/server.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum { HOUSEKEEPING_US = 1000000, DRAIN_US = 1000000 };

static void on_frame(struct qmaster *q, struct session *s, struct frame *f)
{
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
    case GDI_FRAME_KINDS:
    default:
        comm_server_close(net_server(q->net), s->conn);
        break;
    }
}

static void on_frame_note(struct qmaster *q, struct note *n)
{
    struct session *s = sessions_find(q, n->conn);
    struct answer ans = ANSWER_INIT;
    struct frame f;
    if (s == NULL)
        return;
    if (session_take(q, s, &n->frame, &ans) != 0) {
        log_msg(LOG_LEVEL_WARNING, MSG_PEER_MALFORMED_SS, s->peer.user, ans_first_error(&ans));
        comm_server_close(net_server(q->net), s->conn);
    }
    n->frame.body = NULL;
    ans_free(&ans);
    while (session_next(s, &f)) {
        on_frame(q, s, &f);
        free(f.body);
    }
}

static void on_closed(struct qmaster *q, uint64_t conn)
{
    struct session *s = sessions_find(q, conn);
    if (s == NULL)
        return;
    events_on_closed(q, conn);
    exec_on_closed(q, s);
    reads_on_closed(q, conn);
    watches_on_closed(q, s);
    parked_on_closed(q, conn);
    sessions_close(q, conn);
}

static void on_fetched(struct qmaster *q, struct note *n)
{
    struct job *job = job_files_on_fetched(q, n);
    if (job != NULL)
        exec_job_files_arrived(q, job);
    if (job != NULL || jobs_find(&q->jobs, (uint32_t)n->number) ==
                           NULL) { /* also when the job has gone meanwhile: all look again */
        reads_job_files_arrived(q);
        parked_on_files(q, (uint32_t)n->number);
    }
}

void core_on_note(struct qmaster *q, struct note *n)
{
    switch (n->kind) {
    case NOTE_OPENED:
        sessions_open(q, n);
        break;
    case NOTE_FRAME:
        on_frame_note(q, n);
        break;
    case NOTE_CLOSED:
        on_closed(q, n->conn);
        break;
    case NOTE_DRAINED:
        reads_on_drained(q, n->conn);
        break;
    case NOTE_DURABLE:
        change_set_durable(q, n->number);
        break;
    case NOTE_FETCHED:
        on_fetched(q, n);
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

static void turn(struct qmaster *q, uint64_t until_us)
{
    struct note_list notes;
    struct note *n;
    inbox_take(q->inbox, until_us, &notes);
    read_clocks(q);
    while ((n = STAILQ_FIRST(&notes)) != NULL) {
        STAILQ_REMOVE_HEAD(&notes, next);
        core_on_note(q, n);
        note_free(n);
    }
}

void core_run(struct qmaster *q)
{
    uint64_t housekeeping_us = 0;
    bool is_more = false;
    log_thread("core");
    read_clocks(q);
    change_commit(q);
    while (!q->is_stopping) {
        turn(q, is_more ? 1 : q->now_us + HOUSEKEEPING_US);
        is_more = reads_step(q);
        is_more = events_step(q) || is_more;
        parked_step(q);
        if (q->now_us >= housekeeping_us) {
            recent_expire(q);
            queue_drop_orphans(q);
            change_all_later(q);
            events_check(q);
            housekeeping_us = q->now_us + HOUSEKEEPING_US;
        }
        change_commit(q);
        is_more = parked_has_step(q) || is_more;
    }
    change_all_later(q);
    while (!change_is_settled(q)) { /* what was applied goes to disk before we end */
        turn(q, q->now_us + DRAIN_US);
        change_commit(q);
    }
}

/* A watcher has a cursor over what its session keeps, ordered by job and ordinal; tasks that never
 * ran come behind the others of their job. An end that is kept behind the cursor leaves at
 * once; the cursor will find one ahead of it. So the client hears each end once and misses none,
 * whatever comes and goes meanwhile. Reading waits until what was chosen is durable: before that
 * the spool need not have it. */
#include "daemons/qmaster/sessions/waiting_clients.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/io/fetcher.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/sessions/msg_sessions.h"
#include "daemons/qmaster/sessions/session_records.h"
#include "libs/comm/server.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

enum {
    ENDS_A_PART = 256, /* read from the spool at a time */
    UNRUN_BYTES_A_PART = 1 << 20,
    PARKED_LOOKED_MOST = 10000,
    PARKED_TOLD_MOST = 100
};

struct waiting_client {
    struct job_session *of;
    struct connection *from;
    uint32_t serial;
    uint32_t only; /* job; 0: all */
    bool is_cut;   /* it did not read: its connection ends */
    /* the client has what comes before this, or it is on its way */
    uint32_t at_job;
    uint64_t at_ordinal;        /* up to ENDS_UNRUN + 1 */
    struct end_reader *reading; /* NULL: the client has all that was kept */
    TAILQ_ENTRY(waiting_client) in_session;
    LIST_ENTRY(waiting_client) in_conn;
};
struct end_reader { /* the kept ends on their way to a client */
    struct piece piece;
    struct waiting_client *to; /* NULL: it has gone */
    uint64_t id;
    struct end_place places[ENDS_A_PART]; /* chosen */
    uint32_t n;
    uint64_t durable_with; /* the batch after which they are in the spool */
    bool is_fetching;
    LIST_ENTRY(end_reader) in_all;
};

/* ---- messages ---- */
static void send_part(struct qmaster *q, const struct waiting_client *w, struct GA_Type *ga)
{
    change_answer(q, change_number(q), w->from->conn, w->serial, ga);
}

static bool is_behind_cursor(const struct waiting_client *w, uint32_t job, uint64_t ordinal)
{
    if (w->reading == NULL || job < w->at_job)
        return true;
    return job == w->at_job && ordinal < w->at_ordinal;
}

/* Who watches and does not read must not fill our memory. Nothing is lost: it can watch again. */
static bool is_readable(struct qmaster *q, struct waiting_client *w)
{
    if (w->is_cut)
        return false;
    if (comm_server_queued(net_server(q->net), w->from->conn) <= WORK_BYTES_UNREAD)
        return true;
    log_msg_of(w->from->who.uid, LOG_LEVEL_WARNING, MSG_WATCHER_SLOW_S, w->from->who.user);
    w->is_cut = true;
    comm_server_close(net_server(q->net), w->from->conn);
    return false;
}

void waiting_clients_send(struct qmaster *q, struct job_session *s, uint64_t ordinal,
                          const struct EN_Type *end)
{
    struct waiting_client *w;
    TAILQ_FOREACH(w, &s->watchers, in_session) {
        struct GA_Type ga = { 0 };
        if (w->only != 0 && w->only != end->EN_job_number)
            continue;
        if (!is_behind_cursor(w, end->EN_job_number, ordinal) || !is_readable(q, w))
            continue;
        cull_copy(&cull_EN_Type, cull_append(&ga, GA_ends), end);
        send_part(q, w, &ga);
    }
}

void waiting_clients_send_error(struct qmaster *q, struct job_session *s,
                                const struct JR_Type *report)
{
    struct waiting_client *w;
    TAILQ_FOREACH(w, &s->watchers, in_session) {
        struct GA_Type ga = { 0 };
        if (w->only != report->JR_job_number || !is_readable(q, w))
            continue;
        struct JR_Type *parked = cull_append(&ga, GA_reports);
        cull_copy(&cull_JR_Type, parked, report);
        cull_set(parked, JR_state, (uint32_t)REPORT_PARKED);
        send_part(q, w, &ga);
    }
}

/* the tasks that were in error already: at most PARKED_TOLD_MOST, of the first that have run */
static void send_errors_before(struct qmaster *q, const struct waiting_client *w, struct job *job)
{
    struct GA_Type ga = { 0 };
    struct task *t = job_task_first(job, 0);
    for (int looked = 0; t != NULL && looked < PARKED_LOOKED_MOST; looked++, t = job_task_next(t)) {
        if (t->rec.JAT_status != TASK_ERROR)
            continue;
        struct JR_Type *report = cull_append(&ga, GA_reports);
        cull_set(report, JR_job_number, t->rec.JAT_job_number);
        cull_set(report, JR_task_number, t->rec.JAT_task_number);
        cull_set(report, JR_attempt, t->rec.JAT_attempt);
        cull_set(report, JR_state, (uint32_t)REPORT_PARKED);
        cull_set(report, JR_err_str, t->rec.JAT_error_reason);
        if (ga.GA_reports.n == PARKED_TOLD_MOST)
            break;
    }
    if (ga.GA_reports.n > 0)
        send_part(q, w, &ga);
}

/* ---- coming and going ---- */
static void forget_client(struct qmaster *q, struct waiting_client *w)
{
    struct job_session *s = w->of;
    struct end_reader *rd = w->reading;
    TAILQ_REMOVE(&s->watchers, w, in_session);
    LIST_REMOVE(w, in_conn);
    if (TAILQ_EMPTY(&s->watchers)) {
        job_session_set_idle(q->job_sessions, s, true);
        job_session_asked(q, s);
    }
    free(w);
    if (rd == NULL)
        return;
    rd->to = NULL;
    if (rd->piece.is_waiting && !rd->is_fetching)
        piece_wake(&rd->piece); /* its step finds that there is nothing left to do */
}

static void complete_watch(struct qmaster *q, struct waiting_client *w, const char *why)
{
    struct GA_Type ga = { 0 };
    if (why != NULL) {
        struct AN_Type *a = cull_append(&ga, GA_answers);
        cull_set(a, AN_status, (uint32_t)STATUS_EUNKNOWN);
        cull_set(a, AN_quality, (uint32_t)ANSWER_QUALITY_ERROR);
        cull_set(a, AN_text, why);
    }
    cull_set(&ga, GA_is_last, true);
    send_part(q, w, &ga);
    forget_client(q, w);
}

void waiting_clients_job_ended(struct qmaster *q, struct job_session *s, uint32_t job)
{
    struct waiting_client *w, *next;
    TAILQ_FOREACH_SAFE(w, &s->watchers, in_session, next)
    {
        if (w->only == job && w->reading == NULL)
            complete_watch(q, w, NULL);
    }
}

void waiting_clients_dismiss(struct qmaster *q, struct job_session *s)
{
    struct dstr why = DSTR_INIT;
    struct waiting_client *w;
    dstr_addf(&why, MSG_SESSION_GONE_S, s->rec.SN_key);
    while ((w = TAILQ_FIRST(&s->watchers)) != NULL)
        complete_watch(q, w, dstr_get(&why));
    dstr_free(&why);
}

void waiting_clients_free(struct job_session *s)
{
    struct waiting_client *w;
    while ((w = TAILQ_FIRST(&s->watchers)) != NULL) {
        TAILQ_REMOVE(&s->watchers, w, in_session);
        free(w);
    }
}

void waiting_clients_on_closed(struct qmaster *q, struct connection *conn)
{
    struct waiting_client *w;
    while ((w = LIST_FIRST(&conn->watchers)) != NULL)
        forget_client(q, w);
}

/* is the job that W watches alone still there? Numbers are used again, with other sessions */
static struct job *job_watched(struct qmaster *q, const struct waiting_client *w)
{
    struct job *job = jobs_find(&q->jobs, w->only);
    return job != NULL && job->rec.JB_session == w->of->rec.SN_number ? job : NULL;
}

/* the client has all that was kept */
static void be_synced(struct qmaster *q, struct waiting_client *w)
{
    struct GA_Type ga = { 0 };
    w->reading = NULL;
    cull_set(&ga, GA_is_synced, true);
    send_part(q, w, &ga);
    if (w->only != 0 && job_watched(q, w) == NULL)
        complete_watch(q, w, NULL);
}

/* ---- reading what is kept ---- */
/* what W's cursor is at: the first job with something left; NULL: there is no more */
static struct session_job *job_at_cursor(const struct waiting_client *w)
{
    uint32_t from = w->only > w->at_job ? w->only : w->at_job;
    struct session_job *k = session_job_at_or_after(w->of, from);
    return k == NULL || (w->only != 0 && k->job != w->only) ? NULL : k;
}

static void move_cursor(struct waiting_client *w, uint32_t job, uint64_t ordinal)
{
    w->at_job = job;
    w->at_ordinal = ordinal;
}

/* the ordinals of K from the cursor on that have records; true when none is left */
static bool choose_ran(struct end_reader *rd, const struct session_job *k)
{
    struct waiting_client *w = rd->to;
    struct range run;
    uint64_t at = w->at_job == k->job ? w->at_ordinal : 0;
    while (at <= UINT32_MAX && range_set_next_run(&k->ran, at, &run)) {
        for (at = run.first; at <= run.last; at++) {
            if (rd->n == ENDS_A_PART) {
                move_cursor(w, k->job, at);
                return false;
            }
            rd->places[rd->n++] = (struct end_place){ w->of->rec.SN_number, k->job, (uint32_t)at };
        }
    }
    return true;
}

/* what the cursor passes: places to be read, and tasks that never ran into GA; true at the end */
static bool choose_part(struct end_reader *rd, struct GA_Type *ga)
{
    size_t bytes = 0;
    struct session_job *k;
    while ((k = job_at_cursor(rd->to)) != NULL) {
        if (rd->n + ga->GA_ends.n >= ENDS_A_PART || bytes > UNRUN_BYTES_A_PART)
            return false;
        if (!choose_ran(rd, k))
            return false;
        if (!range_set_is_empty(&k->unrun))
            session_job_unrun(k, &k->unrun, cull_append(ga, GA_ends));
        bytes += range_set_bytes(&k->unrun);
        if (k->job == UINT32_MAX)
            return true;
        move_cursor(rd->to, k->job + 1, 0);
    }
    return true;
}

static void fetch_chosen(struct qmaster *q, struct end_reader *rd)
{
    struct packer keys = { 0 };
    for (uint32_t i = 0; i < rd->n; i++)
        end_key(&keys, &rd->places[i]);
    rd->is_fetching = rd->piece.is_waiting = true;
    fetcher_get_many(q->fetcher, SPOOL_END, rd->id, &keys, rd->n);
}

static void choose_more(struct qmaster *q, struct end_reader *rd)
{
    struct waiting_client *w = rd->to;
    struct GA_Type ga = { 0 };
    bool is_end = choose_part(rd, &ga);
    if (ga.GA_ends.n > 0)
        send_part(q, w, &ga);
    if (rd->n == 0 && is_end) {
        rd->to = NULL;
        be_synced(q, w);
        return;
    }
    rd->durable_with = w->of->changed;
    rd->piece.is_waiting = rd->n > 0 && rd->durable_with > change_durable(q);
}

static bool end_reader_step(struct qmaster *q, struct piece *piece)
{
    struct end_reader *rd = (struct end_reader *)piece;
    if (rd->to == NULL)
        return true;
    if (rd->n > 0 && rd->durable_with <= change_durable(q))
        fetch_chosen(q, rd);
    else if (rd->n == 0)
        choose_more(q, rd);
    return rd->to == NULL;
}

static void end_reader_free(struct piece *piece)
{
    struct end_reader *rd = (struct end_reader *)piece;
    if (rd->to != NULL)
        rd->to->reading = NULL;
    LIST_REMOVE(rd, in_all);
    free(rd);
}

static const struct piece_kind end_reader_kind = { "telling kept ends", end_reader_step,
                                                   end_reader_free };

void waiting_clients_on_commit(struct qmaster *q)
{
    struct end_reader *rd;
    LIST_FOREACH(rd, &q->job_sessions->readers, in_all) {
        if (rd->piece.is_waiting && !rd->is_fetching && rd->durable_with <= change_durable(q))
            piece_wake(&rd->piece);
    }
}

/* those that are there: some may have been taken meanwhile */
static void send_fetched(struct qmaster *q, const struct end_reader *rd, const struct note *n)
{
    struct unpacker u = unpacker_over_own(n->data, n->len);
    struct GA_Type ga = { 0 };
    for (uint32_t i = 0; i < rd->n; i++) {
        size_t len = 0;
        bool is_there = unpack_u8(&u) != 0;
        const uint8_t *value = unpack_blob(&u, &len);
        struct answer why = ANSWER_INIT;
        struct EN_Type end = { 0 };
        if (is_there && end_read(q, SPOOL_END, &rd->places[i], value, len, &end, &why) != 0)
            log_msg(LOG_LEVEL_ERROR, MSG_END_MALFORMED_U, rd->places[i].job);
        else if (is_there)
            *(struct EN_Type *)cull_append(&ga, GA_ends) = end;
        ans_free(&why);
    }
    if (ga.GA_ends.n > 0)
        send_part(q, rd->to, &ga);
}

void waiting_clients_on_fetched(struct qmaster *q, const struct note *n)
{
    struct end_reader *rd;
    LIST_FOREACH(rd, &q->job_sessions->readers, in_all) {
        if (rd->id == n->number)
            break;
    }
    if (rd == NULL)
        return;
    rd->is_fetching = false;
    if (rd->to != NULL)
        send_fetched(q, rd, n);
    rd->n = 0;
    piece_wake(&rd->piece);
}

/* ---- beginning ---- */
static void start_reading(struct qmaster *q, struct waiting_client *w)
{
    struct end_reader *rd = uti_calloc(1, sizeof *rd);
    rd->piece.kind = &end_reader_kind;
    rd->to = w;
    rd->id = ++q->job_sessions->n_readers;
    w->reading = rd;
    LIST_INSERT_HEAD(&q->job_sessions->readers, rd, in_all);
    lane_put_piece(w->from->lane, &rd->piece);
}

static struct waiting_client *make_client(struct qmaster *q, struct request *r,
                                          struct job_session *s, uint32_t only)
{
    struct waiting_client *w = uti_calloc(1, sizeof *w);
    *w = (struct waiting_client){ .of = s, .from = r->from, .serial = r->serial, .only = only };
    job_session_set_idle(q->job_sessions, s, false);
    TAILQ_INSERT_TAIL(&s->watchers, w, in_session);
    LIST_INSERT_HEAD(&r->from->watchers, w, in_conn);
    comm_server_keep(net_server(q->net), r->from->conn);
    return w;
}

static bool is_full(const struct job_session *s)
{
    const struct waiting_client *w;
    unsigned n = 0;
    TAILQ_FOREACH(w, &s->watchers, in_session)
        n++;
    return n >= SESSION_WATCHERS_MOST;
}

int waiting_clients_add(struct qmaster *q, struct request *r, struct job_session *s, uint32_t only)
{
    if (is_full(s))
        return ans_fail(&r->ans, STATUS_NOTOK_DOAGAIN, MSG_WATCHERS_MOST_SU, s->rec.SN_key,
                        (unsigned)SESSION_WATCHERS_MOST);
    struct waiting_client *w = make_client(q, r, s, only);
    struct job *job = only != 0 ? job_watched(q, w) : NULL;
    r->is_answered_later = true;
    request_texts(&r->ans, &r->ga);
    if (s->n_kept == 0 && job != NULL)
        cull_set(&r->ga, GA_is_synced, true); /* the usual case: a submit that waits */
    if (s->n_kept > 0 || job == NULL)
        start_reading(q, w);
    if (cull_has(&r->ga, GA_job_number) || cull_has(&r->ga, GA_is_synced))
        change_answer(q, r->after, r->from->conn, r->serial, &r->ga);
    if (job != NULL)
        send_errors_before(q, w, job);
    return 0;
}

/* Pieces of work (work.h) that remove records. They outlive the connection that asked. */
#include "daemons/qmaster/sessions/expired_sessions.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/sessions/session_records.h"
#include "libs/uti/alloc.h"

struct leaving_job {
    uint32_t job;
    struct range_set ran;
};
struct leaving {
    struct piece piece;
    struct job_session *session; /* owned, out of the table: all of it; NULL: `jobs` are meant */
    uint64_t number;             /* of the session */
    uint64_t conn;               /* who hears of the end; 0: nobody */
    uint32_t serial;
    struct leaving_job *jobs; /* owned */
    uint32_t n, cap, at;
    struct job_sessions *among;
    LIST_ENTRY(leaving) in_all; /* once it is under way */
};

struct leaving *leaving_new(const struct job_session *s)
{
    struct leaving *l = uti_calloc(1, sizeof *l);
    l->number = s->rec.SN_number;
    return l;
}

void leaving_add(struct leaving *l, uint32_t job, struct range_set *ran)
{
    if (range_set_is_empty(ran))
        return;
    l->jobs = uti_vec_grow(l->jobs, &l->cap, l->n + 1, sizeof *l->jobs);
    l->jobs[l->n] = (struct leaving_job){ .job = job };
    range_set_move(&l->jobs[l->n++].ran, ran);
}

static void free_leaving(struct leaving *l)
{
    for (uint32_t i = l->at; i < l->n; i++)
        range_set_free(&l->jobs[i].ran);
    free(l->jobs);
    free(l);
}

/* ---- steps ---- */
static uint32_t remove_of_job(struct qmaster *q, const struct leaving *l, struct leaving_job *of,
                              uint32_t most)
{
    struct end_place place = { l->number, of->job, 0 };
    uint32_t n = 0;
    for (; n < most && range_set_min(&of->ran, &place.low); n++) {
        end_del(q, SPOOL_END, &place);
        range_set_remove(&of->ran, place.low, place.low);
    }
    return n;
}

/* MOST records; true if there are no more */
static bool remove_some(struct qmaster *q, struct leaving *l, uint32_t most)
{
    while (most > 0 && l->at < l->n) {
        struct leaving_job *of = &l->jobs[l->at];
        most -= remove_of_job(q, l, of, most);
        if (range_set_is_empty(&of->ran))
            range_set_free(&l->jobs[l->at++].ran);
    }
    return l->at == l->n;
}

static void answer_done(struct qmaster *q, const struct leaving *l)
{
    struct GA_Type ga = { 0 };
    if (l->conn == 0)
        return;
    cull_set(&ga, GA_is_last, true);
    change_answer(q, change_number(q), l->conn, l->serial, &ga);
}

static bool step_leaving(struct qmaster *q, struct piece *piece)
{
    struct leaving *l = (struct leaving *)piece;
    bool is_done =
        l->session != NULL ? kept_drop(q, l->session, STEP_WORK) : remove_some(q, l, STEP_WORK);
    if (is_done)
        answer_done(q, l);
    piece->is_waiting = !is_done && change_is_full(q);
    return is_done;
}

static void free_piece(struct piece *piece)
{
    struct leaving *l = (struct leaving *)piece;
    LIST_REMOVE(l, in_all);
    if (l->session != NULL) {
        kept_free(l->among, l->session);
        job_session_free(l->session);
    }
    free_leaving(l);
}

static const struct piece_kind leaving_kind = { "removing ends that were kept", step_leaving,
                                                free_piece };

static void put_to_work(struct qmaster *q, struct leaving *l, uint32_t uid)
{
    l->piece.kind = &leaving_kind;
    l->among = q->job_sessions;
    LIST_INSERT_HEAD(&q->job_sessions->leaving, l, in_all);
    work_put_piece(q->work, uid, &l->piece);
}

void leaving_start(struct qmaster *q, struct leaving *l, struct request *r)
{
    if (remove_some(q, l, STEP_WORK)) {
        free_leaving(l);
        return;
    }
    l->conn = r->from->conn;
    l->serial = r->serial;
    r->is_answered_later = true;
    put_to_work(q, l, r->from->who.uid);
}

void leaving_drop(struct qmaster *q, struct job_session *s)
{
    struct leaving *l = leaving_new(s);
    uint32_t uid = s->rec.SN_uid;
    job_session_gone(q, s);
    l->session = s;
    put_to_work(q, l, uid);
}

void leaving_on_commit(struct qmaster *q)
{
    struct leaving *l;
    if (change_is_full(q))
        return;
    LIST_FOREACH(l, &q->job_sessions->leaving, in_all) {
        if (l->piece.is_waiting)
            piece_wake(&l->piece);
    }
}

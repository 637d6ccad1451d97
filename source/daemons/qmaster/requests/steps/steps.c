/* Carries out the steps of requests, and has those that wait. Each has its own place in the order
 * of changes when it goes on, not when it came: its step checks again what may have changed. */
#include "daemons/qmaster/requests/steps/steps.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/holds.h"
#include "libs/uti/alloc.h"

struct waiting_request {
    struct piece piece; /* waits in the lane of the connection that asked */
    struct qmaster *q;
    struct request r;
    enum step_result wait;
    uint64_t stepped_in; /* it made its last step in this batch */
    TAILQ_ENTRY(waiting_request) next;
};

/* ---- the end of a request ---- */
void request_answer(struct qmaster *q, struct request *r)
{
    if (!r->is_answered_later) {
        request_texts(&r->ans, &r->ga);
        cull_set(&r->ga, GA_is_last, true);
        if (r->keeps_answer)
            recent_keep(q, r);
        change_answer(q, r->after, r->from->conn, r->serial, &r->ga);
    }
    request_clear(r);
}

static void send_part(struct qmaster *q, struct request *r)
{
    if (r->keeps_answer)
        recent_begin(q, r);
    request_texts(&r->ans, &r->ga);
    change_answer(q, r->after, r->from->conn, r->serial, &r->ga); /* fills the batch, too */
}

/* tasks that a delete has withdrawn, and that will not be deleted now, may start */
static void return_withdrawn(struct qmaster *q, struct request *r)
{
    for (uint32_t i = r->at; i < r->chosen.n_withdrawn; i++) {
        struct job *job = jobs_find(&q->jobs, r->chosen.v[i].job);
        if (job != NULL)
            tasks_give_back(q, job, &r->chosen.v[i].ordinals);
    }
}

static void waiting_drop(struct piece *piece)
{
    struct waiting_request *w = (struct waiting_request *)piece;
    TAILQ_REMOVE(&w->q->waiting, w, next);
    return_withdrawn(w->q, &w->r);
    if (w->r.script_of != 0)
        scripts_abandon(w->q, w->r.script_of);
    request_clear(&w->r);
    free(w);
}

/* ---- steps ---- */
static void run_steps(struct qmaster *q, struct request *r);

static bool go_on(struct qmaster *q, struct piece *piece)
{
    struct waiting_request *w = (struct waiting_request *)piece;
    bool needs_batch = w->wait == STEP_WAIT_SLICE || w->wait == STEP_WAIT_BATCH;
    if (needs_batch && change_is_full(q)) {
        w->wait = STEP_WAIT_BATCH;
        w->stepped_in = change_number(q);
        w->piece.is_waiting = true;
        return false;
    }
    w->r.after = change_number(q);
    w->r.is_answered_later = false;
    run_steps(q, &w->r);
    request_answer(q, &w->r);
    return true; /* if it waits again, that is another piece */
}

static const struct piece_kind waiting_kind = { "a step of a request", go_on, waiting_drop };

/* R waits for WAIT, and is empty afterwards */
static void put_aside(struct qmaster *q, struct request *r, enum step_result wait)
{
    struct waiting_request *w = uti_calloc(1, sizeof *w);
    struct lane *lane = r->from->lane;
    if (wait == STEP_WAIT_PART)
        send_part(q, r);
    else if (r->keeps_answer && r->at > 0)
        recent_begin(q, r);
    r->has_waited = true;
    *w = (struct waiting_request){ .piece = { .kind = &waiting_kind },
                                   .q = q,
                                   .r = *r,
                                   .wait = wait == STEP_WAIT_PART ? STEP_WAIT_BATCH : wait,
                                   .stepped_in = change_number(q) };
    *r = (struct request){
        .from = r->from, .serial = r->serial, .after = r->after, .is_answered_later = true
    };
    w->piece.is_waiting = wait != STEP_WAIT_SLICE;
    TAILQ_INSERT_TAIL(&q->waiting, w, next);
    lane_put_piece(lane, &w->piece);
}

static void run_steps(struct qmaster *q, struct request *r)
{
    enum step_result result = STEP_NEXT;
    while (result == STEP_NEXT && r->steps[r->step] != NULL) {
        result = r->steps[r->step](q, r);
        if (result == STEP_NEXT || result == STEP_WAIT_OWNER || result == STEP_WAIT_GROUPS)
            r->step++;
    }
    if (result != STEP_NEXT && result != STEP_LAST)
        put_aside(q, r, result);
}

void request_run(struct qmaster *q, struct request *r, step_fn *const *steps)
{
    r->steps = steps;
    r->step = 0;
    run_steps(q, r);
}

bool request_is_enough(struct qmaster *q, struct request *r, uint32_t *work)
{
    bool is_enough = *work >= STEP_WORK || slice_is_over(q) || change_is_full(q);
    if (*work == 0 || !is_enough) {
        *work += picked_work(q, &r->chosen.v[r->at]);
        return false;
    }
    return true;
}

/* ---- what they wait for ---- */
static bool waits_for(const struct waiting_request *w, enum step_result wait, uint64_t awaited)
{
    return w->wait == wait && w->r.awaited == awaited;
}

void waiting_on_files(struct qmaster *q, uint32_t job)
{
    struct waiting_request *w;
    TAILQ_FOREACH(w, &q->waiting, next) {
        if (waits_for(w, STEP_WAIT_FILES, job))
            piece_wake(&w->piece);
    }
}

void waiting_on_owner(struct qmaster *q, const struct note *n)
{
    struct waiting_request *w;
    TAILQ_FOREACH(w, &q->waiting, next) {
        if (!waits_for(w, STEP_WAIT_OWNER, n->number))
            continue;
        if (n->who.user != NULL && w->r.owner.user == NULL)
            w->r.owner = identity_copy(&n->who);
        w->r.is_owner_unsure = n->is_unsure;
        piece_wake(&w->piece);
    }
}

void waiting_on_groups(struct qmaster *q, uid_t uid)
{
    struct waiting_request *w;
    TAILQ_FOREACH(w, &q->waiting, next) {
        if (waits_for(w, STEP_WAIT_GROUPS, uid))
            piece_wake(&w->piece);
    }
}

void waiting_on_starts(struct qmaster *q)
{
    struct waiting_request *w;
    if (range_set_is_empty(&q->starts))
        return;
    TAILQ_FOREACH(w, &q->waiting, next) {
        if (w->wait == STEP_WAIT_START && range_set_has(&q->starts, (uint32_t)w->r.awaited))
            piece_wake(&w->piece);
    }
    range_set_free(&q->starts);
}

void waiting_on_commit(struct qmaster *q)
{
    struct waiting_request *w;
    TAILQ_FOREACH(w, &q->waiting, next) {
        if (w->wait == STEP_WAIT_BATCH && w->stepped_in != change_number(q))
            piece_wake(&w->piece);
    }
}

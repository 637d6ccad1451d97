/* The requests that wait for files or for their next step. Each has its own place in the order of
 * changes when it goes on, not when it came: it is checked again from where it stopped. */
#include "daemons/qmaster/requests/steps/parked.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/scripts.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "libs/uti/alloc.h"

enum wait { FOR_BATCH, FOR_FILES, FOR_OWNER, FOR_GROUPS };
struct parked {
    struct piece piece; /* waits in the lane of the connection that asked */
    struct qmaster *q;
    struct request r;
    enum wait waits; /* a batch: one after STEPPED_IN */
    uint32_t job;    /* whose files it waits for */
    uid_t owner;
    uint64_t stepped_in;
    parked_fn *fn;
    struct selection chosen;
    uint32_t at;
    TAILQ_ENTRY(parked) next;
};
struct parked_list {
    TAILQ_HEAD(, parked) all;
};

struct parked_list *parked_new(void)
{
    struct parked_list *l = uti_calloc(1, sizeof *l);
    TAILQ_INIT(&l->all);
    return l;
}

void parked_free(struct parked_list *l)
{
    free(l);
}

void request_answer(struct qmaster *q, struct request *r)
{
    if (!r->is_taken) {
        request_texts(&r->ans, &r->ga);
        cull_set(&r->ga, GA_is_last, true);
        if (r->keeps_answer)
            recent_keep(q, r);
        change_answer(q, r->after, r->from->conn, r->serial, &r->ga);
    }
    request_clear(r);
}

/* tasks that a delete has withdrawn, and that nobody will delete now, may start */
static void give_back(struct parked *p)
{
    for (uint32_t i = p->at; i < p->chosen.n_withdrawn; i++) {
        struct job *job = jobs_find(&p->q->jobs, p->chosen.v[i].job);
        if (job != NULL)
            tasks_give_back(p->q, job, &p->chosen.v[i].ordinals);
    }
}

static void parked_drop(struct piece *piece)
{
    struct parked *p = (struct parked *)piece;
    TAILQ_REMOVE(&p->q->parked->all, p, next);
    give_back(p);
    if (p->r.script_of != 0)
        scripts_abandon(p->q, p->r.script_of);
    request_clear(&p->r);
    selection_free(&p->chosen);
    free(p);
}

static bool go_on(struct qmaster *q, struct piece *piece)
{
    struct parked *p = (struct parked *)piece;
    if (p->waits == FOR_BATCH && change_is_full(q)) {
        p->stepped_in = change_number(q);
        p->piece.is_waiting = true;
        return false;
    }
    p->r.after = change_number(q);
    p->r.is_taken = false;
    p->fn(q, &p->r, &p->chosen, p->at);
    request_answer(q, &p->r);
    return true; /* what is left was parked anew */
}

static const struct piece_kind parked_kind = { "a step of a request", go_on, parked_drop };

static struct parked *put_aside(struct qmaster *q, struct request *r, parked_fn *fn,
                                struct selection *chosen, uint32_t at)
{
    struct parked *p = uti_calloc(1, sizeof *p);
    if (r->keeps_answer && at > 0)
        recent_begin(q, r);
    *p = (struct parked){ .piece = { .kind = &parked_kind },
                          .q = q,
                          .r = *r,
                          .stepped_in = change_number(q),
                          .fn = fn,
                          .chosen = *chosen,
                          .at = at };
    *chosen = (struct selection){ 0 };
    *r = (struct request){
        .from = r->from, .serial = r->serial, .after = r->after, .is_taken = true
    };
    TAILQ_INSERT_TAIL(&q->parked->all, p, next);
    return p;
}

void park(struct qmaster *q, struct request *r, uint32_t job, parked_fn *fn,
          struct selection *chosen, uint32_t at)
{
    struct parked *p = put_aside(q, r, fn, chosen, at);
    p->job = job;
    p->waits = job != 0 ? FOR_FILES : FOR_BATCH;
    p->piece.is_waiting = true;
    lane_put_piece(r->from->lane, &p->piece);
}

void park_for_a_slice(struct qmaster *q, struct request *r, parked_fn *fn, struct selection *chosen,
                      uint32_t at)
{
    struct parked *p = put_aside(q, r, fn, chosen, at);
    lane_put_piece(r->from->lane, &p->piece);
}

static void park_for_user(struct qmaster *q, struct request *r, parked_fn *fn, uid_t uid,
                          enum wait waits)
{
    struct parked *p = put_aside(q, r, fn, &(struct selection){ 0 }, 0);
    p->waits = waits;
    p->owner = uid;
    p->piece.is_waiting = true;
    lane_put_piece(r->from->lane, &p->piece);
}

void park_for_owner(struct qmaster *q, struct request *r, parked_fn *fn, uid_t uid)
{
    park_for_user(q, r, fn, uid, FOR_OWNER);
}

void park_for_groups(struct qmaster *q, struct request *r, parked_fn *fn, uid_t uid)
{
    park_for_user(q, r, fn, uid, FOR_GROUPS);
}

void park_with_rest(struct qmaster *q, struct request *r, parked_fn *fn, struct selection *chosen,
                    uint32_t at)
{
    if (r->keeps_answer)
        recent_begin(q, r);
    request_texts(&r->ans, &r->ga);
    change_answer(q, r->after, r->from->conn, r->serial, &r->ga); /* fills the batch, too */
    park(q, r, 0, fn, chosen, at);
}

bool park_if_enough(struct qmaster *q, struct request *r, parked_fn *fn, struct selection *chosen,
                    uint32_t at, uint32_t *work)
{
    bool is_enough = *work >= STEP_WORK || slice_is_over(q) || change_is_full(q);
    if (*work == 0 || !is_enough) {
        *work += picked_work(q, &chosen->v[at]);
        return false;
    }
    park_with_rest(q, r, fn, chosen, at);
    return true;
}

void parked_on_files(struct qmaster *q, uint32_t job)
{
    struct parked *p;
    TAILQ_FOREACH(p, &q->parked->all, next) {
        if (p->waits == FOR_FILES && p->job == job)
            piece_wake(&p->piece);
    }
}

void parked_on_owner(struct qmaster *q, const struct note *n)
{
    struct parked *p;
    TAILQ_FOREACH(p, &q->parked->all, next) {
        if (p->waits != FOR_OWNER || p->owner != n->number)
            continue;
        if (n->who.user != NULL && p->r.owner.user == NULL)
            p->r.owner = identity_copy(&n->who);
        p->r.is_owner_unsure = n->is_unsure;
        piece_wake(&p->piece);
    }
}

void parked_on_groups(struct qmaster *q, uid_t uid)
{
    struct parked *p;
    TAILQ_FOREACH(p, &q->parked->all, next) {
        if (p->waits == FOR_GROUPS && p->owner == uid)
            piece_wake(&p->piece);
    }
}

void parked_on_commit(struct qmaster *q)
{
    struct parked *p;
    TAILQ_FOREACH(p, &q->parked->all, next) {
        if (p->waits == FOR_BATCH && p->stepped_in != change_number(q))
            piece_wake(&p->piece);
    }
}

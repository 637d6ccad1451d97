/* The requests that wait for files or for their next step. Each has its own place in the order of changes when it goes on, not when it
 * came: it is checked again from where it stopped. */
#include "daemons/qmaster/parked.h"

#include <stdlib.h>

#include "daemons/qmaster/change.h"
#include "libs/uti/alloc.h"

struct parked {
    struct request r; /* its session is looked up again */
    uint64_t conn;
    uint32_t job; /* whose files it waits for; 0: it waits for a batch after STEPPED_IN */
    uint64_t stepped_in;
    parked_fn *fn;
    struct selection chosen;
    uint32_t at;
    TAILQ_ENTRY(parked) next;
};
struct parked_list {
    TAILQ_HEAD(parked_queue, parked) all;
};

struct parked_list *parked_new(void)
{
    struct parked_list *l = uti_calloc(1, sizeof *l);
    TAILQ_INIT(&l->all);
    return l;
}

static void drop(struct parked_list *l, struct parked *p)
{
    TAILQ_REMOVE(&l->all, p, next);
    request_clear(&p->r);
    selection_free(&p->chosen);
    free(p);
}

void parked_free(struct parked_list *l)
{
    struct parked *p;
    if (l == NULL)
        return;
    while ((p = TAILQ_FIRST(&l->all)) != NULL)
        drop(l, p);
    free(l);
}

void park(struct qmaster *q, struct request *r, uint32_t job, parked_fn *fn,
          struct selection *chosen, uint32_t at)
{
    struct parked *p = uti_calloc(1, sizeof *p);
    *p = (struct parked){ .r = *r,
                          .conn = r->from->conn,
                          .job = job,
                          .stepped_in = change_number(q),
                          .fn = fn,
                          .chosen = *chosen,
                          .at = at };
    *chosen = (struct selection){ 0 };
    *r = (struct request){
        .from = r->from, .serial = r->serial, .after = r->after, .is_taken = true
    };
    TAILQ_INSERT_TAIL(&q->parked->all, p, next);
}

bool park_if_enough(struct qmaster *q, struct request *r, parked_fn *fn, struct selection *chosen,
                    uint32_t at, uint32_t *work)
{
    if (*work < STEP_WORK) {
        *work += picked_work(q, &chosen->v[at]);
        return false;
    }
    request_texts(&r->ans, &r->ga);
    change_answer(q, r->after, r->from->conn, r->serial, &r->ga); /* fills the batch, too */
    park(q, r, 0, fn, chosen, at);
    return true;
}

static void go_on(struct qmaster *q, struct parked *p)
{
    p->r.from = sessions_find(q, p->conn);
    p->r.after = change_number(q);
    p->r.is_taken = false;
    p->fn(q, &p->r, &p->chosen, p->at);
    request_answer(q, &p->r);
}

static bool is_due(const struct qmaster *q, const struct parked *p, uint32_t job)
{
    return p->job == job && (job != 0 || p->stepped_in != change_number(q));
}

/* those that wait for the files of JOB, or with 0 for a step */
static void go_on_all(struct qmaster *q, uint32_t job)
{
    struct parked *p, *next;
    const struct parked *last = TAILQ_LAST(&q->parked->all, parked_queue);
    for (p = TAILQ_FIRST(&q->parked->all); p != NULL; p = next) {
        next =
            p != last ? TAILQ_NEXT(p, next) : NULL; /* those behind the last are parked meanwhile */
        if (!is_due(q, p, job))
            continue;
        go_on(q, p);
        drop(q->parked, p);
    }
}

void parked_on_files(struct qmaster *q, uint32_t job)
{
    go_on_all(q, job);
}

void parked_step(struct qmaster *q)
{
    go_on_all(q, 0);
}

bool parked_has_step(const struct qmaster *q)
{
    const struct parked *p;
    TAILQ_FOREACH(p, &q->parked->all, next) {
        if (is_due(q, p, 0))
            return true;
    }
    return false;
}

void parked_on_closed(struct qmaster *q, uint64_t conn)
{
    struct parked *p, *next;
    TAILQ_FOREACH_SAFE(p, &q->parked->all, next, next)
    {
        if (p->conn == conn)
            drop(q->parked, p);
    }
}

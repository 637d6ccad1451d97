/* Properties of libs/sched: random streams of events go to the scheduler and to a naive one that
 * looks at everything each time. Their decisions must be the same; on the way no slot is booked
 * twice, -tc and maxujobs hold, and nothing that could start is forgotten. */
#include "libs/sched/test/feed.h"

#include "libs/sgeobj/queue_match.h"

enum { JOBS = 14, TASKS = 10, QUEUES = 6, OWNERS = 3, STEPS = 4000, SEEDS = 12 };
enum task_state { GONE, HELD, READY, ORDERED, RUNNING };

struct naive_task {
    enum task_state state;
    unsigned queue;
};
struct naive_job {
    bool is_known; /* to the scheduler */
    uint32_t number, tc, at;
    int prio;
    unsigned owner;
    const char *request; /* NULL = any queue */
    struct naive_task tasks[TASKS];
};
struct naive_queue {
    char name[32];
    bool is_known;
    unsigned slots, seq, state;
    bool is_big; /* its host is in @big */
};
struct world {
    struct sched *sched;
    uint64_t dice;
    uint32_t now, next_number, maxujobs;
    struct naive_job jobs[JOBS];
    struct naive_queue queues[QUEUES];
};
static const char *const requests[] = { NULL,     NULL,  "a.q",    "b.q",     "*@h0",
                                        "a.q@h1", "c.q", "*@@big", "b.q@@big" };

static unsigned roll_dice(struct world *w, unsigned sides)
{
    w->dice ^= w->dice << 13;
    w->dice ^= w->dice >> 7;
    w->dice ^= w->dice << 17;
    return (unsigned)(w->dice % sides);
}

static void say_event(struct world *w, const char *format, ...) SGE_PRINTF(2, 3);
static void say_event(struct world *w, const char *format, ...)
{
    char line[160];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    feed(w->sched, line);
}

/* ---- the naive scheduler ---- */
static unsigned used_slots(const struct world *w, unsigned queue)
{
    unsigned used = 0;

    for (unsigned j = 0; j < JOBS; j++)
        for (unsigned t = 0; t < TASKS; t++)
            if (w->jobs[j].tasks[t].state >= ORDERED && w->jobs[j].tasks[t].queue == queue)
                used++;
    return used;
}

static unsigned slots_taken(const struct naive_job *job)
{
    unsigned n = 0;

    for (unsigned t = 0; t < TASKS; t++)
        n += job->tasks[t].state >= ORDERED;
    return n;
}

static bool owner_is_full(const struct world *w, unsigned owner)
{
    unsigned n = 0;

    for (unsigned j = 0; j < JOBS; j++)
        if (w->jobs[j].owner == owner)
            n += slots_taken(&w->jobs[j]);
    return w->maxujobs != 0 && n >= w->maxujobs;
}

static bool queue_is_better(const struct world *w, unsigned a, unsigned b)
{
    const struct naive_queue *x = &w->queues[a], *y = &w->queues[b];
    unsigned free_x = x->slots - used_slots(w, a), free_y = y->slots - used_slots(w, b);

    if (x->seq != y->seq)
        return x->seq < y->seq;
    return free_x != free_y ? free_x > free_y : strcmp(x->name, y->name) < 0;
}

static bool suits_queue(const struct naive_job *job, const struct naive_queue *queue)
{
    char name[] = "@big";
    struct ST_Type group = { .ST_name = name };
    struct ST_Type_list big = { .v = &group, .n = 1 };
    if (job->request == NULL)
        return true;
    return queue_match(job->request, queue->name, queue->is_big ? &big : NULL);
}

static int best_queue(const struct world *w, const struct naive_job *job)
{
    int best = -1;

    for (unsigned q = 0; q < QUEUES; q++) {
        const struct naive_queue *queue = &w->queues[q];
        if (!queue->is_known || queue->state != 0 || used_slots(w, q) >= queue->slots)
            continue;
        if (!suits_queue(job, queue))
            continue;
        if (best < 0 || queue_is_better(w, q, (unsigned)best))
            best = (int)q;
    }
    return best;
}

static int ready_task(const struct world *w, const struct naive_job *job)
{
    if (!job->is_known || job->at > w->now || (job->tc != 0 && slots_taken(job) >= job->tc) ||
        owner_is_full(w, job->owner))
        return -1;
    for (unsigned t = 0; t < TASKS; t++)
        if (job->tasks[t].state == READY)
            return (int)t;
    return -1;
}

/* start the one task that is to start next; NULL if nothing fits, else its job */
static struct naive_job *naive_step(struct world *w)
{
    struct naive_job *best = NULL;

    for (unsigned j = 0; j < JOBS; j++) {
        struct naive_job *job = &w->jobs[j];
        if (ready_task(w, job) < 0 || best_queue(w, job) < 0)
            continue;
        if (best == NULL || job->prio > best->prio ||
            (job->prio == best->prio && job->number < best->number))
            best = job;
    }
    if (best == NULL)
        return NULL;
    struct naive_task *task = &best->tasks[ready_task(w, best)];
    task->queue = (unsigned)best_queue(w, best);
    task->state = ORDERED;
    return best;
}

/* ---- comparing ---- */
static unsigned queue_index(const struct world *w, const char *name)
{
    for (unsigned q = 0; q < QUEUES; q++)
        if (strcmp(w->queues[q].name, name) == 0)
            return q;
    fail_msg("no queue %s", name);
    return 0;
}

/* the orders are what the naive scheduler decided: jobs in the same order, each task in the same
 * queue */
static void compare_orders(const struct world *w, const struct OR_Type_list *orders,
                           const uint32_t *decided, unsigned n)
{
    unsigned at = 0;
    struct range r;

    for (uint32_t i = 0; i < orders->n; i++) {
        const struct OR_Type *order = &orders->v[i];
        unsigned q = queue_index(w, allocation_queue(&order->OR_granted));
        for (uint64_t from = 0; range_set_next_run(&order->OR_ids, from, &r);
             from = (uint64_t)r.last + 1)
            for (uint32_t t = r.first; t <= r.last; t++, at++) {
                assert_true(at < n);
                assert_int_equal(order->OR_job_number, decided[at]);
                unsigned j = 0;
                while (w->jobs[j].number != order->OR_job_number)
                    j++;
                assert_int_equal(w->jobs[j].tasks[t].state, ORDERED);
                assert_int_equal(w->jobs[j].tasks[t].queue, q);
            }
    }
    assert_int_equal(at, n);
}

static void check_limits(const struct world *w)
{
    for (unsigned q = 0; q < QUEUES; q++)
        if (w->queues[q].is_known && w->queues[q].state == 0)
            assert_true(used_slots(w, q) <= 8);
}

static void do_run(struct world *w)
{
    struct OR_Type_list orders = { 0 };
    uint32_t decided[JOBS * TASKS];
    unsigned n = 0, most = 1 + roll_dice(w, 20);
    const struct naive_job *job;

    while (n < most && (job = naive_step(w)) != NULL)
        decided[n++] = job->number;
    assert_int_equal(sched_run(w->sched, w->now, most, &orders), n);
    compare_orders(w, &orders, decided, n);
    assert_true(n == most || !sched_has_work(w->sched));
    orders_clear(&orders);
    check_limits(w);
}

/* ---- events ---- */
static void do_new_job(struct world *w)
{
    struct naive_job *job = &w->jobs[roll_dice(w, JOBS)];
    unsigned held = roll_dice(w, 4) == 0 ? roll_dice(w, TASKS) : 0;

    if (job->is_known || slots_taken(job) > 0)
        return;
    *job = (struct naive_job){ .is_known = true,
                               .number = w->next_number++,
                               .prio = (int)roll_dice(w, 3) - 1 };
    job->tc = roll_dice(w, 3) == 0 ? 1 + roll_dice(w, 4) : 0;
    job->at = roll_dice(w, 5) == 0 ? w->now + roll_dice(w, 20) : 0;
    job->owner = roll_dice(w, OWNERS);
    job->request = requests[roll_dice(w, ARRAY_LEN(requests))];
    for (unsigned t = 0; t < TASKS; t++)
        job->tasks[t].state = t >= held ? READY : HELD;
    say_event(w, "job %u %u-%u p %d tc %u at %u owner o%u%s%s", job->number, held, TASKS - 1,
              job->prio, job->tc, job->at, job->owner, job->request != NULL ? " q " : "",
              job->request != NULL ? job->request : "");
}

static struct naive_job *some_job(struct world *w)
{
    struct naive_job *job = &w->jobs[roll_dice(w, JOBS)];

    return job->is_known ? job : NULL;
}

static void do_alter(struct world *w)
{
    struct naive_job *job = some_job(w);

    if (job == NULL)
        return;
    switch (roll_dice(w, 4)) {
    case 0:
        job->prio = (int)roll_dice(w, 5) - 2;
        say_event(w, "mod %u p %d", job->number, job->prio);
        break;
    case 1:
        job->tc = roll_dice(w, 5);
        say_event(w, "mod %u tc %u", job->number, job->tc);
        break;
    case 2:
        job->at = w->now + roll_dice(w, 10);
        say_event(w, "mod %u at %u", job->number, job->at);
        break;
    default:
        job->request = requests[2 + roll_dice(w, ARRAY_LEN(requests) - 2)];
        say_event(w, "mod %u q %s", job->number, job->request);
    }
}

static void do_delete(struct world *w)
{
    struct naive_job *job = some_job(w);

    if (job == NULL || roll_dice(w, 3) != 0)
        return;
    say_event(w, "del %u", job->number);
    job->is_known = false;
    for (unsigned t = 0; t < TASKS; t++)
        if (job->tasks[t].state != RUNNING)
            job->tasks[t].state = GONE;
}

/* a hold, or its release, on a range of tasks; a put-back or a deletion is the same to the
 * scheduler */
static void do_hold(struct world *w)
{
    struct naive_job *job = some_job(w);
    unsigned first = roll_dice(w, TASKS), last = first + roll_dice(w, TASKS - first);
    bool is_release = roll_dice(w, 2) == 0;

    if (job == NULL)
        return;
    say_event(w, "%s %u %u-%u", is_release ? "ready" : "unready", job->number, first, last);
    for (unsigned t = first; t <= last; t++)
        if (job->tasks[t].state != RUNNING)
            job->tasks[t].state = is_release ? READY : HELD;
}

/* the qmaster's word on an ordered task, or the end of a running one */
static void do_task(struct world *w)
{
    struct naive_job *job = &w->jobs[roll_dice(w, JOBS)];
    unsigned t = roll_dice(w, TASKS);
    struct naive_task *task = &job->tasks[t];

    if (task->state == ORDERED && roll_dice(w, 4) != 0) {
        say_event(w, "started %u %u %s", job->number, t, w->queues[task->queue].name);
        task->state = RUNNING;
    } else if (task->state == ORDERED) {
        bool is_ready = roll_dice(w, 2) == 0;
        if (is_ready)
            say_event(w, "ready %u %u", job->number, t);
        else
            say_event(w, "ended %u %u %s", job->number, t, w->queues[task->queue].name);
        task->state = is_ready ? READY : GONE;
    } else if (task->state == RUNNING) {
        say_event(w, "ended %u %u %s", job->number, t, w->queues[task->queue].name);
        task->state = GONE;
    }
}

static void do_queue(struct world *w)
{
    struct naive_queue *queue = &w->queues[roll_dice(w, QUEUES)];
    unsigned used = used_slots(w, (unsigned)(queue - w->queues));

    if (queue->is_known && roll_dice(w, 4) == 0) {
        queue->is_known = false;
        say_event(w, "delq %s", queue->name);
        return;
    }
    queue->slots = roll_dice(w, 8);
    if (queue->slots < used)
        queue->slots = used;
    queue->seq = roll_dice(w, 3);
    queue->state = roll_dice(w, 4) == 0 ? 4 : 0;
    queue->is_big = roll_dice(w, 2) == 0;
    say_event(w, "%s %s %u seq %u state %u group %s", queue->is_known ? "queue+" : "queue",
              queue->name, queue->slots, queue->seq, queue->state, queue->is_big ? "@big" : "none");
    queue->is_known = true;
}

static void do_time(struct world *w)
{
    w->now += roll_dice(w, 4);
}

static void do_limit(struct world *w)
{
    if (roll_dice(w, 4) != 0)
        return;
    w->maxujobs = roll_dice(w, 8);
    say_event(w, "conf maxujobs %u", w->maxujobs);
}

static void (*const actions[])(struct world *w) = {
    do_run,  do_run,  do_new_job, do_new_job, do_alter, do_delete, do_hold,   do_task, do_task,
    do_task, do_task, do_task,    do_task,    do_queue, do_time,   do_delete, do_limit
};

static void decisions_equal_those_of_a_naive_scheduler(void **state SGE_UNUSED)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct world w = { .sched = sched_new(),
                           .dice = seed * UINT64_C(0x9E3779B97F4A7C15),
                           .now = 1,
                           .next_number = 1 };
        for (unsigned q = 0; q < QUEUES; q++)
            snprintf(w.queues[q].name, sizeof w.queues[q].name, "%c.q@h%u", "abc"[q % 3], q / 3);
        for (unsigned step = 0; step < STEPS; step++)
            actions[roll_dice(&w, ARRAY_LEN(actions))](&w);
        do_run(&w);
        sched_free(w.sched);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        decisions_equal_those_of_a_naive_scheduler) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

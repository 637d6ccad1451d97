/* Tests of libs/sched/run/reserve.c: reservations and backfilling, against a definition by brute
 * force in virtual time. */
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/services.h"
#include "libs/sched/test/quota_cell.h"

/* "JOB.TASK@START+RUN>QUEUE=SLOTS,..." of each reservation of the round */
static void expect_reserved(const struct sched *s, const char *expected)
{
    struct dstr text = DSTR_INIT;
    for (uint32_t i = 0; i < s->jobs.reserve.n; i++) {
        const struct reservation *r = &s->jobs.reserve.v[i];
        dstr_addf(&text, "%s%u.%u@%llu+%lld>", i > 0 ? " " : "", r->job, r->task,
                  (unsigned long long)r->start_s, (long long)r->run_s);
        for (uint32_t p = 0; p < r->places.n; p++)
            dstr_addf(&text, "%s%s=%u", p > 0 ? "," : "", r->places.v[p].queue->name,
                      r->places.v[p].slots);
    }
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
}

static struct sched *four_slots(const char *max_reservation)
{
    struct sched *s = sched_new();
    feedf(s, "conf max_reservation %s", max_reservation);
    feed(s, "conf default_duration 0:10:0");
    feed(s, "object 12 smp slots 999 allocation_rule $pe_slots");
    feed(s, "queue all.q@h 4 pes smp");
    feed(s, "job 1 0 l h_rt=90");
    feed(s, "started 1 0 since 1000 all.q@h 1");
    feed(s, "job 2 0 l h_rt=110 pe smp 2");
    feed(s, "started 2 0 since 1000 pe smp all.q@h 2");
    return s;
}

/* ---- one at a time ---- */
static void what_would_delay_a_reservation_is_held_back(void **state SGE_UNUSED)
{
    struct sched *s = four_slots("10");
    feed(s, "job 3 0 l h_rt=120 pe smp 4 R y p 10");
    feed(s, "job 4 0 l h_rt=80");
    feed(s, "job 5 0 l h_rt=260");
    feed(s, "job 6 0");
    expect_orders(s, 1004, 9, "4:0>all.q@h");
    expect_reserved(s, "3.0@1110+120>all.q@h=4");
    assert_false(sched_has_work(s));
    feed(s, "started 4 0 since 1004 all.q@h 1");
    feed(s, "ended 2 0 pe smp all.q@h 2");
    assert_true(sched_has_work(s));
    expect_orders(s, 1020, 9, ""); /* 5 and 6 would fit, but not until 1090 */
    expect_reserved(s, "3.0@1090+120>all.q@h=4");
    feed(s, "ended 1 0 all.q@h");
    expect_orders(s, 1022, 9, "");
    expect_reserved(s, "3.0@1084+120>all.q@h=4");
    feed(s, "ended 4 0 all.q@h");
    expect_orders(s, 1030, 9, "3:0>smp:all.q@h=4");
    expect_reserved(s, "");
    sched_free(s);
}

static void without_reservations_small_jobs_go_first(void **state SGE_UNUSED)
{
    struct sched *s = four_slots("0");
    feed(s, "job 3 0 l h_rt=120 pe smp 4 R y p 10");
    feed(s, "job 5 0 l h_rt=260");
    expect_orders(s, 1004, 9, "5:0>all.q@h");
    expect_reserved(s, "");
    feed(s, "started 5 0 since 1004 all.q@h 1");
    feed(s, "conf max_reservation 1");
    feed(s, "job 6 0 l h_rt=260");
    feed(s, "ended 1 0 all.q@h");
    expect_orders(s, 1005, 9, ""); /* 5 ends at 1264 */
    expect_reserved(s, "3.0@1264+120>all.q@h=4");
    feed(s, "conf max_reservation 0"); /* what was held back goes on */
    assert_true(sched_has_work(s));
    expect_orders(s, 1006, 9, "6:0>all.q@h");
    sched_free(s);
}

static void the_most_important_ones_have_them(void **state SGE_UNUSED)
{
    struct sched *s = four_slots("3");
    feed(s, "job 3 0-9 l h_rt=100 pe smp 4 R y");
    feed(s, "job 4 0 l h_rt=100 pe smp 4 R y p 10");
    feed(s, "job 5 0 l h_rt=100 pe smp 4 p 20");
    expect_orders(s, 1004, 9, "");
    expect_reserved(s, "4.0@1110+100>all.q@h=4 3.0@1210+100>all.q@h=4 3.1@1310+100>all.q@h=4");
    feed(s, "del 4");
    expect_orders(s, 1005, 9, "");
    expect_reserved(s, "3.0@1110+100>all.q@h=4 3.1@1210+100>all.q@h=4 3.2@1310+100>all.q@h=4");
    feed(s, "mod 3 R n");
    expect_orders(s, 1006, 9, "");
    expect_reserved(s, "");
    sched_free(s);
}

/* an order says what is reserved, once a second at most, and only if it has changed */
static void what_is_reserved_is_said_once(void **state SGE_UNUSED)
{
    struct sched *s = four_slots("3");
    struct OR_Type_list orders = { 0 };
    feed(s, "job 3 0-1 l h_rt=100 pe smp 4 R y");
    expect_orders(s, 1004, 9, "");
    assert_int_equal(sched_reserve_due(s), 1);
    assert_true(sched_reserve_order(s, 1004, &orders));
    assert_int_equal(orders.v[0].OR_kind, ORDER_RESERVE);
    assert_int_equal(orders.v[0].OR_reserved.n, 2);
    const struct RV_Type *second = &orders.v[0].OR_reserved.v[1];
    assert_int_equal(second->RV_job_number, 3);
    assert_int_equal(second->RV_ordinal, 1);
    assert_int_equal(second->RV_start_time, 1210);
    assert_int_equal(second->RV_duration, 100);
    assert_int_equal(second->RV_places, 1);
    assert_string_equal(second->RV_granted.v[0].JG_qname, "all.q@h");
    assert_int_equal(second->RV_granted.v[0].JG_slots, 4);
    assert_int_equal(sched_reserve_due(s), 0);
    feed(s, "ended 1 0 all.q@h");
    expect_orders(s, 1004, 9, ""); /* 2 ends at 1110, as before */
    assert_int_equal(sched_reserve_due(s), 1005);
    assert_false(sched_reserve_order(s, 1004, &orders));
    assert_false(sched_reserve_order(s, 1005, &orders));
    assert_int_equal(sched_reserve_due(s), 0);
    feed(s, "del 3");
    expect_orders(s, 1006, 9, "");
    assert_true(sched_reserve_order(s, 1006, &orders));
    assert_int_equal(orders.v[1].OR_reserved.n, 0);
    orders_clear(&orders);
    sched_free(s);
}

/* one that places by itself has all job groups, also those that were held back */
static void another_policy_has_what_was_held_back(void **state SGE_UNUSED)
{
    static const struct sched_policy other = { .name = "other" };
    struct sched *s = four_slots("3");
    feed(s, "job 3 0 l h_rt=100 pe smp 4 R y p 1");
    feed(s, "job 4 0 l h_rt=500");
    expect_orders(s, 1004, 9, "");
    assert_false(LIST_EMPTY(&s->pending.aside));
    s->conf.policy = &other; /* as if `algorithm` named it */
    feed(s, "state 1 0 128 0");
    assert_true(LIST_EMPTY(&s->pending.aside));
    sched_free(s);
}

/* ---- rounds ---- */
static bool begins_anew(struct sched *s, uint64_t now_s)
{
    uint64_t round = s->jobs.forecast.round;
    expect_orders(s, now_s, 9, "");
    return s->jobs.forecast.round != round;
}

static void a_round_outlasts_what_releases_nothing(void **state SGE_UNUSED)
{
    static const char *const harmless[] = {
        "job 5 0 l h_rt=500", "mod 5 p 1",   "state 1 0 128 0", "loads h np_load_avg=0.5",
        "ready 6 7",          "unready 6 7", "del 5",           "started 4 0 since 1004 all.q@h 1"
    };
    static const char *const others[] = {
        "queue+ all.q@h state 4",
        "queue+ all.q@h state 0",
        "host h lic=3",
        "job 7 0 R y l h_rt=9",
        "del 7",
        "ready 3 1",
        "unready 3 1",
        "conf maxujobs 9",
        "object 12 mpi slots 9 allocation_rule 2",
        "ended 4 0 all.q@h 1",
    };
    struct sched *s = four_slots("3");
    feed(s, "job 3 0 l h_rt=100 pe smp 4 R y");
    feed(s, "job 6 0-2 l h_rt=600");
    feed(s, "job 4 0 l h_rt=50 p -1");
    expect_orders(s, 1004, 9, "4:0>all.q@h");
    for (size_t i = 0; i < ARRAY_LEN(harmless); i++) {
        feed(s, harmless[i]);
        if (begins_anew(s, 1005 + i))
            fail_msg("%s", harmless[i]);
        expect_reserved(s, "3.0@1110+100>all.q@h=4");
    }
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        feed(s, others[i]);
        if (!begins_anew(s, 1030 + i))
            fail_msg("%s", others[i]);
    }
    expect_reserved(s, "3.0@1110+100>all.q@h=4");
    assert_true(begins_anew(s, 1111)); /* 2 is late */
    expect_reserved(s, "3.0@1112+100>all.q@h=4");
    sched_free(s);
}

/* ---- many ---- */
enum { WIDE = 1000, OF_WIDE = 64, RUNNING = 50000, RESERVED = 100 };

/* reservations of parallel jobs on many hosts, each of whose tasks ends at a time of its own */
static void rounds_with_many_ends_begin_once_a_second(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    struct OR_Type_list orders = { 0 };
    feedf(s, "conf max_reservation %u", RESERVED);
    feed(s, "object 12 mpi slots 99999 allocation_rule $fill_up");
    for (unsigned h = 0; h < WIDE; h++)
        feedf(s, "queue all.q@h%u %u pes mpi seq %u", h, OF_WIDE, h);
    for (unsigned i = 0; i < RUNNING; i++) {
        feedf(s, "job %u 0 l h_rt:3=%u", i + 1, 1000 + (i * 7919u) % 100000);
        feedf(s, "started %u 0 since 900 all.q@h%u 1", i + 1, i % WIDE);
    }
    for (unsigned i = 0; i < RESERVED; i++)
        feedf(s, "job %u 0 R y pe mpi %u l h_rt:3=%u", RUNNING + 1 + i, 15000 + i * 100, 3600 + i);
    uint64_t looks = sched_work(s)->looks;
    assert_int_equal(sched_run(s, 1000, 1000, &orders), 0);
    assert_int_equal(s->jobs.reserve.n, RESERVED);
    assert_true(sched_work(s)->looks - looks <= 2 * RUNNING + RESERVED * 20 * WIDE);
    feed(s, "ended 1 0 all.q@h0 1");
    assert_true(sched_has_work(s));
    looks = sched_work(s)->looks;
    assert_int_equal(sched_run(s, 1000, 1000, &orders), 0);
    assert_true(sched_work(s)->looks - looks < 100);
    assert_false(sched_has_work(s));
    assert_int_equal(sched_next_due(s), 1001);
    assert_int_equal(sched_run(s, 1001, 1000, &orders), 0);
    assert_int_equal(s->jobs.reserve.n, RESERVED);
    assert_int_equal(sched_next_due(s), 0);
    orders_clear(&orders);
    sched_free(s);
}

/* ---- against a definition by brute force, in virtual time ---- */
enum { HOSTS = 2, QUEUES = 4, TASKS = 4, JOBS = 60, BOOKED = 400, CELLS = 800, STEPS = 12 };
#define NEVER 1000000000u
struct job {
    unsigned number, priority, slots, lic, run, n_tasks, owner;
    bool reserves, is_gone, has_started[TASKS];
};
/* what is held, and what is to be held later */
struct booked {
    unsigned from, until, ends, n, queue[QUEUES], slots[QUEUES], lic, owner, job, task;
    bool is_running;
};
struct world {
    struct sched *s;
    uint64_t dice;
    unsigned now, most, of_user, cap[QUEUES], h_rt[QUEUES], host_lic[HOSTS], cell_lic, default_run;
    bool is_closed[QUEUES], is_on_one;
    struct job jobs[JOBS];
    unsigned n_jobs, n;
    struct booked v[BOOKED];
};

static unsigned roll_dice(struct world *w, unsigned sides)
{
    w->dice ^= w->dice << 13;
    w->dice ^= w->dice >> 7;
    w->dice ^= w->dice << 17;
    return (unsigned)((w->dice >> 11) % sides);
}

/* what B takes of: queue instance 0 to 3, host 4 to 5, the cell 6, owner 7 to 9 */
static unsigned taken_by(const struct booked *b, unsigned of)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < b->n; i++) {
        if (of < QUEUES)
            sum += b->queue[i] == of ? b->slots[i] : 0;
        else if (of < 6)
            sum += b->queue[i] / 2 == of - QUEUES ? b->slots[i] * b->lic : 0;
        else if (of == 6)
            sum += b->slots[i] * b->lic;
    }
    return of < 7 ? sum : b->owner == of - 7;
}

/* the most that is taken at any time from FROM until UNTIL */
static unsigned most_taken(const struct world *w, unsigned of, unsigned from, unsigned until)
{
    unsigned most = 0;
    for (unsigned at = 0; at <= w->n; at++) {
        unsigned t = at < w->n ? w->v[at].from : from, sum = 0;
        if (t < from || t >= until)
            continue;
        for (unsigned i = 0; i < w->n; i++)
            if (w->v[i].from <= t && t < w->v[i].until)
                sum += taken_by(&w->v[i], of);
        most = sum > most ? sum : most;
    }
    return most;
}

static unsigned room_for(const struct world *w, unsigned of, unsigned cap, unsigned from,
                         unsigned until)
{
    unsigned most = most_taken(w, of, from, until);
    return most < cap ? cap - most : 0;
}

static unsigned run_in(const struct world *w, const struct job *j, unsigned q)
{
    return j->run != 0 ? j->run : w->h_rt[q] != 0 ? w->h_rt[q] : w->default_run;
}

static unsigned longest_run(const struct world *w, const struct job *j)
{
    unsigned most = w->default_run;
    for (unsigned q = 0; q < QUEUES && j->run == 0; q++)
        most = run_in(w, j, q) > most ? run_in(w, j, q) : most;
    return j->run != 0 ? j->run : most;
}

static unsigned lesser_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool owner_may(const struct world *w, const struct job *j, unsigned from, unsigned until)
{
    return w->of_user == 0 || room_for(w, 7 + j->owner, w->of_user, from, until) > 0;
}

/* is Q open for J, and has it what it asks for at all? */
static bool may_run(const struct world *w, const struct job *j, unsigned q)
{
    return !w->is_closed[q] && (j->lic == 0 || w->cell_lic < NEVER || w->host_lic[q / 2] < NEVER);
}

/* a task that is there from AT on; FROM: since when it is looked whether there is room */
static bool fits_in_queue(const struct world *w, const struct job *j, unsigned q, unsigned from,
                          unsigned at)
{
    unsigned until = at + run_in(w, j, q);
    return may_run(w, j, q) && room_for(w, q, w->cap[q], from, until) > 0 &&
           room_for(w, QUEUES + q / 2, w->host_lic[q / 2], from, until) >= j->lic &&
           room_for(w, 6, w->cell_lic, from, until) >= j->lic &&
           owner_may(w, j, from, from == 0 ? at + longest_run(w, j) : until);
}

static bool fits_in_hosts(const struct world *w, const struct job *j, unsigned from, unsigned at)
{
    unsigned until = at + j->run, sum = 0, best = 0, most = NEVER;
    if (j->lic > 0)
        most = room_for(w, 6, w->cell_lic, from, until) / j->lic;
    for (unsigned h = 0; h < HOSTS; h++) {
        unsigned room = 0;
        for (unsigned q = 2 * h; q < 2 * h + 2; q++)
            room += may_run(w, j, q) ? room_for(w, q, w->cap[q], from, until) : 0;
        if (j->lic > 0)
            room = lesser_of(room, room_for(w, QUEUES + h, w->host_lic[h], from, until) / j->lic);
        sum += room;
        best = room > best ? room : best;
    }
    return lesser_of(w->is_on_one ? best : sum, most) >= j->slots && owner_may(w, j, from, until);
}

static bool fits_from(const struct world *w, const struct job *j, unsigned from, unsigned at)
{
    if (j->slots > 0)
        return fits_in_hosts(w, j, from, at);
    for (unsigned q = 0; q < QUEUES; q++)
        if (fits_in_queue(w, j, q, from, at))
            return true;
    return false;
}

static unsigned first_time(const struct world *w, const struct job *j)
{
    for (unsigned at = w->now + 1; at < w->now + 2000; at++)
        if (fits_from(w, j, at, at))
            return at;
    return NEVER;
}

static unsigned number_of_queue(const char *name)
{
    return (unsigned)(name[5] - '0') * 2 + (unsigned)(name[0] - 'a');
}

static struct booked *book_task(struct world *w, const struct job *j, unsigned task, unsigned from)
{
    struct booked *b = &w->v[w->n++];
    assert_true(w->n < BOOKED);
    *b = (struct booked){
        .from = from, .lic = j->lic, .owner = j->owner, .job = j->number, .task = task
    };
    return b;
}

static void book_place(const struct world *w, const struct job *j, struct booked *b,
                       const char *name, unsigned slots, unsigned at)
{
    unsigned q = number_of_queue(name);
    if (b->n == 0)
        b->ends = b->until = at + run_in(w, j, q);
    b->queue[b->n] = q;
    b->slots[b->n++] = slots;
}

/* with B, which was booked last, no more is taken of anything than there is */
static void expect_room(const struct world *w, const struct booked *b)
{
    for (unsigned i = 0; i < b->n; i++) {
        unsigned q = b->queue[i];
        assert_false(w->is_closed[q]);
        assert_true(most_taken(w, q, b->from, b->until) <= w->cap[q]);
        if (b->lic > 0)
            assert_true(most_taken(w, QUEUES + q / 2, b->from, b->until) <= w->host_lic[q / 2]);
    }
    assert_true(b->lic == 0 || most_taken(w, 6, b->from, b->until) <= w->cell_lic);
    assert_true(w->of_user == 0 || most_taken(w, 7 + b->owner, b->from, b->until) <= w->of_user);
}

static const struct OR_Type *order_of(const struct OR_Type_list *orders, unsigned job,
                                      unsigned task)
{
    for (uint32_t i = 0; i < orders->n; i++)
        if (orders->v[i].OR_kind == ORDER_START && orders->v[i].OR_job_number == job &&
            range_set_has(&orders->v[i].OR_ids, task))
            return &orders->v[i];
    return NULL;
}

static void take_order(struct world *w, struct job *j, unsigned task, const struct OR_Type *order)
{
    struct booked *b = book_task(w, j, task, 0);
    j->has_started[task] = true;
    for (uint32_t i = 0; i < order->OR_granted.n; i++)
        book_place(w, j, b, order->OR_granted.v[i].JG_qname,
                   j->slots > 0 ? order->OR_granted.v[i].JG_slots : 1, w->now);
    b->is_running = true;
    expect_room(w, b);
}

static void take_reservation(struct world *w, const struct job *j, unsigned task, unsigned n)
{
    const struct reservation *r = &w->s->jobs.reserve.v[n];
    if (n >= w->s->jobs.reserve.n)
        fail_msg("no reservation for job %u, task %u at %u", j->number, task, first_time(w, j));
    assert_int_equal(r->job, j->number);
    assert_int_equal(r->task, task);
    assert_int_equal(r->start_s, first_time(w, j));
    struct booked *b = book_task(w, j, task, (unsigned)r->start_s);
    for (uint32_t i = 0; i < r->places.n; i++)
        book_place(w, j, b, r->places.v[i].queue->name, r->places.v[i].slots, b->from);
    expect_room(w, b);
}

/* the next job in order after AFTER (NULL: the first) */
static struct job *next_job(struct world *w, const struct job *after)
{
    struct job *next = NULL;
    for (unsigned i = 0; i < w->n_jobs; i++) {
        struct job *j = &w->jobs[i];
        bool is_behind = after == NULL || j->priority < after->priority ||
                         (j->priority == after->priority && j->number > after->number);
        if (is_behind && !j->is_gone &&
            (next == NULL || j->priority > next->priority ||
             (j->priority == next->priority && j->number < next->number)))
            next = j;
    }
    return next;
}

/* a run does exactly this: in order, each task starts if it fits beside what runs and what was
 * reserved before it, else it is reserved at the first time at which it does, if it wants that */
static void expect_run(struct world *w)
{
    struct OR_Type_list orders = { 0 };
    unsigned reserved = 0, held = 0;
    if (w->of_user > 0) /* who has all that he may have since gets none in another round */
        feedf(w->s, "conf maxujobs %u", w->of_user);
    (void)sched_run(w->s, w->now, 1000, &orders);
    for (struct job *j = next_job(w, NULL); j != NULL; j = next_job(w, j))
        for (unsigned task = 0; task < j->n_tasks; task++) {
            if (j->has_started[task])
                continue;
            const struct OR_Type *order = order_of(&orders, j->number, task);
            assert_int_equal(order != NULL, fits_from(w, j, 0, w->now));
            if (order != NULL)
                take_order(w, j, task, order);
            else if (j->reserves && reserved < w->most && owner_may(w, j, 0, 1) &&
                     first_time(w, j) < NEVER)
                take_reservation(w, j, task, reserved++);
        }
    assert_int_equal(w->s->jobs.reserve.n, reserved);
    assert_false(sched_has_work(w->s));
    orders_clear(&orders);
    for (unsigned i = 0; i < w->n; i++) /* what was reserved is not held */
        if (w->v[i].is_running)
            w->v[held++] = w->v[i];
    w->n = held;
}

static void feed_task(const struct world *w, const char *what, const struct booked *b)
{
    struct dstr line = DSTR_INIT;
    bool is_parallel = w->jobs[b->job - 1].slots > 0;
    dstr_addf(&line, "%s %u %u %s", what, b->job, b->task, is_parallel ? "pe mpi" : "");
    for (unsigned i = 0; i < b->n; i++) {
        dstr_addf(&line, " %c.q@h%u %u", 'a' + (int)(b->queue[i] % 2), b->queue[i] / 2,
                  b->slots[i]);
        if (b->lic > 0)
            dstr_addf(&line, " take lic=%u", b->lic * b->slots[i]);
    }
    feed(w->s, dstr_get(&line));
    dstr_free(&line);
}

static void add_job(struct world *w)
{
    static const char *const owners[] = { "ann", "bob", "eve" };
    struct job *j = &w->jobs[w->n_jobs++];
    *j = (struct job){ .number = w->n_jobs,
                       .priority = roll_dice(w, 3),
                       .lic = roll_dice(w, 3) / 2,
                       .n_tasks = roll_dice(w, 3) == 0 ? 1 + roll_dice(w, TASKS) : 1,
                       .owner = roll_dice(w, 3),
                       .reserves = roll_dice(w, 2) == 0,
                       .slots = roll_dice(w, 2) * (1 + roll_dice(w, 6)) };
    j->run = j->slots > 0 || roll_dice(w, 3) > 0 ? 1 + roll_dice(w, 60) : 0;
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "job %u 0-%u p %u owner %s R %s", j->number, j->n_tasks - 1, j->priority,
              owners[j->owner], j->reserves ? "y" : "n");
    if (j->slots > 0)
        dstr_addf(&line, " pe mpi %u", j->slots);
    if (j->run > 0)
        dstr_addf(&line, " l h_rt:3=%u", j->run);
    if (j->lic > 0)
        dstr_addf(&line, " l lic:1=%u", j->lic);
    feed(w->s, dstr_get(&line));
    dstr_free(&line);
}

static void build_cell(struct world *w)
{
    static const char *const rules[] = { "$pe_slots", "$fill_up", "$round_robin" };
    unsigned rule = roll_dice(w, 3);
    w->is_on_one = rule == 0;
    w->most = 1 + roll_dice(w, 8);
    w->of_user = roll_dice(w, 3) == 0 ? 1 + roll_dice(w, 4) : 0;
    w->default_run = roll_dice(w, 2) == 0 ? 10 + roll_dice(w, 60) : NEVER;
    w->cell_lic = roll_dice(w, 2) == 0 ? 1 + roll_dice(w, 4) : NEVER;
    feed_resource(w->s, "lic", "YES");
    feedf(w->s, "object 12 mpi slots 999 allocation_rule %s", rules[rule]);
    feedf(w->s, "conf max_reservation %u", w->most);
    feedf(w->s, "conf maxujobs %u", w->of_user);
    if (w->default_run < NEVER)
        feedf(w->s, "conf default_duration %u", w->default_run);
    if (w->cell_lic < NEVER)
        feedf(w->s, "host global lic=%u", w->cell_lic);
    for (unsigned h = 0; h < HOSTS; h++) {
        w->host_lic[h] = roll_dice(w, 2) == 0 ? 1 + roll_dice(w, 4) : NEVER;
        if (w->host_lic[h] < NEVER)
            feedf(w->s, "host h%u lic=%u", h, w->host_lic[h]);
    }
    for (unsigned q = 0; q < QUEUES; q++) {
        w->cap[q] = 1 + roll_dice(w, 3);
        w->h_rt[q] = roll_dice(w, 3) == 0 ? 10 + roll_dice(w, 50) : 0;
        feedf(w->s, "queue %c.q@h%u %u pes mpi seq %u", 'a' + (int)(q % 2), q / 2, w->cap[q], q);
        if (w->h_rt[q] > 0)
            feedf(w->s, "queue+ %c.q@h%u set h_rt=%u", 'a' + (int)(q % 2), q / 2, w->h_rt[q]);
    }
}

/* time goes on; tasks end as foreseen, early or late; jobs come and go, queues close and open */
static void go_on(struct world *w)
{
    w->now += 1 + roll_dice(w, 15);
    for (unsigned i = 0; i < w->n; i++) {
        struct booked *b = &w->v[i];
        if (roll_dice(w, 8) > 0 && b->ends > w->now)
            continue;
        if (b->ends <= w->now && roll_dice(w, 4) == 0) { /* late */
            b->until = w->now + 1;
            continue;
        }
        feed_task(w, "ended", b);
        w->v[i--] = w->v[--w->n];
    }
    unsigned q = roll_dice(w, 4 * QUEUES), j = roll_dice(w, 2 * JOBS);
    if (q < QUEUES) {
        w->is_closed[q] = !w->is_closed[q];
        feedf(w->s, "queue+ %c.q@h%u state %u", 'a' + (int)(q % 2), q / 2, w->is_closed[q] ? 4 : 0);
    }
    if (j < w->n_jobs && !w->jobs[j].is_gone) {
        feedf(w->s, "del %u", j + 1);
        w->jobs[j].is_gone = true;
    }
    for (unsigned n = roll_dice(w, 4); n > 0 && w->n_jobs < JOBS; n--)
        add_job(w);
}

static void a_run_is_what_the_definition_says(void **state SGE_UNUSED)
{
    for (unsigned cell = 0; cell < CELLS; cell++) {
        struct world *w = uti_calloc(1, sizeof *w);
        w->s = sched_new();
        w->dice = 88172645463325252u + cell * 7919u;
        w->now = 1000;
        build_cell(w);
        for (unsigned n = 5 + roll_dice(w, 10); n > 0; n--)
            add_job(w);
        for (unsigned step = 0; step < STEPS; step++) {
            unsigned before = w->n;
            expect_run(w);
            for (unsigned i = before; i < w->n; i++)
                feed_task(w, "started", &w->v[i]);
            go_on(w);
        }
        sched_free(w->s);
        free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_would_delay_a_reservation_is_held_back),
        cmocka_unit_test(without_reservations_small_jobs_go_first),
        cmocka_unit_test(the_most_important_ones_have_them),
        cmocka_unit_test(what_is_reserved_is_said_once),
        cmocka_unit_test(another_policy_has_what_was_held_back),
        cmocka_unit_test(a_round_outlasts_what_releases_nothing),
        cmocka_unit_test(rounds_with_many_ends_begin_once_a_second),
        cmocka_unit_test(a_run_is_what_the_definition_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

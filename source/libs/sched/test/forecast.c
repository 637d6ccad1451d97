/* Tests of libs/sched/run/forecast.c: when a task could start at the earliest, against a simulation
 * that ends the tasks one by one, and what asking costs. */
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/services.h"
#include "libs/sched/test/quota_cell.h"

static uint64_t earliest_of(struct sched *s, uint32_t job)
{
    uint64_t at_s;
    assert_true(sched_earliest_start(s, job, 0, &at_s));
    return at_s;
}

/* ---- ends ---- */
static void a_task_ends_at_its_start_plus_h_rt(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@h 1");
    feed(s, "job 1 0 l h_rt=100");
    feed(s, "started 1 0 since 950 all.q@h 1");
    feed(s, "job 2 0 l h_rt=7");
    EXPECT(s, "");
    assert_int_equal(earliest_of(s, 2), 1050);
    feed(s, "job 3 0 at 5000");
    assert_int_equal(earliest_of(s, 3), 5000);
    assert_int_equal(earliest_of(s, 77), TIME_FOREVER); /* unknown */
    assert_int_equal(earliest_of(s, 1), TIME_FOREVER);  /* all its tasks run */
    feed(s, "ended 1 0 all.q@h");
    assert_int_equal(earliest_of(s, 2), 1000);
    sched_free(s);
}

static void without_h_rt_the_queue_decides_and_then_the_default(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@h 1 set h_rt=0:5:0");
    feed(s, "job 1 0");
    feed(s, "started 1 0 since 1000 all.q@h 1");
    feed(s, "job 2 0 q all.q");
    EXPECT(s, "");
    assert_int_equal(earliest_of(s, 2), 1300);
    feed(s, "conf default_duration 0:1:0"); /* the limit is shorter, or not: it ends it */
    assert_int_equal(earliest_of(s, 2), 1300);
    feed(s, "queue+ all.q@h set h_rt=INFINITY");
    assert_int_equal(earliest_of(s, 2), 1060);
    feed(s, "conf default_duration INFINITY");
    assert_int_equal(earliest_of(s, 2), TIME_FOREVER);
    feed(s, "job 3 0 l h_rt=INFINITY");
    feed(s, "conf default_duration 1:0:0");
    assert_int_equal(earliest_of(s, 2), 4600);
    sched_free(s);
}

static void a_setting_that_is_no_duration_is_passed_over(void **state SGE_UNUSED)
{
    static const char *const wrong[] = { "0", "0:0:0", "x", "-1" };
    struct sched *s = sched_new();
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct answer ans = ANSWER_INIT;
        char line[64];
        (void)snprintf(line, sizeof line, "conf default_duration %s", wrong[i]);
        struct EV_Type *e = feed_event(line);
        assert_int_equal(sched_apply(s, e, &ans), 0);
        assert_int_equal(ans.n, 1);
        assert_int_equal(ans.v[0].quality, ANSWER_QUALITY_WARNING);
        assert_int_equal(sched_conf(s)->default_run_s, TIME_FOREVER);
        cull_delete(&cull_EV_Type, e);
        ans_free(&ans);
    }
    sched_free(s);
}

/* what is late still has what it took, and ends in the next second, whenever that is asked */
static void a_late_task_ends_later_than_now(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@h 1");
    feed(s, "job 1 0 l h_rt=10");
    feed(s, "started 1 0 since 5 all.q@h 1");
    feed(s, "job 2 0");
    expect_orders(s, 1000, 9, "");
    assert_int_equal(earliest_of(s, 2), 1001);
    expect_orders(s, 2000, 9, "");
    assert_int_equal(earliest_of(s, 2), 2001);
    sched_free(s);
}

/* the tasks of an array that started at different times; the order of their ends is not theirs */
static void each_task_of_an_array_has_its_own_end(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@h 4");
    feed(s, "job 1 0-9 l h_rt=100 tc 4");
    feed(s, "started 1 0-1 since 980 all.q@h 1");
    feed(s, "started 1 2 since 950 all.q@h 1");
    feed(s, "started 1 3 since 990 all.q@h 1");
    EXPECT(s, "");
    assert_int_equal(earliest_of(s, 1), 1050);
    feed(s, "ended 1 2 all.q@h");
    feed(s, "started 1 4 since 1000 all.q@h 1");
    assert_int_equal(earliest_of(s, 1), 1080);
    feed(s, "ended 1 0-1 all.q@h");
    feed(s, "started 1 5-6 since 1000 all.q@h 1");
    assert_int_equal(earliest_of(s, 1), 1090);
    sched_free(s);
}

/* what is ordered is counted from now on */
static void an_order_ends_too(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@h 1");
    feed(s, "job 1 0 l h_rt=60");
    feed(s, "job 2 0");
    EXPECT(s, "1:0>all.q@h");
    assert_int_equal(earliest_of(s, 2), 1060);
    feed(s, "started 1 0 since 1003 all.q@h 1");
    assert_int_equal(earliest_of(s, 2), 1063);
    sched_free(s);
}

/* what it is sent then has the same start times */
static void a_scheduler_that_begins_anew_foresees_the_same(void **state SGE_UNUSED)
{
    struct sched *lived = sched_new(), *anew = sched_new();
    feed(lived, "queue all.q@h 2 set h_rt=300");
    feed(lived, "job 1 0-5 l h_rt=100");
    feed(lived, "job 2 0");
    feed(lived, "job 3 0 q all.q");
    expect_orders(lived, 1000, 1, "1:0>all.q@h");
    feed(lived, "started 1 0 since 1000 all.q@h");
    feed(lived, "unready 1 1-5 all.q@h");
    expect_orders(lived, 1040, 1, "2:0>all.q@h");
    feed(lived, "started 2 0 since 1040 all.q@h");
    expect_orders(lived, 1090, 9, "");
    feed(anew, "queue all.q@h 2 set h_rt=300");
    feed(anew, "job 1 l h_rt=100");
    feed(anew, "started 1 0 since 1000 all.q@h");
    feed(anew, "job 2");
    feed(anew, "started 2 0 since 1040 all.q@h");
    feed(anew, "job 3 0 q all.q");
    expect_orders(anew, 1090, 9, "");
    assert_int_equal(earliest_of(lived, 3), 1100);
    assert_int_equal(earliest_of(anew, 3), 1100);
    feed(lived, "ended 1 0 all.q@h");
    feed(anew, "ended 1 0 all.q@h");
    expect_orders(lived, 1091, 9, "3:0>all.q@h");
    expect_orders(anew, 1091, 9, "3:0>all.q@h");
    feed(lived, "job 4 0");
    feed(anew, "job 4 0");
    assert_int_equal(earliest_of(lived, 4), 1340);
    assert_int_equal(earliest_of(anew, 4), 1340);
    sched_free(lived);
    sched_free(anew);
}

/* ---- which places ---- */
static void a_queue_that_takes_no_tasks_is_not_foreseen(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@h 1 state 4");
    feed(s, "queue all.q@i 1");
    feed(s, "job 1 0 l h_rt=60");
    feed(s, "started 1 0 since 1000 all.q@h 1");
    feed(s, "job 2 0 l h_rt=80");
    feed(s, "started 2 0 since 1000 all.q@i 1");
    feed(s, "job 3 0");
    EXPECT(s, "");
    assert_int_equal(earliest_of(s, 3), s->cell.queues->is_known ? 1080 : 0);
    sched_free(s);
}

static void the_last_of_the_hosts_that_a_parallel_task_needs_decides(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "object 12 mpi slots 6 allocation_rule 2");
    for (unsigned h = 0; h < 3; h++)
        feedf(s, "queue all.q@h%u 2 pes mpi", h);
    for (unsigned h = 0; h < 3; h++) {
        feedf(s, "job %u 0 pe mpi 2 l h_rt=%u", h + 1, 100 * (h + 1));
        feedf(s, "started %u 0 since 1000 pe mpi all.q@h%u 2", h + 1, h);
    }
    feed(s, "job 9 0 pe mpi 4");
    feed(s, "job 10 0 pe mpi 8"); /* more than there is of the environment */
    EXPECT(s, "");
    assert_int_equal(earliest_of(s, 9), 1200);
    assert_int_equal(earliest_of(s, 10), TIME_FOREVER);
    sched_free(s);
}

/* ---- a question changes nothing ---- */
static void supplies_are_untimed_again_when_something_happens(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@h 1");
    feed(s, "job 1 0 l h_rt=60");
    feed(s, "job 2 0");
    EXPECT(s, "1:0>all.q@h");
    assert_int_equal(s->cell.task_paths.timed.n, 0);
    assert_int_equal(earliest_of(s, 2), 1060);
    assert_int_equal(s->cell.task_paths.timed.n, 4); /* cell, queue, host, owner */
    feed(s, "job 3 0");
    assert_int_equal(s->cell.task_paths.timed.n, 0);
    for (struct sched_queue *q = s->cell.queues; q != NULL; q = q->hh.next)
        assert_null(q->supply.v[0].booked.steps);
    assert_int_equal(earliest_of(s, 3), 1060);
    expect_orders(s, 1059, 9, "");
    feed(s, "started 1 0 all.q@h");
    feed(s, "ended 1 0 all.q@h");
    expect_orders(s, 1059, 9, "2:0>all.q@h");
    sched_free(s);
}

static void a_search_goes_on_slice_by_slice(void **state SGE_UNUSED)
{
    enum { QUEUES = 50, SLICE = 20 };
    struct sched *s = sched_new();
    unsigned slices = 1;
    uint64_t at_s;
    for (unsigned i = 0; i < QUEUES; i++) {
        feedf(s, "queue all.q@h%u 2", i);
        feedf(s, "job %u 0-1 l h_rt=%u", i + 1, 100 + i);
        feedf(s, "started %u 0-1 since 1000 all.q@h%u 1", i + 1, i);
    }
    feed(s, "job 99 0 q all.q@h31");
    EXPECT(s, "");
    while (!sched_earliest_start(s, 99, SLICE, &at_s)) {
        assert_int_equal(at_s, TIME_FOREVER);
        expect_orders(s, 1000 + slices, 9, ""); /* time goes on */
        slices++;
    }
    assert_int_equal(at_s, 1131);
    assert_in_range(slices, QUEUES * 2 / SLICE, QUEUES * 4 / SLICE);
    sched_free(s);
}

/* ---- against a simulation ---- */
enum { HOSTS = 3, QUEUES = 2, RUNNING = 9, NOW_S = 1000, ASKED = 99, ROUNDS = 3000 };
struct runner {
    unsigned number, n_places, places[2], slots[2], lic;
    uint64_t end_s;
    const char *pe;
};
struct world {
    struct sched *asked, *simulated;
    uint64_t dice, at_s;
    bool has_rules, is_greedy; /* slots of a parallel task that reserve quotas place by place */
    unsigned queue_h_rt[HOSTS * QUEUES], default_s, n;
    struct runner runners[RUNNING];
};

static unsigned roll_dice(struct world *w, unsigned sides)
{
    w->dice ^= w->dice << 13;
    w->dice ^= w->dice >> 7;
    w->dice ^= w->dice << 17;
    return (unsigned)(w->dice % sides);
}

__attribute__((format(printf, 2, 3))) static void feed_both(struct world *w, const char *format,
                                                            ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    assert_true(vsnprintf(line, sizeof line, format, args) < (int)sizeof line);
    va_end(args);
    feed(w->asked, line);
    feed(w->simulated, line);
}

static void name_place(unsigned place, char out[16])
{
    (void)snprintf(out, 16, "%c.q@h%u", 'a' + place % QUEUES, place / QUEUES);
}

static void build_cell(struct world *w)
{
    static const char *const rules[] = { "",
                                         "",
                                         "users {*} to slots=2",
                                         "hosts {*} to lic=2",
                                         "users * pes mpi to slots=3",
                                         "users ann queues {*} to slots=1",
                                         "hosts {h0,h1} to slots=2" };
    static const char *const pe_rules[] = { "$pe_slots", "$fill_up", "$round_robin", "2" };
    unsigned rule = roll_dice(w, ARRAY_LEN(rules));
    feed_resource(w->asked, "lic", "YES");
    feed_resource(w->simulated, "lic", "YES");
    feed_resource(w->asked, "slots", "YES");
    feed_resource(w->simulated, "slots", "YES");
    feed_both(w, "object 12 mpi slots %u allocation_rule %s", 3 + roll_dice(w, 6),
              pe_rules[roll_dice(w, ARRAY_LEN(pe_rules))]);
    if (roll_dice(w, 2) == 0)
        feed_both(w, "host global lic=%u", 2 + roll_dice(w, 4));
    for (unsigned h = 0; h < HOSTS; h++)
        if (roll_dice(w, 2) == 0)
            feed_both(w, "host h%u lic=%u slots=%u", h, 1 + roll_dice(w, 4), 2 + roll_dice(w, 3));
    for (unsigned i = 0; i < HOSTS * QUEUES; i++) {
        char name[16];
        name_place(i, name);
        w->queue_h_rt[i] = roll_dice(w, 3) == 0 ? 60 + roll_dice(w, 100) : 0;
        if (w->queue_h_rt[i] > 0)
            feed_both(w, "queue %s %u pes mpi seq %u set h_rt=%u", name, 1 + roll_dice(w, 3), i,
                      w->queue_h_rt[i]);
        else
            feed_both(w, "queue %s %u pes mpi seq %u", name, 1 + roll_dice(w, 3), i);
    }
    w->default_s = roll_dice(w, 2) == 0 ? 50 + roll_dice(w, 200) : 0;
    if (w->default_s > 0)
        feed_both(w, "conf default_duration %u", w->default_s);
    feed_both(w, "conf maxujobs %u", roll_dice(w, 2) == 0 ? roll_dice(w, 4) : 0);
    w->has_rules = *rules[rule] != '\0';
    if (w->has_rules) {
        feed_rules(w->asked, "r", rules[rule]);
        feed_rules(w->simulated, "r", rules[rule]);
    }
}

static const char *some_owner(struct world *w)
{
    static const char *const owners[] = { "ann", "bob", "eve" };
    return owners[roll_dice(w, ARRAY_LEN(owners))];
}

/* it runs somewhere, whether there is room or not */
static void add_runner(struct world *w)
{
    struct runner *r = &w->runners[w->n++];
    unsigned since = 800 + roll_dice(w, 201),
             h_rt = roll_dice(w, 2) == 0 ? 1 + roll_dice(w, 400) : 0;
    char text[2][16], request[32] = "", take[2][32] = { "", "" };
    bool is_parallel = roll_dice(w, 3) == 0;
    *r = (struct runner){ .number = w->n,
                          .n_places = is_parallel ? 2 : 1,
                          .places = { roll_dice(w, HOSTS * QUEUES) },
                          .slots = { 1, 1 },
                          .lic = roll_dice(w, 2) };
    r->places[1] = (r->places[0] + 1) % (HOSTS * QUEUES);
    for (unsigned i = 0; i < 2; i++) {
        name_place(r->places[i], text[i]);
        if (r->lic > 0)
            (void)snprintf(take[i], sizeof take[i], " take lic=%u", r->lic);
    }
    if (h_rt > 0)
        (void)snprintf(request, sizeof request, " l h_rt:3=%u", h_rt);
    uint64_t run = h_rt > 0 ? h_rt : w->queue_h_rt[r->places[0]];
    run = run > 0 ? run : w->default_s;
    r->end_s = run == 0 ? TIME_FOREVER : since + run > NOW_S ? since + run : NOW_S + 1;
    feed_both(w, "job %u 0 owner %s%s%s", r->number, some_owner(w), request,
              is_parallel ? " pe mpi 2" : "");
    if (is_parallel)
        feed_both(w, "started %u 0 since %u pe mpi %s 1%s %s 1%s", r->number, since, text[0],
                  take[0], text[1], take[1]);
    else
        feed_both(w, "started %u 0 since %u %s 1%s", r->number, since, text[0], take[0]);
}

static void end_runner(struct world *w, const struct runner *r)
{
    char text[2][16], take[32] = "";
    name_place(r->places[0], text[0]);
    name_place(r->places[1], text[1]);
    if (r->lic > 0)
        (void)snprintf(take, sizeof take, " take lic=%u", r->lic);
    if (r->n_places == 1)
        feedf(w->simulated, "ended %u 0 %s 1%s", r->number, text[0], take);
    else
        feedf(w->simulated, "ended %u 0 pe mpi %s 1%s %s 1%s", r->number, text[0], take, text[1],
              take);
}

static void add_asked(struct world *w)
{
    char at[32] = "", lic[32] = "", pe[32] = "";
    w->at_s = roll_dice(w, 8) == 0 ? NOW_S + roll_dice(w, 200) : 0;
    if (w->at_s > 0)
        (void)snprintf(at, sizeof at, " at %u", (unsigned)w->at_s);
    if (roll_dice(w, 2) == 0)
        (void)snprintf(lic, sizeof lic, " l lic:1=%u", 1 + roll_dice(w, 2));
    if (roll_dice(w, 2) == 0)
        (void)snprintf(pe, sizeof pe, " pe mpi %u-%u", 1 + roll_dice(w, 2), 2 + roll_dice(w, 4));
    w->is_greedy = w->has_rules && *pe != '\0';
    feed_both(w, "job %d 0-3 owner %s tc %u%s%s%s", ASKED, some_owner(w), roll_dice(w, 3), at, lic,
              pe);
}

/* can a task of it start at AT_S, as things are? */
static bool starts_at(struct sched *s, uint64_t at_s)
{
    struct OR_Type_list orders = { 0 };
    struct range placed;
    sched_begin_run(s, at_s);
    (void)needs_wake(&s->pending, 0);
    uint32_t n = sched_place(s, ASKED, 1, &orders, &placed);
    orders_clear(&orders);
    return n > 0;
}

static uint64_t simulate_ends(struct world *w)
{
    bool has_ended[RUNNING] = { false };
    for (uint64_t now = NOW_S;; now++) {
        bool has_more = w->at_s >= now;
        for (unsigned i = 0; i < w->n; i++) {
            if (!has_ended[i] && w->runners[i].end_s <= now)
                end_runner(w, &w->runners[i]);
            has_ended[i] = w->runners[i].end_s <= now;
            has_more |= !has_ended[i] && w->runners[i].end_s < TIME_FOREVER;
        }
        if (starts_at(w->simulated, now))
            return now;
        if (!has_more)
            return TIME_FOREVER;
    }
}

static void the_earliest_start_equals_that_of_a_simulation(void **state SGE_UNUSED)
{
    unsigned later = 0, never = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w = { .asked = sched_new(),
                           .simulated = sched_new(),
                           .dice = 88172645463325252u + round * 7919u };
        for (unsigned i = 0; i < 20; i++)
            (void)roll_dice(&w, 2);
        build_cell(&w);
        for (unsigned n = roll_dice(&w, RUNNING + 1); n > 0; n--)
            add_runner(&w);
        add_asked(&w);
        sched_begin_run(w.asked, NOW_S);
        uint64_t asked = earliest_of(w.asked, ASKED), simulated = simulate_ends(&w);
        if (asked != simulated && (asked < simulated || !w.is_greedy))
            fail_msg("round %u: %llu, but %llu", round, (unsigned long long)asked,
                     (unsigned long long)simulated);
        later += asked > NOW_S && asked < TIME_FOREVER;
        never += asked == TIME_FOREVER;
        sched_free(w.asked);
        sched_free(w.simulated);
    }
    assert_true(later > ROUNDS / 10);
    assert_true(never > ROUNDS / 50);
}

/* ---- hostile sizes ---- */
/* a stay for each task, and an end of its own for each */
static void many_stays_cost_a_sort_and_a_few_looks(void **state SGE_UNUSED)
{
    enum { STAYS = 100000, TASKS = 1 };
    uint32_t first = UINT32_MAX;
    struct sched *s = sched_new();
    feedf(s, "queue all.q@h %u", STAYS);
    feed(s, "queue all.q@i 1 state 4");
    for (uint32_t n = 1; n <= STAYS / TASKS; n++) {
        feedf(s, "job %u 0-%u l h_rt=%u", n, TASKS - 1, 1000 + n);
        for (uint32_t t = 0; t < TASKS; t++) {
            uint32_t since = 1 + (n * 31 + t * 7) % 900;
            first = since + n + 1000 < first ? since + n + 1000 : first;
            feedf(s, "started %u %u since %u all.q@h 1", n, t, since);
        }
    }
    feed(s, "job 999999 0");
    EXPECT(s, "");
    uint64_t looks = sched_work(s)->looks;
    assert_int_equal(earliest_of(s, 999999), first);
    assert_true(sched_work(s)->looks - looks <= 3 * STAYS + 100);
    looks = sched_work(s)->looks;
    assert_int_equal(earliest_of(s, 999999), first);
    assert_true(sched_work(s)->looks - looks <= 100);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_ends_at_its_start_plus_h_rt),
        cmocka_unit_test(without_h_rt_the_queue_decides_and_then_the_default),
        cmocka_unit_test(a_setting_that_is_no_duration_is_passed_over),
        cmocka_unit_test(a_late_task_ends_later_than_now),
        cmocka_unit_test(each_task_of_an_array_has_its_own_end),
        cmocka_unit_test(an_order_ends_too),
        cmocka_unit_test(a_scheduler_that_begins_anew_foresees_the_same),
        cmocka_unit_test(a_queue_that_takes_no_tasks_is_not_foreseen),
        cmocka_unit_test(the_last_of_the_hosts_that_a_parallel_task_needs_decides),
        cmocka_unit_test(supplies_are_untimed_again_when_something_happens),
        cmocka_unit_test(a_search_goes_on_slice_by_slice),
        cmocka_unit_test(the_earliest_start_equals_that_of_a_simulation),
        cmocka_unit_test(many_stays_cost_a_sort_and_a_few_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

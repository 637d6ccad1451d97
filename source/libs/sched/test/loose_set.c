/* Tests of libs/sched/supply/queue_set.c and pending/wake.c: requests that mean many different sets
 * of queue instances */
#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"

enum { HOSTS = 1000, NAMES = 50, JOBS = 400 };

static void feed_line(struct sched *s, const char *format, ...) SGE_PRINTF(2, 3);
static void feed_line(struct sched *s, const char *format, ...)
{
    struct dstr line = DSTR_INIT;
    va_list args;
    va_start(args, format);
    dstr_addv(&line, format, args);
    va_end(args);
    feed(s, dstr_get(&line));
    dstr_free(&line);
}

static struct sched *new_hosts(int slots)
{
    struct sched *s = sched_new();
    for (int i = 0; i < HOSTS; i++)
        feed_line(s, "queue all.q@h%d %d", i, slots);
    return s;
}

/* job NUMBER of anna's, of TASKS, asks for every step-th instance from FIRST on, so many of them */
static void feed_job(struct sched *s, int number, const char *tasks, int first, int step, int n)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "job %d %s owner anna", number, tasks);
    for (int i = 0; i < n; i++)
        dstr_addf(&line, " q all.q@h%d", (first + i * step) % HOSTS);
    feed(s, dstr_get(&line));
    dstr_free(&line);
}

static uint32_t count_loose(const struct sched *s)
{
    const struct queue_set *set;
    uint32_t n = 0;
    TAILQ_FOREACH(set, &s->cell.loose, of_loose)
        n++;
    return n;
}

static void what_a_request_means_is_found_out_in_its_turn(void **state SGE_UNUSED)
{
    struct sched *s = new_hosts(0);
    uint64_t looks = sched_work(s)->looks;
    for (int i = 0; i < JOBS; i++)
        feed_job(s, 1 + i, "0", i, 7, NAMES);
    assert_int_equal(sched_work(s)->looks, looks);
    EXPECT(s, "anna last");
    assert_int_equal(count_loose(s), JOBS - HOSTS * SETS_OF_OWNER / NAMES);
    feed(s, "queue+ all.q@h7 3");
    EXPECT(s, "1:0>all.q@h7 8:0>all.q@h7");
    sched_free(s);
}

/* beyond the places that an owner may have in sets */
static struct sched *with_loose_sets(int slots)
{
    struct sched *s = new_hosts(slots);
    for (int i = 0; i < 40; i++)
        feed_job(s, 1000 + i, "0", i, 1, 900);
    return s;
}

static void those_who_wait_are_found_when_something_is_given_back(void **state SGE_UNUSED)
{
    struct sched *s = with_loose_sets(0);
    EXPECT(s, "anna last");
    assert_in_range(count_loose(s), 20, 40);
    assert_false(sched_has_work(s));
    feed(s, "queue+ all.q@h938 2");
    EXPECT(s, "1039:0>all.q@h938");
    feed(s, "queue+ all.q@h937 1");
    EXPECT(s, "1038:0>all.q@h937");
    feed(s, "started 1038 0 all.q@h937");
    feed(s, "job 2000 0 owner bert q all.q@h937");
    EXPECT(s, "");
    feed(s, "ended 1038 0 all.q@h937");
    assert_true(sched_has_work(s));
    feed_job(s, 1050, "0", 937, 1, 60);
    EXPECT(s, "1050:0>all.q@h937");
    sched_free(s);
}

static void an_instance_that_comes_is_seen(void **state SGE_UNUSED)
{
    struct sched *s = with_loose_sets(0);
    EXPECT(s, "anna last");
    struct dstr line = DSTR_INIT;
    feed(s, "queue b.q@x 1");
    dstr_addf(&line, "job 3000 0 owner anna q b.q");
    for (int i = 0; i < NAMES; i++)
        dstr_addf(&line, " q all.q@h%d", i * 3);
    feed(s, dstr_get(&line));
    dstr_free(&line);
    EXPECT(s, "3000:0>b.q@x");
    assert_in_range(count_loose(s), 20, 41);
    sched_free(s);
}

static void the_sweep_is_done_in_slices(void **state SGE_UNUSED)
{
    struct sched *s = with_loose_sets(0);
    uint32_t runs = 0;
    EXPECT(s, "anna last");
    sched_set_slice(s, 10);
    for (int i = 100; i < 110; i++)
        feed_line(s, "queue+ all.q@h%d 0 state 1", i);
    feed(s, "queue+ all.q@h938 1");
    struct OR_Type_list orders = { 0 };
    do {
        uint64_t looks = sched_work(s)->looks;
        sched_run(s, 1000, 1000, &orders);
        assert_in_range(sched_work(s)->looks - looks, 0, 20 * (uint64_t)HOSTS);
        runs++;
    } while (sched_is_cut(s));
    assert_in_range(runs, 3, 100);
    assert_int_equal(orders.n, 1);
    orders_clear(&orders);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_request_means_is_found_out_in_its_turn),
        cmocka_unit_test(those_who_wait_are_found_when_something_is_given_back),
        cmocka_unit_test(an_instance_that_comes_is_seen),
        cmocka_unit_test(the_sweep_is_done_in_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of libs/sched/place/soft.c: where jobs would rather run (-soft) */
#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"

static struct sched *three_hosts(void)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 2");
    feed(s, "queue all.q@b 2");
    feed(s, "queue all.q@c 2");
    feed(s, "object 11 arch shortcut a type RESTRING relop == requestable YES consumable NO "
            "default NONE urgency 0");
    feed(s, "object 11 mem shortcut m type MEMORY relop <= requestable YES consumable YES "
            "default 0 urgency 0");
    feed(s, "loads b arch=x");
    feed(s, "loads c arch=x");
    feed(s, "host c mem=4");
    return s;
}

static void the_place_that_misses_the_fewest_goes_first(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts();
    feed(s, "job 1 0-5 softl arch=x softl mem=4");
    EXPECT(s, "1:0-1>all.q@c 1:2-3>all.q@b 1:4-5>all.q@a");
    sched_free(s);
}

static void queues_may_be_preferred_too(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts();
    feed(s, "job 1 0-2 softq *@b");
    EXPECT(s, "1:0-1>all.q@b 1:2>all.q@a");
    sched_free(s);
}

static void nobody_waits_for_what_he_would_rather_have(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts();
    feed(s, "job 1 0 softl arch=none softl unknown=1 softq none.q");
    EXPECT(s, "1:0>all.q@a");
    assert_non_null(s->finder.softs);
    feed(s, "started 1 0 all.q@a");
    feed(s, "del 1");
    feed(s, "ended 1 0 all.q@a");
    sched_free(s);
}

static void what_must_be_there_counts_before_what_should(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts();
    feed(s, "job 1 0-2 l arch=x softq *@a");
    EXPECT(s, "1:0,2>all.q@b 1:1>all.q@c");
    sched_free(s);
}

static void slots_of_parallel_tasks_go_there_first(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts();
    feed(s, "object 12 mpi slots 99 allocation_rule $fill_up");
    feed(s, "queue+ all.q@a pes mpi");
    feed(s, "queue+ all.q@b pes mpi");
    feed(s, "queue+ all.q@c pes mpi");
    feed(s, "job 1 0 pe mpi 5 softl arch=x softl mem=4");
    EXPECT(s, "1:0>mpi:all.q@c=2,all.q@b=2,all.q@a=1");
    sched_free(s);
}

/* each queue instance is looked at once for its soft requests, and once for each environment and
 * once more where the task goes */
static void soft_requests_are_looked_up_once_for_all_environments(void **state SGE_UNUSED)
{
    enum { HOSTS = 100, ENVIRONMENTS = 3, REQUESTS = 36 };
    struct sched *s = sched_new();
    struct dstr line = DSTR_INIT;
    for (int i = 0; i < ENVIRONMENTS; i++) {
        feedf(s, "object 12 s%d slots 999 allocation_rule $fill_up", i);
    }
    for (int i = 0; i < HOSTS; i++) {
        feedf(s, "queue all.q@h%d 1 pes s0,s1,s2", i);
    }
    dstr_clear(&line);
    dstr_addf(&line, "job 1 0 pe s* 500");
    for (int i = 0; i < REQUESTS; i++)
        dstr_addf(&line, " softl r%d=1", i);
    feed(s, dstr_get(&line));
    EXPECT(s, "");
    assert_in_range(sched_work(s)->spots, 1, HOSTS * (ENVIRONMENTS + 2));
    dstr_free(&line);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_place_that_misses_the_fewest_goes_first),
        cmocka_unit_test(queues_may_be_preferred_too),
        cmocka_unit_test(nobody_waits_for_what_he_would_rather_have),
        cmocka_unit_test(what_must_be_there_counts_before_what_should),
        cmocka_unit_test(slots_of_parallel_tasks_go_there_first),
        cmocka_unit_test(soft_requests_are_looked_up_once_for_all_environments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

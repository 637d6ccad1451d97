/* Which job is being looked at, as a watcher sees it meanwhile: when its requests are read, and
 * when a place for it is looked for. */
#include <stdatomic.h>

#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"

static _Atomic uint32_t shown;
static uint32_t read_of, placed_of; /* the job that was shown meanwhile */

struct category *__real_category_get(struct sched *s, const struct category *base,
                                     const struct JB_Type *job);
struct category *__wrap_category_get(struct sched *s, const struct category *base,
                                     const struct JB_Type *job);
struct category *__wrap_category_get(struct sched *s, const struct category *base,
                                     const struct JB_Type *job)
{
    read_of = atomic_load(&shown);
    return __real_category_get(s, base, job);
}

void __real_load_note_start(struct sched *s, struct sched_queue *q, uint64_t tasks);
void __wrap_load_note_start(struct sched *s, struct sched_queue *q, uint64_t tasks);
void __wrap_load_note_start(struct sched *s, struct sched_queue *q, uint64_t tasks)
{
    placed_of = atomic_load(&shown);
    __real_load_note_start(s, q, tasks);
}

static void the_job_that_is_looked_at_is_shown(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    sched_show_job(s, &shown);
    feed(s, "queue a.q@h 2");
    feed(s, "job 7 1");
    assert_int_equal(read_of, 7);
    assert_int_equal(atomic_load(&shown), 0);
    feed(s, "job 8 1-2");
    assert_int_equal(read_of, 8);
    EXPECT(s, "7:1>a.q@h 8:1>a.q@h");
    assert_int_equal(placed_of, 8);
    assert_int_equal(atomic_load(&shown), 0);
    feed(s, "started 7 1 a.q@h");
    feed(s, "ended 7 1 a.q@h");
    placed_of = 0;
    EXPECT(s, "8:2>a.q@h");
    assert_int_equal(placed_of, 8);
    sched_free(s);
}

static void nobody_need_watch(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    atomic_store(&shown, 99);
    feed(s, "queue a.q@h 1");
    feed(s, "job 1 1");
    EXPECT(s, "1:1>a.q@h");
    assert_int_equal(atomic_load(&shown), 99);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_job_that_is_looked_at_is_shown),
        cmocka_unit_test(nobody_need_watch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

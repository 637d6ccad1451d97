/* Tests of daemons/schedd/pace.c: when the scheduler runs (sched_conf(5) schedule_interval,
 * flush_submit_sec, flush_finish_sec). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/schedd/pace.h"
#include "libs/sgeobj/event.h"

enum { SECOND_US = 1000000, NOW_US = 500 * SECOND_US };

static bool is_due(const struct pace *p, const struct sched_conf *conf, uint64_t now_us)
{
    return pace_next(p, conf) <= now_us;
}

static void a_submit_and_an_end_run_at_once(void **state SGE_UNUSED)
{
    struct sched_conf conf = sched_conf_default();
    struct pace p = { .ran_us = NOW_US };

    assert_false(is_due(&p, &conf, NOW_US));
    pace_ask(&p, &conf, pace_cause_of(EV_JOB_ADD), NOW_US);
    assert_true(is_due(&p, &conf, NOW_US));
    pace_ran(&p, NOW_US);
    assert_false(is_due(&p, &conf, NOW_US));
    pace_ask(&p, &conf, pace_cause_of(EV_TASKS_ENDED), NOW_US);
    assert_true(is_due(&p, &conf, NOW_US));
}

static void what_makes_no_work_asks_for_nothing(void **state SGE_UNUSED)
{
    struct sched_conf conf = sched_conf_default();
    struct pace p = { .ran_us = NOW_US };

    pace_ask(&p, &conf, pace_cause_of(EV_TASKS_STARTED), NOW_US);
    pace_ask(&p, &conf, pace_cause_of(0), NOW_US);
    pace_ask(&p, &conf, pace_cause_of(EV_KINDS), NOW_US);
    assert_false(is_due(&p, &conf, NOW_US + SECOND_US));
}

static void whatever_else_happens_asks_for_a_run(void **state SGE_UNUSED)
{
    for (uint32_t kind = 1; kind < EV_KINDS; kind++) {
        bool makes_no_work = kind == EV_TASKS_STARTED || kind == EV_TASKS_DONE ||
                             kind == EV_TASKS_STATE || kind == EV_ANEW || kind == EV_USAGE ||
                             kind == EV_SHARE_USAGE;
        assert_int_equal(pace_cause_of(kind) == 0, makes_no_work);
    }
}

static void flush_settings_put_a_run_off(void **state SGE_UNUSED)
{
    struct sched_conf conf = sched_conf_default();
    struct pace p = { .ran_us = NOW_US };

    conf.flush_submit_s = 4;
    conf.flush_finish_s = 2;
    pace_ask(&p, &conf, PACE_SUBMIT, NOW_US);
    assert_int_equal(pace_next(&p, &conf), NOW_US + 4 * SECOND_US);
    pace_ask(&p, &conf, PACE_FINISH, NOW_US + 1);
    assert_int_equal(pace_next(&p, &conf), NOW_US + 1 + 2 * SECOND_US);
    pace_ask(&p, &conf, PACE_SUBMIT, NOW_US + 2);
    assert_int_equal(pace_next(&p, &conf), NOW_US + 1 + 2 * SECOND_US);
    assert_false(is_due(&p, &conf, NOW_US + SECOND_US));
    pace_ask(&p, &conf, PACE_TRIGGER, NOW_US + 3);
    assert_true(is_due(&p, &conf, NOW_US + 3));
}

static void the_interval_is_the_longest_pause(void **state SGE_UNUSED)
{
    struct sched_conf conf = sched_conf_default();
    struct pace p = { .ran_us = NOW_US };

    conf.interval_s = 3;
    assert_int_equal(pace_next(&p, &conf), NOW_US + 3 * SECOND_US);
    conf.flush_submit_s = 10;
    pace_ask(&p, &conf, PACE_SUBMIT, NOW_US);
    assert_int_equal(pace_next(&p, &conf), NOW_US + 3 * SECOND_US);
}

static void refusals_of_everything_make_it_pause_and_then_start_anew(void **state SGE_UNUSED)
{
    struct sched_conf conf = sched_conf_default();
    struct pace p = { 0 };
    uint64_t pause_us = 0;

    for (unsigned i = 1; i <= PACE_DISAGREE; i++) {
        assert_int_equal(pace_answered(&p, 0, 5, NOW_US), i == PACE_DISAGREE);
        pace_ask(&p, &conf, PACE_TRIGGER, NOW_US);
        assert_false(is_due(&p, &conf, NOW_US));
        assert_true(pace_next(&p, &conf) > NOW_US);
        assert_true(pace_next(&p, &conf) - NOW_US >= pause_us);
        pause_us = pace_next(&p, &conf) - NOW_US;
    }
    assert_true(pause_us <= SECOND_US);
    assert_false(pace_answered(&p, 1, 4, NOW_US));
    assert_true(is_due(&p, &conf, NOW_US));
    assert_false(pace_answered(&p, 0, 0, NOW_US));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_submit_and_an_end_run_at_once),
        cmocka_unit_test(what_makes_no_work_asks_for_nothing),
        cmocka_unit_test(whatever_else_happens_asks_for_a_run),
        cmocka_unit_test(flush_settings_put_a_run_off),
        cmocka_unit_test(the_interval_is_the_longest_pause),
        cmocka_unit_test(refusals_of_everything_make_it_pause_and_then_start_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

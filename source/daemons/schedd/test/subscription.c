/* Tests of daemons/schedd/subscription.c, and of a policy that needs more than the one before.
 * Built
 * with -DSCHEDULER_SAMPLES. */
#include "daemons/schedd/subscription.h"

#include "daemons/schedd/test/daemon.h"
#include "libs/sched/policy/policy.h"

static void expect_names(const char *const *names, const char *expected)
{
    struct dstr text = DSTR_INIT;
    for (; *names != NULL; names++)
        dstr_addf(&text, "%s%s", text.len > 0 ? " " : "", *names);
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
}

static void each_need_has_its_events_and_objects(void **state SGE_UNUSED)
{
    struct subscription s;
    subscription_make(&s, 0);
    expect_names(s.wish.kinds, "");
    expect_names(s.wish.objects, "");
    subscription_make(&s, SCHED_NEEDS_JOBS);
    expect_names(s.wish.kinds, "");
    expect_names(s.wish.objects, "");
    subscription_make(&s, ~0u);
    expect_names(s.wish.kinds, "tasks_state usage share_usage");
    expect_names(s.wish.objects, "user project userset share_tree calendar");
}

static void a_policy_that_needs_more_receives_all_of_the_state_once_more(void **state)
{
    struct fixture *t = *state;
    struct EP_Type wish = { 0 };

    peer_take_registration(&t->peer);
    tell_events(t, "queue all.q@a 1;job 1 0;job 2 0 dl 9000;conf algorithm default");
    send_lines(t, "conf algorithm ext_deadline");
    expect_frame(t, GDI_FRAME_EVENT_REGISTER, &wish);
    cull_clear(&cull_EP_Type, &wish);
    send_lines(t, "synced"); /* of the state that is void: nothing is ordered by it */
    send_lines(t,
               "anew;conf algorithm ext_deadline;queue all.q@a 1;job 1 0;job 2 0 dl 9000;synced");
    expect_acks_until(t, t->peer.package);
    expect_package(t, 1, "2:0>all.q@a");
    send_answer(t, 1, 0, 0, 0);
    send_lines(t, "started 2 0 all.q@a;conf algorithm default"); /* needs less: once more */
    expect_frame(t, GDI_FRAME_EVENT_REGISTER, &wish);
    cull_clear(&cull_EP_Type, &wish);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_need_has_its_events_and_objects),
        cmocka_unit_test_setup_teardown(
            a_policy_that_needs_more_receives_all_of_the_state_once_more, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Event clients of users: each hears what it asked for, of the jobs it may hear of, when it is
 * durable. */
#include "daemons/qmaster/sched/events.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/sched/stream.h"
#include "daemons/qmaster/sched/subscriber.h"
#include "daemons/qmaster/test/event_asks.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/object.h"
#include "libs/sched/policy/prior.h"
#include "libs/sgeobj/job_report.h"
#include "libs/task/task_dir.h"

static void the_state_comes_first_then_what_changes(void **state)
{
    struct fixture *f = *state;
    starts_shown_from(f->q.now_s);
    submit(f, .tasks = "1-3");
    submit(f);
    fixture_start(f, 1, 2);
    fixture_commit(f);
    hear(f, "alice", .kinds = { "job_add", "tasks_started", "tasks_done", "job_del" });
    assert_string_equal(text_heard(f, "alice"),
                        "job_add 1, tasks_started 1:1-1, job_add 2, synced");
    fixture_report(f, 1, 2, REPORT_ENDED, 0);
    fixture_delete(f, "alice", "2");
    assert_string_equal(text_heard(f, "alice"), "tasks_done 1:1-1, tasks_done 2:0-0, job_del 2");
}

/* also those that a scheduler gets which begins anew; those of one second share an event */
static void starts_carry_their_times(void **state)
{
    struct fixture *f = *state;
    starts_shown_from(f->q.now_s);
    submit(f, .tasks = "1-4");
    fixture_start(f, 1, 1);
    fixture_start(f, 1, 2);
    f->q.now_s += 5;
    fixture_start(f, 1, 3);
    fixture_commit(f);
    hear(f, "alice", .kinds = { "tasks_started" });
    assert_string_equal(text_heard(f, "alice"),
                        "tasks_started 1:0-1, tasks_started 1:2-2@5, synced");
    fixture_start(f, 1, 4);
    fixture_commit(f);
    assert_string_equal(text_heard(f, "alice"), "tasks_started 1:3-3@5");
}

/* the sets of the first event that a new client gets, as "failed/unknown" counts */
static void which_tasks_had_failed_comes_with_the_state(void **state)
{
    struct fixture *f = *state;
    struct EP_Type package = { 0 };
    submit(f, .tasks = "1-5");
    fixture_run(f, 1, 1, TASK_FAILED_NOT);
    fixture_run(f, 1, 2, TASK_FAILED_AFTER_JOB);
    fixture_commit(f);
    fixture_forget_sent(f);
    hear(f, "alice", .kinds = { "job_add" });
    run_core(f);
    fixture_commit(f);
    struct unpacker u = unpacker_over(f->sent[0].body, f->sent[0].len);
    assert_int_equal(cull_unpack(&u, &cull_EP_Type, NULL, NULL, &package, NULL), 0);
    const struct EV_Type *ev = &package.EP_events.v[0];
    assert_int_equal(ev->EV_kind, EV_JOB_ADD);
    assert_true(cull_has(ev, EV_failed_ids) && cull_has(ev, EV_unknown_ids));
    assert_int_equal(range_set_count(&ev->EV_failed_ids), 1);
    assert_true(range_set_has(&ev->EV_failed_ids, 1));
    assert_true(range_set_is_empty(&ev->EV_unknown_ids));
    cull_clear(&cull_EP_Type, &package);
}

static void ask_for_pe(struct fixture *f, fixture_handler_fn handler, const char *name)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_target, (uint32_t)GDI_PE);
    if (handler == del_config_request) {
        struct ID_Type *id = cull_append(&gr, GR_select);
        cull_set(id, ID_str, name);
    } else {
        object_template(object_rules_of(OBJECT_PE), name, cull_append(&gr, GR_texts));
    }
    assert_true(fixture_ask(f, "boss", handler, &gr));
}

static void objects_of_administrators_come_first_then_what_changes(void **state)
{
    struct fixture *f = *state;
    ask_for_pe(f, add_config_request, "left");
    ask_for_pe(f, add_config_request, "right");
    fixture_commit(f);
    hear(f, "alice", .kinds = { "object", "object_del" });
    const char *first = text_heard(f, "alice");
    assert_non_null(strstr(first, "object left, object right, "));
    assert_string_equal(first + strlen(first) - strlen(", synced"), ", synced");
    ask_for_pe(f, mod_config_request, "right");
    ask_for_pe(f, del_config_request, "left");
    assert_string_equal(text_heard(f, "alice"), "object right, object_del left");
}

static void objects_come_in_slices_and_one_may_go_between(void **state)
{
    struct fixture *f = *state;
    ask_for_pe(f, add_config_request, "one");
    ask_for_pe(f, add_config_request, "two");
    ask_for_pe(f, add_config_request, "three");
    fixture_commit(f);
    hear(f, "olga", .kinds = { "object", "object_del" });
    f->q.slice_until_us = 1;
    const struct subscriber *sub = events_find(&f->q, fixture_connection(f, "olga")->conn);
    while (sub->objects.next == NULL)
        assert_true(work_step(&f->q));
    f->q.slice_until_us = 0;
    ask_for_pe(f, del_config_request, "two");
    const char *heard = text_heard(f, "olga");
    assert_null(strstr(heard, "object two"));
    assert_non_null(strstr(heard, "object one"));
    assert_non_null(strstr(heard, "object three"));
    assert_non_null(strstr(heard, "synced"));
}

/* ---- what policies need ---- */

static void add_object(struct fixture *f, enum object_kind kind, const char *name)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_target, (uint32_t)kind);
    object_template(object_rules_of(kind), name, cull_append(&gr, GR_texts));
    assert_true(fixture_ask(f, "boss", add_config_request, &gr));
}

static struct connection *the_scheduler(struct fixture *f)
{
    struct connection *s = fixture_connection(f, "root");
    s->who.role = ROLE_SCHEDULER;
    return s;
}

static const char *heard_by_scheduler(struct fixture *f)
{
    while (events_step(&f->q))
        ;
    return heard_by(f, the_scheduler(f), true);
}

static void the_scheduler_receives_of_objects_usage_and_states_what_it_names(void **state)
{
    struct fixture *f = *state;
    add_object(f, OBJECT_PROJECT, "P1");
    add_object(f, OBJECT_CALENDAR, "night");
    submit(f, .tasks = "1-3");
    fixture_start(f, 1, 2);
    register_session(f, the_scheduler(f), (struct wishes){ 0 });
    const char *heard = heard_by_scheduler(f);
    assert_null(strstr(heard, "anew"));
    assert_non_null(strstr(heard, "object P1")); /* for tickets */
    assert_null(strstr(heard, "night"));
    fixture_report(f, 1, 2, REPORT_ENDED, 0);
    assert_null(strstr(heard_by_scheduler(f), "usage"));
    add_object(f, OBJECT_CALENDAR, "day");
    assert_null(strstr(heard_by_scheduler(f), "day"));

    /* its policy is another one: all of it comes once more, with more */
    fixture_start(f, 1, 1);
    struct task *running = job_task_first(jobs_find(&f->q.jobs, 1), 0);
    cull_set(&running->rec, JAT_state, (uint32_t)TASK_IS_SUSPENDED);
    register_session(f, the_scheduler(f),
                     (struct wishes){ .kinds = { "usage", "tasks_state", "tasks_done" },
                                      .objects = { "calendar" } });
    heard = heard_by_scheduler(f);
    assert_int_equal(strncmp(heard, "anew, ", strlen("anew, ")), 0);
    assert_non_null(strstr(heard, "object P1"));
    assert_non_null(strstr(heard, "object day"));
    assert_non_null(strstr(heard, "object night"));
    assert_non_null(strstr(heard, "job_add 1, tasks_started 1:0-0, tasks_state 1, synced"));
    fixture_report(f, 1, 1, REPORT_ENDED, 0);
    heard = heard_by_scheduler(f);
    assert_non_null(strstr(heard, "usage 1 alice"));
    assert_null(strstr(heard, "tasks_done")); /* not for the scheduler */
}

/* all of it before it starts anything, then what changes, a second apart */
static void the_scheduler_receives_summed_usage_if_it_names_it(void **state)
{
    struct fixture *f = *state;
    struct usage *u = &f->q.usage;
    assert_true(usage_configure(u, &(struct usage_params){ "cpu=1", "none", 168 }, f->q.now_s));
    usage_add(u, usage_pair(u, "alice", "P"), 0, 5, 5, f->q.now_s);
    usage_add(u, usage_pair(u, "bob", NULL), 0, 7, 7, f->q.now_s);
    register_session(f, the_scheduler(f), (struct wishes){ 0 });
    assert_null(strstr(heard_by_scheduler(f), "share_usage"));
    register_session(f, the_scheduler(f), (struct wishes){ .kinds = { "share_usage" } });
    assert_non_null(strstr(heard_by_scheduler(f), "share_usage alice, share_usage bob, synced"));
    usage_add(u, usage_pair(u, "bob", NULL), 0, 7, 7, f->q.now_s);
    assert_null(strstr(heard_by_scheduler(f), "share_usage")); /* within a second */
    f->q.now_us = u->due_us;
    assert_non_null(strstr(heard_by_scheduler(f), "share_usage"));
    f->q.now_us = u->due_us;
    assert_null(strstr(heard_by_scheduler(f), "share_usage")); /* nothing has changed */
    hear(f, "alice", .kinds = { "share_usage" });
    assert_null(strstr(text_heard(f, "alice"), "share_usage")); /* for the scheduler alone */
}

static void figures_that_are_named_come_with_the_job(void **state)
{
    struct fixture *f = *state;
    struct EP_Type package = { 0 };
    struct OR_Type order = { 0 };
    struct PT_Type *terms = cull_append(&order, OR_terms);
    cull_set(terms, PT_weight_urgency, 0.5);
    assert_int_equal(prior_take(events_prior(&f->q), &order, NULL), 0);
    submit(f);
    submit(f, .name = "after", .jid = "1");
    fixture_commit(f);
    fixture_forget_sent(f);
    hear(f, "alice", .kinds = { "job_add" }, .fields = { "PF_prior" });
    run_core(f);
    fixture_commit(f);
    struct unpacker u = unpacker_over(f->sent[0].body, f->sent[0].len);
    assert_int_equal(cull_unpack(&u, &cull_EP_Type, NULL, NULL, &package, NULL), 0);
    const struct EV_Type *first = &package.EP_events.v[0], *held = &package.EP_events.v[1];
    assert_int_equal(first->EV_priors.n, 1);
    assert_true(first->EV_priors.v[0].PF_prior == 0.25);
    assert_false(cull_has(&first->EV_priors.v[0], PF_nurg));
    assert_false(cull_has(&held->EV_priors.v[0], PF_prior));
    cull_clear(&cull_EP_Type, &package);
    cull_clear(&cull_OR_Type, &order);
}

static void usage_of_ended_tasks_is_for_those_who_name_it(void **state)
{
    struct fixture *f = *state;
    submit(f);
    submit(f, .owner = "bob");
    fixture_start(f, 1, 1);
    fixture_start(f, 2, 1);
    hear(f, "alice", .kinds = { "usage" });
    hear(f, "bob", 0);
    (void)text_heard(f, "alice");
    fixture_report(f, 1, 1, REPORT_ENDED, 0);
    fixture_report(f, 2, 1, REPORT_ENDED, 0);
    assert_string_equal(text_heard(f, "alice"), "usage 1 alice");
    assert_null(strstr(text_heard(f, "bob"), "usage"));
}

static void objects_of_the_kinds_that_are_named_come_alone(void **state)
{
    struct fixture *f = *state;
    add_object(f, OBJECT_PROJECT, "P1");
    add_object(f, OBJECT_CALENDAR, "night");
    hear(f, "alice", .kinds = { "object" }, .objects = { "calendar", "no_such_kind" });
    assert_string_equal(text_heard(f, "alice"), "object night, synced");
}

/* ---- queue instances, between two slices of the state ---- */

/* all.q on node1, a, b and c, of which olga's state has node1 and a */
static void hear_half(struct fixture *f)
{
    for (const char *name = "a\0b\0c\0"; *name != '\0'; name += 2)
        hosts_add(&f->q.hosts, name);
    assert_true(fixture_set_queue(f, "hostlist", "node1 a b c"));
    fixture_commit(f);
    hear(f, "olga", .kinds = { "queue_add", "queue_mod", "queue_del" });
    for (int slices = 0; slices < 2; slices++) {
        f->q.slice_until_us = 1;
        assert_true(work_step(&f->q));
    }
    f->q.slice_until_us = 0;
}

static void instances_come_in_slices(void **state)
{
    struct fixture *f = *state;
    hear_half(f);
    assert_int_equal(events_find(&f->q, fixture_connection(f, "olga")->conn)->open.EP_events.n, 2);
    assert_string_equal(text_heard(f, "olga"),
                        "queue_add node1, queue_add a, queue_add b, queue_add c, synced");
}

static void what_changes_is_told_if_it_was_told_before(void **state)
{
    struct fixture *f = *state;
    hear_half(f);
    assert_true(fixture_set_queue(f, "slots", "1,[a=3],[c=2]"));
    assert_string_equal(text_heard(f, "olga"),
                        "queue_add node1, queue_add a, queue_mod a, queue_mod node1, "
                        "queue_add b, queue_add c, synced");
}

static void what_goes_is_told_if_it_was_told_before(void **state)
{
    struct fixture *f = *state;
    hear_half(f);
    assert_true(fixture_set_queue(f, "hostlist", "node1 c"));
    assert_string_equal(text_heard(f, "olga"),
                        "queue_add node1, queue_add a, queue_del all.q@a, queue_add c, synced");
}

static void what_comes_is_told_once(void **state)
{
    struct fixture *f = *state;
    hear_half(f);
    hosts_add(&f->q.hosts, "d");
    assert_true(fixture_set_queue(f, "hostlist", "node1 a b c d"));
    assert_string_equal(
        text_heard(f, "olga"),
        "queue_add node1, queue_add a, queue_add b, queue_add c, queue_add d, synced");
}

/* the last one that the walk would come to */
static void a_walk_ends_whose_rest_goes(void **state)
{
    struct fixture *f = *state;
    hear_half(f);
    assert_true(fixture_set_queue(f, "hostlist", "node1 a"));
    assert_string_equal(text_heard(f, "olga"), "queue_add node1, queue_add a, synced");
    assert_true(fixture_set_queue(f, "hostlist", "node1"));
    assert_string_equal(text_heard(f, "olga"), "queue_del all.q@a");
}

static void users_hear_of_their_own_jobs_and_operators_of_all(void **state)
{
    struct fixture *f = *state;
    submit(f, .owner = "alice");
    submit(f, .owner = "bob");
    fixture_commit(f);
    hear(f, "bob", .kinds = { "job_add" });
    assert_string_equal(text_heard(f, "bob"), "job_add 2, synced");
    hear(f, "olga", .kinds = { "job_add" }, .wants_all = true);
    assert_string_equal(text_heard(f, "olga"), "job_add 1, job_add 2, synced");
    submit(f, .owner = "alice");
    assert_string_equal(text_heard(f, "bob"), "");
    submit(f, .owner = "alice");
    assert_string_equal(text_heard(f, "olga"), "job_add 4");
}

static void nobody_else_hears_of_all(void **state)
{
    struct fixture *f = *state;
    submit(f);
    hear(f, "bob", .wants_all = true);
    assert_string_equal(text_answered(f, fixture_connection(f, "bob")),
                        "denied: \"bob\" must be operator to receive events of all users' jobs");
    assert_string_equal(text_heard(f, "bob"), "");
}

static void kinds_of_a_newer_client_are_passed_over(void **state)
{
    struct fixture *f = *state;
    hear(f, "alice", .kinds = { "job_flown", "JOB_DEL" });
    assert_string_equal(text_heard(f, "alice"), "synced");
    submit(f);
    fixture_delete(f, "alice", "1");
    assert_string_equal(text_heard(f, "alice"), "job_del 1");
}

static void only_the_fields_that_were_asked_for_come_and_none_that_are_private(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "comp", .id = "secret");
    fixture_commit(f);
    fixture_forget_sent(f);
    hear(f, "alice", .kinds = { "job_add" },
         .fields = { "JB_job_name", "JB_request_id", "JB_round", "JB_nothing" });
    run_core(f);
    fixture_commit(f);
    assert_int_equal(f->n_sent, 1);
    struct unpacker u = unpacker_over(f->sent[0].body, f->sent[0].len);
    struct EP_Type package = { 0 };
    assert_int_equal(cull_unpack(&u, &cull_EP_Type, NULL, NULL, &package, NULL), 0);
    const struct JB_Type *job = &package.EP_events.v[0].EV_jobs.v[0];
    for (unsigned field = 0; field < cull_JB_Type.n_fields; field++)
        assert_true(cull_is_present(job, field) ==
                    (field == JB_job_number || field == JB_job_name));
    cull_clear(&cull_EP_Type, &package);
}

static void nothing_is_heard_before_it_is_durable(void **state)
{
    struct fixture *f = *state;
    hear(f, "alice", .kinds = { "job_add" });
    assert_string_equal(text_heard(f, "alice"), "synced");
    submit(f);
    run_core(f);
    assert_int_equal(fixture_count_sent(f, fixture_connection(f, "alice")->conn, GDI_FRAME_EVENTS),
                     0);
    assert_string_equal(text_heard(f, "alice"), "job_add 1");
}

static void an_interval_gathers_what_comes_meanwhile(void **state)
{
    struct fixture *f = *state;
    hear(f, "alice", .kinds = { "job_add" }, .interval_ms = 500);
    assert_string_equal(text_heard(f, "alice"), "synced");
    submit(f);
    assert_string_equal(text_heard(f, "alice"), "");
    submit(f);
    f->q.now_us += 500000;
    assert_string_equal(text_heard(f, "alice"), "job_add 1, job_add 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup_operator, fixture_teardown)
        TEST(the_state_comes_first_then_what_changes),
        TEST(starts_carry_their_times),
        TEST(which_tasks_had_failed_comes_with_the_state),
        TEST(objects_of_administrators_come_first_then_what_changes),
        TEST(the_scheduler_receives_of_objects_usage_and_states_what_it_names),
        TEST(figures_that_are_named_come_with_the_job),
        TEST(usage_of_ended_tasks_is_for_those_who_name_it),
        TEST(the_scheduler_receives_summed_usage_if_it_names_it),
        TEST(objects_of_the_kinds_that_are_named_come_alone),
        TEST(objects_come_in_slices_and_one_may_go_between),
        TEST(instances_come_in_slices),
        TEST(what_changes_is_told_if_it_was_told_before),
        TEST(what_goes_is_told_if_it_was_told_before),
        TEST(what_comes_is_told_once),
        TEST(a_walk_ends_whose_rest_goes),
        TEST(users_hear_of_their_own_jobs_and_operators_of_all),
        TEST(nobody_else_hears_of_all),
        TEST(kinds_of_a_newer_client_are_passed_over),
        TEST(only_the_fields_that_were_asked_for_come_and_none_that_are_private),
        TEST(nothing_is_heard_before_it_is_durable),
        TEST(an_interval_gathers_what_comes_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

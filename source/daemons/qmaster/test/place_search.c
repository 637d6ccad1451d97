/* A look at all places goes in slices, whatever comes and goes meanwhile, and finds what one long
 * look would. */
#include "daemons/qmaster/requests/explain/place_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/explain/reasons.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/object.h"
#include "libs/config/qinstance.h"
#include "libs/uti/dstr.h"

enum { HOSTS = 40, TOLD = 20 };

static void put_pe(struct fixture *f, const char *name)
{
    struct TX_Type tx = { 0 };
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    object_template(rules, name, &tx);
    assert_int_equal(object_set(rules, &tx, "slots", "999", NULL), 0);
    assert_int_equal(object_set(rules, &tx, "allocation_rule", "$fill_up", NULL), 0);
    settings_put_text(&f->q.settings, &tx);
}

static void set_hosts(struct fixture *f, int n)
{
    struct dstr list = DSTR_INIT;
    for (int i = 1; i <= n; i++)
        dstr_addf(&list, "node%d ", i);
    assert_true(fixture_set_queue(f, "hostlist", dstr_get(&list)));
    dstr_free(&list);
}

/* all.q has a slot on each of node1 to node40, and offers fill and full; job 1 asks for 41 slots of
 * either */
static int set_up(void **state)
{
    int rc = fixture_setup(state);
    if (rc != 0)
        return rc;
    struct fixture *f = *state;
    for (int i = 2; i <= HOSTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "node%d", i);
        hosts_add(&f->q.hosts, name)->conn = fixture_queue(f)->host->conn;
    }
    set_hosts(f, HOSTS);
    assert_true(fixture_set_queue(f, "slots", "1"));
    put_pe(f, "fill");
    put_pe(f, "full");
    assert_true(fixture_set_queue(f, "pe_list", "fill full"));
    submit(f, .name = "J");
    struct JB_Type *rec = &fixture_job(f, 1)->rec;
    job_names_remove(&f->q.jobs.names, rec);
    cull_set(rec, JB_pe, "f*l*");
    range_set_add(cull_ranges(rec, JB_pe_range), HOSTS + 1, HOSTS + 1);
    job_names_add(&f->q.jobs.names, rec);
    fixture_commit(f);
    return 0;
}

/* one slice, which is over at once */
static bool step_once(struct fixture *f, struct place_search *s)
{
    f->q.slice_until_us = 1;
    bool is_done = place_search_step(&f->q, s, &fixture_job(f, 1)->rec);
    f->q.slice_until_us = 0;
    return is_done;
}

static void go_to(struct fixture *f, struct place_search *s, int stage)
{
    while ((int)s->stage != stage)
        assert_false(step_once(f, s));
}

static void disable_all(struct fixture *f)
{
    for (struct qinstance *qi = queues_first(&f->q.queues); qi != NULL; qi = queues_next(qi))
        cull_set(&qi->rec, QU_state, (uint32_t)QI_DISABLED);
}

static void expect_last(const struct place_search *s, const char *text)
{
    assert_true(s->is_refused);
    assert_true(s->found.n > 0);
    assert_string_equal(s->found.v[s->found.n - 1].ST_name, text);
}

/* ---- sentences ---- */

static void each_slice_looks_at_one_place_at_least(void **state)
{
    struct fixture *f = *state;
    struct place_search s = { 0 };
    int n = 1;
    while (!step_once(f, &s))
        n++;
    assert_in_range(n, 3 * HOSTS, 3 * HOSTS + 10); /* the queue, and the hosts for either PE */
    assert_int_equal(s.found.n, 2);
    expect_last(&s, "cannot run in PE \"full\" because it only offers 40 slots");
    place_search_end(&s);
}

static void slices_find_what_one_look_finds(void **state)
{
    struct fixture *f = *state;
    struct place_search one = { 0 }, many = { 0 };
    disable_all(f);
    assert_true(place_search_step(&f->q, &one, &fixture_job(f, 1)->rec));
    while (!step_once(f, &many))
        ;
    assert_int_equal(one.found.n, TOLD + 2); /* "20 queue instances more", "All queues dropped" */
    assert_int_equal(many.found.n, one.found.n);
    for (uint32_t i = 0; i < one.found.n; i++)
        assert_string_equal(many.found.v[i].ST_name, one.found.v[i].ST_name);
    assert_true(one.is_refused && many.is_refused);
    place_search_end(&one);
    place_search_end(&many);
}

static void queue_instances_that_go_meanwhile_are_passed_over(void **state)
{
    struct fixture *f = *state;
    struct place_search s = { 0 };
    go_to(f, &s, SEARCH_QUEUES);
    set_hosts(f, 1);
    fixture_commit(f);
    while (!step_once(f, &s))
        ;
    assert_int_equal(s.known, 1);
    place_search_end(&s);
}

static void hosts_that_go_meanwhile_are_passed_over(void **state)
{
    struct fixture *f = *state;
    struct place_search s = { 0 };
    go_to(f, &s, SEARCH_PES);
    assert_false(step_once(f, &s));
    set_hosts(f, 2);
    fixture_commit(f);
    for (int i = 3; i <= HOSTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "node%d", i);
        struct host *h = hosts_find(&f->q.hosts, name);
        h->conn = 0;
        hosts_remove(&f->q.hosts, h);
    }
    while (!step_once(f, &s))
        ;
    expect_last(&s, "cannot run in PE \"full\" because it only offers 2 slots");
    place_search_end(&s);
}

static void an_environment_that_goes_meanwhile_leaves_the_next(void **state)
{
    struct fixture *f = *state;
    struct place_search s = { 0 };
    go_to(f, &s, SEARCH_PES);
    while (s.gathering == NULL)
        assert_false(step_once(f, &s));
    settings_drop_text(&f->q.settings, settings_text(&f->q.settings, GDI_PE, "fill"));
    while (!step_once(f, &s))
        ;
    assert_int_equal(s.found.n, 1);
    expect_last(&s, "cannot run in PE \"full\" because it only offers 40 slots");
    place_search_end(&s);
}

static void a_search_may_end_at_any_step(void **state)
{
    struct fixture *f = *state;
    for (int steps = 0; steps < 3 * HOSTS; steps++) {
        struct place_search s = { 0 };
        for (int i = 0; i < steps; i++)
            (void)step_once(f, &s);
        place_search_end(&s);
        assert_int_equal(s.stage, SEARCH_NEW);
    }
    assert_null(LIST_FIRST(&f->q.queues.walks));
    assert_null(LIST_FIRST(&f->q.hosts.walks));
    assert_null(LIST_FIRST(&f->q.settings.walks));
}

/* ---- requests ---- */

static void ask_about(struct fixture *f, uint32_t verb, uint32_t options)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, verb);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_options, options);
    cull_set(&gr, GR_job_number, 1u);
    cull_set((struct ID_Type *)cull_append(&gr, GR_select), ID_str, "1");
    fixture_hear(f, fixture_connection(f, "alice"), 7, &gr);
}

/* how many slices an answer takes that nobody waits for any more; the last of them makes it */
static int slices_of(struct fixture *f)
{
    int n = 0;
    f->q.slice_until_us = 1;
    while (work_step(&f->q))
        n++;
    f->q.slice_until_us = 0;
    return n;
}

static void qstat_j_and_why_are_answered_in_slices(void **state)
{
    struct fixture *f = *state;
    uint64_t conn = fixture_connection(f, "alice")->conn;
    static const uint32_t requests[][2] = { { GDI_GET, GDI_WITH_ENV | GDI_WITH_REASONS },
                                            { GDI_WHY, 0 },
                                            { GDI_WHY, GDI_WITH_REASONS } };
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        fixture_forget_sent(f);
        f->q.slice_until_us = 1;
        ask_about(f, requests[i][0], requests[i][1]);
        assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_ANSWER), 0);
        assert_true(slices_of(f) >= HOSTS - 1);
        fixture_commit(f);
        assert_true(fixture_count_sent(f, conn, GDI_FRAME_ANSWER) >= 1);
        assert_null(LIST_FIRST(&f->q.queues.walks));
    }
}

static void a_client_that_goes_ends_its_search(void **state)
{
    struct fixture *f = *state;
    f->q.slice_until_us = 1;
    ask_about(f, GDI_WHY, 0);
    ask_about(f, GDI_GET, GDI_WITH_ENV | GDI_WITH_REASONS);
    assert_true(work_step(&f->q));
    assert_non_null(LIST_FIRST(&f->q.queues.walks));
    f->q.slice_until_us = 0;
    fixture_hang_up(f, "alice");
    assert_null(LIST_FIRST(&f->q.queues.walks));
}

static void a_job_that_goes_is_searched_for_no_longer(void **state)
{
    struct fixture *f = *state;
    f->q.slice_until_us = 1;
    ask_about(f, GDI_WHY, 0);
    f->q.slice_until_us = 0;
    fixture_delete(f, "alice", "1");
    fixture_commit(f);
    assert_null(LIST_FIRST(&f->q.queues.walks));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, fixture_teardown)
        TEST(each_slice_looks_at_one_place_at_least),
        TEST(slices_find_what_one_look_finds),
        TEST(queue_instances_that_go_meanwhile_are_passed_over),
        TEST(hosts_that_go_meanwhile_are_passed_over),
        TEST(an_environment_that_goes_meanwhile_leaves_the_next),
        TEST(a_search_may_end_at_any_step),
        TEST(qstat_j_and_why_are_answered_in_slices),
        TEST(a_client_that_goes_ends_its_search),
        TEST(a_job_that_goes_is_searched_for_no_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

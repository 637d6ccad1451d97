/* Which queues a job may request (submit(1) -q), and that looking for them costs little in a cell
 * of any size. */
#include "daemons/qmaster/requests/explain/queue_known.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/requests/explain/verify.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/sgeobj/job_request.h"

/* all.q is on node1 and node2, which is in @big; other.q is nowhere */
static struct fixture *two_hosts(void **state)
{
    struct fixture *f = *state;
    struct CQ_Type other = { 0 };
    hosts_add(&f->q.hosts, "node2");
    hosts_add(&f->q.hosts, "node3");
    fixture_set_group(f, "@big", "node2");
    assert_true(fixture_set_queue(f, "hostlist", "node1 @big"));
    cull_set(&other, CQ_name, "other.q");
    queues_add_cqueue(&f->q.queues, &other);
    return f;
}

static bool is_known(struct fixture *f, const char *wc_queue)
{
    uint32_t work = 0;
    return queue_is_known(&f->q, wc_queue, &work);
}

static void a_queue_is_known_by_name_or_pattern_with_or_without_hosts(void **state)
{
    struct fixture *f = two_hosts(state);
    static const char *const good[] = {
        "all.q",   "a*",  "x.q|all.q",  "other.q", "all.q@node1", "all.q@node*",
        "*@node2", "*@*", "all.q@@big", "*@@b*",   "a*@@x|@big",
    };
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        if (!is_known(f, good[i]))
            fail_msg("%s is not known", good[i]);
}

static void a_queue_that_is_not_there_is_not_known(void **state)
{
    struct fixture *f = two_hosts(state);
    static const char *const bad[] = {
        "",          "nope.q", "nope*",       "all.q@",        "all.q@node3",
        "all.q@x*",  "*@nope", "nope*@node1", "all.q@@nope",   "all.q@@n*",
        "all.q@big", "@node1", "all.q@@",     "all.q@node[3]", "nope.q@@big",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (is_known(f, bad[i]))
            fail_msg("%s is known", bad[i]);
}

static void queue_and_host_must_match_together(void **state)
{
    struct fixture *f = two_hosts(state);
    assert_false(is_known(f, "other.q@node1"));
    assert_false(is_known(f, "oth*@node*"));
    assert_false(is_known(f, "*@node3"));
    assert_false(is_known(f, "other*@@big"));
}

/* N hosts more, and all.q on each */
static void grow_queues(struct fixture *f, unsigned n)
{
    char name[32];
    for (unsigned i = 0; i < n; i++) {
        snprintf(name, sizeof name, "farm%05u", i);
        hosts_add(&f->q.hosts, name);
    }
    struct cqueue *cq = queues_cqueue(&f->q.queues, "all.q");
    for (struct host *h = f->q.hosts.all; h != NULL; h = h->hh.next) {
        struct ST_Type *in = cull_append(&cq->rec, CQ_hostlist);
        cull_set(in, ST_name, h->rec.EH_name);
    }
    queue_resolve(&f->q, cq);
    assert_true(is_known(f, "all.q@farm00000"));
}

static void plain_names_cost_the_same_in_a_cell_of_any_size(void **state)
{
    struct fixture *f = two_hosts(state);
    uint32_t before = 0, after = 0;
    static const char *const plain[] = { "all.q", "nope.q", "all.q@node1", "all.q@nope" };
    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        queue_is_known(&f->q, plain[i], &before);
    grow_queues(f, 300);
    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        queue_is_known(&f->q, plain[i], &after);
    assert_int_equal(before, after);
}

static void an_unknown_pattern_costs_the_queues_and_the_hosts_not_the_instances(void **state)
{
    struct fixture *f = two_hosts(state);
    grow_queues(f, 300);
    uint32_t queues = 0, hosts = 0;
    assert_false(queue_is_known(&f->q, "nope*@*", &queues));
    assert_true(queues < 100);
    assert_false(queue_is_known(&f->q, "*@nope*", &hosts));
    assert_in_range(hosts, 303 * strlen("nope*"), 303 * 20);
}

static void a_search_that_has_cost_too_much_ends_and_believes_the_job(void **state)
{
    struct fixture *f = two_hosts(state);
    uint32_t work = QUEUE_SEARCH_MOST - 40;
    grow_queues(f, 300);
    assert_true(queue_is_known(&f->q, "*@nope*", &work));
    assert_in_range(work, QUEUE_SEARCH_MOST, QUEUE_SEARCH_MOST + 100);
    assert_false(queue_is_known(&f->q, "nope.q", &work)); /* costs nothing */
}

/* N requests for NAME; of a pattern each is another one that means the same */
static void request_queues(struct GR_Type *gr, bool is_soft, const char *name, unsigned n)
{
    struct dstr text = DSTR_INIT;
    bool is_pattern = strchr(name, '*') != NULL;
    struct JB_Type *job = cull_append(gr, GR_jobs);
    cull_set(job, JB_job_name, "J");
    cull_set(job, JB_type, (uint32_t)JOB_TYPE_BINARY);
    for (unsigned i = 0; i < n; i++) {
        struct QR_Type *queue =
            is_soft ? cull_append(job, JB_soft_queue_list) : cull_append(job, JB_hard_queue_list);
        dstr_clear(&text);
        dstr_add(&text, name);
        for (unsigned star = 0; is_pattern && star < i; star++)
            dstr_add(&text, "*");
        cull_set(queue, QR_name, dstr_get(&text));
    }
    dstr_free(&text);
}

static void a_list_of_queues_has_64_patterns_at_most_and_any_number_of_names(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    for (int is_soft = 0; is_soft < 2; is_soft++) {
        request_queues(&gr, is_soft, "a*", 65);
        assert_false(fixture_ask(f, "alice", submit_request, &gr));
        assert_string_equal(said(f), "denied: a list of queues has more than 64 patterns");
        request_queues(&gr, is_soft, "a*", 64);
        assert_true(fixture_ask(f, "alice", submit_request, &gr));
        request_queues(&gr, is_soft, "all.q@node1", 1000);
        assert_true(fixture_ask(f, "alice", submit_request, &gr));
    }
}

static void an_alter_has_the_same_limit_and_changes_nothing(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f, .name = "J");
    fixture_name(&gr, "1");
    request_queues(&gr, false, "a*", 65);
    assert_false(fixture_ask(f, "alice", alter_request, &gr));
    assert_string_equal(said(f), "denied: a list of queues has more than 64 patterns");
    assert_int_equal(fixture_job(f, 1)->rec.JB_hard_queue_list.n, 0);
}

/* names of 250 bytes: so many that one instance is all that is looked at */
static void a_verification_ends_after_so_much_work_and_says_how_far_it_went(void **state)
{
    struct fixture *f = two_hosts(state);
    struct answer ans = ANSWER_INIT;
    struct JB_Type rec = { 0 };
    char name[251];
    memset(name, 'q', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cull_set(&rec, JB_verify_suitable_queues, (uint32_t)VERIFY_ONLY);
    cull_set(cull_append(&rec, JB_hard_queue_list), QR_name, name);
    assert_int_equal(verify_queues(&f->q, &rec, 1, "alice", &ans), -1);
    assert_string_equal(ans.v[ans.n - 1].text, "verification: no suitable queues");
    ans_free(&ans);
    for (int i = 0; i < 1000; i++)
        cull_set(cull_append(&rec, JB_hard_queue_list), QR_name, name);
    assert_int_equal(verify_queues(&f->q, &rec, 1, "alice", &ans), -1);
    assert_string_equal(ans.v[ans.n - 1].text,
                        "verification: none of the first 1 queue instances is suitable, and no "
                        "more are looked at");
    ans_free(&ans);
    cull_set(&rec, JB_verify_suitable_queues, (uint32_t)VERIFY_ERROR);
    assert_int_equal(verify_queues(&f->q, &rec, 1, "alice", &ans), 0);
    assert_int_equal(ans.n, 0);
    cull_clear(&cull_JB_Type, &rec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_queue_is_known_by_name_or_pattern_with_or_without_hosts),
        TEST(a_queue_that_is_not_there_is_not_known),
        TEST(queue_and_host_must_match_together),
        TEST(plain_names_cost_the_same_in_a_cell_of_any_size),
        TEST(an_unknown_pattern_costs_the_queues_and_the_hosts_not_the_instances),
        TEST(a_search_that_has_cost_too_much_ends_and_believes_the_job),
        TEST(a_list_of_queues_has_64_patterns_at_most_and_any_number_of_names),
        TEST(an_alter_has_the_same_limit_and_changes_nothing),
        TEST(a_verification_ends_after_so_much_work_and_says_how_far_it_went),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

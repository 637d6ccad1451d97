/* Cycles over both kinds of edge are found, in time linear in the edges, and in a net that changes
 * meanwhile. */
#include "libs/sgeobj/ja_dependency.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { JOBS = 200000 };
/* a net: edges[i] = { job, predecessor }, sorted by nothing; small ones only */
struct net {
    const uint32_t (*edges)[2];
    uint32_t n;
};
typedef void predecessors_fn(const void *net, struct jobnet_search *s);

static void look_up(const void *ctx, struct jobnet_search *s)
{
    const struct net *net = ctx;
    for (uint32_t i = 0; i < net->n; i++) {
        if (net->edges[i][0] == s->at)
            jobnet_search_put(s, net->edges[i][1]);
    }
}

/* would JOB wait for itself if it waited for A and B? Returns how many jobs were asked for; WITH is
 * 0 if not */
static uint32_t search_net(predecessors_fn *predecessors, const void *net, uint32_t job,
                           const uint32_t wanted[2], uint32_t *with)
{
    struct jobnet_search s;
    uint32_t asked = 0;
    jobnet_search_begin(&s, job);
    jobnet_search_put(&s, wanted[0]);
    jobnet_search_put(&s, wanted[1]);
    while (jobnet_search_next(&s)) {
        predecessors(net, &s);
        asked++;
    }
    *with = s.with;
    jobnet_search_free(&s);
    return asked;
}

static uint32_t closes_with(const struct net *net, uint32_t job, uint32_t a, uint32_t b)
{
    uint32_t with;
    search_net(look_up, net, job, (const uint32_t[2]){ a, b }, &with);
    return with;
}

/* 2 waits for 1, 3 for 2, 4 for 1 */
static const uint32_t chain[][2] = { { 2, 1 }, { 3, 2 }, { 4, 1 } };

static void a_path_back_is_a_cycle(void **state)
{
    const struct net net = { chain, 3 };
    (void)state;
    assert_int_equal(closes_with(&net, 1, 4, 3), 4);
    assert_int_equal(closes_with(&net, 1, 9, 3), 2); /* 9 does not exist, 2 is on the way */
    assert_int_equal(closes_with(&net, 2, 3, 3), 3);
    assert_int_equal(closes_with(&net, 5, 5, 1), 5); /* itself */
    assert_int_equal(closes_with(&net, 3, 4, 1), 0);
    assert_int_equal(closes_with(&net, 4, 3, 2), 0);
    assert_int_equal(closes_with(&net, 5, 3, 4), 0);
}

static void a_job_that_waits_for_nothing_closes_no_cycle(void **state)
{
    struct jobnet_search s;
    (void)state;
    jobnet_search_begin(&s, 1);
    assert_false(jobnet_search_next(&s));
    assert_int_equal(s.with, 0);
    jobnet_search_free(&s);
}

/* job 3k+1 waits for 3k+2 and 3k+3, which wait for 3k+4: 2^DIAMONDS paths */
enum { DIAMONDS = 60 };
static void visit_lattice(const void *ctx, struct jobnet_search *s)
{
    uint32_t number = s->at, k = (number - 1) / 3;
    (void)ctx;
    if (k < DIAMONDS && number % 3 == 1) {
        jobnet_search_put(s, number + 1);
        jobnet_search_put(s, number + 2);
    } else if (k < DIAMONDS) {
        jobnet_search_put(s, 3 * k + 4);
    }
}

static void a_lattice_costs_its_edges(void **state)
{
    uint32_t with, last = 3 * DIAMONDS + 1;
    (void)state;
    search_net(visit_lattice, NULL, last, (const uint32_t[2]){ 1, 1 }, &with);
    assert_true(with == last - 1 || with == last - 2);
    assert_int_equal(search_net(visit_lattice, NULL, 100000, (const uint32_t[2]){ 1, 1 }, &with),
                     3 * DIAMONDS + 1);
    assert_int_equal(with, 0);
}

static void visit_previous(const void *ctx, struct jobnet_search *s)
{
    (void)ctx;
    if (s->at > 1)
        jobnet_search_put(s, s->at - 1);
}

static void a_long_chain_is_followed_to_its_end(void **state)
{
    uint32_t with;
    (void)state;
    search_net(visit_previous, NULL, 1, (const uint32_t[2]){ JOBS, JOBS }, &with);
    assert_int_equal(with, 2);
    assert_int_equal(
        search_net(visit_previous, NULL, JOBS + 1, (const uint32_t[2]){ JOBS, JOBS }, &with), JOBS);
    assert_int_equal(with, 0);
}

/* 1 would wait for 3, and while that is searched, 2, which has been looked at, comes to wait for 4
 * and so for 1 */
static void a_job_that_changes_behind_the_search_comes_once_more(void **state)
{
    static const uint32_t later[][2] = { { 3, 2 }, { 2, 4 }, { 4, 1 } };
    const struct net before = { later, 1 }, after = { later, 3 };
    struct jobnet_search s;
    (void)state;
    jobnet_search_begin(&s, 1);
    jobnet_search_put(&s, 3);
    while (jobnet_search_next(&s))
        look_up(&before, &s);
    assert_int_equal(s.with, 0);
    jobnet_search_again(&s, 5); /* nobody waits for it */
    assert_false(jobnet_search_next(&s));
    jobnet_search_again(&s, 2);
    while (jobnet_search_next(&s))
        look_up(&after, &s);
    assert_int_equal(s.with, 4);
    jobnet_search_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_back_is_a_cycle),
        cmocka_unit_test(a_job_that_waits_for_nothing_closes_no_cycle),
        cmocka_unit_test(a_lattice_costs_its_edges),
        cmocka_unit_test(a_long_chain_is_followed_to_its_end),
        cmocka_unit_test(a_job_that_changes_behind_the_search_comes_once_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

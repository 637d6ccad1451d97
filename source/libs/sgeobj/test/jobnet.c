/* Cycles over both kinds of edge are found, and in time linear in the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/jobnet.h"

enum { JOBS = 200000 };
/* a net: edges[i] = { job, predecessor }, sorted by nothing; small ones only */
struct net {
    const uint32_t (*edges)[2];
    uint32_t n, asked;
};

static uint32_t look_up(void *ctx, uint32_t number, struct jobnet_numbers *out)
{
    struct net *net = ctx;

    net->asked++;
    for (uint32_t i = 0; i < net->n; i++) {
        if (net->edges[i][0] == number)
            jobnet_numbers_add(out, net->edges[i][1]);
    }
    return out->n;
}

static bool closes(struct net *net, uint32_t job, uint32_t a, uint32_t b, uint32_t *with)
{
    struct jobnet_numbers wanted = { NULL, 0, 0 };

    jobnet_numbers_add(&wanted, a);
    jobnet_numbers_add(&wanted, b);
    bool result = jobnet_closes_cycle(job, &wanted, look_up, net, with);
    jobnet_numbers_free(&wanted);
    return result;
}

/* 2 waits for 1, 3 for 2, 4 for 1 */
static const uint32_t chain[][2] = { { 2, 1 }, { 3, 2 }, { 4, 1 } };

static void a_path_back_is_a_cycle(void **state)
{
    struct net net = { chain, 3, 0 };
    uint32_t with = 0;

    (void)state;
    assert_true(closes(&net, 1, 4, 3, &with) && with == 4);
    assert_true(closes(&net, 1, 9, 3, &with) && with == 2); /* 9 does not exist, 2 is on the way */
    assert_true(closes(&net, 2, 3, 3, &with) && with == 3);
    assert_true(closes(&net, 5, 5, 1, &with) && with == 5); /* itself */
    assert_false(closes(&net, 3, 4, 1, &with));
    assert_false(closes(&net, 4, 3, 2, &with));
    assert_false(closes(&net, 5, 3, 4, &with));
    assert_false(
        jobnet_closes_cycle(1, &(struct jobnet_numbers){ NULL, 0, 0 }, look_up, &net, &with));
}

/* job 3k+1 waits for 3k+2 and 3k+3, which wait for 3k+4: 2^DIAMONDS paths */
enum { DIAMONDS = 60 };
static uint32_t lattice(void *ctx, uint32_t number, struct jobnet_numbers *out)
{
    uint32_t k = (number - 1) / 3, *asked = ctx;

    ++*asked;
    if (k < DIAMONDS && number % 3 == 1) {
        jobnet_numbers_add(out, number + 1);
        jobnet_numbers_add(out, number + 2);
    } else if (k < DIAMONDS) {
        jobnet_numbers_add(out, 3 * k + 4);
    }
    return out->n;
}

static void a_lattice_costs_its_edges(void **state)
{
    uint32_t asked = 0, with = 0, last = 3 * DIAMONDS + 1, first = 1;
    struct jobnet_numbers wanted = { &first, 1, 1 };

    (void)state;
    assert_true(jobnet_closes_cycle(last, &wanted, lattice, &asked, &with));
    assert_true(with == last - 1 || with == last - 2);
    asked = 0;
    assert_false(jobnet_closes_cycle(100000, &wanted, lattice, &asked, &with));
    assert_int_equal(asked, 3 * DIAMONDS + 1);
}

static uint32_t previous(void *ctx, uint32_t number, struct jobnet_numbers *out)
{
    (void)ctx;
    if (number > 1)
        jobnet_numbers_add(out, number - 1);
    return out->n;
}

/* deep nets need no stack of the thread's */
static void a_long_chain_is_followed_to_its_end(void **state)
{
    uint32_t first = JOBS, with = 0;
    struct jobnet_numbers wanted = { &first, 1, 1 };

    (void)state;
    assert_true(jobnet_closes_cycle(1, &wanted, previous, NULL, &with));
    assert_int_equal(with, 2);
    assert_false(jobnet_closes_cycle(JOBS + 1, &wanted, previous, NULL, &with));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_back_is_a_cycle),
        cmocka_unit_test(a_lattice_costs_its_edges),
        cmocka_unit_test(a_long_chain_is_followed_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

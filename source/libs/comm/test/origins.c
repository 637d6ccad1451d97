/* Who has to go when too many connections have proved nothing, and whose turn it is. */
#include "libs/comm/origins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { THREADS = 2, MOST = ORIGIN_CONNS_MOST };

struct fixture {
    struct origins origins;
    struct origin_conn conns[2 * MOST];
    int n;
};

/* 10.0.X.Y */
static struct tcp_address v4_address(int number)
{
    struct tcp_address a = { { [10] = 0xff, [11] = 0xff, [12] = 10 } };
    a.at[14] = (uint8_t)(number / 256);
    a.at[15] = (uint8_t)number;
    return a;
}

static struct tcp_address v6_address(uint8_t network, uint8_t host)
{
    return (struct tcp_address){ { 0x20, 0x01, [7] = network, [15] = host } };
}

static struct origin_conn *join_from(struct fixture *t, struct tcp_address address)
{
    struct origin_conn *c = &t->conns[t->n++];
    bool is_reserved = t->origins.n >= MOST && origins_has_reserve(&t->origins, &address);
    origins_join(&t->origins, c, &address, is_reserved, (uint64_t)t->n);
    return c;
}

static void fill_from(struct fixture *t, int address, int n)
{
    for (int i = 0; i < n; i++)
        join_from(t, v4_address(address));
}

static enum origin_room room_at(const struct fixture *t, uint64_t now_us, struct origin_conn **c)
{
    return origins_room(&t->origins, now_us, c);
}

static int set_up(void **state)
{
    static struct fixture t;
    memset(&t, 0, sizeof t);
    origins_init(&t.origins, THREADS);
    *state = &t;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    for (int i = 0; i < t->n; i++) {
        if (t->conns[i].of == NULL)
            continue;
        if (t->conns[i].state == ORIGIN_SERVED)
            origins_finish(&t->origins, &t->conns[i]);
        origins_leave(&t->origins, &t->conns[i]);
    }
    assert_int_equal(t->origins.n + t->origins.n_reserved + t->origins.n_ready, 0);
    origins_free(&t->origins);
    return 0;
}

static void the_oldest_of_the_address_with_most_has_to_go(void **state)
{
    struct fixture *t = *state;
    struct origin_conn *victim;
    fill_from(t, 1, 2);
    fill_from(t, 2, MOST - 3);
    assert_int_equal(room_at(t, 0, &victim), ORIGIN_ROOM);
    fill_from(t, 3, 1);
    assert_int_equal(room_at(t, 0, &victim), ORIGIN_REPLACE);
    assert_ptr_equal(victim, &t->conns[2]);
}

static void one_whose_bytes_wait_for_a_thread_does_not_go(void **state)
{
    struct fixture *t = *state;
    struct origin_conn *victim;
    fill_from(t, 1, MOST);
    origins_await(&t->origins, &t->conns[0]);
    assert_int_equal(room_at(t, 0, &victim), ORIGIN_REPLACE);
    assert_ptr_equal(victim, &t->conns[1]);
    for (int i = 1; i < MOST; i++)
        origins_await(&t->origins, &t->conns[i]);
    assert_int_equal(room_at(t, 0, &victim), ORIGIN_LATER);
}

static void single_connections_have_a_second(void **state)
{
    struct fixture *t = *state;
    struct origin_conn *victim;
    for (int i = 0; i < MOST; i++)
        fill_from(t, i, 1);
    assert_int_equal(room_at(t, ORIGIN_GRACE_US, &victim), ORIGIN_FULL);
    assert_int_equal(room_at(t, ORIGIN_GRACE_US + 1, &victim), ORIGIN_REPLACE);
    assert_ptr_equal(victim, &t->conns[0]);
}

static void a_network_of_ipv6_counts_as_one(void **state)
{
    struct fixture *t = *state;
    struct origin_conn *victim;
    for (int i = 0; i < MOST - 3; i++)
        fill_from(t, i, 1);
    struct origin_conn *first = join_from(t, v6_address(1, 1));
    join_from(t, v6_address(1, 2));
    join_from(t, v6_address(2, 1));
    assert_int_equal(origins_count(first), 2);
    assert_int_equal(room_at(t, 0, &victim), ORIGIN_REPLACE);
    assert_ptr_equal(victim, first);
}

static void hosts_have_a_reserve(void **state)
{
    struct fixture *t = *state;
    struct tcp_address host = v4_address(1000), stranger = v4_address(1001);
    origins_know(&t->origins, &host);
    for (int i = 0; i < MOST; i++)
        fill_from(t, i, 1);
    assert_false(origins_has_reserve(&t->origins, &stranger));
    for (int i = 0; i < ORIGIN_RESERVE_EACH; i++) {
        assert_true(origins_has_reserve(&t->origins, &host));
        join_from(t, host);
    }
    assert_false(origins_has_reserve(&t->origins, &host)); /* no host takes all of it */
    assert_int_equal(t->origins.n, MOST);
    assert_int_equal(t->origins.n_reserved, ORIGIN_RESERVE_EACH);
}

static void the_reserve_is_bounded(void **state)
{
    struct fixture *t = *state;
    int n = 0;
    for (int i = 0; i < MOST; i++)
        fill_from(t, i, 1);
    for (int i = 0; i < MOST; i++) {
        struct tcp_address host = v4_address(1000 + i);
        origins_know(&t->origins, &host);
        if (!origins_has_reserve(&t->origins, &host))
            continue;
        join_from(t, host);
        n++;
    }
    assert_int_equal(n, ORIGIN_RESERVE);
}

/* the host that has come least recently is forgotten */
static void known_hosts_are_bounded(void **state)
{
    struct fixture *t = *state;
    struct tcp_address first = v4_address(0), second = v4_address(1), third = v4_address(2);
    for (int i = 0; i < ORIGIN_HOSTS_MOST; i++) {
        struct tcp_address host = v4_address(i);
        origins_know(&t->origins, &host);
    }
    origins_know(&t->origins, &first);
    struct tcp_address more = v4_address(ORIGIN_HOSTS_MOST);
    origins_know(&t->origins, &more);
    assert_true(origins_has_reserve(&t->origins, &first));
    assert_false(origins_has_reserve(&t->origins, &second));
    assert_true(origins_has_reserve(&t->origins, &third));
}

static void addresses_take_turns(void **state)
{
    struct fixture *t = *state;
    fill_from(t, 1, 4);
    fill_from(t, 2, 1);
    for (int i = 0; i < t->n; i++)
        origins_await(&t->origins, &t->conns[i]);
    assert_ptr_equal(origins_next(&t->origins), &t->conns[0]);
    assert_ptr_equal(origins_next(&t->origins), &t->conns[4]);
    assert_ptr_equal(origins_next(&t->origins), &t->conns[1]);
}

static void one_address_has_some_of_the_threads(void **state)
{
    struct fixture *t = *state;
    fill_from(t, 1, 3);
    for (int i = 0; i < t->n; i++)
        origins_await(&t->origins, &t->conns[i]);
    for (int i = 0; i < THREADS; i++)
        assert_non_null(origins_next(&t->origins));
    assert_null(origins_next(&t->origins));
    origins_finish(&t->origins, &t->conns[0]);
    assert_ptr_equal(origins_next(&t->origins), &t->conns[2]);
    origins_silence(&t->origins, &t->conns[0]);
    assert_int_equal(t->conns[0].state, ORIGIN_SILENT);
}

static void one_that_leaves_while_it_waits_has_no_turn(void **state)
{
    struct fixture *t = *state;
    fill_from(t, 1, 1);
    origins_await(&t->origins, &t->conns[0]);
    origins_leave(&t->origins, &t->conns[0]);
    t->conns[0].of = NULL;
    assert_null(origins_next(&t->origins));
}

#define COUNTED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        COUNTED(the_oldest_of_the_address_with_most_has_to_go),
        COUNTED(one_whose_bytes_wait_for_a_thread_does_not_go),
        COUNTED(single_connections_have_a_second),
        COUNTED(a_network_of_ipv6_counts_as_one),
        COUNTED(hosts_have_a_reserve),
        COUNTED(the_reserve_is_bounded),
        COUNTED(known_hosts_are_bounded),
        COUNTED(addresses_take_turns),
        COUNTED(one_address_has_some_of_the_threads),
        COUNTED(one_that_leaves_while_it_waits_has_no_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a server allows connections and users: who takes more, says nothing or does not read hurts
 * nobody else. */
#include "libs/comm/server.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "libs/comm/server_priv.h"
#include "libs/comm/test/fixture.h"

static int start_narrow(void **state)
{
    struct comm_limits narrow = comm_limits_usual();
    narrow.first_frame_ms = 50;
    narrow.most = 6;
    narrow.reserve = 2;
    narrow.most_of_user = 4;
    return start_limited(state, &narrow);
}

static int start_impatient(void **state)
{
    struct comm_limits l = comm_limits_usual();
    l.frame_ms = l.idle_ms = 50;
    return start_limited(state, &l);
}

static int start_small(void **state)
{
    struct comm_limits l = comm_limits_usual();
    l.frames_of_conn = 3;
    l.bytes_of_user = 8 << 20;
    return start_limited(state, &l);
}

static void who_says_nothing_is_sent_away(void **state)
{
    struct fixture *t = *state;
    uint8_t half[COMM_HEADER_BYTES / 2] = { 0 };
    expect_hangup_after(t, half, sizeof half); /* after a while */
    assert_string_equal(t->why, "it sent no whole message within 0.05 seconds");
    struct comm_client *spoken = open_client(t), *silent = open_client(t);
    expect_echo(spoken);
    wait_sem(&t->closed); /* the silent one; the other may be silent from now on */
    assert_int_equal(t->n_refused, 2);
    expect_echo(spoken);
    comm_client_close(spoken);
    comm_client_close(silent);
}

/* there is no room for it, and it hears why */
static void expect_no_room(struct fixture *t, const char *why)
{
    struct comm_client *more = open_client(t);
    struct frame f = expect_frame(more);
    assert_int_equal(f.kind, KIND_REFUSAL);
    assert_int_equal(f.len, strlen(why));
    assert_memory_equal(f.body, why, f.len);
    free(f.body);
    assert_string_equal(t->why, why);
    assert_int_equal(comm_client_recv(more, 10000, &f, NULL), -1);
    comm_client_close(more);
}

static void no_user_takes_all_connections(void **state)
{
    struct fixture *t = *state;
    struct comm_client *mine[4];
    for (int i = 0; i < 4; i++) {
        mine[i] = open_client(t);
        expect_echo(mine[i]);
    }
    expect_no_room(t, "its user has too many connections, the limit is 4");
    comm_client_close(mine[0]);
    wait_sem(&t->closed);
    mine[0] = open_client(t); /* there is room again */
    expect_echo(mine[0]);
    for (int i = 0; i < 4; i++)
        comm_client_close(mine[i]);
}

static void the_privileged_get_in_when_it_is_full(void **state)
{
    struct fixture *t = *state;
    struct comm_client *mine[8], *more;
    for (int i = 0; i < 8; i++) {
        t->is_privileged = i >= 4;
        mine[i] = open_client(t);
        expect_echo(mine[i]);
    }
    more = open_client(t); /* waits for room: not even they have more than their reserve */
    comm_client_send(more, KIND_ECHO, 1, "x", 1);
    assert_int_equal(comm_client_flush(more, NULL), 0);
    comm_client_close(mine[7]);
    free(expect_frame(more).body);
    comm_client_close(more);
    wait_sem(&t->closed);
    wait_sem(&t->closed);
    comm_client_close(mine[0]);
    wait_sem(&t->closed);
    t->is_privileged = false;
    struct comm_limits limits = comm_limits_usual();
    limits.most = 6;
    limits.most_of_user = 100;
    comm_server_set_limits(t->served.server, &limits);
    expect_no_room(t, "there are too many connections, the limit is 6; only root, hosts and "
                      "managers can connect");
    for (int i = 1; i < 7; i++)
        comm_client_close(mine[i]);
}

static void a_frame_that_does_not_end_is_not_waited_for(void **state)
{
    struct fixture *t = *state;
    struct comm_client *c = open_client(t);
    comm_client_send(c, KIND_KEEP, 1, "x", 1); /* not even of who is never idle */
    assert_int_equal(comm_client_flush(c, NULL), 0);
    uint8_t h[COMM_HEADER_BYTES + 1];
    frame_header_pack(&(struct frame_header){ 1000, 2, KIND_HOLD }, h);
    h[COMM_HEADER_BYTES] = 'x';
    assert_int_equal(send(comm_client_fd(c), h, sizeof h, 0), (ssize_t)sizeof h);
    wait_sem(&t->closed);
    assert_string_equal(t->why, "it did not complete a message within 0.05 seconds");
    comm_client_close(c);
}

static void who_asks_for_nothing_is_sent_away(void **state)
{
    struct fixture *t = *state;
    struct comm_client *kept = open_client(t), *idle = open_client(t);
    comm_client_send(kept, KIND_KEEP, 1, "x", 1);
    assert_int_equal(comm_client_flush(kept, NULL), 0);
    expect_echo(idle);
    wait_sem(&t->closed);
    assert_string_equal(t->why, "it was idle for 0.05 seconds");
    assert_int_equal(t->n_refused, 1);
    expect_echo(kept);
    comm_client_close(kept);
    comm_client_close(idle);
}

static void send_part(struct comm_client *c, uint32_t serial, size_t bytes)
{
    uint8_t *part = body_of(bytes, 'p');
    comm_client_send(c, KIND_HOLD, serial, part, bytes);
    assert_int_equal(comm_client_flush(c, NULL), 0);
    free(part);
}

/* the owner has its hands full with three of BYTES: what C says then stays there until it is done
 * with one; ends C */
static void expect_three_to_be_enough(struct fixture *t, struct comm_client *c, size_t bytes)
{
    t->is_slow = true;
    for (uint32_t i = 0; i < 3; i++) {
        send_part(c, i, bytes);
        wait_sem(&t->held);
    }
    uint64_t conn = t->last_conn;
    send_part(c, 3, 1);
    struct comm_client *other = open_client(t); /* served meanwhile */
    expect_echo(other);
    assert_int_equal(t->n_frames, 4);
    comm_server_done(t->served.server, conn, bytes);
    wait_sem(&t->held);
    assert_int_equal(t->n_frames, 5);
    comm_client_close(c);
    comm_client_close(other);
}

static void no_more_is_read_than_the_owner_gets_done(void **state)
{
    struct fixture *t = *state;
    expect_three_to_be_enough(t, open_client(t), 1);
}

enum { PART_BYTES = 400 << 10 };

static int start_for_hosts(void **state)
{
    struct comm_limits l = comm_limits_usual();
    /* the third part comes, and is one too many when it has, with what each costs beside its bytes */
    l.bytes_of_host = (size_t)3 * (PART_BYTES + FRAME_COST_BYTES) - 1;
    return start_limited(state, &l);
}

/* a host, at the other end of a socket */
static struct comm_client *open_host(struct fixture *t)
{
    struct comm_peer node = { .uid = COMM_NO_UID, .gid = COMM_NO_GID, .host = "node1" };
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    assert_int_equal(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
    struct stream theirs = stream_unix(fds[0]), ours = stream_unix(fds[1]);
    server_adopt(t->served.server, &theirs, &node);
    return comm_client_over(&ours, -1, NULL);
}

static void a_host_has_a_limit_of_its_own(void **state)
{
    struct fixture *t = *state;
    expect_three_to_be_enough(t, open_host(t), PART_BYTES);
}

enum { HALF_BYTES = 4 << 20 };

/* the header of a frame of twice HALF_BYTES, and half of it */
static void send_half(struct comm_client *c)
{
    uint8_t h[COMM_HEADER_BYTES], *half = body_of(HALF_BYTES, 'h');
    frame_header_pack(&(struct frame_header){ 2 * HALF_BYTES, 1, KIND_HOLD }, h);
    assert_int_equal(send(comm_client_fd(c), h, sizeof h, 0), (ssize_t)sizeof h);
    for (size_t at = 0; at < HALF_BYTES;) {
        ssize_t n = send(comm_client_fd(c), half + at, HALF_BYTES - at, MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN) { /* what the server does not read stays here */
            struct pollfd p = { comm_client_fd(c), POLLOUT, 0 };
            if (poll(&p, 1, 200) == 0)
                break;
            continue;
        }
        assert_true(n > 0);
        at += (size_t)n;
    }
    free(half);
}

/* halves of frames fill what a user may have; with the first of them gone the next goes on */
static void unfinished_frames_count_against_their_user(void **state)
{
    struct fixture *t = *state;
    struct comm_client *c[4];
    for (int i = 0; i < 4; i++) {
        c[i] = open_client(t);
        send_half(c[i]);
    }
    int unread = 0;
    assert_int_equal(ioctl(comm_client_fd(c[3]), SIOCOUTQ, &unread), 0);
    assert_true(unread > 0); /* the last was stopped */
    for (int i = 0; i < 3; i++)
        comm_client_close(c[i]);
    while (unread > 0) /* and goes on now: nothing is left with us */
        assert_int_equal(ioctl(comm_client_fd(c[3]), SIOCOUTQ, &unread), 0);
    comm_client_close(c[3]);
}

/* two connections that do not read make their user behind: a third, which reads, waits with them
 * until one has gone */
static void who_leaves_answers_unread_is_behind_everywhere(void **state)
{
    struct fixture *t = *state;
    struct comm_client *deaf = open_client(t), *other = open_client(t);
    expect_echo(other);
    uint64_t conn = t->last_conn;
    assert_true(comm_server_queued(t->served.server, conn) < COMM_LOW_WATER);
    comm_client_send(deaf, KIND_FLOOD, 1, NULL, 0);
    assert_int_equal(comm_client_flush(deaf, NULL), 0);
    while (comm_server_queued(t->served.server, conn) <= COMM_HIGH_WATER)
        assert_true(t->n_frames <= 2); /* until it has come */
    comm_client_close(deaf);
    wait_sem(&t->drained);
    assert_int_equal(comm_server_queued(t->served.server, conn), 0);
    comm_client_close(other);
}

/* asks for 4 MiB at a time and reads nothing: the server stops listening to it, and to nobody
 * else */
static void who_does_not_read_is_not_read_from(void **state)
{
    struct fixture *t = *state;
    struct comm_client *deaf = open_client(t), *other = open_client(t);
    for (uint32_t i = 0; i < 20; i++) {
        comm_client_send(deaf, KIND_FLOOD, i, NULL, 0);
        assert_int_equal(comm_client_flush(deaf, NULL), 0);
        expect_echo(other);
    }
    size_t most = COMM_HIGH_WATER + 2 * (size_t)FLOOD_FRAMES * (FLOOD_BYTES + COMM_HEADER_BYTES);
    assert_true(comm_server_queued(t->served.server, t->last_conn - 1) <= most);
    for (uint32_t i = 0; i < 20 * FLOOD_FRAMES; i++)
        free(expect_frame(deaf).body); /* once it reads it gets everything */
    comm_client_close(deaf);
    comm_client_close(other);
}

static void slow_reader_fills_the_queue_and_drains_it(void **state)
{
    struct fixture *t = *state;
    struct comm_client *slow = open_client(t);
    comm_client_send(slow, KIND_FLOOD, 0, NULL, 0);
    comm_client_send(slow, KIND_HOLD, 0, NULL, 0);
    assert_int_equal(comm_client_flush(slow, NULL), 0);
    wait_sem(&t->held);
    uint64_t conn = t->last_conn;
    assert_true(comm_server_queued(t->served.server, conn) > COMM_LOW_WATER);

    struct comm_client *other = open_client(t); /* nobody waits for the slow one */
    expect_echo(other);
    comm_client_close(other);

    for (uint32_t i = 0; i < FLOOD_FRAMES; i++) {
        struct frame f = expect_frame(slow);
        assert_int_equal(f.serial, i);
        assert_int_equal(f.len, FLOOD_BYTES);
        free(f.body);
    }
    wait_sem(&t->drained);
    expect_echo(slow);
    assert_int_equal(sem_trywait(&t->drained), -1);
    comm_client_close(slow);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_says_nothing_is_sent_away, start_narrow, stop),
        cmocka_unit_test_setup_teardown(no_user_takes_all_connections, start_narrow, stop),
        cmocka_unit_test_setup_teardown(the_privileged_get_in_when_it_is_full, start_narrow, stop),
        cmocka_unit_test_setup_teardown(a_frame_that_does_not_end_is_not_waited_for,
                                        start_impatient, stop),
        cmocka_unit_test_setup_teardown(who_asks_for_nothing_is_sent_away, start_impatient, stop),
        cmocka_unit_test_setup_teardown(a_host_has_a_limit_of_its_own, start_for_hosts, stop),
        cmocka_unit_test_setup_teardown(no_more_is_read_than_the_owner_gets_done, start_small,
                                        stop),
        cmocka_unit_test_setup_teardown(unfinished_frames_count_against_their_user, start_small,
                                        stop),
        cmocka_unit_test_setup_teardown(who_leaves_answers_unread_is_behind_everywhere, start_small,
                                        stop),
        SERVED(who_does_not_read_is_not_read_from),
        SERVED(slow_reader_fills_the_queue_and_drains_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

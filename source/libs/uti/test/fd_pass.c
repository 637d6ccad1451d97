/* Descriptors over a pair of sockets. */
#include "libs/uti/fd_pass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static void make_pair(int v[2])
{
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, v), 0);
}

static void close_pair(const int v[2])
{
    close(v[0]);
    close(v[1]);
}

static void a_descriptor_arrives_and_is_not_inherited(void **state)
{
    int ends[2], pipes[2], got;
    char byte = 0;
    (void)state;
    make_pair(ends);
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(fd_pass(ends[0], pipes, 1), 0);
    assert_int_equal(fd_receive(ends[1], &got, 1), 0);
    assert_int_equal(fcntl(got, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(write(pipes[1], "z", 1), 1);
    assert_int_equal(read(got, &byte, 1), 1);
    assert_int_equal(byte, 'z');
    close(got);
    close_pair(pipes);
    close_pair(ends);
}

/* if one stayed, the pipe would have a reader */
static void another_number_than_was_wanted_is_closed(void **state)
{
    int ends[2], pipes[2], got[FD_PASS_MOST];
    (void)state;
    make_pair(ends);
    for (unsigned sent = 1; sent <= FD_PASS_MOST; sent++) {
        assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
        const int fds[FD_PASS_MOST] = { pipes[0], pipes[0] };
        assert_int_equal(fd_pass(ends[0], fds, sent), 0);
        assert_int_equal(fd_receive(ends[1], got, FD_PASS_MOST + 1 - sent), -1);
        assert_int_equal(errno, EBADMSG);
        close(pipes[0]);
        struct pollfd no_reader = { .fd = pipes[1], .events = POLLOUT };
        assert_int_equal(poll(&no_reader, 1, 0), 1);
        assert_int_equal(no_reader.revents & POLLERR, POLLERR);
        close(pipes[1]);
    }
    close_pair(ends);
}

static void bytes_without_descriptors_are_refused_and_so_is_an_end(void **state)
{
    int ends[2], got;
    (void)state;
    make_pair(ends);
    assert_int_equal(send(ends[0], "q", 1, 0), 1);
    assert_int_equal(fd_receive(ends[1], &got, 1), -1);
    assert_int_equal(errno, EBADMSG);
    close(ends[0]);
    assert_int_equal(fd_receive(ends[1], &got, 1), -1);
    assert_int_equal(errno, EPIPE);
    assert_int_equal(fd_pass(ends[1], ends + 1, 1), -1);
    assert_int_equal(errno, EPIPE);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_descriptor_arrives_and_is_not_inherited),
        cmocka_unit_test(another_number_than_was_wanted_is_closed),
        cmocka_unit_test(bytes_without_descriptors_are_refused_and_so_is_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

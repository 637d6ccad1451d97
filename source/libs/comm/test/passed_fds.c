/* Descriptors that users pass over our unix sockets, on kernels that cannot refuse them: the
 * linker's wrap of os_refuse_descriptors plays such a kernel. */
#include "libs/comm/passed_fds.h"

#include <setjmp.h>
#include <stdarg.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/comm/client.h"
#include "libs/comm/test/fixture.h"
#include "libs/comm/unix_socket.h"
#include "libs/uti/alloc.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { LINGER_TIME_S = 30, SOON_MS = 3000, PROMPT_US = 1000000, BYTES = 64 };

static bool kernel_is_new;
int __real_os_refuse_descriptors(int fd);
int __wrap_os_refuse_descriptors(int fd);
int __wrap_os_refuse_descriptors(int fd)
{
    if (kernel_is_new)
        return __real_os_refuse_descriptors(fd);
    errno = ENOPROTOOPT;
    return -1;
}

/* ---- what is passed ---- */

struct passed { /* a TCP socket whose last close lingers, between two pipes */
    int fds[3], watched[2], sink;
};

static int lingering_socket(int *sink)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct linger linger = { 1, LINGER_TIME_S };
    socklen_t len = sizeof a;
    char zeros[BYTES * 1024] = { 0 };
    int small = 2048, listener = socket(AF_INET, SOCK_STREAM, 0);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&a, len), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&a, &len), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&a, len), 0);
    *sink = accept(listener, NULL, NULL);
    close(listener);
    assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    while (send(fd, zeros, sizeof zeros, 0) > 0)
        continue;
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger), 0);
    return fd;
}

static void passed_make(struct passed *p)
{
    int first[2], last[2];
    assert_int_equal(pipe2(first, O_CLOEXEC), 0);
    assert_int_equal(pipe2(last, O_CLOEXEC), 0);
    *p = (struct passed){ .watched = { first[0], last[0] } };
    p->fds[0] = first[1];
    p->fds[1] = lingering_socket(&p->sink);
    p->fds[2] = last[1];
}

/* send a byte with the descriptors; -1 with errno */
static ssize_t send_descriptors(const struct passed *p, int to, int flags)
{
    char byte = 'x';
    struct iovec v = { &byte, 1 };
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof p->fds)];
    } control = { .head = { .cmsg_len = CMSG_LEN(sizeof p->fds),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS } };
    struct msghdr m = { .msg_iov = &v,
                        .msg_iovlen = 1,
                        .msg_control = &control,
                        .msg_controllen = sizeof control.room };
    memcpy(CMSG_DATA(&control.head), p->fds, sizeof p->fds);
    return sendmsg(to, &m, flags | MSG_NOSIGNAL);
}

static void close_descriptors(const struct passed *p)
{
    for (size_t i = 0; i < ARRAY_LEN(p->fds); i++)
        close(p->fds[i]);
}

/* the same; afterwards only the queue has the descriptors, if nothing reads it meanwhile */
static ssize_t passed_send(const struct passed *p, int to, int flags)
{
    ssize_t n = send_descriptors(p, to, flags);
    int err = errno;
    if (n == 1)
        close_descriptors(p);
    errno = err;
    return n;
}

/* The same while a server reads the other end. The server may close them before the sender does,
 * whose close would then be the last, and linger: so a child that has the only copies sends them
 * and ends; a process that ends does not linger. */
static void passed_send_to_reader(const struct passed *p, int to)
{
    int go[2], status;
    char byte;
    assert_int_equal(pipe2(go, O_CLOEXEC), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(go[1]);
        _exit(read(go[0], &byte, 1) == 0 && send_descriptors(p, to, 0) == 1 ? 0 : 1);
    }
    close_descriptors(p);
    close(go[0]);
    close(go[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* all three are released long before the socket has lingered */
static void passed_are_gone_soon(struct passed *p)
{
    for (size_t i = 0; i < ARRAY_LEN(p->watched); i++) {
        struct pollfd end = { .fd = p->watched[i] };
        assert_int_equal(poll(&end, 1, SOON_MS), 1);
        assert_true(end.revents & POLLHUP);
        close(p->watched[i]);
    }
    close(p->sink);
}

/* ---- streams ---- */

struct scene {
    struct fd_closer *closer;
    struct stream stream;
    int user;
};

static struct scene scene_new(void)
{
    struct scene s = { .closer = fd_closer_new() };
    int ends[2];
    kernel_is_new = false;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    s.stream = stream_of_user(ends[0], s.closer);
    s.user = ends[1];
    return s;
}

static void scene_end(struct scene *s)
{
    stream_close(&s->stream);
    fd_closer_free(s->closer);
    if (s->user >= 0)
        close(s->user);
}

static ssize_t read_bytes(struct scene *s, char *to, size_t len)
{
    struct iovec halves[] = { { to, len / 2 }, { to + len / 2, len - len / 2 } };
    return stream_read(&s->stream, halves, ARRAY_LEN(halves));
}

static void bytes_alone_come_as_over_any_stream(void **state)
{
    struct scene s = scene_new();
    char in[BYTES];
    (void)state;
    assert_int_equal(read_bytes(&s, in, sizeof in), -1);
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(send(s.user, "abcdef", 6, 0), 6);
    assert_int_equal(send(s.user, "ghi", 3, 0), 3);
    assert_int_equal(read_bytes(&s, in, 4), 4);
    assert_int_equal(read_bytes(&s, in + 4, sizeof in - 4), 5);
    assert_memory_equal(in, "abcdefghi", 9);
    close(s.user);
    s.user = -1;
    assert_int_equal(read_bytes(&s, in, sizeof in), 0);
    scene_end(&s);
}

static void a_read_that_finds_a_descriptor_fails_and_says_why(void **state)
{
    struct scene s = scene_new();
    struct passed p;
    char in[BYTES];
    (void)state;
    passed_make(&p);
    assert_int_equal(send(s.user, "before", 6, 0), 6);
    assert_int_equal(passed_send(&p, s.user, 0), 1);
    for (int i = 0; i < 2; i++) { /* it does not go away by looking */
        assert_int_equal(read_bytes(&s, in, sizeof in), -1);
        assert_int_equal(errno, EPROTO);
    }
    assert_string_equal(stream_why(&s.stream, EPROTO), "it passed a file descriptor");
    scene_end(&s);
    passed_are_gone_soon(&p);
}

static void a_close_does_not_wait_for_what_was_passed(void **state)
{
    struct scene s = scene_new();
    struct passed p;
    (void)state;
    passed_make(&p);
    assert_int_equal(passed_send(&p, s.user, 0), 1);
    uint64_t begin_us = uti_mono_us();
    stream_close(&s.stream);
    assert_true(uti_mono_us() - begin_us < PROMPT_US);
    char byte;
    assert_true(recv(s.user, &byte, 1, 0) <= 0); /* the user sees the end at once */
    passed_are_gone_soon(&p);
    scene_end(&s);
}

static void many_are_closed_one_after_the_other(void **state)
{
    enum { MANY = 20 };
    struct scene scenes[MANY];
    struct passed p[MANY];
    (void)state;
    for (int i = 0; i < MANY; i++) {
        scenes[i] = scene_new();
        passed_make(&p[i]);
        assert_int_equal(passed_send(&p[i], scenes[i].user, 0), 1);
    }
    for (int i = 1; i < MANY; i++) { /* all by one closer, which goes before it is done */
        fd_closer_free(scenes[i].closer);
        scenes[i].closer = NULL;
        scenes[i].stream.inside = scenes[0].closer;
        scene_end(&scenes[i]);
    }
    scene_end(&scenes[0]);
    for (int i = 0; i < MANY; i++)
        passed_are_gone_soon(&p[i]);
}

static void a_byte_out_of_band_is_a_byte(void **state)
{
    struct scene s = scene_new();
    char in[BYTES], got[BYTES] = { 0 };
    size_t len = 0;
    ssize_t n;
    (void)state;
    assert_int_equal(send(s.user, "ab", 2, 0), 2);
    assert_int_equal(send(s.user, "c", 1, MSG_OOB), 1);
    assert_int_equal(send(s.user, "de", 2, 0), 2);
    while ((n = read_bytes(&s, in, sizeof in)) > 0) {
        memcpy(got + len, in, (size_t)n);
        len += (size_t)n;
    }
    assert_int_equal(errno, EAGAIN);
    assert_string_equal(got, "abcde");
    scene_end(&s);
}

static void a_descriptor_out_of_band_is_found_as_well(void **state)
{
    struct scene s = scene_new();
    struct passed p;
    char in[BYTES];
    (void)state;
    passed_make(&p);
    assert_int_equal(passed_send(&p, s.user, MSG_OOB), 1);
    assert_int_equal(read_bytes(&s, in, sizeof in), -1);
    assert_int_equal(errno, EPROTO);
    uint64_t begin_us = uti_mono_us();
    scene_end(&s);
    assert_true(uti_mono_us() - begin_us < PROMPT_US);
    passed_are_gone_soon(&p);
}

static void a_kernel_that_can_refuses_them(void **state)
{
    struct scene s = scene_new();
    struct passed p;
    char in[BYTES];
    (void)state;
    kernel_is_new = true;
    if (os_refuse_descriptors(s.stream.fd) != 0) {
        print_message("impossible here: the kernel refuses no descriptors\n");
        skip();
    }
    passed_make(&p);
    assert_int_equal(passed_send(&p, s.user, 0), -1);
    assert_int_equal(errno, EPERM);
    assert_int_equal(send(s.user, "abc", 3, 0), 3); /* the connection stands */
    assert_int_equal(read_bytes(&s, in, sizeof in), 3);
    for (size_t i = ARRAY_LEN(p.fds); i-- > 0;) {
        struct linger off = { 0, 0 };
        (void)setsockopt(p.fds[i], SOL_SOCKET, SO_LINGER, &off, sizeof off);
        close(p.fds[i]);
    }
    passed_are_gone_soon(&p);
    scene_end(&s);
}

/* ---- servers ---- */

static void those_who_were_not_accepted_hold_up_nobody(void **state)
{
    struct fd_closer *closer = fd_closer_new();
    struct passed p;
    char dir[] = "/tmp/passed_fds.XXXXXX", path[BYTES];
    (void)state;
    kernel_is_new = false;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/socket", dir);
    int listener = unix_listen(path, 0600), user = unix_connect(path, 1000);
    assert_true(listener >= 0 && user >= 0);
    passed_make(&p);
    assert_int_equal(passed_send(&p, user, 0), 1);
    uint64_t begin_us = uti_mono_us();
    fd_closer_close_listener(closer, listener);
    assert_true(uti_mono_us() - begin_us < PROMPT_US);
    passed_are_gone_soon(&p);
    fd_closer_free(closer);
    close(user);
    unlink(path);
    rmdir(dir);
}

static void a_server_ends_the_connection_and_serves_the_others(void **state)
{
    struct passed p;
    kernel_is_new = false;
    assert_int_equal(start(state), 0);
    struct fixture *t = *state;
    struct comm_client *other = open_client(t);
    int user = unix_connect(t->path, 1000);
    passed_make(&p);
    passed_send_to_reader(&p, user);
    uint64_t begin_us = uti_mono_us();
    char byte;
    assert_true(recv(user, &byte, 1, 0) <= 0);
    expect_echo(other);
    assert_true(uti_mono_us() - begin_us < PROMPT_US);
    assert_string_equal(t->why, "it passed a file descriptor");
    passed_are_gone_soon(&p);
    expect_echoes(t);
    close(user);
    comm_client_close(other);
    stop(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_alone_come_as_over_any_stream),
        cmocka_unit_test(a_read_that_finds_a_descriptor_fails_and_says_why),
        cmocka_unit_test(a_close_does_not_wait_for_what_was_passed),
        cmocka_unit_test(many_are_closed_one_after_the_other),
        cmocka_unit_test(a_byte_out_of_band_is_a_byte),
        cmocka_unit_test(a_descriptor_out_of_band_is_found_as_well),
        cmocka_unit_test(a_kernel_that_can_refuses_them),
        cmocka_unit_test(those_who_were_not_accepted_hold_up_nobody),
        cmocka_unit_test(a_server_ends_the_connection_and_serves_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Sessions between hosts over plain connections: what travels to the other host and what comes out
 * there, who is refused, and how much is carried at a time. Both hosts are this process. */
#include "daemons/execd/host/session_relay.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/comm/stream.h"
#include "libs/comm/tcp.h"
#include "libs/task/session_frame.h"
#include "libs/uti/answer.h"

enum { FRAME_MOST = SESSION_HEADER_BYTES + SESSION_HELLO_MOST };

struct hosts {
    struct loop *loop;
    struct session_relay *relay;
    pthread_t thread;
    int came[2]; /* a pair: what has come is sent to the test */
};

struct arrived { /* from the loop to the test */
    int fd;
    uid_t uid;
    bool is_relayed;
    char from[16]; /* "": a user */
    uint8_t bytes[FRAME_MOST];
    size_t n;
};

/* ---- streams whose other end is "localhost", or a user ---- */

static _Atomic bool comes_as_user;

static struct stream_peer peer_of(const struct stream *s)
{
    (void)s;
    if (comes_as_user)
        return (struct stream_peer){ .user = "alice", .uid = 4711, .gid = 100 };
    return (struct stream_peer){ .host = "localhost" };
}

static ssize_t form_read(struct stream *s, const struct iovec *v, int n)
{
    return readv(s->fd, v, n);
}

static void form_close(struct stream *s)
{
    close(s->fd);
}

/* while this holds, hosts that are connected to say nothing */
static _Atomic bool is_silent;
static int silent_fds[SESSION_RELAYS_MOST];
static int n_silent; /* of the thread of the relay, while it runs */

static int form_greet(struct stream *s)
{
    (void)s;
    return is_silent ? 0 : 1;
}

static const struct stream_form plain_form = { .read = form_read,
                                               .write = stream_unix_write,
                                               .close = form_close,
                                               .greet = form_greet,
                                               .peer = peer_of };

static struct stream make_plain(void *ctx, int fd)
{
    (void)ctx;
    return (struct stream){
        .form = &plain_form, .fd = fd, .read_wants = STREAM_READABLE, .write_wants = STREAM_WRITABLE
    };
}

static struct stream dial_plain(void *ctx, int fd)
{
    int fds[2];
    if (!is_silent)
        return make_plain(ctx, fd);
    close(fd);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds), 0);
    silent_fds[n_silent++] = fds[1];
    return make_plain(ctx, fds[0]);
}

static void on_came(void *ctx, int fd, const struct session_first *first)
{
    const struct hosts *h = ctx;
    struct arrived a = {
        .fd = fd, .uid = first->uid, .is_relayed = first->is_relayed, .n = first->n
    };
    if (first->from != NULL)
        strncpy(a.from, first->from, sizeof a.from - 1);
    memcpy(a.bytes, first->bytes, first->n);
    assert_int_equal(write(h->came[1], &a, sizeof a), sizeof a);
}

static void on_woken(void *ctx)
{
    (void)ctx;
}

static const struct session_relay_ops ops = {
    .came = on_came, .accept = make_plain, .dial = dial_plain, .woken = on_woken
};

static void *run_loop(void *loop)
{
    (void)loop_run(loop);
    return NULL;
}

static int set_up(void **state)
{
    const struct timeval most = { .tv_sec = 20 };
    struct hosts *h = calloc(1, sizeof *h);
    struct answer ans = ANSWER_INIT;
    comes_as_user = is_silent = false;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, h->came), 0);
    assert_int_equal(setsockopt(h->came[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most), 0);
    h->loop = loop_new(NULL);
    h->relay = session_relay_new(h->loop, 0, &ops, h, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    assert_int_equal(pthread_create(&h->thread, NULL, run_loop, h->loop), 0);
    *state = h;
    return 0;
}

static int tear_down(void **state)
{
    struct hosts *h = *state;
    loop_stop(h->loop);
    pthread_join(h->thread, NULL);
    session_relay_free(h->relay);
    while (n_silent > 0)
        close(silent_fds[--n_silent]);
    loop_free(h->loop);
    close(h->came[0]);
    close(h->came[1]);
    free(h);
    return 0;
}

/* ---- a client here ---- */

static size_t client_frame(uint8_t *out)
{
    const char *const texts[] = { "localhost", "1.1", "secret" };
    return session_hello(SESSION_CLIENT, texts, 3, out);
}

/* the client's end of a session that UID sends to HOST; -1, with *MOST: it is refused */
static int send_client(const struct hosts *h, uid_t uid, const char *host, unsigned *most)
{
    const struct timeval limit = { .tv_sec = 20 };
    uint8_t frame[FRAME_MOST];
    int fds[2];
    struct session_first first = { .uid = uid, .bytes = frame, .n = client_frame(frame) };
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    assert_int_equal(setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
    assert_int_equal(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
    struct stream near = stream_unix(fds[1]);
    *most = 0;
    if (session_relay_send(h->relay, &near, &first, host, most))
        return fds[0];
    stream_close(&near);
    close(fds[0]);
    return -1;
}

static void what_a_client_sends_comes_out_at_the_other_host(void **state)
{
    const struct hosts *h = *state;
    uint8_t frame[FRAME_MOST];
    struct arrived a;
    char byte = 0;
    unsigned most;
    int client = send_client(h, 4711, "localhost", &most);
    assert_int_equal(recv(h->came[0], &a, sizeof a, MSG_WAITALL), sizeof a);
    assert_int_equal(a.uid, 4711);
    assert_true(a.is_relayed);
    assert_string_equal(a.from, "localhost");
    assert_int_equal(a.n, client_frame(frame));
    assert_memory_equal(a.bytes, frame, a.n);
    assert_int_equal(send(client, "e", 1, MSG_NOSIGNAL), 1);
    while (recv(a.fd, &byte, 1, 0) < 0 && errno == EAGAIN)
        ;
    assert_int_equal(byte, 'e');
    assert_int_equal(send(a.fd, "z", 1, MSG_NOSIGNAL), 1);
    assert_int_equal(recv(client, &byte, 1, 0), 1);
    assert_int_equal(byte, 'z');
    close(a.fd); /* the task's side ends: the client sees it */
    assert_int_equal(recv(client, &byte, 1, 0), 0);
    close(client);
}

static void a_user_with_a_certificate_is_named_by_it_alone(void **state)
{
    const struct hosts *h = *state;
    struct arrived a;
    unsigned most;
    comes_as_user = true;
    /* the other end is a user, too: it is the wrong one for a client, which is told so */
    int client = send_client(h, 0, "localhost", &most);
    char text[SESSION_HEADER_BYTES + SESSION_TEXT_MOST + 1] = { 0 };
    assert_true(recv(client, text, sizeof text - 1, 0) > SESSION_HEADER_BYTES);
    assert_int_equal(text[0], SESSION_REFUSED);
    assert_string_equal(text + SESSION_HEADER_BYTES,
                        "cannot reach the execution daemon of localhost: the certificate there is "
                        "that of alice");
    close(client);
    /* one who comes by a certificate: the first frame is the first, whatever it names */
    struct tcp_place *place = tcp_place_new("127.0.0.1", session_relay_port(h->relay));
    const char *why = NULL;
    int fd;
    while ((fd = tcp_place_connect(place, &why)) < 0)
        assert_null(why);
    uint8_t frame[FRAME_MOST];
    size_t n = client_frame(frame);
    while (send(fd, frame, n, MSG_NOSIGNAL) < 0)
        assert_true(errno == EAGAIN || errno == ENOTCONN);
    assert_int_equal(recv(h->came[0], &a, sizeof a, MSG_WAITALL), sizeof a);
    assert_int_equal(a.uid, 4711);
    assert_string_equal(a.from, "");
    assert_true(a.is_relayed);
    close(a.fd);
    close(fd);
    tcp_place_free(place);
}

static void no_user_has_more_than_a_share(void **state)
{
    const struct hosts *h = *state;
    is_silent = true;
    static int fds[SESSION_RELAYS_OF_USER];
    unsigned most;
    for (int i = 0; i < SESSION_RELAYS_OF_USER; i++)
        assert_true((fds[i] = send_client(h, 4711, "localhost", &most)) >= 0);
    assert_int_equal(send_client(h, 4711, "localhost", &most), -1);
    assert_int_equal(most, SESSION_RELAYS_OF_USER);
    int other = send_client(h, 4712, "localhost", &most);
    assert_true(other >= 0);
    close(other);
    for (int i = 0; i < SESSION_RELAYS_OF_USER; i++)
        close(fds[i]);
}

int main(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(what_a_client_sends_comes_out_at_the_other_host),
        T(a_user_with_a_certificate_is_named_by_it_alone),
        T(no_user_has_more_than_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A plain client's blocking connection. libc alone. What is sent waits in `out` so that several
 * frames leave in one write; what comes is cut by a frame_reader out of `scratch`.
 * Invariant: `in` is the part of scratch not looked at yet. */
#include "libs/comm/client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "libs/comm/frame_priv.h"
#include "libs/comm/msg_comm.h"
#include "libs/comm/unix_socket.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

enum { SCRATCH_BYTES = 16 * 1024 };

struct comm_client {
    struct stream stream;
    int stop_fd; /* -1: none */
    struct dstr out;
    struct frame_reader reader;
    struct byte_span in;
    uint8_t scratch[SCRATCH_BYTES];
};

/* as ans_sys, with STATUS_ENOCONN */
static int fail_lost(struct answer *ans, int err, const char *text)
{
    struct answer sys = ANSWER_INIT;
    ans_sys(&sys, err, "%s", text);
    ans_fail(ans, STATUS_ENOCONN, "%s", ans_first_error(&sys));
    ans_free(&sys);
    return -1;
}

static void client_begin(struct comm_client *c, const struct stream *stream)
{
    c->stream = *stream;
    c->stop_fd = -1;
    c->out = (struct dstr)DSTR_INIT;
    c->reader = (struct frame_reader){ 0 };
    c->in = (struct byte_span){ c->scratch, 0 };
}

struct comm_client *comm_client_open(const char *path, int timeout_ms, struct answer *ans)
{
    struct comm_client *c = uti_alloc(sizeof *c); /* first: a descriptor would be lost with it */
    int fd = unix_connect(path, timeout_ms != 0 ? timeout_ms : 1);
    if (fd < 0) {
        free(c);
        ans_fail(ans, STATUS_ENOCONN, "%s", strerror(errno == EAGAIN ? ETIMEDOUT : errno));
        return NULL;
    }
    struct stream stream = stream_unix(fd);
    client_begin(c, &stream);
    return c;
}

void comm_client_close(struct comm_client *c)
{
    if (c == NULL)
        return;
    stream_close(&c->stream);
    dstr_free(&c->out);
    frame_reader_free(&c->reader);
    free(c);
}

void comm_client_send(struct comm_client *c, uint8_t kind, uint32_t serial, const void *body,
                      size_t len)
{
    uint8_t header[COMM_HEADER_BYTES];
    struct frame_header h = { .len = (uint32_t)len, .serial = serial, .kind = kind };
    frame_header_pack(&h, header);
    dstr_addn(&c->out, (const char *)header, sizeof header);
    dstr_addn(&c->out, body, len);
}

enum { WAIT_STOPPED = 2 };

/* wait until FD is what a stream WANTS; 1, 0 on timeout, WAIT_STOPPED when STOP_FD (-1: none) is
 * readable first, -1 with errno. TIMEOUT_MS < 0: for ever */
static int wait_for(int fd, enum stream_want wants, int stop_fd, int timeout_ms)
{
    short what = wants == STREAM_WRITABLE ? POLLOUT : POLLIN;
    uint64_t until_us = uti_mono_us() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * 1000;
    for (;;) {
        struct pollfd p[] = { { .fd = fd, .events = what }, { .fd = stop_fd, .events = POLLIN } };
        int n = poll(p, ARRAY_LEN(p), timeout_ms);
        if (n > 0)
            return p[0].revents != 0 ? 1 : WAIT_STOPPED;
        if (n == 0 || errno != EINTR)
            return n;
        uint64_t now_us = uti_mono_us();
        if (timeout_ms >= 0)
            timeout_ms = now_us < until_us ? (int)((until_us - now_us) / 1000) : 0;
    }
}

/* until the stream has greeted; 0, or -1 with errno */
static int greet_within(struct comm_client *c, int timeout_ms)
{
    int rc, ready = 1;
    while ((rc = stream_greet(&c->stream)) == 0 && ready == 1)
        ready = wait_for(c->stream.fd, c->stream.read_wants, -1, timeout_ms);
    if (rc == 0 && ready == 0)
        errno = ETIMEDOUT;
    return rc > 0 ? 0 : -1;
}

struct comm_client *comm_client_over(struct stream *stream, int timeout_ms, struct answer *ans)
{
    struct comm_client *c = uti_alloc(sizeof *c);
    client_begin(c, stream);
    if (greet_within(c, timeout_ms) == 0)
        return c;
    int err = errno;
    const char *why = stream_why(&c->stream, err);
    ans_fail(ans, STATUS_ENOCONN, "%s", why != NULL ? why : strerror(err));
    comm_client_close(c);
    return NULL;
}

int comm_client_flush(struct comm_client *c, struct answer *ans)
{
    size_t at = 0;
    while (at < c->out.len) {
        struct iovec rest = { c->out.s + at, c->out.len - at };
        ssize_t n = stream_write(&c->stream, &rest, 1);
        if (n >= 0)
            at += (size_t)n;
        /* the time limit set for connecting holds for writes too */
        else if (errno != EAGAIN || wait_for(c->stream.fd, c->stream.write_wants, -1, -1) <= 0)
            return fail_lost(ans, errno, MSG_COMM_SEND);
    }
    dstr_clear(&c->out);
    return 0;
}

/* 1 with bytes in c->in, 0 on timeout or when stop_fd is readable, -1 with ans */
static int receive_bytes(struct comm_client *c, int timeout_ms, struct answer *ans)
{
    struct stream *s = &c->stream;
    if ((timeout_ms >= 0 || c->stop_fd >= 0) && !s->has_more) {
        int ready = wait_for(s->fd, s->read_wants, c->stop_fd, timeout_ms);
        if (ready < 0)
            return fail_lost(ans, errno, MSG_COMM_RECEIVE);
        if (ready == 0 || ready == WAIT_STOPPED)
            return 0;
    }
    bool is_all;
    ssize_t n = frame_reader_recv(&c->reader, s, c->scratch, SCRATCH_BYTES, &c->in, &is_all);
    if (n < 0)
        return fail_lost(ans, errno, MSG_COMM_RECEIVE);
    if (n == 0)
        return ans_fail(ans, STATUS_ENOCONN, MSG_COMM_CLOSED);
    return 1;
}

/* The other side has hung up on what we write. Has it said something before? */
static bool has_last_words(struct comm_client *c)
{
    bool is_all;
    dstr_clear(&c->out);
    return c->in.left > 0 || (wait_for(c->stream.fd, c->stream.read_wants, -1, 0) == 1 &&
                              frame_reader_recv(&c->reader, &c->stream, c->scratch, SCRATCH_BYTES,
                                                &c->in, &is_all) > 0);
}

static int flush_or_hear(struct comm_client *c, struct answer *ans)
{
    struct answer why = ANSWER_INIT;
    int rc = comm_client_flush(c, &why);
    if (rc != 0 && has_last_words(c))
        rc = 0;
    else
        ans_move(ans, &why);
    ans_free(&why);
    return rc;
}

int comm_client_recv(struct comm_client *c, int timeout_ms, struct frame *out, struct answer *ans)
{
    if (flush_or_hear(c, ans) != 0)
        return -1;
    uint64_t until_us = uti_mono_us() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * 1000;
    for (;;) {
        int rc = frame_reader_next(&c->reader, &c->in, out);
        if (rc < 0)
            return ans_fail(ans, STATUS_EPROTO, MSG_COMM_BAD_FRAME);
        if (rc > 0)
            return 1;
        rc = receive_bytes(c, timeout_ms, ans);
        if (rc <= 0)
            return rc;
        uint64_t now_us = uti_mono_us();
        if (timeout_ms >= 0)
            timeout_ms = now_us < until_us ? (int)((until_us - now_us) / 1000) : 0;
    }
}

void comm_client_stop_on(struct comm_client *c, int fd)
{
    c->stop_fd = fd;
}

int comm_client_fd(const struct comm_client *c)
{
    return c->stream.fd;
}

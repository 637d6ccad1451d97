/* Bytes in two directions. Invariant: a flow that has bytes is not read into, so that whoever does
 * not read is not read for; one that is over gets no more, and ends the pump once it is empty. */
#include "clients/sge_tunnel/pump.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

struct flow {
    uint8_t bytes[PUMP_BYTES];
    size_t at, end;
    bool is_over; /* nothing more comes */
};

static bool is_empty(const struct flow *f)
{
    return f->at == f->end;
}

static bool may_fill(const struct flow *f)
{
    return is_empty(f) && !f->is_over;
}

/* what a read into F has come to */
static void note_read(struct flow *f, ssize_t n)
{
    if (n > 0) {
        f->at = 0;
        f->end = (size_t)n;
    } else if (n == 0 || errno != EAGAIN) {
        f->is_over = true;
    }
}

/* what a write from F has come to; who takes no more ends the pump */
static void note_write(struct flow *f, ssize_t n)
{
    if (n >= 0) {
        f->at += (size_t)n;
    } else if (errno != EAGAIN) {
        f->at = f->end;
        f->is_over = true;
    }
}

static ssize_t send_part(int client, const struct flow *f)
{
    ssize_t n;
    do
        n = send(client, f->bytes + f->at, f->end - f->at, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    return n;
}

static ssize_t receive_part(int client, struct flow *f)
{
    ssize_t n;
    do
        n = recv(client, f->bytes, sizeof f->bytes, MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    return n;
}

/* as far as both ends let us without waiting */
static void carry_up(int client, struct stream *qmaster, struct flow *f)
{
    if (may_fill(f))
        note_read(f, receive_part(client, f));
    struct iovec rest = { f->bytes + f->at, f->end - f->at };
    if (!is_empty(f))
        note_write(f, stream_write(qmaster, &rest, 1));
}

static void carry_down(int client, struct stream *qmaster, struct flow *f)
{
    struct iovec room = { f->bytes, sizeof f->bytes };
    if (may_fill(f))
        note_read(f, stream_read(qmaster, &room, 1));
    if (!is_empty(f))
        note_write(f, send_part(client, f));
}

static short events_of(enum stream_want want)
{
    return want == STREAM_WRITABLE ? POLLOUT : POLLIN;
}

static bool is_done(const struct flow *f)
{
    return f->is_over && is_empty(f);
}

void pump_run(int client, struct stream *qmaster)
{
    struct flow up = { .is_over = false }, down = { .is_over = false };
    while (!is_done(&up) && !is_done(&down)) {
        struct pollfd p[] = { { .fd = client }, { .fd = qmaster->fd } };
        p[0].events |= may_fill(&up) ? POLLIN : 0;
        p[0].events |= !is_empty(&down) ? POLLOUT : 0;
        p[1].events |= may_fill(&down) ? events_of(qmaster->read_wants) : 0;
        p[1].events |= !is_empty(&up) ? events_of(qmaster->write_wants) : 0;
        if (poll(p, 2, qmaster->has_more && may_fill(&down) ? 0 : -1) < 0 && errno != EINTR)
            return;
        carry_up(client, qmaster, &up);
        carry_down(client, qmaster, &down);
    }
}

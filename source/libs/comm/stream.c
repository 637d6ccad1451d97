/* Streams, and the unix form, which waits for itself alone: a read for readable, a write for
 * writable. */
#include "libs/comm/stream.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static ssize_t unix_read(struct stream *s, const struct iovec *v, int n)
{
    return readv(s->fd, v, n);
}

ssize_t stream_unix_write(struct stream *s, const struct iovec *v, int n)
{
    struct msghdr m = { .msg_iov = (struct iovec *)v, .msg_iovlen = (size_t)n };
    return sendmsg(s->fd, &m, MSG_NOSIGNAL);
}

static void unix_close(struct stream *s)
{
    close(s->fd);
}

static const struct stream_form unix_form = { .read = unix_read,
                                              .write = stream_unix_write,
                                              .close = unix_close };

struct stream stream_unix(int fd)
{
    return (struct stream){
        .form = &unix_form,
        .fd = fd,
        .read_wants = STREAM_READABLE,
        .write_wants = STREAM_WRITABLE,
    };
}

bool stream_is_open(const struct stream *s)
{
    return s->fd != -1;
}

ssize_t stream_read(struct stream *s, const struct iovec *v, int n)
{
    ssize_t got;
    do
        got = s->form->read(s, v, n);
    while (got < 0 && errno == EINTR);
    return got;
}

ssize_t stream_write(struct stream *s, const struct iovec *v, int n)
{
    ssize_t sent;
    do
        sent = s->form->write(s, v, n);
    while (sent < 0 && errno == EINTR);
    return sent;
}

int stream_greet(struct stream *s)
{
    return s->form->greet != NULL ? s->form->greet(s) : 1;
}

struct stream_peer stream_peer(const struct stream *s)
{
    return s->form->peer != NULL ? s->form->peer(s) : (struct stream_peer){ .host = NULL };
}

const char *stream_why(const struct stream *s, int err)
{
    return s->form->why != NULL && err == EPROTO ? s->form->why(s) : NULL;
}

bool stream_holds(struct stream *s)
{
    return s->form->holds == NULL || s->form->holds(s);
}

void stream_close(struct stream *s)
{
    if (!stream_is_open(s))
        return;
    s->form->close(s);
    *s = (struct stream)STREAM_CLOSED;
}

#ifndef COMM_STREAM_H
#define COMM_STREAM_H

#include <sys/types.h>
#include <sys/uio.h>

#include "common/basis.h"

/* What carries the bytes of a connection, for rooms that carry them: the unix socket is one form,
 * TLS (libs/tls) another. A form may talk to its other end before and between the bytes; code that
 * uses a stream waits for what it says it wants. libc alone. */
struct stream;
struct stream_peer { /* a host, or a user; both names NULL: unknown. Borrowed from the stream */
    const char *host;
    const char *user; /* with these ids on the server's host */
    uid_t uid;
    gid_t gid;
};
struct stream_form {
    /* read, write - as readv and writev, without SIGPIPE. -1 with EAGAIN: not now, and read_wants
     * or write_wants says when */
    ssize_t (*read)(struct stream *s, const struct iovec *v, int n);
    ssize_t (*write)(struct stream *s, const struct iovec *v, int n);
    /* also what `inside` points at; the descriptor too */
    void (*close)(struct stream *s);
    /* what comes before the bytes: 1 when both ends know each other, 0: not yet, read_wants says
     * when to call it again, -1 with errno: they never will. NULL: nothing comes before them */
    int (*greet)(struct stream *s);
    /* who the other end has proved to be; NULL: the form proves nothing */
    struct stream_peer (*peer)(const struct stream *s);
    /* why something failed with EPROTO, borrowed; NULL: the form never fails so */
    const char *(*why)(const struct stream *s);
    /* does what the other end has proved still hold? false: `why` says why not. NULL: it always
     * does */
    bool (*holds)(struct stream *s);
};
/* what the descriptor must be before it is worth trying again */
enum stream_want { STREAM_READABLE = 1, STREAM_WRITABLE = 2 };
struct stream {
    const struct stream_form *form;
    int fd; /* to be polled; -1: closed, STREAM_NO_FD: there is nothing to poll */
    enum stream_want read_wants, write_wants;
    bool has_more; /* a read would find bytes that have come already: no event will report them */
    void *inside;  /* the form's own */
};
/* of a stream without a descriptor: its form wakes waiters */
enum { STREAM_NO_FD = -2 };
#define STREAM_CLOSED                                                                              \
    {                                                                                              \
        NULL, -1, STREAM_READABLE, STREAM_WRITABLE, false, NULL                                    \
    }

/* stream_unix - over FD, taken: a connected unix socket, blocking or not. Its reads block as the
 * descriptor does, its writes too. */
struct stream stream_unix(int fd);
/* stream_unix_write - its form's write, for forms that differ in reading alone */
ssize_t stream_unix_write(struct stream *s, const struct iovec *v, int n);
/* stream_is_open - is there something that carries bytes? */
bool stream_is_open(const struct stream *s);
/* stream_read, stream_write - the form's, again after a signal. Bytes, 0 (read: the other end has
 * closed), or -1 with errno. */
ssize_t stream_read(struct stream *s, const struct iovec *v, int n);
ssize_t stream_write(struct stream *s, const struct iovec *v, int n);
/* stream_greet - the form's; 1 at once if nothing comes before the bytes */
int stream_greet(struct stream *s);
/* stream_peer - the proved identity of the peer; unknown before it has greeted */
struct stream_peer stream_peer(const struct stream *s);
/* stream_why - what the form has to say of an error ERR, borrowed; NULL: what the system says */
const char *stream_why(const struct stream *s, int err);
/* stream_holds - the form's: may the other end still be believed? Cheap. */
bool stream_holds(struct stream *s);
/* stream_close - closed afterwards; nothing happens if it is */
void stream_close(struct stream *s);

#endif

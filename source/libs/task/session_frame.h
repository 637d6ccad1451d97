#ifndef TASK_SESSION_FRAME_H
#define TASK_SESSION_FRAME_H

#include <stddef.h>

#include "common/basis.h"

/* The session of an interactive task: the bytes between its client (qrsh, qlogin) and its shepherd,
 * as frames over one connection. Both ends connect to the execution daemon of their host. That of
 * the task's host compares what they say of each other, and then has no part in a session on one
 * host: the shepherd gets the client's descriptor. That of another host passes the client's first
 * frame on as it is, behind a SESSION_USER, and then what follows, both ways. A frame is a kind,
 * the length of its data, and the data. libc alone. */
enum session_kind {
    /* to the execd, the first frame of a connection; texts, each with its end */
    SESSION_CLIENT = 1, /* host, task (as task_key.h writes it), secret */
    SESSION_TASK = 2,   /* task, digest of the secret, user id of the owner */
    /* to the client */
    SESSION_REFUSED = 3, /* by an execd: why */
    SESSION_READY = 4,   /* the command begins */
    SESSION_STDOUT = 5,
    SESSION_STDERR = 6,
    SESSION_EXIT = 7, /* u32be exit status; behind it why it could not be started, if it was not */
    /* to the shepherd */
    SESSION_STDIN = 8,  /* without data: its end */
    SESSION_WINDOW = 9, /* u16be rows, columns, width, height of the client's terminal */
    /* from the execd of one host to that of another, once, before a first frame */
    SESSION_USER = 10, /* user id, as a text, that the kernel has for who sent that frame */
    /* of a task with a configured daemon, to the client, in place of SESSION_READY: texts: port of
     * the daemon, program that starts the command, TMPDIR */
    SESSION_DAEMON = 11,
    /* to the client: an IPv6 address, which may hold one of IPv4, and u16be port, from which
     * something has connected to that port. To the shepherd: one byte, 1: the client's command,
     * 0: something else */
    SESSION_PEER = 12,
    SESSION_PEER_IS = 13,
    /* a petask of a parallel task: a process of the task asks for it, and is its client */
    SESSION_PETASK = 14,         /* to the execd, first: host, task, secret, enum petask_flag */
    SESSION_PETASK_REQUEST = 15, /* behind it: pieces of a request; without data: its end */
    SESSION_PETASK_STARTED = 16, /* to the client: the name of the petask */
    SESSION_KINDS
};
enum {
    SESSION_HEADER_BYTES = 5,
    SESSION_DATA_MOST = 64 * 1024,
    SESSION_HELLO_MOST = 1024, /* of the first frame */
    SESSION_TEXT_MOST = 1024,  /* of SESSION_REFUSED and SESSION_EXIT */
    SESSION_WINDOW_BYTES = 8,
    SESSION_PEER_BYTES = 18,
    SESSION_CLIENT_MS = 60000,        /* a task whose client has not come by then ends */
    PETASK_REQUEST_MOST = 512 * 1024, /* all pieces together */
    PETASK_TEXTS_MOST = 8192          /* words and variables */
};
enum petask_flag { PETASK_IS_TERMINAL = 1, PETASK_HAS_NO_SHELL = 2 };
struct session_frame {
    enum session_kind kind;
    const uint8_t *data; /* borrowed from the reader */
    size_t len;
};

/* session_header_pack - LEN: of the data
 * session_header_unpack - returns 0, or -1 if it is no header, or its data are longer than MOST */
void session_header_pack(enum session_kind kind, size_t len, uint8_t out[SESSION_HEADER_BYTES]);
int session_header_unpack(const uint8_t in[SESSION_HEADER_BYTES], size_t most,
                          struct session_frame *out);

/* What comes in: one frame and the beginning of the next. */
struct session_reader {
    uint8_t *bytes; /* owned */
    size_t n, taken;
};
void session_reader_init(struct session_reader *r);
void session_reader_free(struct session_reader *r);
/* session_reader_fill - read what FD has, as far as there is room
 * Returns 1: something came, 0: not now (EAGAIN), -1: the connection has ended. */
int session_reader_fill(struct session_reader *r, int fd);
/* session_reader_next - is a whole frame there? 1 with OUT, good until the next call; 0: not yet;
 * -1: those are no frames */
int session_reader_next(struct session_reader *r, struct session_frame *out);

/* What goes out: one frame. */
struct session_writer {
    uint8_t *bytes; /* owned */
    size_t n, at;
};
void session_writer_init(struct session_writer *w);
void session_writer_free(struct session_writer *w);
bool session_writer_is_empty(const struct session_writer *w);
/* session_writer_room - where SESSION_DATA_MOST bytes of data may be put, of an empty writer
 * session_writer_put - a frame of the first LEN bytes there */
uint8_t *session_writer_room(struct session_writer *w);
void session_writer_put(struct session_writer *w, enum session_kind kind, size_t len);
/* session_writer_flush - returns 1 when all of it is written, 0: not now, -1: the connection has
 * ended */
int session_writer_flush(struct session_writer *w, int fd);

/* session_hello - a first frame of KIND with the N texts; returns its bytes in OUT, 0 if they are
 * too long
 * session_hello_texts - the N texts of the data of such a frame, borrowed; false if there are not
 * exactly so many */
size_t session_hello(enum session_kind kind, const char *const *texts, unsigned n,
                     uint8_t out[SESSION_HEADER_BYTES + SESSION_HELLO_MOST]);
bool session_hello_texts(const uint8_t *data, size_t len, const char **texts, unsigned n);

/* What SESSION_PETASK_REQUEST holds: texts, each with its end: the directory (empty: that of the
 * task), how many words the command has, those, and then variables as NAME=VALUE. */
struct petask_request { /* borrowed from the bytes it was read from */
    const char *directory;
    const char **words;     /* owned: n_words of them, at least one */
    const char **variables; /* owned: n_variables of them */
    uint32_t n_words, n_variables;
};
/* petask_request_read - of the LEN bytes DATA; false if they are no request, and REQUEST is empty
 * petask_request_free - REQUEST is empty afterwards */
bool petask_request_read(struct petask_request *request, const char *data, size_t len);
void petask_request_free(struct petask_request *request);

#endif

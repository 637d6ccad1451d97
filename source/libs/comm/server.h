#ifndef COMM_SERVER_H
#define COMM_SERVER_H

#include <sys/types.h>

#include "libs/comm/frame.h"
#include "libs/comm/peer.h"
#include "libs/comm/stream.h"
#include "libs/comm/tcp.h"

/* The listening side: many connections on one loop in a network thread of its own. It hands on
 * whole frames as they come; any thread may send. No call blocks. */
struct answer;
struct loop;
struct comm_server;

struct comm_server_ops { /* called on the network thread, but refused() also on that of arrivals */
    void (*opened)(void *ctx, uint64_t conn, const struct comm_peer *peer);
    void (*frame)(void *ctx, uint64_t conn, struct frame *f); /* body is taken */
    void (*idle)(void *ctx); /* after a burst of frames has been handed over: wake the core once */
    /* by the peer, an error or comm_server_close; the last call for CONN */
    void (*closed)(void *ctx, uint64_t conn);
    /* what was queued is below COMM_LOW_WATER again, or its user no longer behind */
    void (*drained)(void *ctx, uint64_t conn);
    /* the server ends the connection of PEER for what it did, or because what it has proved holds
     * no more (stream_holds), WHY (borrowed); closed() follows if
     * opened() was called. NULL: ignored. Of a peer that comes over TCP and has proved nothing
     * it is called on the thread of arrivals. */
    void (*refused)(void *ctx, const struct comm_peer *peer, const char *why);
    /* may PEER have connections beyond its user's and everybody's share? NULL: none may */
    bool (*is_privileged)(void *ctx, const struct comm_peer *peer);
    /* how long a body of KIND from PEER may be; NULL: COMM_BODY_MAX */
    uint32_t (*frame_most)(void *ctx, const struct comm_peer *peer, uint8_t kind);
    /* the kind of a frame whose body is WHY, the last frame to a connection for which there
     * is no room; 0: it is ended without a word */
    uint8_t refusal_kind;
    /* hosts relay connections of their users (relay.h): each is one more connection, with limits of
     * its own. What a host says of its users is as true as the host is honest. */
    bool takes_lines;
};
/* The server does not read a connection with more than COMM_HIGH_WATER queued until it has drained:
 * a client that asks and does not read costs no more than that. */
enum { COMM_LOW_WATER = 1 << 20, COMM_HIGH_WATER = 8 << 20 };

/* comm_server_new - returns new: comm_server_free; OPS and CTX are borrowed until then */
struct comm_server *comm_server_new(struct loop *l, const struct comm_server_ops *ops, void *ctx);
/* comm_server_free - end all connections without a word; only when the loop runs no more */
void comm_server_free(struct comm_server *s);
/* What clients may take of the server, so that no user can take all: connections, and bytes. These
 * are of messages that have begun to come, of those handed over and not done, and of answers not
 * yet read. The server does not read connections of a user who has `bytes_of_user` of them until it
 * is less; all connections of one who has a quarter of that in answers are `behind`. Nothing of
 * this but bytes_of_host holds for the privileged, who have `reserve` connections more to
 * themselves. */
struct comm_limits {
    uint32_t greeting_ms;    /* a TCP peer has authenticated by then, or is disconnected */
    uint32_t first_frame_ms; /* a connection whose first frame is not whole by then is ended */
    uint32_t frame_ms;       /* likewise any frame, from its first byte */
    uint32_t idle_ms;        /* one that neither says nor waits for anything is ended; 0: never */
    uint32_t look_ms;        /* how often at least connections are looked at; > 0 */
    uint32_t silent_s;       /* what comes over TCP and says nothing at all for so long is ended */
    uint32_t most, reserve, most_of_user;
    uint32_t frames_of_conn; /* handed over and not done; more are not read */
    size_t bytes_of_user;
    size_t bytes_of_host; /* begun, or handed over and not done, of one that has proved its name */
};
/* The users of a host share as many parts as this, each as a user of this host has one: a host has
 * no more, whatever users it names. */
enum { COMM_SHARES_OF_HOST = 8 };
/* comm_limits_usual - 10 s, 30 s, 60 s, 10 minutes; as many connections as the process may have
 * descriptors, less some for its files and for the privileged; 128 connections, 64 messages and 128
 * MiB of one user, 192 MiB of one host */
struct comm_limits comm_limits_usual(void);
/* comm_server_set_limits - LIMITS hold from now on, instead of the usual ones; any thread
 * Connections that are there stay. */
void comm_server_set_limits(struct comm_server *s, const struct comm_limits *limits);
/* comm_server_done - the owner is done with a frame of CONN that had LEN bytes; any thread. Only
 * then may the next come. */
void comm_server_done(struct comm_server *s, uint64_t conn, size_t len);
/* comm_server_keep - CONN waits for something that may take long: it is not idle; any thread */
void comm_server_keep(struct comm_server *s, uint64_t conn);
/* comm_server_listen - a unix socket at PATH (any length), mode MODE; a stale socket there is
 * replaced, a live one is STATUS_EEXIST */
int comm_server_listen(struct comm_server *s, const char *path, mode_t mode, struct answer *ans);
/* what carries a connection that has come over TCP: a stream over FD, which is taken; closed if it
 * cannot be made */
typedef struct stream (*comm_wrap_fn)(void *ctx, int fd);
/* comm_server_listen_tcp - at PORT of all addresses of this host, IPv6 and IPv4, beside the unix
 * socket; 0: any free port
 *
 *   wrap      makes the stream, which greets; opened() follows when it has, with the name that the
 *             other end has proved
 *   wrap_ctx  its first argument, borrowed until comm_server_free
 *
 * The greeting is the work of threads of its own, which call WRAP; no byte of a peer that has not
 * proved its name comes to the network thread. No more than 256 connections are in it at a time:
 * when one more comes, the oldest silent one of the address that has most is ended, and of single
 * ones the oldest that has had a second (origins.h). Hosts that have been here before have a
 * reserve. Returns 0, or -1 with ans. */
int comm_server_listen_tcp(struct comm_server *s, uint16_t port, comm_wrap_fn wrap, void *wrap_ctx,
                           struct answer *ans);
/* comm_server_port - where it listens; 0: it does not */
uint16_t comm_server_port(const struct comm_server *s);
/* comm_server_adopt - FD, this process's end of a socketpair, becomes a connection beside those of
 * the listener
 *
 *   fd    taken, non-blocking
 *   peer  who has the other end, as the caller knows it: opened() gets it with is_child set
 *
 * Any thread. It does not count towards limits: the code that makes children allows for it. */
void comm_server_adopt(struct comm_server *s, int fd, const struct comm_peer *peer);
/* comm_server_send - queue frames to CONN in order; any thread; bodies are taken; an unknown conn
 * drops them
 * comm_server_flush - after a series of sends: one wake of the network thread for all of them */
void comm_server_send(struct comm_server *s, uint64_t conn, uint8_t kind, uint32_t serial,
                      uint8_t *body, size_t len);
void comm_server_flush(struct comm_server *s);
/* comm_server_close - end CONN after what is queued has been written; any thread */
void comm_server_close(struct comm_server *s, uint64_t conn);
/* comm_server_queued - bytes for CONN that are not yet written, or for its user if that is behind;
 * any thread. After an answer of more than COMM_LOW_WATER, drained() is called in time. */
size_t comm_server_queued(struct comm_server *s, uint64_t conn);

#endif

#ifndef COMM_SERVER_PRIV_H
#define COMM_SERVER_PRIV_H

#include <pthread.h>

#include "libs/comm/outq.h"
#include "libs/comm/reader.h"
#include "libs/comm/server.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

/* The server's inside, shared by server.c (what any thread may call, the listener) and conn.c (one
 * connection, network thread only). */
struct event;
struct event_base;
enum { SCRATCH_BYTES = 64 * 1024, LINGER_S = 30 };

struct conn {
    struct comm_server *s;
    uint64_t id;
    int fd;
    struct comm_peer peer;
    struct event *read_ev, *write_ev;
    struct frame_reader reader;
    struct outq out;
    bool is_closing; /* nothing is read any more; goes when `out` is empty */
    bool has_spoken; /* one whole frame has come */
    bool is_paused;  /* not read from: too much is queued */
    /* guarded by s->lock */
    struct out_list pending; /* sent by others, not yet in `out` */
    size_t queued;           /* bytes in pending and out */
    bool is_close_wanted;
    bool is_touched;
    TAILQ_ENTRY(conn) touched;
    UT_hash_handle hh;
};
TAILQ_HEAD(conn_list, conn);

/* a descriptor on its way to the network thread */
struct adoption {
    int fd;
    struct comm_peer peer;
    STAILQ_ENTRY(adoption) next;
};
STAILQ_HEAD(adoption_list, adoption);

/* how many connections a user has; network thread only */
struct user_conns {
    uid_t uid;
    uint32_t n;
    UT_hash_handle hh;
};

struct comm_server {
    struct event_base *base;
    const struct comm_server_ops *ops; /* borrowed */
    void *ctx;
    int listen_fd;
    struct event *accept_ev, *accept_again_ev, *idle_ev;
    struct loop_watch *waker;
    uint64_t last_id;
    struct comm_limits limits;
    struct user_conns *users;
    uint32_t n_conns;
    bool is_idle_due;
    uint8_t *scratch;
    pthread_mutex_t lock;     /* guards the three below and what conns say they have under it */
    struct conn *conns;       /* changed by the network thread only, which may read it unlocked */
    struct conn_list touched; /* those with something pending or to be closed */
    struct adoption_list adoptions;
};

/* server_told - something was handed over: idle() is due at the end of this turn of the loop */
void server_told(struct comm_server *s);

/* conn_new - take over the connected FD; opened() is called and what is there already is read
 * The connection may be gone again when this returns. */
void conn_new(struct comm_server *s, int fd, const struct comm_peer *peer);
/* server_count - a connection of UID has come (BY 1) or gone (BY -1); the number it has now */
uint32_t server_count(struct comm_server *s, uid_t uid, int by);
/* server_refuse - tell the owner why a connection is ended */
void server_refuse(struct comm_server *s, const struct comm_peer *peer, const char *why, ...)
    SGE_PRINTF(3, 4);
/* conn_push - take over what is pending and write what the peer takes; may end the connection */
void conn_push(struct conn *c);
/* conn_free - without a word to anybody */
void conn_free(struct conn *c);

#endif

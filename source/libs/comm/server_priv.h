#ifndef COMM_SERVER_PRIV_H
#define COMM_SERVER_PRIV_H

#include <pthread.h>

#include "libs/comm/frame_priv.h"
#include "libs/comm/outq.h"
#include "libs/comm/server.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

/* The server's inside. From the top: server.c (listeners, turns of the network thread), arrival.c
 * (connections over TCP until they are known, in threads of its own), conn.c (one connection,
 * network thread only), lines.c (connections that another one carries), and below all of them
 * handover.c (what any thread may call, and what each user has of the server). */
struct arrivals;
struct event;
struct event_base;
struct fd_closer;
struct lines;
struct loop;
enum { SCRATCH_BYTES = 64 * 1024, LINGER_S = 30 };
/* what a frame costs the owner beside its body until it is done */
enum { FRAME_COST_BYTES = 256 };

struct conn {
    struct comm_server *s;
    uint64_t id;
    struct stream stream;
    struct comm_peer peer;
    struct event *read_ev, *write_ev;
    struct frame_reader reader;
    struct outq out;
    bool is_closing;     /* nothing is read any more; goes when `out` is empty */
    bool has_spoken;     /* one whole frame has come */
    bool has_frames;     /* some were whole since we looked at what has begun */
    bool is_privileged;  /* the owner said so */
    uint64_t begun_us;   /* when the frame that is coming began; 0: none */
    uint64_t active_us;  /* when bytes last went either way */
    struct lines *lines; /* what it relays; NULL: nothing yet */
    struct user_share *user;
    TAILQ_ENTRY(conn) of_user;
    /* guarded by s->lock */
    struct out_list pending; /* sent by others, not yet in `out` */
    size_t queued;           /* bytes in pending and out */
    size_t begun;            /* bytes taken up by the frame that is coming */
    size_t given_bytes;      /* cost of the frames handed over and not done */
    uint32_t given;          /* their number */
    bool is_paused;          /* not read from: too much is queued, or in the owner's hands */
    bool is_behind;          /* the owner knows that its user is */
    bool is_kept;            /* never idle */
    bool is_close_wanted;
    struct conn_list *touched_in; /* NULL: it is in neither */
    TAILQ_ENTRY(conn) touched;
    UT_hash_handle hh;
    UT_hash_handle by_host; /* of one that has peer.host; the network thread's */
};
TAILQ_HEAD(conn_list, conn);

struct adoption { /* a connection on its way to the network thread */
    struct stream stream;
    struct comm_peer peer;
    bool is_counted; /* it comes in if there is room */
    STAILQ_ENTRY(adoption) next;
};
STAILQ_HEAD(adoption_list, adoption);
/* what a user has of the server; n is the network thread's, the rest is guarded by s->lock, but
 * that thread may read `conns` without */
struct share_key {
    uint64_t host; /* its connection; 0: this host */
    uint64_t user; /* of this host by uid, of others by COMM_SHARES_OF_HOST */
};
struct user_share {
    struct share_key key;
    uint32_t n;
    struct conn_list conns;
    size_t taken;  /* begun and given of all its connections */
    size_t queued; /* likewise */
    UT_hash_handle hh;
};

struct comm_server {
    struct loop *loop;
    struct event_base *base;
    const struct comm_server_ops *ops; /* borrowed */
    void *ctx;
    int listen_fd;
    struct fd_closer *closer;
    struct event *accept_ev, *accept_again_ev, *idle_ev, *look_ev;
    struct arrivals *arrivals; /* NULL: no TCP port */
    comm_wrap_fn wrap;         /* of what arrives there */
    void *wrap_ctx;
    struct loop_watch *waker;
    uint64_t last_id;
    struct user_share *users;
    struct conn *hosts;         /* by name: one of each */
    _Atomic uint32_t n_conns;   /* changed by the network thread alone */
    _Atomic uint32_t n_brought; /* those that wait to be admitted */
    uint32_t silent_s;          /* what the connections over TCP have been set to */
    bool is_idle_due;
    uint8_t *scratch;
    /* guards what follows, and what conns and shares have under it */
    pthread_mutex_t lock;
    struct comm_limits limits;
    struct conn *conns; /* changed by the network thread only, which may read it unlocked */
    /* those with something pending or to be closed, by how much it is: the latter get their turns
     * when the former have had theirs, or when a turn has been long */
    struct conn_list touched, touched_long;
    struct adoption_list adoptions;
};

/* ---- handover.c: signs for the network thread, and its limits ---- */

/* server_idle_later - a frame was handed over: idle() is due at the end of this turn of the loop */
void server_idle_later(struct comm_server *s);
/* a message so short passes longer ones to others on its way out: a client may wait for it */
enum { SHORT_BYTES = 16 << 10 };
/* server_touch - C needs the network thread (under the lock); server_wake must follow
 * server_untouch - the network thread has come to it (under the lock) */
void server_touch(struct conn *c);
void server_untouch(struct conn *c);
/* server_wake - make the network thread look at touched connections; any thread */
void server_wake(struct comm_server *s);
/* server_limits - those that hold now */
struct comm_limits server_limits(struct comm_server *s);
/* server_favours - is PEER privileged? */
bool server_favours(const struct comm_server *s, const struct comm_peer *peer);
/* server_refuse - report to the owner why a connection is ended */
void server_refuse(struct comm_server *s, const struct comm_peer *peer, const char *why, ...)
    SGE_PRINTF(3, 4);
/* server_has_descriptor - may one more connection of any peer be accepted? Any thread. */
bool server_has_descriptor(const struct comm_server *s, const struct comm_limits *limits);
/* server_adopt - comm_server_adopt for a stream of any form, moved in */
void server_adopt(struct comm_server *s, struct stream *stream, const struct comm_peer *peer);
/* server_bring - a peer has proved its name: the network thread admits it. STREAM is moved in.
 * server_may_bring - or are there too many already? Any thread. */
bool server_may_bring(const struct comm_server *s);
void server_bring(struct comm_server *s, struct stream *stream, const struct comm_peer *peer);

/* ---- handover.c: shares of users ---- */

/* conn_is_host - is a host at the other end, not a user? */
bool conn_is_host(const struct conn *c);
/* share_join - count C as a connection of its user
 * share_leave - no longer; what it has in messages and answers does not count any more either */
void share_join(struct conn *c);
void share_leave(struct conn *c);
/* shares_free - free those of all users, when the server ends */
void shares_free(struct comm_server *s);
/* share_count - how many connections the user of PEER has. O(1) */
uint32_t share_count(const struct comm_server *s, const struct comm_peer *peer);
/* share_begun - the frame that is coming takes up BYTES now */
void share_begun(struct conn *c, size_t bytes);
/* share_give - a frame of LEN bytes is in the owner's hands
 * share_done - and the owner is done with it (under the lock); returns whether the network thread
 * should be woken */
void share_give(struct conn *c, size_t len);
bool share_done(struct conn *c, size_t len);
/* share_queue - BYTES more for C to be written (under the lock) */
void share_queue(struct conn *c, size_t bytes);
/* share_wrote - BYTES of them are written; calls drained() for those of the user's connections that
 * were behind. Returns whether C has drained. */
bool share_wrote(struct conn *c, size_t bytes);
/* share_may_read - has C's user room for what it may send? (under the lock) */
bool share_may_read(const struct conn *c);
/* share_is_behind - does C's user leave its answers unread? (under the lock) */
bool share_is_behind(const struct conn *c);

/* ---- conn.c ---- */

/* conn_new - a connection that STREAM, moved in, carries; opened() is called and what is there
 * already is read
 * The connection may be gone again when this returns. */
void conn_new(struct comm_server *s, struct stream *stream, const struct comm_peer *peer);
/* conn_admit - a peer that is known has come: a connection, if there is room, else it is sent
 * the reason. STREAM is moved in. */
typedef void (*conn_admit_fn)(struct comm_server *s, struct stream *stream,
                              const struct comm_peer *peer, const struct comm_limits *limits);
void conn_admit(struct comm_server *s, struct stream *stream, const struct comm_peer *peer,
                const struct comm_limits *limits);
/* conn_push - take over what is pending and write what the peer takes; false when that ended the
 * connection */
bool conn_push(struct conn *c);
/* conn_look - end it if it is too slow, idle or gone at NOW_US */
void conn_look(struct conn *c, const struct comm_limits *limits, uint64_t now_us);
/* conn_is_tcp - is it a connection over TCP of its own? */
bool conn_is_tcp(const struct conn *c);
/* conn_free - without a word to anybody */
void conn_free(struct conn *c);

/* ---- lines.c ---- */

/* lines_new - CARRIER carries lines, each of which ADMIT makes a connection; new: lines_free
 * lines_take - a frame of one of the kinds of line.h; its body is taken. Returns 0, or -1: its
 * sender violates the protocol.
 * lines_free - the connection that carries them ends, and so do they; NULL is fine */
struct lines *lines_new(struct conn *carrier, conn_admit_fn admit);
int lines_take(struct lines *l, struct frame *f);
void lines_free(struct lines *l);
/* line_attach - C, which the stream of a line carries, is to be woken
 * line_has_ended - has its other end, or its host, gone? */
void line_attach(struct conn *c);
bool line_has_ended(const struct conn *c);

#endif

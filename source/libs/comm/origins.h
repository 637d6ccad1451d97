#ifndef COMM_ORIGINS_H
#define COMM_ORIGINS_H

#include <sys/queue.h>

#include "libs/comm/tcp.h"
#include "libs/uti/hash.h"

/* The room's own: connections over TCP that have proved no name yet, counted by where they come
 * from. An origin is an IPv4 address, or the /64 of an IPv6 address. Which connection has to go if
 * there are too many; which is next to have a thread; which addresses are those of hosts. No clock,
 * no network; the owner has a lock. */
enum {
    ORIGIN_CONNS_MOST = 256,
    /* beside those, for addresses from which hosts have come; and of one address */
    ORIGIN_RESERVE = 64,
    ORIGIN_RESERVE_EACH = 2,
    ORIGIN_HOSTS_MOST = 16384,
    /* an honest greeting takes less */
    ORIGIN_GRACE_US = 1000000
};
enum origin_state {
    ORIGIN_SILENT, /* the peer has to send something */
    ORIGIN_READY,  /* it has, and waits for a thread */
    ORIGIN_SERVED, /* a thread is at it */
    ORIGIN_DONE    /* the thread has finished, and the owner looks at the outcome */
};
struct origin;
struct origin_conn { /* part of what the owner has for each connection */
    struct origin *of;
    enum origin_state state;
    uint64_t since_us;
    TAILQ_ENTRY(origin_conn) next, ready;
};
TAILQ_HEAD(origin_conns, origin_conn);
TAILQ_HEAD(origin_turns, origin);
struct origins {
    struct origin *all;
    struct known_host *hosts;   /* the one that has come last is the last */
    struct origin_turns turns;  /* those with connections that may have a thread */
    uint32_t n, n_reserved;     /* connections; in all but the reserve, and in it */
    uint32_t n_ready;           /* of all: not silent */
    uint32_t threads_of_origin; /* at most */
};

void origins_init(struct origins *o, uint32_t threads_of_origin);
/* origins_free - after the last connection has left */
void origins_free(struct origins *o);

enum origin_room {
    ORIGIN_ROOM,    /* there is some */
    ORIGIN_REPLACE, /* once the victim has gone: the oldest silent connection of the origin that has
                     * most */
    ORIGIN_LATER,   /* when the threads have got on */
    ORIGIN_FULL     /* each origin has one connection, and has just come */
};
/* origins_room - is there any for one more at NOW_US? O(origins) */
enum origin_room origins_room(const struct origins *o, uint64_t now_us,
                              struct origin_conn **victim);
/* origins_has_reserve - is there room for ADDRESS in the reserve, because it is that of a host? */
bool origins_has_reserve(const struct origins *o, const struct tcp_address *address);
/* origins_know - a host has proved its name from ADDRESS */
void origins_know(struct origins *o, const struct tcp_address *address);

/* origins_join - C, which is silent, comes from ADDRESS
 * origins_leave - it goes; no thread is at it */
void origins_join(struct origins *o, struct origin_conn *c, const struct tcp_address *address,
                  bool is_reserved, uint64_t now_us);
void origins_leave(struct origins *o, struct origin_conn *c);
/* origins_count - how many connections the origin of C has */
uint32_t origins_count(const struct origin_conn *c);

/* origins_await - C, which was silent, waits for a thread
 * origins_next - the connection whose turn it is: the oldest that waits, of the origins in turn;
 * NULL without one. It is served afterwards.
 * origins_finish - the thread has finished with it
 * origins_silence - and its peer has to go on */
void origins_await(struct origins *o, struct origin_conn *c);
struct origin_conn *origins_next(struct origins *o);
void origins_finish(struct origins *o, struct origin_conn *c);
void origins_silence(struct origins *o, struct origin_conn *c);

#endif

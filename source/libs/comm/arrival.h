#ifndef COMM_ARRIVAL_H
#define COMM_ARRIVAL_H

#include "libs/comm/peer.h"
#include "libs/comm/stream.h"

/* Connections over TCP until their peers are known. No more than 256 are in it at a time, shared
 * by addresses (origins.h); each has so long for its greeting. Threads of this room accept and
 * greet: nothing of that costs the owner's threads a step. */
struct answer;
struct arrivals;

struct arrival_limits {
    uint32_t greeting_ms; /* the peer has authenticated by then, or is disconnected */
    uint32_t look_ms;     /* how often at least connections are looked at; > 0 */
    uint32_t silent_s;    /* a peer that says nothing at all for so long is disconnected */
};
struct arrival_ops { /* wrap in any thread of this room, the others in that which accepts */
    struct arrival_limits (*limits)(void *ctx);
    /* may one more connection come, of any peer? */
    bool (*has_room)(void *ctx);
    /* a stream over FD, which is taken, that greets; closed if it cannot be made */
    struct stream (*wrap)(void *ctx, int fd);
    /* the connection of PEER, who may be unknown, is ended: WHY, borrowed */
    void (*refused)(void *ctx, const struct comm_peer *peer, const char *why);
    /* PEER is known: S has greeted and is moved out */
    void (*arrived)(void *ctx, struct stream *s, const struct comm_peer *peer);
};
/* arrivals_new - listen at PORT of all addresses, 0: any free one. OPS and CTX are borrowed. New:
 * arrivals_free; NULL with ans
 * arrivals_port - where it listens
 * arrivals_free - with all of them, their threads, and the listener; NULL is fine */
struct arrivals *arrivals_new(uint16_t port, const struct arrival_ops *ops, void *ctx,
                              struct answer *ans);
uint16_t arrivals_port(const struct arrivals *l);
void arrivals_free(struct arrivals *l);

#endif

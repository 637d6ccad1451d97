#ifndef COMM_BRIDGE_H
#define COMM_BRIDGE_H

#include "libs/comm/stream.h"

/* Two streams, of which each gets the bytes of the other, on a loop, until one ends. A side that
 * takes nothing stops the other: BRIDGE_BYTES wait for each at most, and no memory while nothing
 * waits. One side is the client's: when that has gone, all is over. When the other ends, the client
 * still gets what was sent to it. */
struct bridge;
struct loop;

enum { BRIDGE_BYTES = 64 * 1024 };

struct bridge_ops { /* called in the loop */
    /* the far side has greeted: returns NULL, or why its other end is the wrong one, borrowed. The
     * bridge is not freed in it. */
    const char *(*greeted)(void *ctx, const struct stream *far);
    /* it is over, and may be freed; the last call
     *   near  closed afterwards, unless it is moved out
     *   why   borrowed; NULL: the far side has greeted, and bytes could pass */
    void (*ended)(void *ctx, struct stream *near, const char *why);
};
struct bridge_sides { /* both streams are moved in */
    struct stream *near, *far;
    bool is_client_near; /* or else far */
    const uint8_t *first;
    size_t n_first; /* bytes to the far side before those of the near one; BRIDGE_BYTES at most */
};
/* bridge_new - the far side greets within GREETING_MS, or may have done so already. OPS and CTX are
 * borrowed until bridge_free. New: bridge_free. */
struct bridge *bridge_new(struct loop *l, const struct bridge_sides *sides, uint32_t greeting_ms,
                          const struct bridge_ops *ops, void *ctx);
/* bridge_look - end it if its greeting takes too long at NOW_US, what the far side has proved holds
 * no more, that is silent for SILENT_S seconds (tcp.h), or the client of a side that is not read
 * has gone; to be called now and then */
void bridge_look(struct bridge *b, uint64_t now_us, uint32_t silent_s);
/* bridge_free - both sides are closed without a word; NULL is fine */
void bridge_free(struct bridge *b);

#endif

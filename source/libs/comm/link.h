#ifndef COMM_LINK_H
#define COMM_LINK_H

#include "libs/comm/frame.h"
#include "libs/comm/stream.h"

/* A daemon's one connection to a server, on its loop: made again and again (100 ms, growing to 2 s,
 * each up to half as long by chance, so that a thousand hosts do not come in the same moment) until
 * it stands, or inherited from the parent process. Over a unix socket it is made as soon as the
 * socket is there again. */
struct loop;
struct link;
struct link_ops {
    void (*up)(void *ctx);                     /* connected: say hello, register */
    void (*frame)(void *ctx, struct frame *f); /* body is taken */
    /* lost; it will be made again, unless it was adopted */
    void (*down)(void *ctx, const char *why);
    /* a connection could not be made; it is tried again. NULL: ignored */
    void (*failed)(void *ctx, const char *why);
};

/* link_new - start connecting at once, from the loop L
 *
 *   socket_path  copied
 *   ops, ctx     borrowed until link_free; all are called in the loop
 *
 * Returns new: link_free. */
struct link *link_new(struct loop *l, const char *socket_path, const struct link_ops *ops,
                      void *ctx);
struct link_dial { /* how to make a connection that is not a unix socket's */
    /* a stream that may still be connecting, and greets; closed: not now, *WHY (borrowed until the
     * next call) says why, or NULL: it is too early to say */
    struct stream (*open)(void *ctx, const char **why);
    void *ctx;
    uint32_t greeting_ms; /* connecting and greeting take no longer */
};
/* link_dialled - as link_new, over streams that DIAL, copied, makes; its ctx is borrowed until
 * link_free. up() is called when both ends have greeted each other. */
struct link *link_dialled(struct loop *l, const struct link_dial *dial, const struct link_ops *ops,
                          void *ctx);
/* link_adopt - a connection that stands already: FD, taken, is one end of a socketpair. up() comes
 * from the loop; after down() nothing more does. OPS and CTX as for link_new. Returns new:
 * link_free. */
struct link *link_adopt(struct loop *l, int fd, const struct link_ops *ops, void *ctx);
/* link_over - the same for a connection that S carries; S is moved in */
struct link *link_over(struct loop *l, struct stream *s, const struct link_ops *ops, void *ctx);
/* link_free - close without a word to the other end; NULL is fine */
void link_free(struct link *k);
/* link_send - queue a frame; BODY is taken, and dropped while the link is down */
void link_send(struct link *k, uint8_t kind, uint32_t serial, uint8_t *body, size_t len);
/* link_is_up - does the connection stand? */
bool link_is_up(const struct link *k);
/* link_fd - the connection's descriptor, which stays its own; -1 while it is down */
int link_fd(const struct link *k);
/* link_refused - the other side has said that it wants no connection now: after this one the next
 * try comes in five to ten seconds */
void link_refused(struct link *k);
/* link_drop - close and connect again; down() is called in the next turn of the loop */
void link_drop(struct link *k);

#endif

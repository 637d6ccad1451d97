#ifndef COMM_LINK_H
#define COMM_LINK_H

#include "libs/comm/frame.h"

/* A daemon's one connection to a server, on its loop: made again and again (100 ms, growing to 2 s) until it stands. */
struct loop;
struct link;
struct link_ops {
    void (*up)(void *ctx);                     /* connected: say hello, register */
    void (*frame)(void *ctx, struct frame *f); /* body is taken */
    void (*down)(void *ctx, const char *why);  /* lost; it will be tried again */
};
struct link *link_new(struct loop *l, const char *socket_path, const struct link_ops *ops,
                      void *ctx); /* new: link_free; starts at once */
void link_free(struct link *k);
void link_send(struct link *k, uint8_t kind, uint32_t serial, uint8_t *body,
               size_t len); /* body taken; dropped while down */
bool link_is_up(const struct link *k);
void link_drop(struct link *k); /* close and connect again */

#endif

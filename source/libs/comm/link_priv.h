#ifndef COMM_LINK_PRIV_H
#define COMM_LINK_PRIV_H

#include "libs/comm/link.h"
#include "libs/comm/stream.h"

/* The room's own: links over streams of any form. */

/* link_over - link_adopt for a connection that S carries; S is moved in */
struct link *link_over(struct loop *l, struct stream *s, const struct link_ops *ops, void *ctx);

#endif

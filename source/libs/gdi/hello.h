#ifndef GDI_HELLO_H
#define GDI_HELLO_H

#include "libs/comm/frame.h"
#include "libs/cull/pack.h"

/* The greeting of a connection, for both sides.
 *
 * The connecting side sends HELLO and its first request in one write. A listening side whose tables
 * are the same says nothing of the kind: equal is equal. If they differ it answers HELLO and SCHEMA
 * before anything else, the connecting side sends its SCHEMA on seeing that, and frames that came
 * before it are held back.
 *
 * Feed every frame to gdi_peer_take, then work on what gdi_peer_next gives, with gdi_peer_map for
 * unpacking. */
struct answer;
struct gdi_peer;

/* gdi_hello_pack - the body of HELLO */
void gdi_hello_pack(struct packer *p, const char *program, const char *host);

/* gdi_peer_new - what is known of the other side of a new connection
 *   is_listener  we were connected to: the first frame must be HELLO
 * Returns new: gdi_peer_free. */
struct gdi_peer *gdi_peer_new(bool is_listener);
/* gdi_peer_free - frames held back go too; NULL is fine */
void gdi_peer_free(struct gdi_peer *p);

/* sends a frame to the other side; BODY is taken */
typedef void (*gdi_send_fn)(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len);

/* gdi_peer_take - a frame has come
 *
 *   f     its body is taken
 *   send  called, with CTX, for what the greeting needs to be answered
 *   ans   STATUS_EPROTO: what is wrong with it
 *
 * Returns 0, or -1 with ans: end the connection. */
int gdi_peer_take(struct gdi_peer *p, struct frame *f, gdi_send_fn send, void *ctx,
                  struct answer *ans);
/* What waits until a peer has sent its table: a client writes its greeting and one request, which
 * may be a long submit, before it knows that its table is wanted. */
enum { GDI_WAITING_MOST = 32, GDI_WAITING_BYTES = 40 * 1024 * 1024 };
/* gdi_peer_owes_schema - must the table of the peer come before any of its frames can be worked on?
 * A listener gives it a while for that. */
bool gdi_peer_owes_schema(const struct gdi_peer *p);
/* gdi_peer_next - the next frame that can be worked on; its body is the caller's. false: none
 * now */
bool gdi_peer_next(struct gdi_peer *p, struct frame *out);

/* gdi_peer_map - for cull_unpack; NULL when both sides have the same tables. Valid until
 * gdi_peer_free. */
const struct cull_map *gdi_peer_map(const struct gdi_peer *p);
/* gdi_peer_program, gdi_peer_host - what the other side said of itself, "" before; a claim, good
 * for messages only */
const char *gdi_peer_program(const struct gdi_peer *p);
const char *gdi_peer_host(const struct gdi_peer *p);

#endif

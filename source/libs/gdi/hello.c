/* The greeting. States of a peer: not greeted -> greeted (same tables: open at once; others: closed
 * until its SCHEMA has come). Invariant: frames wait in `waiting` in the order they came, at most
 * GDI_WAITING_MOST of them with GDI_WAITING_BYTES; none is given out while the peer's tables differ
 * from ours and are not known. */
#include "libs/gdi/hello.h"

#include <stdlib.h>

#include "libs/gdi/message.h"
#include "libs/gdi/msg_gdi.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

enum { NAME_MAX_BYTES = 256 };

struct gdi_peer {
    bool is_listener, is_greeted, is_foreign;
    char *program, *host;
    struct cull_map *map;
    struct frame *waiting;
    uint32_t first, n, cap;
    size_t bytes; /* of those that wait */
};

/* ---- packing ---- */

void gdi_hello_pack(struct packer *p, const char *program, const char *host)
{
    uint64_t id = gdi_schema_id();
    pack_u32be(p, GDI_PROTOCOL);
    pack_u32be(p, (uint32_t)(id >> 32));
    pack_u32be(p, (uint32_t)id);
    pack_string(p, program);
    pack_string(p, host);
}

static void send_hello(gdi_send_fn send, void *ctx)
{
    struct packer p = { 0 };
    gdi_hello_pack(&p, "", "");
    send(ctx, GDI_FRAME_HELLO, 0, p.data, p.len);
}

static void send_schema(gdi_send_fn send, void *ctx)
{
    struct packer p = { 0 };
    cull_schema_pack(&p, gdi_schema());
    send(ctx, GDI_FRAME_SCHEMA, 0, p.data, p.len);
}

/* ---- the peer ---- */

struct gdi_peer *gdi_peer_new(bool is_listener)
{
    struct gdi_peer *p = uti_calloc(1, sizeof *p);
    p->is_listener = is_listener;
    return p;
}

void gdi_peer_free(struct gdi_peer *p)
{
    if (p == NULL)
        return;
    for (uint32_t i = p->first; i < p->n; i++)
        free(p->waiting[i].body);
    free(p->waiting);
    free(p->program);
    free(p->host);
    cull_map_free(p->map);
    free(p);
}

/* a name that came in a greeting, for messages: bounded, printable */
static char *take_name(struct unpacker *u)
{
    char *s = unpack_string(u);
    if (s == NULL)
        return uti_strdup("");
    char *name = uti_strndup(s, NAME_MAX_BYTES);
    free(s);
    for (char *c = name; *c != '\0'; c++)
        if (*c <= ' ' || *c == 0x7f)
            *c = '?';
    return name;
}

static int take_hello(struct gdi_peer *p, const struct frame *f, gdi_send_fn send, void *ctx,
                      struct answer *ans)
{
    if (p->is_greeted)
        return ans_fail(ans, STATUS_EPROTO, MSG_HELLO_TWICE);
    struct unpacker u = unpacker_over(f->body, f->len);
    uint32_t protocol = unpack_u32be(&u);
    uint64_t id = (uint64_t)unpack_u32be(&u) << 32;
    id |= unpack_u32be(&u);
    if (!u.is_bad && protocol != GDI_PROTOCOL)
        return ans_fail(ans, STATUS_EPROTO, MSG_HELLO_PROTOCOL_UU, protocol,
                        (unsigned)GDI_PROTOCOL);
    p->program = take_name(&u);
    p->host = take_name(&u);
    if (u.is_bad)
        return ans_fail(ans, STATUS_EPROTO, MSG_HELLO_MALFORMED);
    p->is_greeted = true;
    p->is_foreign = id != gdi_schema_id();
    if (p->is_foreign && p->is_listener)
        send_hello(send, ctx);
    if (p->is_foreign)
        send_schema(send, ctx);
    return 0;
}

static int take_schema(struct gdi_peer *p, const struct frame *f, struct answer *ans)
{
    if (!p->is_foreign || p->map != NULL)
        return ans_fail(ans, STATUS_EPROTO, MSG_HELLO_UNEXPECTED_U, (unsigned)f->kind);
    struct unpacker u = unpacker_over(f->body, f->len);
    p->map = cull_map_new(&u, gdi_schema(), ans);
    return p->map != NULL ? 0 : -1;
}

bool gdi_peer_owes_schema(const struct gdi_peer *p)
{
    return p->is_foreign && p->map == NULL;
}

/* keep a frame that is not ours to read; its body is taken */
static int keep_frame(struct gdi_peer *p, struct frame *f, struct answer *ans)
{
    if (gdi_peer_owes_schema(p) &&
        (p->n - p->first >= GDI_WAITING_MOST || f->len > GDI_WAITING_BYTES - p->bytes))
        return ans_fail(ans, STATUS_EPROTO, MSG_HELLO_NO_SCHEMA_UU, (unsigned)GDI_WAITING_MOST,
                        (unsigned)GDI_WAITING_BYTES);
    p->waiting = uti_vec_grow(p->waiting, &p->cap, p->n + 1, sizeof *p->waiting);
    p->waiting[p->n++] = *f;
    p->bytes += f->len;
    f->body = NULL;
    return 0;
}

int gdi_peer_take(struct gdi_peer *p, struct frame *f, gdi_send_fn send, void *ctx,
                  struct answer *ans)
{
    int rc;
    if (f->kind == GDI_FRAME_HELLO)
        rc = take_hello(p, f, send, ctx, ans);
    else if (p->is_listener && !p->is_greeted)
        rc = ans_fail(ans, STATUS_EPROTO, MSG_HELLO_FIRST_U, (unsigned)f->kind);
    else if (f->kind == GDI_FRAME_SCHEMA)
        rc = take_schema(p, f, ans);
    else
        rc = keep_frame(p, f, ans);
    free(f->body);
    *f = (struct frame){ 0 };
    return rc;
}

bool gdi_peer_next(struct gdi_peer *p, struct frame *out)
{
    if (p->first == p->n || gdi_peer_owes_schema(p))
        return false;
    *out = p->waiting[p->first++];
    p->bytes -= out->len;
    if (p->first == p->n)
        p->first = p->n = 0;
    return true;
}

const struct cull_map *gdi_peer_map(const struct gdi_peer *p)
{
    return p->map;
}

const char *gdi_peer_program(const struct gdi_peer *p)
{
    return p->program != NULL ? p->program : "";
}

const char *gdi_peer_host(const struct gdi_peer *p)
{
    return p->host != NULL ? p->host : "";
}

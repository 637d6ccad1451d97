/* Frames: the 12 bytes in front of each, and how a stream of bytes is cut into them. Pure but for
 * frame_reader_recv. */
#include "libs/comm/frame_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

/* ---- the header ----
 *
 * Invariant: pack makes the same bytes of what unpack accepts. */

static void put_u32(uint8_t *at, uint32_t v)
{
    at[0] = (uint8_t)(v >> 24);
    at[1] = (uint8_t)(v >> 16);
    at[2] = (uint8_t)(v >> 8);
    at[3] = (uint8_t)v;
}

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

void frame_header_pack(const struct frame_header *h, uint8_t out[COMM_HEADER_BYTES])
{
    put_u32(out, h->len);
    put_u32(out + 4, h->serial);
    out[8] = h->kind;
    memset(out + 9, 0, 3);
}

static bool is_padded(const uint8_t in[COMM_HEADER_BYTES])
{
    return in[9] == 0 && in[10] == 0 && in[11] == 0;
}

static struct frame_header fields_of(const uint8_t in[COMM_HEADER_BYTES])
{
    return (struct frame_header){ .len = get_u32(in), .serial = get_u32(in + 4), .kind = in[8] };
}

bool frame_header_is_too_long(const uint8_t in[COMM_HEADER_BYTES], struct frame_header *h)
{
    if (get_u32(in) <= COMM_BODY_MAX || !is_padded(in))
        return false;
    *h = fields_of(in);
    return true;
}

int frame_header_unpack(const uint8_t in[COMM_HEADER_BYTES], struct frame_header *h)
{
    if (get_u32(in) > COMM_BODY_MAX || !is_padded(in))
        return -1;
    *h = fields_of(in);
    return 0;
}

/* ---- bytes to frames ----
 *
 * Invariants: header_have < 12 means no header yet and no body; have <= cap <= h.len. */

enum { FIRST_ROOM = 64 * 1024 };

static void reader_reset(struct frame_reader *r)
{
    *r = (struct frame_reader){ .most = r->most, .ctx = r->ctx };
}

void frame_reader_free(struct frame_reader *r)
{
    free(r->body);
    reader_reset(r);
}

static uint32_t most_of(const struct frame_reader *r, uint8_t kind)
{
    return r->most != NULL ? r->most(r->ctx, kind) : COMM_BODY_MAX;
}

/* room for more of the body: doubled, never beyond its length; 0 or -1 without memory */
static int body_grow(struct frame_reader *r)
{
    if (r->have < r->cap || r->cap == r->h.len)
        return 0;
    size_t cap = smaller_u64(r->h.len, r->cap > 0 ? r->cap * 2 : FIRST_ROOM);
    uint8_t *body = uti_try_realloc(r->body, cap);
    if (body == NULL)
        return -1;
    r->body = body;
    r->cap = cap;
    return 0;
}

static void span_take(struct byte_span *in, uint8_t *to, size_t n)
{
    if (n > 0)
        memcpy(to, in->at, n);
    in->at += n;
    in->left -= n;
}

/* 1 when the header is whole, 0 when IN ended before, -1 when it is not a header */
static int take_header(struct frame_reader *r, struct byte_span *in)
{
    if (r->header_have == COMM_HEADER_BYTES)
        return 1;
    size_t n = smaller_u64(COMM_HEADER_BYTES - r->header_have, in->left);
    span_take(in, r->header + r->header_have, n);
    r->header_have += (uint32_t)n;
    if (r->header_have < COMM_HEADER_BYTES)
        return 0;
    if (frame_header_unpack(r->header, &r->h) != 0 || r->h.len > most_of(r, r->h.kind))
        return -1;
    return 1;
}

uint32_t frame_reader_limit(const struct frame_reader *r, struct frame_header *h)
{
    if (frame_header_unpack(r->header, h) != 0 && !frame_header_is_too_long(r->header, h))
        return COMM_NO_LIMIT;
    uint32_t most = most_of(r, h->kind);
    return h->len > most ? most : COMM_NO_LIMIT;
}

int frame_reader_next(struct frame_reader *r, struct byte_span *in, struct frame *out)
{
    int rc = take_header(r, in);
    if (rc <= 0)
        return rc;
    while (r->have < r->h.len) {
        if (in->left == 0)
            return 0;
        if (body_grow(r) != 0)
            return -1;
        size_t n = smaller_u64(r->cap - r->have, in->left);
        span_take(in, r->body + r->have, n);
        r->have += n;
    }
    *out = (struct frame){
        .kind = r->h.kind, .serial = r->h.serial, .body = r->body, .len = r->h.len
    };
    reader_reset(r);
    return 1;
}

ssize_t frame_reader_recv(struct frame_reader *r, struct stream *from, uint8_t *scratch,
                          size_t scratch_bytes, struct byte_span *in, bool *is_all)
{
    struct iovec v[2];
    size_t direct = 0;
    int n_v = 0;
    /* only a body that has begun: a short one comes with its header through scratch */
    if (r->have > 0 && body_grow(r) == 0)
        direct = smaller_u64(r->cap - r->have, FRAME_READ_MOST);
    if (direct > 0)
        v[n_v++] = (struct iovec){ r->body + r->have, direct };
    if (direct < FRAME_READ_MOST)
        v[n_v++] = (struct iovec){ scratch, scratch_bytes };
    else
        scratch_bytes = 0;
    ssize_t n = stream_read(from, v, n_v);
    *in = (struct byte_span){ scratch, 0 };
    if (n <= 0)
        return n;
    size_t landed = smaller_u64((size_t)n, direct);
    r->have += landed;
    in->left = (size_t)n - landed;
    *is_all = (size_t)n < direct + scratch_bytes && !from->has_more;
    return n;
}

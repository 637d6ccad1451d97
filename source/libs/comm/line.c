/* What the frames of lines say. Pure.
 * Invariant: what unpacks is what was packed: no byte of a body is without a meaning. */
#include "libs/comm/line.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

#include <stdlib.h>
#include <string.h>

enum { U32_BYTES = 4, IDS_BYTES = 3 * U32_BYTES };

bool line_has_kind(uint8_t kind)
{
    return kind >= LINE_OPEN && kind <= LINE_END;
}

uint32_t line_body_most(uint8_t kind)
{
    static const uint32_t most[] = {
        [LINE_OPEN - LINE_OPEN] = IDS_BYTES + 2 * (LINE_NAME_MOST + 1),
        [LINE_DATA - LINE_OPEN] = LINE_WINDOW,
        [LINE_GRANT - LINE_OPEN] = U32_BYTES,
        [LINE_END - LINE_OPEN] = 0,
    };
    return line_has_kind(kind) ? most[kind - LINE_OPEN] : 0;
}

static void put_u32(uint8_t *at, uint32_t v)
{
    for (int i = 0; i < U32_BYTES; i++)
        at[i] = (uint8_t)(v >> (8 * (U32_BYTES - 1 - i)));
}

static uint32_t get_u32(const uint8_t *at)
{
    uint32_t v = 0;
    for (int i = 0; i < U32_BYTES; i++)
        v = v << 8 | at[i];
    return v;
}

/* NAME and a 0 at AT; returns what comes behind them */
static uint8_t *put_name(uint8_t *at, const char *name)
{
    size_t len = strnlen(name, LINE_NAME_MOST);
    memcpy(at, name, len);
    at[len] = 0;
    return at + len + 1;
}

uint8_t *line_user_pack(const struct line_user *who, size_t *len)
{
    uint8_t *body = uti_alloc(line_body_most(LINE_OPEN));
    put_u32(body, who->uid);
    put_u32(body + U32_BYTES, who->gid);
    put_u32(body + 2 * U32_BYTES, (uint32_t)who->pid);
    uint8_t *end = put_name(body + IDS_BYTES, who->user);
    *len = (size_t)(put_name(end, who->group) - body);
    return body;
}

/* the name at *AT, which moves behind it; NULL: none that may be there before END. Nothing in it is
 * below LEAST. */
static const char *get_name(const uint8_t **at, const uint8_t *end, uint8_t least)
{
    const uint8_t *from = *at, *zero = memchr(from, 0, (size_t)(end - from));
    if (zero == NULL || zero == from || zero - from > LINE_NAME_MOST)
        return NULL;
    for (const uint8_t *c = from; c < zero; c++)
        if (*c < least || *c == 0x7f)
            return NULL;
    *at = zero + 1;
    return (const char *)from;
}

int line_user_unpack(const uint8_t *body, size_t len, struct line_user *who)
{
    if (len < IDS_BYTES)
        return -1;
    const uint8_t *at = body + IDS_BYTES, *end = body + len;
    who->uid = get_u32(body);
    who->gid = get_u32(body + U32_BYTES);
    who->pid = (pid_t)get_u32(body + 2 * U32_BYTES);
    who->user = get_name(&at, end, ' ' + 1);
    who->group = who->user != NULL ? get_name(&at, end, ' ') : NULL;
    return who->group != NULL && at == end ? 0 : -1;
}

uint8_t *line_grant_pack(uint32_t bytes, size_t *len)
{
    uint8_t *body = uti_alloc(U32_BYTES);
    put_u32(body, bytes);
    *len = U32_BYTES;
    return body;
}

int line_grant_unpack(const uint8_t *body, size_t len, uint32_t *bytes)
{
    if (len != U32_BYTES)
        return -1;
    *bytes = get_u32(body);
    return 0;
}

/* ---- flow control ----
 *
 * The bytes of a line at one end. Invariants: at <= end <= cap, and no room is kept for no bytes;
 * may_come + taken + those that wait = LINE_WINDOW; may_go <= LINE_WINDOW. */

enum { GRANT_LEAST = LINE_WINDOW / 4 };

void line_flow_init(struct line_flow *f)
{
    *f = (struct line_flow){ .may_come = LINE_WINDOW, .may_go = LINE_WINDOW };
}

void line_flow_free(struct line_flow *f)
{
    free(f->bytes);
    *f = (struct line_flow){ 0 };
}

size_t line_flow_left(const struct line_flow *f)
{
    return f->end - f->at;
}

const uint8_t *line_flow_bytes(const struct line_flow *f)
{
    return f->bytes + f->at;
}

/* room for LEN more behind those that wait */
static void make_room(struct line_flow *f, size_t len)
{
    size_t left = line_flow_left(f);
    if (f->at > 0)
        memmove(f->bytes, line_flow_bytes(f), left);
    f->at = 0;
    f->end = left;
    if (left + len <= f->cap)
        return;
    f->cap = left + len;
    f->bytes = uti_realloc(f->bytes, f->cap);
}

int line_flow_come(struct line_flow *f, const uint8_t *bytes, size_t len)
{
    if (len > f->may_come)
        return -1;
    if (len == 0)
        return 0;
    make_room(f, len);
    memcpy(f->bytes + f->end, bytes, len);
    f->end += len;
    f->may_come -= (uint32_t)len;
    return 0;
}

uint32_t line_flow_take(struct line_flow *f, size_t n)
{
    ASSERT(n <= line_flow_left(f));
    f->at += n;
    f->taken += (uint32_t)n;
    if (f->at == f->end) {
        free(f->bytes);
        f->bytes = NULL;
        f->at = f->end = f->cap = 0;
    }
    if (f->taken < GRANT_LEAST)
        return 0;
    uint32_t grant = f->taken;
    f->may_come += grant;
    f->taken = 0;
    return grant;
}

int line_flow_granted(struct line_flow *f, uint32_t n)
{
    if (n > LINE_WINDOW - f->may_go)
        return -1;
    f->may_go += n;
    return 0;
}

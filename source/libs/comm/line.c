/* What the frames of lines say. Pure.
 * Invariant: what unpacks is what somebody packed: no byte of a body is without a meaning. */
#include "libs/comm/line.h"

#include <string.h>

#include "libs/uti/alloc.h"

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

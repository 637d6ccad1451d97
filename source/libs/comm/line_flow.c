/* The bytes of a line at one end. Invariants: at <= end <= cap, and no room is kept for no bytes;
 * may_come + taken + those that wait = LINE_WINDOW; may_go <= LINE_WINDOW. */
#include "libs/comm/line_flow.h"

#include <stdlib.h>
#include <string.h>

#include "libs/comm/line.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

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

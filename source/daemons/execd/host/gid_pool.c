/* Additional group ids are handed out in turn, so that an id that has just come back rests before
 * it is used again. Pure. */
#include "daemons/execd/host/gid_pool.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/parse.h"

/* (gid_t)-1 is no group, and those below 1000 are the system's: the qmaster cannot make a task one
 * of them */
enum { RANGE_MAX = 1000000, GID_LEAST = 1000 };

static bool parse_part(const char *s, size_t len, uint32_t *out)
{
    char *text = uti_strndup(s, len);
    bool is_number = parse_u32(text, out);
    free(text);
    return is_number;
}

static bool parse_range(const char *range, uint32_t *first, uint32_t *last)
{
    size_t len = strcspn(range, ","), dash = strcspn(range, "-");
    if (dash >= len)
        return parse_part(range, len, first) && parse_part(range, len, last) &&
               *first >= GID_LEAST && *last < UINT32_MAX;
    return parse_part(range, dash, first) && parse_part(range + dash + 1, len - dash - 1, last) &&
           *first >= GID_LEAST && *first <= *last && *last < UINT32_MAX &&
           *last - *first < RANGE_MAX;
}

void gid_pool_range(struct gid_pool *p, const char *range)
{
    struct gid_pool next = { 0 };
    uint32_t first, last;
    if (parse_range(range, &first, &last)) {
        next = (struct gid_pool){ .first = first,
                                  .last = last,
                                  .next = first,
                                  .is_used = uti_calloc((size_t)last - first + 1, 1) };
        for (gid_t gid = p->first; p->first != 0 && gid <= p->last; gid++)
            if (p->is_used[gid - p->first])
                gid_pool_mark(&next, gid);
    }
    free(p->is_used);
    *p = next;
}

gid_t gid_pool_take(struct gid_pool *p)
{
    if (p->first == 0)
        return 0;
    for (gid_t tried = p->first; tried <= p->last; tried++) {
        gid_t gid = p->next;
        p->next = gid == p->last ? p->first : gid + 1;
        if (!p->is_used[gid - p->first]) {
            p->is_used[gid - p->first] = 1;
            return gid;
        }
    }
    return 0;
}

static void set_used(struct gid_pool *p, gid_t gid, uint8_t is_used)
{
    if (p->first != 0 && gid >= p->first && gid <= p->last)
        p->is_used[gid - p->first] = is_used;
}

void gid_pool_mark(struct gid_pool *p, gid_t gid)
{
    set_used(p, gid, 1);
}

void gid_pool_return(struct gid_pool *p, gid_t gid)
{
    set_used(p, gid, 0);
}

void gid_pool_free(struct gid_pool *p)
{
    free(p->is_used);
    *p = (struct gid_pool){ 0 };
}

/* The geometry of a chunk map. Invariant: the blocks of an array cover the picture from its left to
 * its right edge, without gaps. Owns no data. */
#include "libs/view/chunk_picture.h"

/* the left edge of the task with this ordinal; behind the last one it is WIDTH */
static int left_of(const struct ja_shape *s, uint64_t ordinal, int width)
{
    uint64_t frames = (uint64_t)s->last - s->first + 1, at = ordinal * s->step;
    return at >= frames ? width : (int)(at * (uint64_t)width / frames);
}

static struct chunk_block block_of(const struct ja_shape *s, uint32_t first, uint32_t last,
                                   int width)
{
    int x = left_of(s, first, width);
    return (struct chunk_block){
        .x = x, .width = left_of(s, (uint64_t)last + 1, width) - x, .first = first, .last = last
    };
}

uint32_t chunk_blocks(const struct ja_shape *s, int width, int least, struct chunk_block *out,
                      uint32_t most)
{
    uint64_t tasks = ja_task_count(s), n = (uint64_t)(width / (least > 0 ? least : 1));
    n = n > most ? most : n;
    n = n > tasks ? tasks : n > 0 ? n : 1;
    for (uint64_t i = 0; i < n; i++)
        out[i] = block_of(s, (uint32_t)(i * tasks / n), (uint32_t)((i + 1) * tasks / n - 1), width);
    return (uint32_t)n;
}

struct chunk_block chunk_waited(const struct ja_shape *a, const struct ja_shape *b,
                                const struct chunk_block *block, int width)
{
    struct ja_window first = ja_dep_forward(a, b, block->first);
    struct ja_window last = ja_dep_forward(a, b, block->last);
    return block_of(a, first.first, last.last, width);
}

uint32_t chunk_at(const struct chunk_block *v, uint32_t n, int x)
{
    uint32_t i = 0;
    while (i < n && v[i].x + v[i].width <= x)
        i++;
    return i;
}

/* Bytes as requests to a small heap: blocks have the bytes that their owner wrote, wherever they
 * move, and share none. One heap serves all inputs: it keeps its regions, and has nothing in use
 * when an input begins. */
#include <string.h>

#include "libs/uti/assert.h"
#include "libs/uti/small_heap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { OWNED = 32, REQUEST_BYTES = 4, SIZE_MOST = 200000 };
struct owned {
    uint8_t *block;
    size_t bytes;
    uint8_t byte;
};

static void check_bytes(const struct owned *o, size_t bytes)
{
    for (size_t i = 0; i < o->bytes && i < bytes; i++)
        ASSERT(o->block[i] == o->byte);
}

static uint8_t *request_block(struct small_heap *h, struct owned *o, unsigned how, size_t bytes)
{
    if (how % 4 == 0)
        return small_heap_realloc(h, o->block, bytes);
    small_heap_free(h, o->block);
    o->bytes = 0;
    if (how % 4 == 1)
        return small_heap_alloc(h, bytes);
    if (how % 4 == 2)
        return small_heap_aligned(h, (size_t)1 << how % 13, bytes);
    uint8_t *block = small_heap_calloc(h, bytes, 1);
    *o = (struct owned){ block, bytes, 0 };
    check_bytes(o, bytes);
    return block;
}

static void serve_owner(struct small_heap *h, struct owned *o, unsigned how, size_t bytes)
{
    check_bytes(o, SIZE_MAX);
    o->block = request_block(h, o, how, bytes);
    check_bytes(o, bytes);
    ASSERT(small_heap_usable(h, o->block) >= bytes && (uintptr_t)o->block % 16 == 0);
    o->bytes = bytes;
    o->byte = (uint8_t)(how * 7 + bytes);
    memset(o->block, o->byte, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct small_heap heap;
    struct owned all[OWNED] = { 0 };
    for (; len >= REQUEST_BYTES; data += REQUEST_BYTES, len -= REQUEST_BYTES) {
        size_t bytes = ((size_t)data[2] << 8 | data[3]) << data[1] % 12;
        serve_owner(&heap, &all[data[0] % OWNED], data[1] >> 4, bytes % SIZE_MOST);
    }
    for (int i = 0; i < OWNED; i++) {
        check_bytes(&all[i], SIZE_MAX);
        small_heap_free(&heap, all[i].block);
    }
    return 0;
}

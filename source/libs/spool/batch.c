/* Staged operations: what one transaction will write, kept in memory in the order of staging.
 *
 * Keys and values are copied into blocks that stay where they are, so that staging is two copies
 * and leaves no memory of a large batch behind that small ones have no use for. A batch knows
 * nothing of a method. Applying it twice gives what applying it once gives: every operation sets or
 * removes whole records. That is why a commit whose outcome is in doubt may simply be repeated. */
#include "libs/spool/spool_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

enum { BLOCK_LEAST = 1000, BLOCK_MOST = 16000 };

struct spool_block {
    struct spool_block *next;
    size_t len, room;
    uint8_t bytes[];
};

struct spool_batch *spool_batch_new(void)
{
    return uti_calloc(1, sizeof(struct spool_batch));
}

void spool_batch_free(struct spool_batch *b)
{
    if (b == NULL)
        return;
    struct spool_block *block;
    while ((block = b->blocks) != NULL) {
        b->blocks = block->next;
        free(block);
    }
    free(b->ops);
    free(b);
}

/* a block with room for LEN bytes: as much as the batch has by now, within bounds */
static void batch_grow(struct spool_batch *b, size_t len)
{
    size_t room = b->len < BLOCK_LEAST ? BLOCK_LEAST : b->len > BLOCK_MOST ? BLOCK_MOST : b->len;
    if (room < len)
        room = len;
    struct spool_block *block = uti_alloc(sizeof *block + room);
    *block = (struct spool_block){ .next = b->blocks, .room = room };
    b->blocks = block;
}

static const uint8_t *batch_keep(struct spool_batch *b, const void *data, size_t len)
{
    if (len == 0)
        return (const uint8_t *)"";
    if (b->blocks == NULL || b->blocks->room - b->blocks->len < len)
        batch_grow(b, len);
    uint8_t *at = memcpy(b->blocks->bytes + b->blocks->len, data, len);
    b->blocks->len += len;
    b->len += len;
    return at;
}

static struct spool_op *batch_op(struct spool_batch *b, enum spool_op_kind kind, enum spool_table t,
                                 const void *key, size_t key_len)
{
    ASSERT(t < SPOOL_TABLES);
    ASSERT(key_len > 0 || kind == SPOOL_OP_DEL_PREFIX);
    b->ops = uti_vec_grow(b->ops, &b->cap, b->n + 1, sizeof *b->ops);
    struct spool_op *op = &b->ops[b->n++];
    *op = (struct spool_op){ .kind = kind, .table = t, .key_len = key_len };
    op->key = batch_keep(b, key, key_len);
    return op;
}

void spool_put(struct spool_batch *b, enum spool_table t, const void *key, size_t key_len,
               const void *value, size_t len)
{
    struct spool_op *op = batch_op(b, SPOOL_OP_PUT, t, key, key_len);
    op->value = batch_keep(b, value, len);
    op->value_len = len;
}

void spool_del(struct spool_batch *b, enum spool_table t, const void *key, size_t key_len)
{
    batch_op(b, SPOOL_OP_DEL, t, key, key_len);
}

void spool_del_prefix(struct spool_batch *b, enum spool_table t, const void *key, size_t key_len)
{
    batch_op(b, SPOOL_OP_DEL_PREFIX, t, key, key_len);
}

bool spool_batch_is_empty(const struct spool_batch *b)
{
    return b->n == 0;
}

size_t spool_batch_bytes(const struct spool_batch *b)
{
    return b->len;
}

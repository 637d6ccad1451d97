/* Staged operations: what one transaction will write, kept in memory in the order of staging.
 *
 * Keys and values are copied into one growing buffer, so that staging is two copies and a batch is
 * freed in three calls. A batch knows nothing of a method. Applying it twice gives what applying it
 * once gives: every operation sets or removes whole records. That is why a commit whose outcome is
 * in doubt may simply be repeated. */
#include "libs/spool/spool_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

struct spool_batch *spool_batch_new(void)
{
    return uti_calloc(1, sizeof(struct spool_batch));
}

void spool_batch_free(struct spool_batch *b)
{
    if (b == NULL)
        return;
    free(b->ops);
    free(b->bytes);
    free(b);
}

static size_t batch_keep(struct spool_batch *b, const void *data, size_t len)
{
    size_t at = b->len;
    if (len == 0)
        return at;
    if (b->bytes_cap - b->len < len) {
        size_t cap = b->bytes_cap == 0 ? 1024 : b->bytes_cap;
        while (cap - b->len < len)
            cap *= 2;
        b->bytes = uti_realloc(b->bytes, cap);
        b->bytes_cap = cap;
    }
    memcpy(b->bytes + at, data, len);
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
    op->key_at = batch_keep(b, key, key_len);
    return op;
}

void spool_put(struct spool_batch *b, enum spool_table t, const void *key, size_t key_len,
               const void *value, size_t len)
{
    struct spool_op *op = batch_op(b, SPOOL_OP_PUT, t, key, key_len);
    op->value_at = batch_keep(b, value, len);
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

/* Records that are kept once. Two are equal when they pack to the same bytes; those bytes are the
 * key, so that a look-up needs no code for the type. Invariant: what is in the table is held. */
#include "libs/cull/shared.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/pack.h"
#include "libs/uti/assert.h"
#include "libs/uti/hash.h"

struct shared {
    UT_hash_handle hh; /* by the packed bytes; owned */
    uint32_t holders;
    max_align_t record[]; /* of the table's type */
};
struct shared_records {
    const struct cull_type *type;
    struct shared *all;
    struct packer key; /* of the look-up; its memory stays for the next */
};

static struct shared *shared_of(const void *record)
{
    return (struct shared *)(uintptr_t)((const char *)record - offsetof(struct shared, record));
}

struct shared_records *shared_records_new(const struct cull_type *t)
{
    struct shared_records *s = uti_calloc(1, sizeof *s);
    s->type = t;
    return s;
}

void shared_records_free(struct shared_records *s)
{
    if (s == NULL)
        return;
    ASSERT(s->all == NULL);
    packer_free(&s->key);
    free(s);
}

static struct shared *shared_add(struct shared_records *s, void *record)
{
    struct shared *e = uti_calloc(1, sizeof *e + s->type->bytes);
    uint8_t *key = uti_alloc(s->key.len);
    memcpy(key, s->key.data, s->key.len);
    memcpy(e->record, record, s->type->bytes);
    memset(record, 0, s->type->bytes);
    HASH_ADD_KEYPTR(hh, s->all, key, s->key.len, e);
    return e;
}

const void *shared_records_get(struct shared_records *s, void *record)
{
    struct shared *e;
    s->key.len = 0;
    cull_pack(&s->key, s->type, record, NULL);
    HASH_FIND(hh, s->all, s->key.data, s->key.len, e);
    if (e == NULL)
        e = shared_add(s, record);
    else
        cull_clear(s->type, record);
    e->holders++;
    return e->record;
}

void shared_records_drop(struct shared_records *s, const void *record)
{
    if (record == NULL)
        return;
    struct shared *e = shared_of(record);
    ASSERT(e->holders > 0);
    if (--e->holders > 0)
        return;
    HASH_DEL(s->all, e);
    free((void *)(uintptr_t)e->hh.key);
    cull_clear(s->type, e->record);
    free(e);
}

uint32_t shared_records_count(const struct shared_records *s)
{
    return HASH_COUNT(s->all);
}

/* Counted strings and the pool that shares them.
 *
 * A counted string is immutable: a header with an atomic count, then the bytes and a NUL. Callers
 * see only the bytes (`const char *`), so a record's member prints like any C string; the header is
 * found in front of them. Because nobody writes the bytes, records may share one string across
 * threads: only the count changes, and it is atomic. The pool keeps one reference of its own to
 * each string; a hand goes round over the strings, two for each new one and more when its owner has
 * time, and removes those that nobody else holds. So what is left behind is less than what is in
 * use, and no sweep takes long. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "libs/cull/counted.h"
#include "libs/cull/cull.h"
#include "libs/uti/assert.h"
#include "libs/uti/hash.h"

struct counted {
    atomic_uint count;
    char text[];
};

static struct counted *counted_of(const char *text)
{
    return (struct counted *)(uintptr_t)(text - offsetof(struct counted, text));
}

_Static_assert(sizeof(struct counted) == CULL_STRING_HEADER, "what a string costs");

/* LEN bytes are in place: one holder */
static const char *string_begin(struct counted *c, size_t len)
{
    atomic_init(&c->count, 1);
    c->text[len] = '\0';
    return c->text;
}

static const char *string_fill(struct counted *c, const char *s, size_t len)
{
    if (len > 0)
        memcpy(c->text, s, len);
    return string_begin(c, len);
}

const char *cull_string_new(const char *s, size_t len)
{
    return string_fill(uti_alloc(sizeof(struct counted) + len + 1), s, len);
}

const char *cull_string_try_new(const char *s, size_t len)
{
    struct counted *c = uti_try_alloc(sizeof *c + len + 1);

    return c != NULL ? string_fill(c, s, len) : NULL;
}

const char *cull_string_take(void *memory, const char *s, size_t len)
{
    struct counted *c = memory;

    ASSERT(s > c->text);
    memmove(c->text, s, len);
    return string_begin(c, len);
}

const char *cull_string_hold(const char *counted)
{
    if (counted != NULL)
        atomic_fetch_add_explicit(&counted_of(counted)->count, 1, memory_order_relaxed);
    return counted;
}

void cull_string_drop(const char *counted)
{
    if (counted == NULL)
        return;
    struct counted *c = counted_of(counted);
    unsigned before = atomic_fetch_sub_explicit(&c->count, 1, memory_order_acq_rel);
    ASSERT(before > 0);
    if (before == 1)
        free(c);
}

/* ---- pool ---- */
enum { SWEPT_PER_NEW = 2 };

struct pooled {
    UT_hash_handle hh; /* keyed by the bytes of text; the elements are in the order they came */
    const char *text;  /* counted; the pool's own reference */
};

struct cull_pool {
    struct pooled *by_text;
    struct pooled *hand; /* the next to look at; NULL: the first */
};

struct cull_pool *cull_pool_new(void)
{
    return uti_calloc(1, sizeof(struct cull_pool));
}

static void pool_remove(struct cull_pool *p, struct pooled *e)
{
    if (p->hand == e)
        p->hand = e->hh.next;
    HASH_DEL(p->by_text, e);
    cull_string_drop(e->text);
    free(e);
}

void cull_pool_free(struct cull_pool *p)
{
    if (p == NULL)
        return;
    while (p->by_text != NULL)
        pool_remove(p, p->by_text);
    free(p);
}

/* A count of one is the pool's own; nobody can raise it meanwhile, since only the pool's thread
 * could hand it out. */
void cull_pool_sweep(struct cull_pool *p, uint32_t n)
{
    for (; n > 0 && p->by_text != NULL; n--) {
        struct pooled *e = p->hand != NULL ? p->hand : p->by_text;
        p->hand = e->hh.next;
        if (atomic_load_explicit(&counted_of(e->text)->count, memory_order_acquire) == 1)
            pool_remove(p, e);
    }
}

const char *cull_pool_get(struct cull_pool *p, const char *s, size_t len)
{
    struct pooled *e;

    if (len > CULL_POOL_MOST)
        return cull_string_new(s, len);
    HASH_FIND(hh, p->by_text, s, len, e);
    if (e != NULL)
        return cull_string_hold(e->text);
    cull_pool_sweep(p, SWEPT_PER_NEW);
    e = uti_alloc(sizeof *e);
    e->text = cull_string_new(s, len);
    HASH_ADD_KEYPTR(hh, p->by_text, e->text, len, e);
    return cull_string_hold(e->text);
}

uint32_t cull_pool_count(const struct cull_pool *p)
{
    return HASH_COUNT(p->by_text);
}

void cull_intern(const struct cull_type *t, void *o, struct cull_pool *p)
{
    for (unsigned f = 0; f < t->n_fields; f++) {
        if (t->fields[f].kind != CULL_STRING || (t->fields[f].flags & CULL_INTERN) == 0)
            continue;
        const char **at = (const char **)((char *)o + t->fields[f].offset);
        const char *own = *at;
        if (own == NULL)
            continue;
        *at = cull_pool_get(p, own, strlen(own));
        cull_string_drop(own);
    }
}

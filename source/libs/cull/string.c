/* Counted strings and the pool that shares them.
 *
 * A counted string is immutable: a header with an atomic count, then the bytes and a NUL. Callers
 * see only the bytes (`const char *`), so a record's member prints like any C string; the header is
 * found in front of them. Because nobody writes the bytes, records may share one string across
 * threads: only the count changes, and it is atomic. The pool keeps one reference of its own to
 * each string; strings that nobody else holds are swept when it has doubled. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

static const char *string_fill(struct counted *c, const char *s, size_t len)
{
    atomic_init(&c->count, 1);
    if (len > 0)
        memcpy(c->text, s, len);
    c->text[len] = '\0';
    return c->text;
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
enum { POOL_SWEEP_FIRST = 256 };

struct pooled {
    UT_hash_handle hh; /* keyed by the bytes of text */
    const char *text;  /* counted; the pool's own reference */
};

struct cull_pool {
    struct pooled *by_text;
    unsigned sweep_at; /* number of strings at which unused ones are looked for */
};

struct cull_pool *cull_pool_new(void)
{
    struct cull_pool *p = uti_calloc(1, sizeof *p);

    p->sweep_at = POOL_SWEEP_FIRST;
    return p;
}

static void pool_remove(struct cull_pool *p, struct pooled *e)
{
    HASH_DEL(p->by_text, e);
    cull_string_drop(e->text);
    free(e);
}

void cull_pool_free(struct cull_pool *p)
{
    if (p == NULL)
        return;
    struct pooled *e, *next;
    HASH_ITER(hh, p->by_text, e, next)
        pool_remove(p, e);
    free(p);
}

/* A count of one is the pool's own; nobody can raise it meanwhile, since only the pool's thread
 * could hand it out. */
static void pool_sweep(struct cull_pool *p)
{
    struct pooled *e, *next;

    HASH_ITER(hh, p->by_text, e, next) {
        if (atomic_load_explicit(&counted_of(e->text)->count, memory_order_acquire) == 1)
            pool_remove(p, e);
    }
    unsigned kept = HASH_COUNT(p->by_text);
    p->sweep_at = kept < POOL_SWEEP_FIRST / 2 ? POOL_SWEEP_FIRST : 2 * kept;
}

const char *cull_pool_get(struct cull_pool *p, const char *s, size_t len)
{
    struct pooled *e;

    HASH_FIND(hh, p->by_text, s, len, e);
    if (e != NULL)
        return cull_string_hold(e->text);
    if (HASH_COUNT(p->by_text) >= p->sweep_at)
        pool_sweep(p);
    e = uti_alloc(sizeof *e);
    e->text = cull_string_new(s, len);
    HASH_ADD_KEYPTR(hh, p->by_text, e->text, len, e);
    return cull_string_hold(e->text);
}

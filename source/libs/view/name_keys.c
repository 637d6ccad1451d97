/* Names and numbers. Invariant: both tables have the same entries. */
#include "libs/view/name_keys.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/hash.h"

struct keyed_name {
    char *name;
    uint32_t key;
    bool is_stale;
    UT_hash_handle by_name, by_key;
};

struct name_keys {
    struct keyed_name *names, *keys;
    uint32_t last;
};

struct name_keys *name_keys_new(void)
{
    return uti_calloc(1, sizeof(struct name_keys));
}

static void drop_name(struct name_keys *k, struct keyed_name *one)
{
    HASH_DELETE(by_name, k->names, one);
    HASH_DELETE(by_key, k->keys, one);
    free(one->name);
    free(one);
}

void name_keys_free(struct name_keys *k)
{
    struct keyed_name *one, *next;
    if (k == NULL)
        return;
    HASH_ITER(by_name, k->names, one, next)
        drop_name(k, one);
    free(k);
}

void name_keys_begin(struct name_keys *k)
{
    struct keyed_name *one, *next;
    HASH_ITER(by_name, k->names, one, next)
        one->is_stale = true;
}

static struct keyed_name *put_name(struct name_keys *k, const char *name)
{
    struct keyed_name *one = uti_calloc(1, sizeof *one);
    one->name = uti_strdup(name);
    one->key = ++k->last;
    HASH_ADD_KEYPTR(by_name, k->names, one->name, strlen(one->name), one);
    HASH_ADD(by_key, k->keys, key, sizeof one->key, one);
    return one;
}

uint32_t name_keys_add(struct name_keys *k, const char *name)
{
    struct keyed_name *one;
    HASH_FIND(by_name, k->names, name, strlen(name), one);
    if (one == NULL)
        one = put_name(k, name);
    one->is_stale = false;
    return one->key;
}

void name_keys_end(struct name_keys *k)
{
    struct keyed_name *one, *next;
    HASH_ITER(by_name, k->names, one, next)
        if (one->is_stale)
            drop_name(k, one);
}

const char *name_keys_find(const struct name_keys *k, uint32_t key)
{
    struct keyed_name *one;
    HASH_FIND(by_key, k->keys, &key, sizeof key, one);
    return one != NULL ? one->name : NULL;
}

void name_keys_each(const struct name_keys *k,
                    void (*fn)(void *ctx, const char *name, uint32_t key), void *ctx)
{
    for (const struct keyed_name *one = k->names; one != NULL; one = one->by_name.next)
        fn(ctx, one->name, one->key);
}

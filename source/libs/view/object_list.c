/* A list of names. Invariant: `shown` has those that the words let through, sorted; it borrows
 * their names. */
#include "libs/view/object_list.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/object.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/pattern.h"

/* ---- numbers of names ---- */
/* Names and numbers. Invariant: both tables have the same entries. */

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

/* FN for every name, in no certain order */
static void name_keys_each(const struct name_keys *k,
                           void (*fn)(void *ctx, const char *name, uint32_t key), void *ctx)
{
    for (const struct keyed_name *one = k->names; one != NULL; one = one->by_name.next)
        fn(ctx, one->name, one->key);
}

struct shown_name {
    const char *name;
    uint32_t key;
};

struct object_list {
    struct name_keys *names;
    struct shown_name *shown;
    uint32_t n, cap;
    char *words;
};

struct object_list *object_list_new(void)
{
    struct object_list *l = uti_calloc(1, sizeof *l);
    l->names = name_keys_new();
    return l;
}

void object_list_free(struct object_list *l)
{
    if (l == NULL)
        return;
    name_keys_free(l->names);
    free(l->shown);
    free(l->words);
    free(l);
}

/* ---- the filter ---- */

static bool is_like(const char *name, const char *word)
{
    return strcasestr(name, word) != NULL || pattern_match(word, name);
}

bool name_has_words(const char *name, const char *words)
{
    struct dstr word = DSTR_INIT;
    bool has_words = false, is_found = false;
    for (const char *at = words; at != NULL && !is_found && attr_next_word(&at, " ,", &word);) {
        has_words = true;
        is_found = is_like(name, dstr_get(&word));
    }
    dstr_free(&word);
    return is_found || !has_words;
}

static void show_name(void *ctx, const char *name, uint32_t key)
{
    struct object_list *l = ctx;
    if (!name_has_words(name, l->words))
        return;
    l->shown = uti_vec_grow(l->shown, &l->cap, l->n + 1, sizeof *l->shown);
    l->shown[l->n++] = (struct shown_name){ name, key };
}

static int compare_names(const void *left, const void *right)
{
    const struct shown_name *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static void show_names(struct object_list *l)
{
    l->n = 0;
    name_keys_each(l->names, show_name, l);
    if (l->n > 1)
        qsort(l->shown, l->n, sizeof *l->shown, compare_names);
}

/* ---- the list ---- */

void object_list_begin(struct object_list *l)
{
    name_keys_begin(l->names);
}

void object_list_add(struct object_list *l, const char *name)
{
    (void)name_keys_add(l->names, name);
}

void object_list_end(struct object_list *l)
{
    name_keys_end(l->names);
    show_names(l);
}

void object_list_words(struct object_list *l, const char *words)
{
    free(l->words);
    l->words = words != NULL ? uti_strdup(words) : NULL;
    show_names(l);
}

uint32_t object_list_count(const struct object_list *l)
{
    return l->n;
}

const char *object_list_name(const struct object_list *l, uint32_t row)
{
    return l->shown[row].name;
}

uint32_t object_list_key(const struct object_list *l, uint32_t row)
{
    return l->shown[row].key;
}

const char *object_list_find(const struct object_list *l, uint32_t key)
{
    return name_keys_find(l->names, key);
}

/* ---- host groups in host groups ---- */

enum { INDENT = 4 };

struct group_walk {
    const struct TX_Type_list *groups;
    struct dstr *out;
    unsigned lines;
};

static const struct TX_Type *find_group(const struct group_walk *w, const char *name)
{
    for (uint32_t i = 0; i < w->groups->n; i++)
        if (w->groups->v[i].TX_name != NULL && strcmp(w->groups->v[i].TX_name, name) == 0)
            return &w->groups->v[i];
    return NULL;
}

static void add_members(struct group_walk *w, const char *name, unsigned depth)
{
    const struct TX_Type *group = depth <= GROUP_TREE_DEPTH ? find_group(w, name) : NULL;
    const char *at = group != NULL ? object_value(group, "hostlist") : NULL;
    struct dstr word = DSTR_INIT;
    while (at != NULL && w->lines < GROUP_TREE_LINES && attr_next_word(&at, " ,", &word)) {
        if (attr_is_none(dstr_get(&word)))
            continue;
        w->lines++;
        dstr_addf(w->out, "%*s%s\n", (int)(depth * INDENT), "", dstr_get(&word));
        if (dstr_get(&word)[0] == '@')
            add_members(w, dstr_get(&word), depth + 1);
    }
    dstr_free(&word);
}

void group_tree_words(const struct TX_Type_list *groups, const char *name, struct dstr *out)
{
    struct group_walk w = { .groups = groups, .out = out };
    add_members(&w, name, 1);
    if (w.lines >= GROUP_TREE_LINES)
        dstr_addf(out, "%*s...\n", INDENT, "");
}

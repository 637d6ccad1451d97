/* A list of names. Invariant: `shown` has those that the words let through, sorted; it borrows
 * their names. */
#include "libs/view/object_list.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/pattern.h"
#include "libs/view/name_keys.h"

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

/* ---- what is shown ---- */

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

/* ---- from outside ---- */

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

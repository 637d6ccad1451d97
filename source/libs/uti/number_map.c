/* Maps by number: a tree of nodes with 64 places, chosen by six bits of the number at each level.
 * Invariants: a bit of `used` says whether there is something at its place; no node is empty; the
 * root covers every number that has a value. */
#include "libs/uti/number_map.h"

#include <stdbool.h>
#include <stdlib.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

enum { PLACE_BITS = 6, PLACES = 1 << PLACE_BITS, LEVELS_MOST = 6 };

struct number_node {
    uint64_t used;
    void *at[PLACES]; /* nodes of the level below; at the last level values */
};

/* ---- numbers and places ---- */
static bool is_covered(uint64_t number, unsigned levels)
{
    return number >> (PLACE_BITS * levels) == 0;
}

static unsigned place_of(uint64_t number, unsigned level)
{
    return (unsigned)(number >> (PLACE_BITS * (level - 1))) % PLACES;
}

static uint64_t bit_of(unsigned place)
{
    return UINT64_C(1) << place;
}

static void node_put(struct number_node *node, unsigned place, void *what)
{
    node->at[place] = what;
    node->used |= bit_of(place);
}

/* ---- adding ---- */
static struct number_node *node_new(void)
{
    return uti_calloc(1, sizeof(struct number_node));
}

static void grow_for(struct number_map *m, uint32_t number)
{
    if (m->root == NULL) {
        for (m->levels = 1; !is_covered(number, m->levels); m->levels++)
            ;
        m->root = node_new();
    }
    for (; !is_covered(number, m->levels); m->levels++) {
        struct number_node *above = node_new();
        node_put(above, 0, m->root);
        m->root = above;
    }
}

void number_map_add(struct number_map *m, uint32_t number, void *value)
{
    grow_for(m, number);
    struct number_node *node = m->root;
    for (unsigned level = m->levels; level > 1; level--) {
        unsigned place = place_of(number, level);
        if (node->at[place] == NULL)
            node_put(node, place, node_new());
        node = node->at[place];
    }
    ASSERT(value != NULL && node->at[place_of(number, 1)] == NULL);
    node_put(node, place_of(number, 1), value);
}

/* ---- finding ---- */
void *number_map_get(const struct number_map *m, uint32_t number)
{
    void *found = is_covered(number, m->levels) ? m->root : NULL;
    for (unsigned level = m->levels; level > 0 && found != NULL; level--)
        found = ((const struct number_node *)found)->at[place_of(number, level)];
    return found;
}

/* The first value of a subtree from FROM on, of which the bits above LEVEL do not count. Everything
 * behind the first place qualifies, so that no level is gone down more than twice. */
static void *first_from(const struct number_node *node, unsigned level, uint64_t from)
{
    unsigned begin = place_of(from, level);
    uint64_t places = node->used & (UINT64_MAX << begin);
    void *found = NULL;
    for (; places != 0 && found == NULL; places &= places - 1) {
        unsigned place = (unsigned)__builtin_ctzll(places);
        found = node->at[place];
        if (level > 1)
            found = first_from(found, level - 1, place == begin ? from : 0);
    }
    return found;
}

void *number_map_at_or_after(const struct number_map *m, uint64_t number)
{
    return m->root != NULL && is_covered(number, m->levels) ? first_from(m->root, m->levels, number)
                                                            : NULL;
}

/* ---- removing ---- */
/* NUMBER has a value: the nodes on the way to it, PATH[0] with the value */
static void find_path(const struct number_map *m, uint32_t number,
                      struct number_node *path[LEVELS_MOST])
{
    struct number_node *node = m->root;
    for (unsigned level = m->levels; level > 0; level--) {
        path[level - 1] = node;
        node = node->at[place_of(number, level)];
    }
}

static void node_take(struct number_node *node, unsigned place)
{
    node->at[place] = NULL;
    node->used &= ~bit_of(place);
}

void *number_map_remove(struct number_map *m, uint32_t number)
{
    struct number_node *path[LEVELS_MOST];
    void *found = number_map_get(m, number);
    if (found == NULL)
        return NULL;
    find_path(m, number, path);
    for (unsigned level = 1; level <= m->levels; level++) {
        node_take(path[level - 1], place_of(number, level));
        if (path[level - 1]->used != 0)
            return found;
        free(path[level - 1]);
    }
    m->root = NULL;
    return found;
}

static void free_below(struct number_node *node, unsigned level)
{
    for (uint64_t places = node->used; level > 1 && places != 0; places &= places - 1)
        free_below(node->at[__builtin_ctzll(places)], level - 1);
    free(node);
}

void number_map_free(struct number_map *m)
{
    if (m->root != NULL)
        free_below(m->root, m->levels);
    *m = (struct number_map){ 0 };
}

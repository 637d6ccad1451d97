#ifndef UTI_NUMBER_MAP_H
#define UTI_NUMBER_MAP_H

#include <stdint.h>

/* Values by number, in the order of the numbers: for tables that are walked as often as they are
 * asked. Numbers that lie close together cost about 8 bytes each and the value needs no room for
 * links; a walk reads memory one way. All zero = empty. */
struct number_node;
struct number_map {
    struct number_node *root; /* NULL without values */
    unsigned levels;          /* of nodes, from the root to the values */
};

/* number_map_add - NUMBER, which has no value, gets VALUE, which is borrowed and not NULL */
void number_map_add(struct number_map *m, uint32_t number, void *value);
/* number_map_get - the value of NUMBER; NULL without one
 * number_map_at_or_after - the value of NUMBER, or else of the next higher number with one; NULL
 * behind the last. A walk asks for one more than the number that it has seen, even UINT32_MAX
 * number_map_remove - NUMBER has no value any more; returns what it had, or NULL
 * All of them take steps by the levels: 4 for numbers up to 16,777,215, 6 at most. */
void *number_map_get(const struct number_map *m, uint32_t number);
void *number_map_at_or_after(const struct number_map *m, uint64_t number);
void *number_map_remove(struct number_map *m, uint32_t number);
/* number_map_free - empty again; the values are the caller's */
void number_map_free(struct number_map *m);

#endif

#ifndef VIEW_OBJECT_LIST_H
#define VIEW_OBJECT_LIST_H

#include "common/basis.h"

/* The names of all objects of a kind, as a list: sorted, filtered by words, each with a number that
 * it keeps while it is there (name_keys.h). Pure; one thread. */
struct object_list;

/* object_list_new - nothing in it; new: object_list_free. NULL is fine for object_list_free */
struct object_list *object_list_new(void);
void object_list_free(struct object_list *l);

/* object_list_begin - what follows is the list anew
 * object_list_add - NAME is in it
 * object_list_end - that was all of it. O(names log names) */
void object_list_begin(struct object_list *l);
void object_list_add(struct object_list *l, const char *name);
void object_list_end(struct object_list *l);
/* object_list_words - show names alone that have one of WORDS in them, in any case, or are like it
 * of sge_types(1); "" or NULL: all. O(names log names) */
void object_list_words(struct object_list *l, const char *words);
/* name_has_words - does NAME pass such words? */
bool name_has_words(const char *name, const char *words);

/* object_list_count - how many are shown
 * object_list_name, object_list_key - the name (borrowed) and number of the one in ROW, from 0
 * object_list_find - the name of number KEY, borrowed; NULL: it is not there */
uint32_t object_list_count(const struct object_list *l);
const char *object_list_name(const struct object_list *l, uint32_t row);
uint32_t object_list_key(const struct object_list *l, uint32_t row);
const char *object_list_find(const struct object_list *l, uint32_t key);

#endif

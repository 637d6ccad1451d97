#ifndef VIEW_OBJECT_LIST_H
#define VIEW_OBJECT_LIST_H

#include "common/basis.h"
#include "libs/sgeobj/rows.h"

/* The names of all objects of a kind, as a list: sorted, filtered by words, each with a number that
 * it keeps while it is there. Pure; one thread. */
struct dstr;
struct name_keys;
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

/* Names of things that are read again and again, each with a number that it keeps while it is
 * there. No number is given twice. Pure; one thread. */

/* name_keys_new - no names; new: name_keys_free. NULL is fine for name_keys_free */
struct name_keys *name_keys_new(void);
void name_keys_free(struct name_keys *k);

/* name_keys_begin - what follows are all names anew
 * name_keys_add - NAME is among them, perhaps again. Returns its number, from 1. O(1)
 * name_keys_end - what was not added since name_keys_begin is gone. O(names) */
void name_keys_begin(struct name_keys *k);
uint32_t name_keys_add(struct name_keys *k, const char *name);
void name_keys_end(struct name_keys *k);

/* name_keys_find - the name with this number, borrowed until name_keys_end; NULL: none. O(1) */
const char *name_keys_find(const struct name_keys *k, uint32_t key);

/* group_tree_words - append what is in host group NAME, a line each, what is in a group further
 * right than the group
 *
 *   groups  all host groups
 *
 * GROUP_TREE_LINES at most, and GROUP_TREE_DEPTH groups in each other. Pure. O(lines x groups) */
enum { GROUP_TREE_LINES = 2000, GROUP_TREE_DEPTH = 16 };
void group_tree_words(const struct TX_Type_list *groups, const char *name, struct dstr *out);

#endif

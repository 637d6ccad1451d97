#ifndef VIEW_NAME_KEYS_H
#define VIEW_NAME_KEYS_H

#include "common/basis.h"

/* Names of things that are read again and again, each with a number that it keeps while it is
 * there. No number is given twice. Pure; one thread. */
struct name_keys;

/* name_keys_new - no names; new: name_keys_free. NULL is fine for name_keys_free */
struct name_keys *name_keys_new(void);
void name_keys_free(struct name_keys *k);

/* name_keys_begin - what follows are all names anew
 * name_keys_add - NAME is among them, perhaps again. Returns its number, from 1. O(1)
 * name_keys_end - what was not added since name_keys_begin is gone. O(names) */
void name_keys_begin(struct name_keys *k);
uint32_t name_keys_add(struct name_keys *k, const char *name);
void name_keys_end(struct name_keys *k);
/* name_keys_find - the name with this number, borrowed until name_keys_end; NULL: none. O(1)
 * name_keys_each - FN for every name, in no certain order */
const char *name_keys_find(const struct name_keys *k, uint32_t key);
void name_keys_each(const struct name_keys *k,
                    void (*fn)(void *ctx, const char *name, uint32_t key), void *ctx);

#endif

#ifndef UTI_NAME_SET_H
#define UTI_NAME_SET_H

#include "common/basis.h"

/* A set of names that are owned elsewhere: is one there twice? An empty set is all zero and has no
 * memory. */
struct name_set {
    const char **slots; /* a power of two of them; NULL: free */
    size_t n, room;
};

/* name_set_add - NAME, borrowed as long as S is in use; false if it is there already
 * name_set_has - is it? O(1)
 * name_set_free - S is empty afterwards */
bool name_set_add(struct name_set *s, const char *name);
bool name_set_has(const struct name_set *s, const char *name);
void name_set_free(struct name_set *s);

#endif

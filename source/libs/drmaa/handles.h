#ifndef DRMAA_HANDLES_H
#define DRMAA_HANDLES_H

#include "common/basis.h"

/* What the host program gets instead of our pointers: numbers in the clothes of pointers. A handle
 * names its kind, its place in a table and how often that place was used before, so that a handle
 * that is wrong, foreign, freed or freed twice is noticed without looking at what it points at. It
 * is odd, which no pointer of malloc is. Not thread safe: the library's lock guards the table. */
enum handle_kind { HANDLE_TEMPLATE = 1, HANDLE_NAMES = 2, HANDLE_VALUES = 3, HANDLE_IDS = 4 };
enum { HANDLES_MOST = 1 << 24 };

struct handle_slot {
    void *object;  /* NULL: free */
    uint32_t used; /* how many objects have had this slot */
    uint32_t next; /* free: the next free slot, HANDLES_MOST: none */
    enum handle_kind kind;
};
struct handles {
    struct handle_slot *v;
    uint32_t n, cap;
    uint32_t first_free; /* good while n_free > 0 */
    uint32_t n_free;
};

/* handle_add - a handle for OBJECT, which is not NULL; NULL when there are HANDLES_MOST */
void *handle_add(struct handles *h, enum handle_kind kind, void *object);
/* handle_find - the object of a handle of KIND; NULL if HANDLE is another, or gone
 * handle_remove - the same; the handle is gone then */
void *handle_find(const struct handles *h, enum handle_kind kind, const void *handle);
void *handle_remove(struct handles *h, enum handle_kind kind, const void *handle);
/* handle_number - a handle in 31 bits, for Java, which keeps an int of it
 * handle_of_number - the handle of KIND that has NUMBER, or NULL: there is none. Of the count of
 * uses a number has the lowest bits alone. */
uint32_t handle_number(const void *handle);
void *handle_of_number(const struct handles *h, enum handle_kind kind, uint32_t number);
/* handles_free - H is empty afterwards; the objects are not touched */
void handles_free(struct handles *h);

#endif

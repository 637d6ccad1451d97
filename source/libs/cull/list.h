#ifndef CULL_LIST_H
#define CULL_LIST_H

#include "libs/cull/cull.h"

/* What records do with the lists in them; for libs/cull alone. ELEMENT is the type of the
 * elements. */

/* cull_list_copy - TO becomes a list of its own with copies of what FROM has
 * cull_list_equal - are their elements equal, in all levels? */
void cull_list_copy(const struct cull_type *element, struct cull_list *to,
                    const struct cull_list *from);
bool cull_list_equal(const struct cull_type *element, const struct cull_list *a,
                     const struct cull_list *b);
/* cull_list_adopt_elements - cull_adopt of each element of L that FROM has at the same place
 * cull_list_adopt - L is shared from now on: the elements are FROM's if they are equal and that is
 * shared, too */
void cull_list_adopt_elements(const struct cull_type *element, struct cull_list *l,
                              const struct cull_list *from);
void cull_list_adopt(const struct cull_type *element, struct cull_list *l,
                     const struct cull_list *from);

#endif

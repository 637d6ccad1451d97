#ifndef CLIENTS_COMMON_COMPLEX_H
#define CLIENTS_COMMON_COMPLEX_H

#include "clients/common/source.h"

/* The resources of the cell, as its administrator has them. */
struct answer;

/* complex_of_objects - the resources among ALL, sorted, into LIST (empty); end with
 * complex_list_clear */
void complex_of_objects(const struct GA_Type *all, struct CE_Type_list *list);
/* complex_get - those that FROM has; of one that has none, those that every cell starts with
 * Returns 0 with LIST (empty before) filled, or -1 with ans. */
int complex_get(const struct source *from, struct CE_Type_list *list, struct answer *ans);

#endif

#ifndef GDI_GATHER_H
#define GDI_GATHER_H

#include "libs/gdi/message.h"

/* Answers in one piece, for what is not endless: queues, hosts, configurations. Pure. */

/* gather_part - append copies of the objects of PART to ALL, which has those of the parts before
 * Returns how many bytes that took. O(objects) */
size_t gather_part(struct GA_Type *all, const struct GA_Type *part);

#endif

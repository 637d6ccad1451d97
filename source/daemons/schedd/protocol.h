#ifndef SCHEDD_PROTOCOL_H
#define SCHEDD_PROTOCOL_H

#include "common/basis.h"

/* The scheduling daemon's common infrastructure (layer 0 of seed 004): takes events into the scheduler, decides when to run it, sends
 * orders and hears what became of them. */
struct cell;
struct loop;
struct schedd;

/* schedd_new - connect to the qmaster of CELL (borrowed during the call) on loop L and schedule from then on
 * Returns new: schedd_free. */
struct schedd *schedd_new(struct loop *l, const struct cell *cell);
void schedd_free(struct schedd *d); /* NULL is fine */

#endif

#ifndef SCHED_PENDING_WAKE_H
#define SCHED_PENDING_WAKE_H

#include "libs/sched/pending/pending.h"

/* Which blocked needs may fit now. */

/* pending_take_change - CHANGE has come of the cell: needs that may fit are open afterwards
 * needs_sweep - open the needs in loose sets that may fit after what was given back, in MOST looks,
 * 0: any number; the rest follows the next time. Returns whether nothing is left
 * needs_are_swept - the same, without a sweep */
void pending_take_change(struct sched_pending *pending, const struct cell_change *change);
bool needs_sweep(struct sched_pending *pending, uint64_t most);
bool needs_are_swept(const struct sched_pending *pending);
/* needs_wake - open the needs of quota classes that are to be opened, as long as MOST looks take,
 * 0: all of them; the rest follows the next time. The classes have their turns, one need each; of a
 * class those go first that were blocked first. Returns whether nothing is left
 * needs_are_woken - the same, without opening any */
bool needs_wake(struct sched_pending *pending, uint64_t most);
bool needs_are_woken(const struct sched_pending *pending);

#endif

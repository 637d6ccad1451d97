#ifndef SCHED_PENDING_PARKING_H
#define SCHED_PENDING_PARKING_H

#include "libs/sched/pending/job_group_tree.h"

/* Job groups that are parked, and what requests cost their owners.
 *
 * A job group is parked when its turn has come and its owner has all that he may. As long as he may
 * have another one, his first parked job group competes with the open needs, and leaves the parking
 * when its turn has come: what waits for its owner costs nothing until then, however much it is.
 *
 * Looking for places costs looks (struct sched_work). Beyond what a task that starts usually costs
 * they are charged to the owner, and decay by half each second. An owner who has used his allowance
 * is exhausted: his job groups are parked until no other owner has an open one. Then the one of
 * these who has cost least gets another allowance. So the owner whose requests cost most comes
 * last, and delays the others by no more than an allowance. */
enum { LOOKS_OF_START = 16, SHOWN_S = 30 };
/* owner_note_tasks - he has more tasks, or fewer. O(log) */
void owner_note_tasks(struct sched_pending *pending, struct sched_owner *owner);
/* owner_charge - the look for a place of a task of his has cost LOOKS; STARTED of his slots came of
 * it. Returns whether he has become exhausted by it and that is to be shown: once in SHOWN_S
 * seconds.
 * owners_recover - at the time of the run: costs decay. O(exhausted owners)
 * owners_allow_more - no other owner has an open job group: the exhausted one who has cost least
 * gets another allowance. Returns false if none of them has a job group that could go. O(exhausted
 * owners)
 * owners_have_more - could owners_allow_more do so? */
bool owner_charge(struct sched_pending *pending, struct sched_owner *owner, uint64_t looks,
                  uint64_t started);
void owners_recover(struct sched_pending *pending);
bool owners_allow_more(struct sched_pending *pending);
bool owners_have_more(const struct sched_pending *pending);
/* owner_park, owner_unpark - GROUP of his is parked, is parked no longer. O(log) */
void owner_park(struct sched_pending *pending, struct job_group *group);
void owner_unpark(struct sched_pending *pending, struct job_group *group);
/* owners_first_roomy - of those with parked job groups who may have another task, the one whose
 * turn it is; NULL without any
 * owners_settle - their limit is another. O(owners) */
struct sched_owner *owners_first_roomy(struct sched_pending *pending);
void owners_settle(struct sched_pending *pending);

#endif

#ifndef SCHED_OWNERS_H
#define SCHED_OWNERS_H

#include "libs/sched/pending.h"

/* How many tasks of each owner may run (maxujobs of sched_conf(5)). For the files of this room
 * (sched_priv.h).
 *
 * A leaf is parked when its turn has come and its owner has all that he may. As long as he may have
 * another one, his first parked leaf competes with the open needs, and leaves the parking when its
 * turn has come: what waits for its owner costs nothing until then, however much it is. */
struct owner {
    char *name;       /* the key */
    uint64_t n_taken; /* tasks that are ordered or run */
    uint32_t users;   /* leaves */
    struct leaf_tree parked;
    bool is_roomy;        /* has parked leaves and may have another task: in s->roomy */
    struct standing head; /* while roomy: of its first parked leaf */
    RB_ENTRY(owner) at;
    UT_hash_handle hh;
};
RB_HEAD(roomy_tree, owner);
/* owner_get - the owner called NAME, made if he is new; one leaf more: owner_drop
 * owner_drop - one leaf less; the last one frees him */
struct owner *owner_get(struct sched *s, const char *name);
void owner_drop(struct sched *s, struct owner *owner);
/* owner_room - how many more tasks he may have; UINT64_MAX without a limit */
uint64_t owner_room(const struct sched *s, const struct owner *owner);
/* owner_count - he has MORE tasks; less, if it is negative as int64_t. O(log) */
void owner_count(struct sched *s, struct owner *owner, uint64_t more);
/* owner_park, owner_unpark - LEAF of his is parked, is parked no longer. O(log) */
void owner_park(struct sched *s, struct leaf *leaf);
void owner_unpark(struct sched *s, struct leaf *leaf);
/* owners_first_roomy - of those with parked leaves who may have another task, the one whose turn it
 * is; NULL without any
 * owners_settle - maxujobs is another. O(owners) */
struct owner *owners_first_roomy(struct sched *s);
void owners_settle(struct sched *s);

#endif

#ifndef SCHED_OWNERS_H
#define SCHED_OWNERS_H

#include "libs/resource/supply.h"
#include "libs/sched/pending.h"

/* How many tasks of each owner may run (maxujobs of sched_conf(5)), and what their requests cost.
 * For the files of this room (sched_priv.h).
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
enum { FAIR_LOOKS = 200000, LOOKS_OF_START = 16, SHOWN_S = 30 };
struct sched_owner {
    char *name;               /* the key */
    struct supply supply;     /* of tasks: how many he may have, and those ordered or running */
    uint32_t users;           /* job groups, and sets of queue instances made for him */
    uint64_t n_places;        /* in those sets */
    uint64_t cost, cost_at_s; /* looks charged to him, as of then */
    uint64_t allowance;       /* and those he may have */
    uint64_t shown_until_s;   /* no report before that he comes last */
    bool is_exhausted;        /* in s->exhausted */
    LIST_ENTRY(sched_owner) of_exhausted;
    struct job_group_tree parked;
    bool is_roomy; /* has parked job groups and may have another task, and looks: in s->roomy */
    struct standing head; /* while roomy: of its first parked job group */
    RB_ENTRY(sched_owner) at;
    UT_hash_handle hh;
};
RB_HEAD(roomy_tree, sched_owner);
LIST_HEAD(exhausted_list, sched_owner);
/* owner_get - the owner called NAME, made if he is new; one job group more: owner_drop
 * owner_drop - one job group less; the last one frees him */
struct sched_owner *owner_get(struct sched *s, const char *name);
void owner_drop(struct sched *s, struct sched_owner *owner);
/* owner_room - how many more tasks he may have; UINT64_MAX without a limit
 * owner_note_tasks - he has more tasks, or fewer. O(log)
 * owner_move_tasks - N tasks of FROM are those of TO from now on; FROM is NULL if they counted for
 * no owner before. O(log) */
uint64_t owner_room(const struct sched_owner *owner);
void owner_note_tasks(struct sched *s, struct sched_owner *owner);
void owner_move_tasks(struct sched *s, struct sched_owner *from, struct sched_owner *to,
                      uint64_t n);
/* owner_charge - the look for a place of a task of his has cost LOOKS; STARTED of his slots came of
 * it. Returns whether he has become exhausted by it and that is to be shown: once in SHOWN_S
 * seconds.
 * owners_recover - at S->now_s: costs decay. O(exhausted owners)
 * owners_allow_more - no other owner has an open job group: the exhausted one who has cost least
 * gets another allowance. Returns false if none of them has a job group that could go. O(exhausted
 * owners)
 * owners_have_more - could owners_allow_more do so? */
bool owner_charge(struct sched *s, struct sched_owner *owner, uint64_t looks, uint64_t started);
void owners_recover(struct sched *s);
bool owners_allow_more(struct sched *s);
bool owners_have_more(const struct sched *s);
/* owner_park, owner_unpark - GROUP of his is parked, is parked no longer. O(log) */
void owner_park(struct sched *s, struct job_group *group);
void owner_unpark(struct sched *s, struct job_group *group);
/* owners_first_roomy - of those with parked job groups who may have another task, the one whose
 * turn it is; NULL without any
 * owners_settle - maxujobs is another. O(owners) */
struct sched_owner *owners_first_roomy(struct sched *s);
void owners_settle(struct sched *s);

#endif

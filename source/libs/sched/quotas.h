#ifndef SCHED_QUOTAS_H
#define SCHED_QUOTAS_H

#include "libs/resource/quota_book.h"
#include "libs/sched/parallel_jobs.h"
#include "libs/sched/pending.h"

/* Resource quotas as the scheduler counts them: what ordered and running tasks have taken. The
 * class of an owner (quota.h) is part of the category, and so of the need: needs are blocked for
 * all of their job groups. Without enabled sets there is no book, no class, and no cost. For the
 * files of this room (sched_priv.h). */
struct sched;
struct sched_job;
struct sched_queue;
struct sched_host;

/* memory for paths, which is used again, and the classes whose needs are to be opened */
LIST_HEAD(quota_waking, quota_blocked);
struct quota_paths {
    struct growing_path path;
    struct quota_reserved { /* a booking that quotas_release undoes */
        struct supply *member;
        struct demand *demand; /* counted */
        uint64_t tasks;
    } * reserved;
    uint32_t n_reserved, reserved_cap;
    struct quota_waking waking;
};

/* quotas_put - the set is what OBJECT says; quotas_drop - it is removed; quotas_renew - resources
 * have changed. What runs is counted again, by the rules that there are now.
 * O(job groups + stays) */
void quotas_put(struct sched *s, const struct TX_Type *object);
void quotas_drop(struct sched *s, const char *name);
void quotas_renew(struct sched *s);
void quotas_free(struct sched *s);
/* quotas_class - of the jobs of s->asking with REQUEST; NULL: no rule can apply. O(1) */
const struct quota_class *quotas_class(struct sched *s, const struct JB_Type *request);

/* quotas_allow - may a task of NEED, which is not parallel, start somewhere, as far as rules say
 * that apply everywhere alike? Only that: true may be wrong. O(sets)
 * quotas_room - for how many tasks of NEED there is room in Q */
bool quotas_allow(const struct need *need);
uint64_t quotas_room(const struct need *need, struct sched_queue *q);

/* quotas_pe_room - how many slots a parallel task of NEED can have in PE, as far as rules say that
 * apply everywhere alike
 * quotas_reserve - how many of MOST slots it can have in Q besides those reserved before, which are
 * reserved; quotas_release - they no longer are
 * quotas_fit - is there room for OUT, a whole task? */
uint64_t quotas_pe_room(const struct need *need, const struct pe *pe);
uint64_t quotas_reserve(const struct need *need, const struct pe *pe, struct sched_queue *q,
                        uint64_t most);
void quotas_release(struct sched *s);
bool quotas_fit(const struct need *need, const struct grant *out);

/* quotas_take, quotas_give - TASKS tasks of JOB in PE (NULL: none) take D in Q, or give it back:
 * needs that lacked it are to be opened (quotas_wake)
 * quotas_leave, quotas_enter - the same of all that JOB has, before and after its job group changes
 */
void quotas_take(const struct sched_job *job, const struct pe *pe, struct sched_queue *q,
                 const struct demand *d, uint64_t tasks);
void quotas_give(const struct sched_job *job, const struct pe *pe, struct sched_queue *q,
                 const struct demand *d, uint64_t tasks);
void quotas_leave(const struct sched_job *job);
void quotas_enter(const struct sched_job *job);

/* quotas_block, quotas_unblock - NEED, which has a class, is blocked, by whatever; is open again.
 * O(1) */
void quotas_block(struct need *need);
void quotas_unblock(struct need *need);
/* quotas_wake - open the needs that are to be opened, those that were blocked first before the
 * others, as long as MOST looks take, 0: all of them; the rest follows the next time. Returns
 * whether nothing is left.
 * quotas_are_woken - the same, without opening any */
bool quotas_wake(struct sched *s, uint64_t most);
bool quotas_are_woken(const struct sched *s);

/* quotas_queue_changed - Q may be in other host groups
 * quotas_host_changed - H has other values: limits may depend on them */
void quotas_queue_changed(struct sched *s, struct sched_queue *q);
void quotas_host_changed(struct sched *s, struct sched_host *h);

#endif

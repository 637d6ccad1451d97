#ifndef SCHED_PENDING_JOB_GROUP_H
#define SCHED_PENDING_JOB_GROUP_H

#include "libs/sched/pending/category.h"
#include "libs/sched/pending/job_group_tree.h"

/* Jobs of one category with equal claims, which is what policies order: they differ in age alone. A
 * policy may rank a job beside the others of its job group. */
/* what of a job decides its rank, besides its category */
struct job_claim {
    const char *owner, *project, *department;
    uint64_t deadline_s;
    uint32_t priority, job_share, override_tickets;
};

/* job_group_get - the job group of these jobs, made if it is new; one job more: job_group_drop
 *   category  taken: the caller has counted it
 * O(1)
 * job_group_drop - one job less; the last one frees it */
struct job_group *job_group_get(struct sched_pending *pending, struct category *category,
                                const struct job_claim *claim);
void job_group_drop(struct sched_pending *pending, struct job_group *group);
/* job_groups_move - owners may be of other quota classes: each job group goes to the category that
 * it now belongs to. O(job groups) */
void job_groups_move(struct sched_pending *pending);
/* job_group_add_job, job_group_remove_job - JOB, of this job group, begins, or ceases, to have a
 * task to start. Its priority must not change in between. O(log) */
void job_group_add_job(struct job_group *group, struct sched_job *job);
void job_group_remove_job(struct job_group *group, struct sched_job *job);
/* job_group_first_job - the most important job with a task to start, NULL without one */
struct sched_job *job_group_first_job(struct job_group *group);
/* job_rank - the rank of JOB beside that of its job group; 0 of nearly all
 * job_set_rank - it is RANK from now on; the job is not in its job group's tree. False if
 * RANKS_MOST jobs have one: then JOB has none. Both O(1) */
enum { RANKS_MOST = 100000 };
int64_t job_rank(const struct sched_pending *pending, const struct sched_job *job);
bool job_set_rank(struct sched_pending *pending, struct sched_job *job, int64_t rank);
/* job_rank_any - the number of a job that has one; false if none does */
bool job_rank_any(const struct sched_pending *pending, uint32_t *number);
/* job_group_depends_on - does the record JOB set a field that decides which job group is its? */
bool job_group_depends_on(const struct JB_Type *job);
/* job_groups_set_urgencies - each is of the class of its category's urgency; no job is in one */
void job_groups_set_urgencies(struct sched_pending *pending);
/* job_groups_rank - ask the policy for the ranks of all of them, and put them where they now
 * belong. O(job groups)
 * job_groups_rank_more - the same for up to MOST more of them, from where the last call ended;
 * false: all have been asked. job_groups_rank_anew - the next call begins with the first */
void job_groups_rank(struct sched_pending *pending);
bool job_groups_rank_more(struct sched_pending *pending, uint32_t most);
void job_groups_rank_anew(struct sched_pending *pending);
/* job_group_first_open - the job group whose turn it is, after asking the policy once more for the
 * ranks of those that could be first; job groups of owners with as many tasks as they may have are
 * parked. NULL if all needs are blocked or have no job. O(log) for each rank, and each job group
 * parked */
struct job_group *job_group_first_open(struct sched_pending *pending);
/* job_standing - where JOB, which is in the tree of GROUP, stands among all jobs
 * job_group_job_after - the one behind JOB in the tree of its job group, NULL: it is the last
 * job_group_set_aside - GROUP, which is listed, has no turn until job_groups_take_back. O(log)
 * job_groups_take_back - all that are aside are listed again. O(those x log)
 * job_group_reserving_after - the first job group that wants reservations and stands behind AFTER;
 * NULL: behind none. Those that are parked are left out. O(log) */
struct sched_job *job_group_job_after(struct sched_job *job);
struct standing job_standing(struct job_group *group, const struct sched_job *job);
void job_group_set_aside(struct job_group *group);
void job_groups_take_back(struct sched_pending *pending);
struct job_group *job_group_reserving_after(struct sched_pending *pending,
                                            const struct standing *after);

#endif

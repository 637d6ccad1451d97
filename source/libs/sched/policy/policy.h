#ifndef SCHED_POLICY_POLICY_H
#define SCHED_POLICY_POLICY_H

#include "libs/sgeobj/rows.h"

/* An alternative scheduler (seed 004): named by `algorithm` of sched_conf(5), changed while
 * running.
 *
 * The default's model takes every event first, whatever the policy, so that another policy can take
 * over at any time. A policy says what comes first; where a task goes, the dispatcher says. It may
 *   - rank job groups (jobs of one category, owner, project, -p ...): `rank` alone, the rest stays
 *     the default's; and single jobs beside these, with sched_rank_job (services.h);
 *   - decide on the default's model: `run`, with model.h;
 *   - keep a model of its own: `new`, `apply`, `run`, and answers of its own, with the services
 *     of services.h alone.
 * What is NULL is the default's. samples/ has one of the second kind and one of the third; they are
 * in the table with -DSCHEDULER_SAMPLES. Guide: developing 6. */
struct job_group;
struct sched;
struct sched_job;
/* What a policy needs to know besides; what no policy needs is not sent. */
enum {
    /* what the default does not keep of jobs (JB_deadline, JB_jobshare, JB_override_tickets,
     * JB_department): each job comes to `apply`, also if the policy takes over in the middle */
    SCHED_NEEDS_JOBS = 1,
    /* objects of these kinds: EV_OBJECT, EV_OBJECT_DEL; sched_object */
    SCHED_NEEDS_USERS = 2,
    SCHED_NEEDS_PROJECTS = 4,
    SCHED_NEEDS_USER_SETS = 8,
    SCHED_NEEDS_SHARE_TREE = 16,
    SCHED_NEEDS_CALENDARS = 32,
    SCHED_NEEDS_SUSPENSIONS = 64, /* EV_TASKS_STATE; sched_suspension */
    SCHED_NEEDS_USAGE = 128,      /* EV_USAGE, when tasks end */
    SCHED_NEEDS_SHARE_USAGE = 256 /* EV_SHARE_USAGE; sched_usage, sched_each_usage */
};
struct sched_policy {
    const char *name;
    unsigned needs; /* SCHED_NEEDS_... */
    /* its state when it takes over, made of what the default's model has; the calls below get it as
     * OWN */
    void *(*new)(struct sched *s);
    void (*free)(void *own);
    /* layer 1: an event that the default's model has taken. It cannot fail: what it depends on has
     * been checked. */
    void (*apply)(struct sched *s, void *own, const struct EV_Type *event);
    /* layer 2: as sched_run */
    uint32_t (*run)(struct sched *s, void *own, uint64_t now_s, uint32_t most,
                    struct OR_Type_list *orders);
    /* an order was refused, and the default's model has undone it */
    void (*refused)(struct sched *s, void *own, const struct OR_Type *order);
    /* as sched_has_work, sched_next_due: instead of the default's answer */
    bool (*has_work)(const struct sched *s, const void *own);
    uint64_t (*next_due)(const struct sched *s, const void *own);
    /* as sched_reserve_order: what it has reserved, if that has changed */
    bool (*reserve)(struct sched *s, void *own, struct OR_Type_list *orders);
    /* of JOB, mostly the first one of GROUP: higher goes first; equal ranks go by priority and
     * number. Asked when the
     * first job of a job group changes and when its turn has come: if the rank has fallen by then,
     * another may be before it. A rank that rises for another reason is noticed by job_groups_rank
     * (pending/job_group.h). It follows from OWN and the job group: asked twice, it is the same. */
    int64_t (*rank)(void *own, const struct job_group *group, const struct sched_job *job);
    /* what it knows of tickets and urgencies of all active jobs, into TERMS, which have the
     * default's: weights, and the urgencies of waiting alone. Asked in each run. What jobs and owners
     * have beside these: sched_grant (services.h). */
    void (*terms)(void *own, struct PT_Type *terms);
};

/* The policies. A new one has a row here, in conf.c and in ALGORITHMS of libs/config/conf.c. */
/* what a shared object does that is not there: as the default (plugin.h) */
extern const struct sched_policy sched_plugin;
extern const struct sched_policy sched_default, sched_depth_first, ext_deadline, ext_mysched,
    ext_mysched2;

#endif

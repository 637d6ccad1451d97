#ifndef SCHED_POLICY_FACTS_H
#define SCHED_POLICY_FACTS_H

#include "libs/sgeobj/rows.h"

/* What policies may need to know, and the default does not: objects of administrators, and which
 * tasks are suspended. Kept as the events say; of what the policy does not need (policy.h) none
 * come. */
struct kept_object;
struct suspended_tasks;
struct used_pair;
struct sched_facts {
    struct kept_object *objects;         /* by kind and name */
    struct suspended_tasks *suspensions; /* by job */
    struct used_pair *usage;             /* by user and project */
    struct CONF_Type decays; /* what of sched_conf(5) says how usage decays and counts */
    uint32_t n_overriding;   /* objects with override tickets */
};
/* facts_free - F is empty afterwards */
void facts_free(struct sched_facts *f);

/* facts_put_object - OBJECT is new or changed, if it is of a kind that is kept: users, projects,
 * user sets, the share tree, calendars
 * facts_drop_object - it has gone
 * facts_object - the one of KIND called NAME, NULL if it is not there; borrowed until the next
 * event. O(1)
 * facts_number - the number that attribute ATTR of OBJECT is; 0 if OBJECT, which may be NULL, has
 * none */
uint32_t facts_number(const struct TX_Type *object, const char *attr);
void facts_put_object(struct sched_facts *f, const struct TX_Type *object);
void facts_drop_object(struct sched_facts *f, const struct TX_Type *object);
const struct TX_Type *facts_object(const struct sched_facts *f, uint32_t kind, const char *name);

/* facts_set_state - STATE (TASK_IS_... bits) holds for IDS of JOB from now on
 * facts_end_tasks - they have ended; facts_end_job - all of them
 * facts_suspension - for which reasons a task is suspended; 0: it is not. O(reasons) */
void facts_set_state(struct sched_facts *f, uint32_t job, const struct range_set *ids,
                     uint32_t state);
void facts_end_tasks(struct sched_facts *f, uint32_t job, const struct range_set *ids);
void facts_end_job(struct sched_facts *f, uint32_t job);
uint32_t facts_suspension(const struct sched_facts *f, uint32_t job, uint32_t ordinal);

/* facts_set_usage - EVENT, an EV_SHARE_USAGE, says what a pair of user and project has used
 * facts_set_decays - CONF, the scheduler's configuration, says how usage decays from now on
 * facts_usage - of NAME by a pair, decayed until NOW_S; PROJECT: NULL or "" without one. O(names)
 * facts_each_usage - FN for each pair. O(pairs)
 * facts_each_weighted - FN for each pair with all that it has used, decayed until NOW_S and weighed
 * (usage_weight_list). O(pairs x names) */
void facts_set_usage(struct sched_facts *f, const struct EV_Type *event);
void facts_set_decays(struct sched_facts *f, const struct CONF_Type *conf);
double facts_usage(const struct sched_facts *f, const char *user, const char *project,
                   const char *name, uint64_t now_s);
void facts_each_weighted(const struct sched_facts *f, uint64_t now_s,
                         void (*fn)(void *ctx, const char *user, const char *project, double usage),
                         void *ctx);
void facts_each_usage(const struct sched_facts *f,
                      void (*fn)(void *ctx, const char *user, const char *project), void *ctx);

#endif

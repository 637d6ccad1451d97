#ifndef SCHED_POLICY_H
#define SCHED_POLICY_H

#include "libs/sgeobj/rows.h"

/* An alternative scheduler (seed 004): named by `algorithm` of sched_conf(5), changed while running by EV_CONF.
 *
 * One that decides on the default's data model replaces `run` alone and reads sched_priv.h. One with a model of its own replaces
 * `apply` too, and calls sched_default_apply in it: so the default's model is always current, and whoever takes over in the middle can
 * build its own from that, as it did not see the events before.
 * The table is in policy.c; two samples are built with -DSCHEDULER_SAMPLES. */
struct answer;
struct sched;
struct sched_policy {
    const char *name;
    int (*apply)(struct sched *s, const struct EV_Type *event,
                 struct answer *ans); /* layer 1; as sched_apply */
    uint32_t (*run)(struct sched *s, uint64_t now_s, uint32_t most,
                    struct OR_Type_list *orders); /* layer 2; as sched_run */
};

/* sched_policy_find - the scheduler of that name, NULL if there is none */
const struct sched_policy *sched_policy_find(const char *name);

/* the default scheduler's layers, for others to build on */
int sched_default_apply(struct sched *s, const struct EV_Type *event, struct answer *ans);
uint32_t sched_default_run(struct sched *s, uint64_t now_s, uint32_t most,
                           struct OR_Type_list *orders);

/* samples.c; in the table with -DSCHEDULER_SAMPLES */
int sample_apply(struct sched *s, const struct EV_Type *event, struct answer *ans);
uint32_t sample_run(struct sched *s, uint64_t now_s, uint32_t most, struct OR_Type_list *orders);

#endif

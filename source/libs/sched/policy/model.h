#ifndef SCHED_POLICY_MODEL_H
#define SCHED_POLICY_MODEL_H

#include "libs/sched/pending/parking.h"
#include "libs/sched/pending/urgency.h"
#include "libs/sched/pending/wake.h"
#include "libs/sched/place/condition.h"
#include "libs/sched/place/parallel.h"
#include "libs/sched/place/soft.h"
#include "libs/sched/policy/conf.h"
#include "libs/sched/policy/facts.h"
#include "libs/sched/policy/prior.h"
#include "libs/sched/run/dispatch.h"
#include "libs/sched/run/forecast.h"
#include "libs/sched/run/reserve.h"
#include "libs/sched/supply/load.h"
#include "libs/sched/supply/offer.h"
#include "libs/sched/supply/pe.h"

/* The default data model, for policies that decide on it: the states of the rooms, the lowest
 * first. Each room has those below it. */
/* ranks by priorities (order.h) */
struct sched_order {
    struct PT_Type by;        /* the terms that ranks follow from */
    uint64_t since_s;         /* of that second */
    struct urgency_span span; /* of the jobs in the second SPAN_S */
    uint64_t span_s;
    bool is_by_prior; /* else all jobs go by age, whatever the weights are */
    bool is_due;      /* ranks of some job groups are older than that */
    bool is_renewed;  /* tickets are of that second, and no rank follows from them yet */
};
/* what jobs have now (ticket_book.h) */
struct ticket_book {
    struct number_map places; /* of pending jobs, and of those that run and have tickets */
    double *totals;           /* of pending tasks, those of a job one behind the other */
    uint32_t round;
    bool is_on;                    /* a policy gives out tickets */
    double most, pending, running; /* that a task has; of all pending jobs; of all running tasks */
};
struct sched {
    struct sched_cell cell;
    struct place_finder finder;
    struct sched_pending pending;
    struct sched_jobs jobs;
    struct sched_conf conf;
    struct prior_book prior;           /* what priorities follow from */
    struct sched_order order;          /* of the default */
    struct ticket_book tickets;        /* the same */
    struct sched_facts facts;          /* what the policy needs to know besides */
    const struct sched_policy *policy; /* in force; conf.policy is what was asked for */
    const struct sched_policy *plugin; /* what a shared object does; NULL: it is not there */
    void *own;                         /* the policy's state */
};

#endif

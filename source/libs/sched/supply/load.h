#ifndef SCHED_SUPPLY_LOAD_H
#define SCHED_SUPPLY_LOAD_H

#include "libs/sched/supply/instance.h"

/* How busy hosts are, for the order in which their queue instances are taken. */
struct fresh_start { /* slots taken on a host within a second */
    struct sched_host *host;
    uint64_t at_s, slots;
    TAILQ_ENTRY(fresh_start) of_host, of_sched;
};
/* load_settle - the load of Q, which is in no tree, may be another one: `busy` follows
 * load_note_start - SLOTS of Q are taken from now on, which counts as load for a while, if
 * job_load_adjustments says so. O(queues of its host x their sets x log)
 * load_decay - what has started load_adjustment_decay_time ago counts no more. O(that)
 * load_forget_host - H goes */
void load_settle(const struct sched_cell *cell, struct sched_queue *q);
void load_note_start(struct sched_cell *cell, struct sched_queue *q, uint64_t slots);
void load_decay(struct sched_cell *cell);
void load_forget_host(struct sched_cell *cell, struct sched_host *h);

#endif

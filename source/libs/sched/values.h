#ifndef SCHED_VALUES_H
#define SCHED_VALUES_H

#include "libs/resource/demand.h"
#include "libs/sched/places.h"

/* What queue instances have of resources that are numbers, and what tasks ask for of them. For the
 * files of this room and for policies that decide on the default data model (sched_priv.h). */
struct offering;

/* ---- offer.c: what queue instances have of resources ---- */
struct value {
    uint64_t round; /* when it was looked up; 0: never */
    double number;  /* NAN: there is none */
};
/* queue_value - the value of RESOURCE in Q: of one that runs out, the load value. O(1); O(values)
 * after Q, its host, the cell or the complex have changed
 * values_change - what *ROUND belongs to has changed */
double queue_value(struct sched *s, struct sched_queue *q, const struct resource_name *resource);
void values_change(struct sched *s, uint64_t *round);
/* queue_offering - what a task in Q finds of resources; borrowed */
struct offering queue_offering(const struct sched *s, const struct sched_queue *q);

/* supply_read_offers - SUPPLY has what OFFERS say of what runs out */
void supply_read_offers(struct sched *s, struct supply *supply, const struct CE_Type_list *offers);
/* queue_limits_renew - read what Q has of resources anew
 * queue_lacks - does Q, with its host and the cell, lack one of the resources REQUESTED, have
 * another value than is asked for, or one that must be asked for and is not? O(requests x offers)
 */
void queue_limits_renew(struct sched *s, struct sched_queue *q);
bool queue_lacks(const struct sched *s, const struct sched_queue *q,
                 const struct CE_Type_list *requested);

/* ---- condition.c: what tasks ask for of numbers, and do not use up ---- */
struct conditions { /* shared: equal conditions are the same pointer */
    uint32_t users, n;
    UT_hash_handle hh;
    struct condition {
        const struct resource_name *of;
        uint32_t relop;    /* CE_relop: WANTED stands before it, the value behind it */
        uint32_t runs_out; /* a task takes WANTED: no more of them than its load value has */
        double wanted;
    } v[];
};
/* resource_decides_places - is it decided once where a request for CE can be met, as it is by -q?
 * Those are texts and attributes of queues; other numbers change often. */
bool resource_decides_places(const struct CE_Type *ce);
/* conditions_get - those of a task with the -l requests of REQUEST; counted: conditions_drop; NULL
 * if there are none
 * conditions_room - how many more tasks with C, which may be NULL, they allow in Q. O(C) */
struct conditions *conditions_get(struct sched *s, const struct JB_Type *request);
void conditions_drop(struct sched *s, struct conditions *c);
uint64_t conditions_room(struct sched *s, const struct conditions *c, struct sched_queue *q);

#endif

#ifndef SCHED_SUPPLY_OFFER_H
#define SCHED_SUPPLY_OFFER_H

#include "libs/resource/availability.h"
#include "libs/sched/supply/instance.h"

/* What queue instances have of resources: offers, and numbers that are looked up. */
struct value {
    uint64_t round; /* when it was looked up; 0: never */
    double number;  /* NAN: it has no value */
};
/* queue_value - the value of RESOURCE in Q: of one that runs out, the load value. O(1); O(values)
 * after Q, its host, the cell or the complex have changed
 * values_change - what *ROUND belongs to has changed */
double queue_value(struct sched_cell *cell, struct sched_queue *q,
                   const struct resource_name *resource);
void values_change(struct sched_cell *cell, uint64_t *round);
/* queue_offering - what a task in Q finds of resources; borrowed */
struct offering queue_offering(const struct sched_cell *cell, const struct sched_queue *q);

/* supply_read_offers - SUPPLY has what OFFERS say of what runs out */
void supply_read_offers(struct sched_cell *cell, struct supply *supply,
                        const struct CE_Type_list *offers);
/* queue_limits_renew - read what Q has of resources anew
 * queue_lacks - does Q, with its host and the cell, lack one of the resources REQUESTED, have
 * another value than is asked for, or one that must be asked for and is not? O(requests x offers)
 */
void queue_limits_renew(struct sched_cell *cell, struct sched_queue *q);
bool queue_lacks(const struct sched_cell *cell, const struct sched_queue *q,
                 const struct CE_Type_list *requested);
/* resource_decides_places - is it decided once where a request for CE can be met, as it is by -q?
 * Those are texts and attributes of queues; other numbers change often. */
bool resource_decides_places(const struct CE_Type *ce);

#endif

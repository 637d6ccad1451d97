#ifndef RESOURCE_AVAILABILITY_H
#define RESOURCE_AVAILABILITY_H

#include "libs/sgeobj/rows.h"

/* What there is of a resource for a task in a queue instance or on a host, and who says so: one
 * rule for whatever shows or compares it. Pure.
 *
 * Of what runs out, the least counts that the queue, the host and the cell have left, and a load
 * value if it is less. Of all else the first one counts that there is: an attribute or
 * complex_values of the queue, complex_values of the host, a load value of the host, one for all
 * hosts, complex_values of the cell. Source: complex(5) */
struct offering {
    const struct QU_Type *queue;        /* NULL: what the host has, whatever the queue; attributes
                                         * that its settings leave out are the default */
    const struct EH_Type *host;         /* NULL: nothing is known of it */
    const struct EH_Type *cell;         /* the host "global"; NULL: there is none */
    const struct CE_Type_list *complex; /* what the values are */
};

struct available {
    char place;        /* 'q' the queue, 'h' the host, 'g' the cell */
    char kind;         /* 'c' what is left, 'f' fixed, 'l' a load value, 'L' after load_scaling */
    const char *said;  /* borrowed; NULL: counted has it */
    const char *bound; /* the resource that says so, if it is one that bounds the other */
    char counted[32];  /* whole units, as parse_... of the type reads them; may be negative */
};

/* available_find - what OFFERING has of CE; false: nothing. O(values)
 * available_text - it, as text; borrowed from A or from what it was found in */
bool available_find(const struct offering *offering, const struct CE_Type *ce,
                    struct available *out);
const char *available_text(const struct available *a);

/* available_meets - is that what a request for WANTED of CE, which does not run out, asks for? OUT
 * is what there is; its place is 0 where there is nothing, which meets no request */
bool available_meets(const struct offering *offering, const struct CE_Type *ce, const char *wanted,
                     struct available *out);

/* available_could_meet - is there a time at which it could be so, as far as is known? As if nothing
 * ran: of what runs out, all that is configured counts. Numbers that hosts report say nothing,
 * unless they do not change (processors, totals of memory), or are bounded by one that does not:
 * mem_free by mem_total. OUT is what there is at most; its place is 0 where there is nothing. */
bool available_could_meet(const struct offering *offering, const struct CE_Type *ce,
                          const char *wanted, struct available *out);

/* queue_resource_is - is NAME one of the following?
 * queue_resource_names - attributes of queues that are resources as well, in the order in which
 * they are shown; ends with NULL */
bool queue_resource_is(const char *name);
extern const char *const queue_resource_names[];

#endif

#ifndef SHOW_RESOURCES_H
#define SHOW_RESOURCES_H

#include "libs/resource/availability.h"
#include "libs/uti/parse.h"

/* What there is of each resource, as qstat -F and qhost -F show it. Pure. */
struct resource {
    char dominance[3]; /* "hl", "qf", "gc": availability.h's place and kind */
    const char *name;  /* borrowed */
    char *value;       /* owned */
};
struct resources {
    struct resource *v;
    uint32_t n, cap;
};
/* queue_resources - of a queue instance: its host's load values, what the cell and the host are
 * configured to have, then its own attributes and what it is configured to have
 *   wanted  names or shortcuts; empty: all
 * host_resources - of a host, or of the cell alone; the queue of WHAT is NULL */
void queue_resources(const struct offering *what, const struct name_list *wanted,
                     struct resources *out);
void host_resources(const struct offering *what, const struct name_list *wanted,
                    struct resources *out);
/* resources_show - the list of R in D, with its lines */
struct doc;
enum resource_layout {
    RESOURCES_OF_QUEUE,     /* qstat -F */
    RESOURCES_OF_HOST,      /* qhost -F */
    RESOURCES_OF_HOST_NAMED /* qhost -F NAME: on one line */
};
void resources_show(struct doc *d, enum resource_layout layout, const struct resources *r);
/* resources_free - R is empty afterwards */
void resources_free(struct resources *r);

#endif

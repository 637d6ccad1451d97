#ifndef CLIENTS_COMMON_RESOURCES_H
#define CLIENTS_COMMON_RESOURCES_H

#include "clients/common/option_table.h"
#include "libs/resource/availability.h"

struct answer;

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
/* resources_free - R is empty afterwards */
void resources_free(struct resources *r);

/* -l of the commands that show: requests of the form NAME=VALUE, or NAME for what shall be true; a
 * name may be a shortcut. Pure. */

/* resource_requests_check - is all that REQUESTS name in COMPLEX? Returns 0, or -1 with ans. */
int resource_requests_check(const struct name_list *requests, const struct CE_Type_list *complex,
                            struct answer *ans);

/* resource_requests_suit - has WHAT as much as each of them asks for? */
bool resource_requests_suit(const struct name_list *requests, const struct offering *what);

#endif

#ifndef QMASTER_CONFIG_HOST_LOAD_H
#define QMASTER_CONFIG_HOST_LOAD_H

#include "daemons/qmaster/tables/hosts.h"

/* The load values of a host, as its execd reports them. What a host may cost the qmaster that way
 * is limited: */
enum {
    LOAD_VALUES_MOST = 1000,
    LOAD_NAME_MOST = 512,
    LOAD_VALUE_MOST = 4096,
    LOAD_BYTES_MOST = 256 * 1024,         /* of all names and values of a host */
    LOAD_SAID_MOST = 2 * LOAD_VALUES_MOST /* in one message: all of them gone, and others come */
};
struct qmaster;

/* host_load_hear - the execd of H says that values are new, changed or, without a value, no more;
 * what is beyond the limits is left out, with a line in the log for each connection. O(values) if
 * they come in the order in which they came first */
void host_load_hear(struct qmaster *q, struct host *h, const struct EH_Type *said);
/* host_load_anew - the execd of H is new, and says all values: those known are forgotten */
void host_load_anew(struct host *h);

#endif

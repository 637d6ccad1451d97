#ifndef SGEOBJ_AR_H
#define SGEOBJ_AR_H

#include "libs/sgeobj/rows.h"

/* Advance reservations: AR_state. Source: qrstat(1) */
enum ar_state {
    AR_WAITING = 1,
    AR_RUNNING = 2, /* its jobs may start */
    AR_ENDING = 3   /* its jobs end, and it goes when they have */
};
/* limits of what is reserved in advance: in the cell, of a user, and for one of them the queue
 * instances and how far ahead its end may be */
enum {
    AR_CELL_MOST = 1000,
    AR_USER_MOST = 100,
    AR_PLACES_MOST = 1000,
    AR_USERS_MOST = 1000, /* that -u names */
    /* running tasks of the cell with something of an environment or of the cell whose ends are
     * foreseen, the oldest first */
    AR_WIDE_MOST = 10000,
    AR_AHEAD_MOST_S = 10 * 366 * 86400
};

#endif

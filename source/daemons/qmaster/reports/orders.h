#ifndef QMASTER_REPORTS_ORDERS_H
#define QMASTER_REPORTS_ORDERS_H

#include "daemons/qmaster/change/connections.h"

/* of one order; a task counts once for each queue instance that it is to have slots in */
#define ORDER_TASKS_MOST 100000

/* orders_handle - a package of orders from the scheduler: each is checked in full and carried out
 * or refused, then the package is acknowledged with the refused ones and why. The scheduler is
 * never trusted. */
void orders_handle(struct qmaster *q, struct connection *s, struct frame *f);

#endif

#ifndef QMASTER_REQUESTS_EVENT_CLIENTS_H
#define QMASTER_REQUESTS_EVENT_CLIENTS_H

#include "daemons/qmaster/change/request.h"

/* end_event_clients - each whose id is selected, or all but the scheduler ("all"); the scheduler is
 * started again at once */
void end_event_clients(struct qmaster *q, struct request *r);

#endif

#ifndef QMASTER_REQUESTS_OBJECTS_OBJECT_REQUESTS_H
#define QMASTER_REQUESTS_OBJECTS_OBJECT_REQUESTS_H

#include "daemons/qmaster/change/request.h"

/* Requests about what administrators keep and about the parts of the cell. Each checks everything
 * before it changes anything. */

void add_config_request(struct qmaster *q, struct request *r);
void mod_config_request(struct qmaster *q, struct request *r);
void del_config_request(struct qmaster *q, struct request *r);
void event_clients_request(struct qmaster *q, struct request *r); /* GET of event clients */
/* end_event_clients - each whose id is selected, or all but the scheduler ("all"); the scheduler is
 * started again at once */
void end_event_clients(struct qmaster *q, struct request *r);
/* act_on_cell - ACT whose target is not a job or a queue */
void act_on_cell(struct qmaster *q, struct request *r);

#endif

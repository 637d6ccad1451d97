#ifndef QMASTER_REQUESTS_ACT_CELL_H
#define QMASTER_REQUESTS_ACT_CELL_H

#include "daemons/qmaster/change/request.h"

/* act_on_cell - carry out the ACT R, whose target is no job and no queue */
void act_on_cell(struct qmaster *q, struct request *r);

#endif

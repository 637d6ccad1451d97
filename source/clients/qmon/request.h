#ifndef CLIENTS_QMON_REQUEST_H
#define CLIENTS_QMON_REQUEST_H

#include "clients/qmon/qmon.h"
#include "libs/gdi/message.h"

/* request_send - ask the qmaster, and say in the label SAID, which stays, what it answers: an error
 * rather than what went well, and how many more texts there are. REQUEST is empty afterwards. */
void request_send(struct qmon *q, Widget said, struct GR_Type *request);

#endif

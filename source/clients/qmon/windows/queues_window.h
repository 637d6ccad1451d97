#ifndef CLIENTS_QMON_WINDOWS_QUEUES_WINDOW_H
#define CLIENTS_QMON_WINDOWS_QUEUES_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

/* Queue Control. */

/* queues_window_open - Queue Control; made when it is opened first
 * queues_window_renew - ask for the reasons of states now; NULL is fine, here and below
 * queues_window_show - take over what events have changed
 * queues_window_status - the qmaster was lost or found */
void queues_window_open(void *q);
void queues_window_renew(struct queues_window *w);
void queues_window_show(struct queues_window *w);
void queues_window_status(struct queues_window *w);
void queues_window_free(struct queues_window *w);

#endif

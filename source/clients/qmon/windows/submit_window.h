#ifndef CLIENTS_QMON_WINDOWS_SUBMIT_WINDOW_H
#define CLIENTS_QMON_WINDOWS_SUBMIT_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

/* Submit Job. */

/* submit_window_open - Submit Job; made when it is opened first
 * submit_window_refresh - the jobs of the cell have changed; NULL is fine */
void submit_window_open(void *q);
void submit_window_refresh(struct submit_window *w);
void submit_window_free(struct submit_window *w);

#endif

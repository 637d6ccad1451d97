#ifndef CLIENTS_QMON_WINDOWS_JOBS_WINDOW_H
#define CLIENTS_QMON_WINDOWS_JOBS_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

/* Job Control. */

/* jobs_window_open - Job Control; made when it is opened first
 * jobs_window_refresh - show what has changed; NULL is fine
 * jobs_window_status - the qmaster was lost or found */
void jobs_window_open(void *q);
void jobs_window_refresh(struct jobs_window *w);
void jobs_window_status(struct jobs_window *w);
void jobs_window_free(struct jobs_window *w);

#endif

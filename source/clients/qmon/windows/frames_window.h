#ifndef CLIENTS_QMON_WINDOWS_FRAMES_WINDOW_H
#define CLIENTS_QMON_WINDOWS_FRAMES_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

/* Frames: the pipeline of some jobs as a matrix. */

/* frames_window_open - Frames of the pipeline that JOBS (numbers) belong to */
void frames_window_open(struct qmon *q, const struct range_set *jobs);
void frames_window_refresh(struct frames_window *w);
void frames_window_status(struct frames_window *w);
void frames_window_free(struct frames_window *w);

#endif

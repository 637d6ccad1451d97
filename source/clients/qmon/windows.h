#ifndef CLIENTS_QMON_WINDOWS_H
#define CLIENTS_QMON_WINDOWS_H

#include "clients/qmon/qmon.h"

/* The windows, a file each. All of them show models of libs/view, and hold nothing themselves. */

/* main_window_make - the figures, the buttons and the status line, in q->top
 * main_window_status - say what q->status says
 * main_window_refresh - show the figures, if they are others now */
void main_window_make(struct qmon *q);
void main_window_status(struct qmon *q);
void main_window_refresh(struct qmon *q);
void main_window_free(struct main_window *w);

/* jobs_window_open - Job Control; made when it is opened first
 * jobs_window_refresh - show what has changed; NULL is fine
 * jobs_window_status - the qmaster was lost or found */
void jobs_window_open(void *q);
void jobs_window_refresh(struct jobs_window *w);
void jobs_window_status(struct jobs_window *w);
void jobs_window_free(struct jobs_window *w);

/* frames_window_open - Frames of the pipeline that JOBS (numbers) belong to */
void frames_window_open(struct qmon *q, const struct range_set *jobs);
void frames_window_refresh(struct frames_window *w);
void frames_window_status(struct frames_window *w);
void frames_window_free(struct frames_window *w);

/* submit_window_open - Submit Job; made when it is opened first
 * submit_window_refresh - the jobs of the cell have changed; NULL is fine */
void submit_window_open(void *q);
void submit_window_refresh(struct submit_window *w);
void submit_window_free(struct submit_window *w);

/* queues_window_open - Queue Control; made when it is opened first
 * queues_window_renew - ask the qmaster again now; NULL is fine, here and below
 * queues_window_changed - events told of queues or tasks: ask soon
 * queues_window_status - the qmaster was lost or found */
void queues_window_open(void *q);
void queues_window_renew(struct queues_window *w);
void queues_window_changed(struct queues_window *w);
void queues_window_status(struct queues_window *w);
void queues_window_free(struct queues_window *w);

/* browser_window_open - the Browser; made when it is opened first
 * browser_window_event - EVENT, borrowed, has come; NULL is fine for W, here and below
 * browser_window_refresh - show what has come */
void browser_window_open(void *q);
void browser_window_event(struct browser_window *w, const struct EV_Type *event);
void browser_window_refresh(struct browser_window *w);
void browser_window_free(struct browser_window *w);

/* objects_changed - objects of administrators are others now: the windows that are open ask the
 * qmaster again */
void objects_changed(struct qmon *q);

#endif

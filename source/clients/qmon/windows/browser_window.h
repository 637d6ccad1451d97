#ifndef CLIENTS_QMON_WINDOWS_BROWSER_WINDOW_H
#define CLIENTS_QMON_WINDOWS_BROWSER_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

/* The Browser: records and events as text. */

/* browser_window_open - the Browser; made when it is opened first
 * browser_window_event - EVENT, borrowed, has come; NULL is fine for W, here and below
 * browser_window_refresh - show what has come */
void browser_window_open(void *q);
void browser_window_event(struct browser_window *w, const struct EV_Type *event);
void browser_window_refresh(struct browser_window *w);
void browser_window_free(struct browser_window *w);

#endif

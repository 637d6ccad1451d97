#ifndef CLIENTS_QMON_WINDOWS_MAIN_WINDOW_H
#define CLIENTS_QMON_WINDOWS_MAIN_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

/* The main window: figures, buttons, a status line. */

/* main_window_make - the figures, the buttons and the status line, in q->top
 * main_window_status - say what q->status says
 * main_window_refresh - show the figures, if they are others now */
void main_window_make(struct qmon *q);
void main_window_status(struct qmon *q);
void main_window_refresh(struct qmon *q);
void main_window_free(struct main_window *w);

#endif

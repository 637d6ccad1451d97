#ifndef CLIENTS_QMON_WINDOWS_CHANGE_WINDOW_H
#define CLIENTS_QMON_WINDOWS_CHANGE_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

/* Change: jobs in the pages of Submit Job. */
struct change_window;

/* change_window_new - not seen yet; new: change_window_free, which takes NULL
 * change_window_open - change JOBS (numbers), borrowed: of one alone the fields say what it has */
struct change_window *change_window_new(struct qmon *q);
void change_window_open(struct change_window *w, const struct range_set *jobs);
void change_window_free(struct change_window *w);

#endif

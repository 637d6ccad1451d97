#ifndef CLIENTS_QMON_WINDOWS_OBJECTS_WINDOW_H
#define CLIENTS_QMON_WINDOWS_OBJECTS_WINDOW_H

#include "clients/qmon/widgets/object_groups.h"
#include "clients/qmon/widgets/qmon.h"

/* The windows of the objects that administrators keep: a list, and what the one that is selected
 * says. */

/* objects_window_open - that of GROUP; made when it is opened first
 * objects_window_changed - events told of other objects: ask soon, if the window is open; NULL is
 * fine, here and below
 * objects_window_status - the qmaster was lost or found
 * objects_window_renew - the cell has changed: ask again now, if the window is open
 * objects_window_free - it goes with qmon */
void objects_window_open(struct qmon *q, enum object_group group);
void objects_window_changed(struct objects_window *w);
void objects_window_status(struct objects_window *w);
void objects_window_renew(struct objects_window *w);
void objects_window_free(struct objects_window *w);

#endif

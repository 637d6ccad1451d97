#ifndef CLIENTS_QMON_WINDOWS_OBJECT_WINDOW_H
#define CLIENTS_QMON_WINDOWS_OBJECT_WINDOW_H

#include "clients/qmon/widgets/qmon.h"
#include "libs/view/object_form.h"

struct attr_panel;

/* object_window_open - a window in which OBJECT, borrowed, is changed, or a new one made that
 * begins as it
 *
 *   said  a label for what the qmaster said when it has taken the object, and the window has gone;
 *         it lives as long as qmon
 *
 * The window lives until it is closed; object_windows_free ends those that are open. */
void object_window_open(struct qmon *q, const struct kind *kind, const void *object,
                        enum object_deed deed, Widget said);
void object_windows_free(struct qmon *q);

/* What stands below the fields of an object: what the manual says of the one with the keys, and
 * beside it what the kind has of its own: the values of a queue on single hosts, the week of a
 * calendar. */

#endif

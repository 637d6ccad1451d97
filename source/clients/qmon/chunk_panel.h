#ifndef CLIENTS_QMON_CHUNK_PANEL_H
#define CLIENTS_QMON_CHUNK_PANEL_H

#include "clients/qmon/paint.h"
#include "libs/sgeobj/ja_dependency.h"

/* The picture of a chunk map: tasks of A above, of B below, and between them who waits for whom. */
struct chunk_panel;

/* chunk_panel_new - in PARENT, a form, between FROM and TO percent of its height. Lives as long as
 * its widgets, which free it. */
struct chunk_panel *chunk_panel_new(Widget parent, const struct paint *paint, int from, int to);
/* chunk_panel_show - tasks of B wait for those of A, which are of the same range; NAME, that of A,
 * is copied. NULL: an empty picture */
void chunk_panel_show(struct chunk_panel *p, const char *name, const struct ja_shape *a,
                      const struct ja_shape *b);

#endif

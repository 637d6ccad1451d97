#ifndef CLIENTS_QMON_WIDGETS_TABLE_H
#define CLIENTS_QMON_WIDGETS_TABLE_H

#include "clients/qmon/widgets/paint.h"
#include "clients/qmon/widgets/table_model.h"

/* A table of any number of rows, of which only those that are seen are asked for and drawn. Rows
 * are chosen by key or pointer; what is chosen is known by its key, so that it stays chosen when
 * rows move. */
struct table;

/* table_new - in PARENT, which manages it
 *   widths  of the columns in characters, as text "8 20 ..."; missing ones are 10. A column is
 *           narrower if what is seen of it is, and wider if that is and the table has room; if
 *           all together are too wide, the widest become narrower
 * Lives as long as its widgets, which free it. */
struct table *table_new(Widget parent, const char *name, const struct paint *paint,
                        const struct table_model *model, const char *widths, void *ctx);
/* table_widget - what its parent lays out */
Widget table_widget(const struct table *t);
/* table_room - pixels that the text of a single column has */
int table_room(const struct table *t);
/* table_update - rows have changed: draw again. Keys that no row has are not chosen any more: what
 * is not visible is not acted upon. O(rows) if any are chosen */
void table_update(struct table *t);
/* table_set_faint - what is shown is old: draw it so */
void table_set_faint(struct table *t, bool is_faint);
/* table_columns - show these N columns of the model alone, in this order; default: all */
void table_columns(struct table *t, const unsigned *columns, unsigned n);
/* table_chosen - the keys that are chosen, borrowed */
const struct range_set *table_chosen(const struct table *t);

#endif

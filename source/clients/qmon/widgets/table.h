#ifndef CLIENTS_QMON_WIDGETS_TABLE_H
#define CLIENTS_QMON_WIDGETS_TABLE_H

#include "clients/qmon/widgets/paint.h"
#include "libs/mir/board.h"

/* A table of any number of rows, of which only those that are seen are asked for and drawn. Rows
 * are chosen by key or pointer; what is chosen is known by its key, so that it stays chosen when
 * rows move. */
struct dstr;
struct table;

/* What a table shows: the functions by which it asks for its rows, and those that it calls. */
struct table_model {
    unsigned n_columns;
    const char *(*title)(unsigned column);
    bool (*is_number)(unsigned column); /* NULL: none of them */
    uint32_t (*count)(void *ctx);
    /* of a row that is there: its key; what stands in a column; which look stands in front of it
     * (NULL: none) */
    uint32_t (*key)(void *ctx, uint32_t row);
    void (*cell)(void *ctx, uint32_t row, unsigned column, struct dstr *out);
    enum task_look (*look)(void *ctx, uint32_t row);
    /* how many tasks of each look a row has, if COLUMN shows them as a bar. False: it shows what
     * `cell` says. NULL: no column is a bar */
    bool (*bar)(void *ctx, uint32_t row, unsigned column, uint64_t counts[LOOKS]);
    /* by which column the rows are sorted; a title was clicked at. NULL: by the first, as they are */
    unsigned (*sorted_by)(void *ctx);
    void (*sort)(void *ctx, unsigned column);
    /* another choice; a double click or Return at the row under the cursor. NULL: nothing */
    void (*chosen)(void *ctx);
    void (*entered)(void *ctx, uint32_t row);
    /* the pointer came to a row, or left the rows: -1. NULL: nothing */
    void (*pointed)(void *ctx, int64_t row);
    /* the table has another width. NULL: nothing */
    void (*resized)(void *ctx);
    /* row FROM was dragged onto row TO, another one. NULL: nothing */
    void (*dropped)(void *ctx, uint32_t from, uint32_t to);
};

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

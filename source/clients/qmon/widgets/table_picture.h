#ifndef CLIENTS_QMON_WIDGETS_TABLE_PICTURE_H
#define CLIENTS_QMON_WIDGETS_TABLE_PICTURE_H

#include "clients/qmon/widgets/paint.h"
#include "clients/qmon/widgets/table_model.h"

/* The picture of a table. Its fields belong to table.c, which says what is chosen, and to this
 * file. */
enum { TABLE_CELL_GAP = 8 }; /* pixels between the texts of two columns */
struct table {
    const struct table_model *model;
    void *ctx;
    const struct paint *paint;
    Widget frame, area, bar;
    int *widths;              /* of the columns as they are drawn, pixels; owned */
    int *usual, *needed;      /* as they are set, and as what was seen needs; owned */
    bool is_grown;            /* `needed` has, since `widths` were made */
    unsigned *shown, n_shown; /* columns in their order; owned */
    uint32_t top;
    uint32_t cursor, anchor; /* rows: where the keys are, where a range began */
    struct range_set chosen; /* keys */
    bool is_faint;
    int64_t pressed; /* the row that the first button went down at; -1: none */
    Time pressed_ms; /* when it did, by the X server */
    int64_t pointed; /* the row that the pointer is at; -1: none */
};

/* table_read_widths - the columns are as wide as WIDTHS says (table_new)
 * table_set_widths - as wide as the table has room for; when it has another size */
void table_read_widths(struct table *t, const char *widths);
void table_set_widths(struct table *t);
/* table_page - rows that are seen whole, at least 1
 * table_show - draw
 * table_scroll - the row TOP is the first that is seen
 * table_see - scroll until ROW is seen */
uint32_t table_page(const struct table *t);
void table_show(struct table *t);
void table_scroll(struct table *t, uint32_t top);
void table_see(struct table *t, uint32_t row);

#endif

#ifndef CLIENTS_QMON_WIDGETS_TABLE_MODEL_H
#define CLIENTS_QMON_WIDGETS_TABLE_MODEL_H

#include "libs/mir/board.h"

/* What a table shows: the functions by which it asks for its rows, and those that it calls. */
struct dstr;

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

#endif

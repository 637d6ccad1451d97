#ifndef CLI_LIST_ITEMS_H
#define CLI_LIST_ITEMS_H

#include "common/basis.h"

/* Items of a comma-separated list: `A=1,B='x, y',C`. A value that begins with a quote ("..." or
 * '...') which is closed again keeps its commas and loses its quotes, joined as a shell does; any
 * other quote, and backslash, is an ordinary character. Blanks around an item do not count, unless
 * they are quoted. */
struct dstr;
struct list_reader {
    const char *at;
    bool is_done;
    bool keeps_ends; /* blanks at the end of an item belong to its value */
};
/* list_reader_over - from the beginning of TEXT, borrowed
 * list_reader_over_values - the same for variables, whose values may end with blanks */
struct list_reader list_reader_over(const char *text);
struct list_reader list_reader_over_values(const char *text);
/* list_next - the next item into OUT (replaced); false at the end. An empty text has no items;
 * empty items between commas are given. */
bool list_next(struct list_reader *r, struct dstr *out);

#endif

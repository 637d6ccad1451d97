#ifndef VIEW_COLUMNS_H
#define VIEW_COLUMNS_H

#include "common/basis.h"

/* Which columns of a table are shown, and in which order. Columns are known by number, and in files
 * by title. Pure; a value without anything to free. */
struct dstr;
enum { COLUMNS_MOST = 32 };

struct columns {
    unsigned n;                    /* that there are, at most COLUMNS_MOST */
    unsigned char v[COLUMNS_MOST]; /* all of them, in their order */
    bool is_hidden[COLUMNS_MOST];  /* by number of the column, not by place */
};
typedef const char *(*column_title_fn)(unsigned column);

/* columns_init - N columns, all of them shown, in their usual order */
void columns_init(struct columns *c, unsigned n);
/* columns_shown - the columns that are shown, into OUT, which has room for COLUMNS_MOST; returns
 * how many */
unsigned columns_shown(const struct columns *c, unsigned *out);
/* columns_toggle - show or hide the column at PLACE (0 ...); false: it is the only one, and stays
 * columns_move - it goes BY places up (< 0) or down; returns the place where it is then */
bool columns_toggle(struct columns *c, unsigned place);
unsigned columns_move(struct columns *c, unsigned place, int by);

/* columns_text - append the titles of those that are shown, with blanks between
 * columns_read - show those that TEXT names, in its order; the others are hidden
 * Words that are no title, or come again, are appended to WRONG (optional) and count for nothing;
 * if none is left, all columns are shown. */
void columns_text(const struct columns *c, column_title_fn title, struct dstr *out);
void columns_read(struct columns *c, const char *text, column_title_fn title, struct dstr *wrong);

#endif

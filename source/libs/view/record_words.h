#ifndef VIEW_RECORD_WORDS_H
#define VIEW_RECORD_WORDS_H

#include "libs/cull/cull.h"

struct dstr;

/* Any record as it is, for who wants to see everything. Pure. */

/* record_lines - append a line for each field of RECORD that is present, "name value"; elements of
 * lists stand below the name of the list, DEPTH steps further right. Control characters in texts
 * are blanks. O(bytes) */
void record_lines(const struct cull_type *type, const void *record, unsigned depth,
                  struct dstr *out);
/* record_line - append the same in one line: name=value name=(name=value ...); what is longer than
 * MOST bytes is cut off */
void record_line(const struct cull_type *type, const void *record, size_t most, struct dstr *out);

/* record_field - append the value of field FIELD, which is no list */
void record_field(const struct cull_type *type, const void *record, unsigned field,
                  struct dstr *out);

#endif

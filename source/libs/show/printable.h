#ifndef SHOW_PRINTABLE_H
#define SHOW_PRINTABLE_H

#include "libs/cull/cull.h"

/* What users named is shown to others: an escape sequence in it must not reach a terminal, nor a
 * newline look like a further line to a script. Control characters, also those of UTF-8 (U+0080 to
 * U+009F) and single bytes 80 to 9F, become \xNN; a tab stays. Pure. */
struct dstr;

/* text_is_printable - is there nothing to replace? */
bool text_is_printable(const char *text);
/* text_add_printable - append TEXT with its control characters replaced */
void text_add_printable(struct dstr *out, const char *text);

/* record_is_printable, record_make_printable - the same of all strings of a record, in all levels;
 * keys are strings like others
 * O(bytes). */
bool record_is_printable(const struct cull_type *t, const void *record);
void record_make_printable(const struct cull_type *t, void *record);

#endif

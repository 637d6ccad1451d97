#ifndef VIEW_PREFERENCES_H
#define VIEW_PREFERENCES_H

#include "common/basis.h"

/* What a user has chosen in windows, and wants to find again: names with values, a line each in a
 * text ("jobColumns: job name owner"). What a newer program has written stays. Pure. */
struct dstr;
struct preferences;
enum { PREFERENCES_MOST = 200, PREFERENCES_BYTES_MOST = 64 * 1024 };

/* preferences_new - nothing is chosen; new: preferences_free. NULL is fine for it */
struct preferences *preferences_new(void);
void preferences_free(struct preferences *p);

/* preferences_read - take what TEXT says, borrowed; empty lines and those that begin with # say
 * nothing. Lines that make no sense, and those beyond PREFERENCES_MOST names, are left out, and
 * their numbers appended to WRONG: "3, 7". O(length x names) */
void preferences_read(struct preferences *p, const char *text, struct dstr *wrong);
/* preferences_get - the value of NAME, borrowed until it is set; NULL: not chosen
 * preferences_set - NAME has VALUE from now on; both are plain words of this program, and VALUE is
 * one line
 * preferences_text - append what preferences_read reads */
const char *preferences_get(const struct preferences *p, const char *name);
void preferences_set(struct preferences *p, const char *name, const char *value);
void preferences_text(const struct preferences *p, struct dstr *out);

#endif

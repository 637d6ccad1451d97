#ifndef CLIENTS_QMON_WIDGETS_PREFERENCES_H
#define CLIENTS_QMON_WIDGETS_PREFERENCES_H

#include "common/basis.h"

/* What the user has chosen in windows, in ~/.qmon_preferences, for the next start. */
struct answer;
struct dstr;

/* preference_get - append the value of NAME, if there is one; errors of the file, and lines in it
 * that make no sense, are warnings in ANS. False: NAME has no value. */
bool preference_get(const char *name, struct dstr *value, struct answer *ans);
/* preference_set - NAME has VALUE from now on, and all else that the file says stays. Returns 0,
 * or -1 with ans and the file as it was. */
int preference_set(const char *name, const char *value, struct answer *ans);

/* regular_read - append the regular file PATH to OUT as file_read does; what is no regular file is
 * refused, so that nothing waits for it */
int regular_read(const char *path, size_t most_bytes, struct dstr *out, struct answer *ans);

/* ---- the text of the file ----
 *
 * Names with values, a line each ("jobColumns: job name owner"). What a newer program has written
 * stays. Pure. */
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

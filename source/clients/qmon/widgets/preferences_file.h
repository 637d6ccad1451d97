#ifndef CLIENTS_QMON_WIDGETS_PREFERENCES_FILE_H
#define CLIENTS_QMON_WIDGETS_PREFERENCES_FILE_H

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

#endif

#ifndef CLIENTS_QMON_WINDOWS_SCRIPT_WINDOW_H
#define CLIENTS_QMON_WINDOWS_SCRIPT_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

/* A script, to be edited: one at a time. */
struct script_window;
enum { SCRIPT_EDIT_MOST = 1024 * 1024 }; /* bytes */

/* the script has been written into PATH, borrowed */
typedef void (*script_saved_fn)(void *ctx, const char *path);

/* script_window_new - not seen yet; SAVED is called with CTX. New: script_window_free, which takes
 * NULL
 * script_window_open - edit PATH, a regular file of UTF-8 or one that does not exist yet; changes
 * that were not saved are asked about first */
struct script_window *script_window_new(struct qmon *q, script_saved_fn saved, void *ctx);
void script_window_open(struct script_window *w, const char *path);
void script_window_free(struct script_window *w);

#endif

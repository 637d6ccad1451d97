#ifndef VIEW_EVENT_LOG_H
#define VIEW_EVENT_LOG_H

#include "libs/cull/cull.h"
#include "libs/sgeobj/rows.h"

struct dstr;

/* The last events as lines, EVENT_LINES at most, each cut at EVENT_LINE_BYTES. Pure. */
enum { EVENT_LINES = 500, EVENT_LINE_BYTES = 400 };
struct event_log;

/* event_log_new - no lines; new: event_log_free. NULL is fine for event_log_free */
struct event_log *event_log_new(void);
void event_log_free(struct event_log *l);
/* event_log_add - EVENT is the newest. O(bytes of the line)
 * event_log_count - how many have come at all
 * event_log_text - append the lines, the newest last */
void event_log_add(struct event_log *l, const struct EV_Type *event);
uint64_t event_log_count(const struct event_log *l);
void event_log_text(const struct event_log *l, struct dstr *out);

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

#ifndef QMASTER_HEARD_CELL_LOAD_H
#define QMASTER_HEARD_CELL_LOAD_H

#include "daemons/qmaster/tables/hosts.h"

/* The load values of the cell: what sensors of its hosts say of the host "global". Those of the
 * qmaster's own host and of admin hosts are heard, and nobody else's: whoever has taken over
 * another host says nothing about the cell. Where several say the same name, the one counts that
 * began to report last. */
struct qmaster;
struct session;

/* cell_load_hear - the execd of H, which S is, says that values are new, changed or, without a
 * value, no more, or says nothing of the cell (NULL). At most CELL_VALUES_MOST of a host count.
 * Those of a host that may not speak wait until it may, with a line in the log. O(values of all
 * who report), of NULL O(1) */
void cell_load_hear(struct qmaster *q, const struct session *s, struct host *h,
                    const struct EH_Type *said);
enum { CELL_VALUES_MOST = 256 };
/* cell_load_end - the execd of H has gone, or is new: its values count no more */
void cell_load_end(struct qmaster *q, struct host *h);

#endif

#ifndef QMASTER_REPORTS_EXEC_REPORTS_H
#define QMASTER_REPORTS_EXEC_REPORTS_H

#include "daemons/qmaster/change/connections.h"

/* What the execds say: their registration, load, and what became of tasks. Every message may come
 * twice: after a reconnect both sides compare what they know. */

/* exec_handle - work on an EXEC frame of S; its body stays the caller's */
void exec_handle(struct qmaster *q, struct connection *s, struct frame *f);
/* exec_on_closed - the connection S of an execd, or of another client, has gone: its host is
 * unreachable */
void exec_on_closed(struct qmaster *q, struct connection *s);

#endif

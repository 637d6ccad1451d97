#ifndef QMASTER_STATE_H
#define QMASTER_STATE_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/answer.h"

/* The whole state of a qmaster without its threads: made empty, filled from the spool, freed. */
struct comm_server;

/* state_init - an empty state; the caller sets cell, host, spool and net */
void state_init(struct qmaster *q);
/* state_load - from q->spool, or a new cell's when that has nothing in it; what is staged on the
 * way is committed when the core runs
 *   server  where the committer sends what has become durable
 * Returns 0, or -1 with ans. */
int state_load(struct qmaster *q, const char *accounting_path, const char *setup_path,
               struct comm_server *server, struct answer *ans);
/* state_free - all of it, and also spool and net */
void state_free(struct qmaster *q);

#endif

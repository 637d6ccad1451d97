#ifndef QMASTER_RECOVER_H
#define QMASTER_RECOVER_H

#include "daemons/qmaster/qmaster.h"
#include "libs/uti/answer.h"

/* recover - read the whole state from the spool, as a crash at any byte may have left it; before the threads start
 *   accounting_path  lines in the outbox that are not in this file yet are appended to it
 * Returns 1 if the spool is new (nothing in it), 0 if the state is there, -1 with ans. O(records). */
int recover(struct qmaster *q, const char *accounting_path, uint64_t *last_batch, struct answer *ans);
/* recover_finish - once the first batch can be staged: holds, slots and instances are computed from what was read */
void recover_finish(struct qmaster *q);

/* setup_new_cell - a new spool: what common/cell_setup asks for, or defaults; staged as changes. -1 with ans if the file is wrong */
int setup_new_cell(struct qmaster *q, const char *setup_path, struct answer *ans);

#endif

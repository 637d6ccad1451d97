#ifndef QMASTER_RECOVER_H
#define QMASTER_RECOVER_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* recover - read the whole state from the spool, as a crash at any byte may have left it; before
 * the threads start
 *   accounting_path  lines in the outbox that are not in this file yet are appended to it
 *   found            filled
 * Returns 1 if the spool is new (nothing in it), 0 if the state is there, -1 with ans.
 * O(records). */
struct recovered {
    uint64_t last_batch; /* the highest batch number that the outbox knew */
    /* accounting lines for which the disk has no room: the first batch is to have them. To be
     * freed */
    struct dstr unwritten;
};
int recover(struct qmaster *q, const char *accounting_path, struct recovered *found,
            struct answer *ans);
/* recover_finish - once the first batch can be staged: our schema, and what is computed from what
 * was read: holds, slots and instances. 0, or -1 with ans. */
int recover_finish(struct qmaster *q, struct answer *ans);

/* setup_new_cell - a new spool: what common/cell_setup asks for, or defaults; staged as changes. -1
 * with ans if the file is wrong */
int setup_new_cell(struct qmaster *q, const char *setup_path, struct answer *ans);

#endif

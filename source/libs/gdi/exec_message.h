#ifndef GDI_EXEC_MESSAGE_H
#define GDI_EXEC_MESSAGE_H

#include "libs/gdi/message.h"

struct answer;

/* exec_message_check - can the keys of tasks in M, which came from outside, be keys (task_key.h)?
 *
 * Both sides ask before they act on a message: the host makes directories of these names, the
 * qmaster writes them into the accounting file.
 * Returns 0, or -1 with ans (STATUS_EPROTO) naming the first task whose petask is malformed.
 * O(what is in M) */
int exec_message_check(const struct XM_Type *m, struct answer *ans);

#endif

#ifndef EXECD_PROTOCOL_H
#define EXECD_PROTOCOL_H

#include "libs/comm/link.h"

/* What comes from the qmaster (gdi/message.h, EXEC_...). The context of the callbacks is the struct
 * execd. */
extern const struct link_ops protocol_ops;

#endif

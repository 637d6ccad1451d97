#ifndef QMASTER_SCHEDD_H
#define QMASTER_SCHEDD_H

#include <sys/types.h>

#include "common/basis.h"

/* Keeps a sge_schedd running: a thread that starts it, waits for its end and starts it again. It registers by itself. */
struct schedd;
struct schedd *schedd_keep(const char *program); /* new: schedd_stop; the thread runs */
pid_t schedd_pid(struct schedd *s);              /* 0 while none runs; any thread */
void schedd_kill(
    struct schedd *s); /* ends the process at once, so that another is started; NULL is fine */
void schedd_stop(struct schedd *s); /* ends the process, waits for it; NULL is fine */

#endif

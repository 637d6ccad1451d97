#ifndef COMM_UNIX_SOCKET_H
#define COMM_UNIX_SOCKET_H

#include <sys/types.h>

#include "common/basis.h"

/* The room's own: unix sockets at paths of any length. libc alone. */

/* unix_connect - a new close-on-exec stream connected to PATH
 *
 *   timeout_ms  how long to wait while the listener's queue is full; 0 = not at all, < 0 = for ever
 *
 * Returns the descriptor, non-blocking exactly if TIMEOUT_MS is 0, or -1 with errno. */
int unix_connect(const char *path, int timeout_ms);

/* unix_listen - a new non-blocking listener, reachable at PATH with MODE from one moment to the
 * next
 * Replaces a socket without a listener. Returns the descriptor, or -1 with errno: EADDRINUSE if
 * one exists, ENOTSOCK if PATH is a file of another kind. */
int unix_listen(const char *path, mode_t mode);

#endif

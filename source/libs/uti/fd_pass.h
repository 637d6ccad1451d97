#ifndef UTI_FD_PASS_H
#define UTI_FD_PASS_H

#include "common/basis.h"

/* Descriptors between processes that trust each other, over a pair of sockets or a
 * connection: with each message one byte and a known number of them. */
enum { FD_PASS_MOST = 2 };

/* fd_pass - send N descriptors over SOCKET, which stay the caller's; it does not wait. Returns 0,
 * or -1 with errno, EPIPE without a signal where the other end has gone
 * fd_receive - the N that come, close-on-exec and the caller's; waits if SOCKET does. Returns 0, or
 * -1 with errno: EPIPE where the other end has gone, EBADMSG where it sent something else, which is
 * closed */
int fd_pass(int socket, const int *fds, unsigned n);
int fd_receive(int socket, int *fds, unsigned n);

#endif

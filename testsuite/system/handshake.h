#ifndef SYSTEM_HANDSHAKE_H
#define SYSTEM_HANDSHAKE_H

/* handshake - over the connected socket FD, as somebody who wants to join a cell and has no
 * certificate. Returns 0, or -1: it failed. */
int handshake(int fd);

#endif

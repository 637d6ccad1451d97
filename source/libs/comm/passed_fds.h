#ifndef COMM_PASSED_FDS_H
#define COMM_PASSED_FDS_H

#include "libs/comm/stream.h"

/* A user may pass descriptors over a unix socket (SCM_RIGHTS), and the thread that drops the last
 * reference to one waits for as long as its owner likes: a TCP socket with SO_LINGER, for instance.
 * So no thread that serves others ever drops one. Where the kernel can refuse them (SO_PASSRIGHTS),
 * it does; elsewhere a connection that carries one is ended, and a thread on which nothing depends
 * closes it. Source: unix(7), socket(7). */
struct fd_closer;

/* fd_closer_new - for the connections of one listener; returns new: fd_closer_free. It has a thread
 * only while there is something to close. */
struct fd_closer *fd_closer_new(void);
/* fd_closer_free - does not wait for what is being closed; NULL is fine */
void fd_closer_free(struct fd_closer *c);
/* fd_closer_close - close FD, taken, which may have unread descriptors in its queue: soon, in
 * another thread. Any thread. */
void fd_closer_close(struct fd_closer *c, int fd);
/* fd_closer_close_listener - likewise FD, a listening socket with those who were not accepted; at
 * once if they cannot have passed anything */
void fd_closer_close_listener(struct fd_closer *c, int fd);

/* stream_of_user - as stream_unix, of a connection that one of our listeners has accepted
 *
 *   fd  taken, non-blocking
 *   c   borrowed until the stream is closed
 *
 * A read fails with EPROTO where a descriptor was passed, unless the kernel has refused it. */
struct stream stream_of_user(int fd, struct fd_closer *c);
/* stream_peeking - the same on a kernel that cannot refuse descriptors: looks at bytes before it
 * takes them */
struct stream stream_peeking(int fd, struct fd_closer *c);

#endif

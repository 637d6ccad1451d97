#ifndef COMM_CLIENT_H
#define COMM_CLIENT_H

#include "libs/comm/frame.h"
#include "libs/comm/stream.h"

/* A blocking connection for plain clients: libc alone, so that thousands of them start fast. Not
 * thread safe. */
struct answer;
struct comm_client;

/* comm_client_open - connect to the unix socket PATH (any length: reached through /proc/self/fd
 * when it is too long for sun_path)
 * Retries while the listener's queue is full, up to TIMEOUT_MS. Returns new: comm_client_close;
 * NULL with STATUS_ENOCONN and why, in the system's words. */
struct comm_client *comm_client_open(const char *path, int timeout_ms, struct answer *ans);
/* comm_client_over - the same over STREAM, moved in, which greets within TIMEOUT_MS (< 0: whenever
 * it likes). Returns new, or NULL with STATUS_ENOCONN; the stream is closed then. */
struct comm_client *comm_client_over(struct stream *stream, int timeout_ms, struct answer *ans);
/* comm_client_close - what is not flushed is dropped; NULL is fine */
void comm_client_close(struct comm_client *c);
/* comm_client_send - queue a frame; nothing is written before comm_client_flush or
 * comm_client_recv: several leave in one write */
void comm_client_send(struct comm_client *c, uint8_t kind, uint32_t serial, const void *body,
                      size_t len);
/* comm_client_flush - write what is queued. Returns 0, or -1 with ans (STATUS_ENOCONN). */
int comm_client_flush(struct comm_client *c, struct answer *ans);
/* comm_client_recv - wait for the next frame; TIMEOUT_MS < 0 waits for ever
 * Returns 1 with *out (its body is the caller's), 0 on timeout, -1 with ans (STATUS_ENOCONN on a
 * closed connection). */
int comm_client_recv(struct comm_client *c, int timeout_ms, struct frame *out, struct answer *ans);
/* comm_client_fd - the descriptor, to be polled; it stays the connection's */
int comm_client_fd(const struct comm_client *c);
/* comm_client_stop_on - from now on comm_client_recv returns 0 also when FD becomes readable while
 * it waits; -1: no more */
void comm_client_stop_on(struct comm_client *c, int fd);

#endif

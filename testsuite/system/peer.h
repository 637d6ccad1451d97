#ifndef SYSTEM_PEER_H
#define SYSTEM_PEER_H

#include "libs/comm/frame.h"
#include "libs/cull/pack.h"
#include "libs/gdi/message.h"

/* One connection to the qmaster of the cell in the environment, for programs of the tests that are
 * no clients: they greet and ask as clients do, or as none would. Blocking. */
struct peer {
    int fd;
    uint32_t serial; /* of the last request */
};

/* peer_open - connect, to the relay of this host where the qmaster has no socket. Returns 0, or -1
 * with the reason in errno. */
int peer_open(struct peer *p);
/* peer_greet - send HELLO. Returns 0, or -1: the connection is gone. */
int peer_greet(struct peer *p);
/* peer_close - may be called twice */
void peer_close(struct peer *p);

/* peer_write - all LEN bytes as they are. Returns 0, or -1: the connection is gone. */
int peer_write(struct peer *p, const void *data, size_t len);
/* peer_header - the header alone of a frame whose body would have LEN bytes */
int peer_header(struct peer *p, uint8_t kind, size_t len);
/* peer_frame - a frame with LEN bytes of body */
int peer_frame(struct peer *p, uint8_t kind, const void *body, size_t len);
/* peer_request - a packed request in a frame with the next serial number */
int peer_request(struct peer *p, const struct GR_Type *request);

/* peer_recv - wait up to TIMEOUT_MS for a frame of at most COMM_BODY_MAX bytes
 * Returns 0 with *out (its body is the caller's: free()), or -1: none came in time, or the
 * connection ended. */
int peer_recv(struct peer *p, int timeout_ms, struct frame *out);

/* peer_answer - wait for the last part of an answer, TIMEOUT_MS for each
 *   last  NULL, or gets that part: cull_clear
 * Returns 0 if the qmaster agreed, 1 if it refused, -1: no whole answer came. */
int peer_answer(struct peer *p, int timeout_ms, struct GA_Type *last);
/* peer_ask - a request on a connection of its own, and its answer; returns as peer_answer */
int peer_ask(const struct GR_Type *request, int timeout_ms, struct GA_Type *last);

/* peer_job - an ADD of a job NAME, which the caller may add to. Returns the job in REQUEST.
 * peer_held_job - the same with a user hold */
struct JB_Type *peer_job(struct GR_Type *request, const char *name);
struct JB_Type *peer_held_job(struct GR_Type *request, const char *name);

#endif

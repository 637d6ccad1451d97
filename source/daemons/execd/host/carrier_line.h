#ifndef EXECD_HOST_CARRIER_LINE_H
#define EXECD_HOST_CARRIER_LINE_H

#include <sys/types.h>

#include "common/basis.h"
#include "libs/task/session_frame.h"
#include "libs/uti/host_name.h"

/* What an execd and its carrier, the process that carries sessions to and from other hosts, send to
 * each other: packets over a pair of sockets, each with one descriptor at most. No call blocks but
 * carrier_line_wait: what the other end does not take yet is kept, up to CARRIER_QUEUE_MOST
 * packets. */
struct carrier_line;
struct loop;

enum {
    CARRIER_LINE_VERSION = 1, /* of the packets: both programs come from one installation */
    CARRIER_QUEUE_MOST = 2048
};
enum carrier_kind {
    CARRIER_LISTENS = 1, /* to the execd: the port of this host is open */
    CARRIER_SESSION = 2, /* both ways, with a descriptor: a session, and its first frame */
    CARRIER_LEDGER = 3,  /* to the carrier, with a descriptor of memory: which certificates are
                           * revoked */
    CARRIER_SILENCE = 4  /* to the carrier: seconds without a sign of life */
};
struct carrier_packet {
    uint32_t version, kind;
    uint32_t uid;               /* of who sent the first frame */
    uint32_t seconds;           /* of CARRIER_SILENCE */
    uint32_t n;                 /* bytes of the first frame */
    char host[HOST_NAME_BYTES]; /* where it goes; or the host that names the user, "": none */
    uint8_t bytes[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
};
struct carrier_line_ops { /* in the loop */
    /* P has come, with FD, which is taken; -1: none */
    void (*came)(void *ctx, const struct carrier_packet *p, int fd);
    /* the other end has gone, or sends no such packets; the last call, in which the line may be
     * freed */
    void (*ended)(void *ctx);
};
/* carrier_line_new - over FD, a non-blocking socket of packets, taken. OPS and CTX are borrowed.
 * Returns new: carrier_line_free. */
struct carrier_line *carrier_line_new(struct loop *l, int fd, const struct carrier_line_ops *ops,
                                      void *ctx);
/* carrier_line_wait - block until the other end has sent something or has gone, MOST_MS at most */
void carrier_line_wait(const struct carrier_line *c, uint32_t most_ms);
/* carrier_line_free - what waits is dropped, its descriptors closed; NULL is fine */
void carrier_line_free(struct carrier_line *c);
/* carrier_line_send - P, with FD unless that is -1; its version is set here. Returns true, and FD
 * is taken; or false, and nothing has changed: CARRIER_QUEUE_MOST wait, or the other end has
 * gone. */
bool carrier_line_send(struct carrier_line *c, struct carrier_packet *p, int fd);

#endif

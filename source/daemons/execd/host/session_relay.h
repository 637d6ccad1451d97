#ifndef EXECD_HOST_SESSION_RELAY_H
#define EXECD_HOST_SESSION_RELAY_H

#include <stddef.h>
#include <sys/types.h>

#include "common/basis.h"

/* Sessions between this host and others, in a thread of their own: the first frame of a client
 * here travels to the execd of the task's host behind the user whom the kernel names, and what
 * follows is carried both ways; one that comes from there, or from a user who has a certificate,
 * becomes a descriptor and a user id, as if its client had connected here. */
struct answer;
struct loop;
struct session_relay;
struct stream;

enum {
    SESSION_RELAYS_MOST = 2048,      /* in each of both directions */
    SESSION_RELAYS_OF_USER = 1024,   /* to other hosts, of one user here */
    SESSION_RELAYS_OF_PEER = 1024,   /* from one host, or from one user with a certificate */
    SESSION_RELAY_CONNECT_MS = 10000 /* name service, connection and greeting together */
};

struct session_first { /* a first frame, borrowed */
    uid_t uid;         /* of who sent it */
    const char *from;  /* the host that names the user; NULL: the kernel here, or a certificate */
    bool is_relayed;   /* it came through another process: the user is no shepherd of this host */
    const uint8_t *bytes;
    size_t n;
};
struct session_relay_ops {
    /* one has come: FD, taken, is where its sender reads and writes. In the main loop. */
    void (*came)(void *ctx, int fd, const struct session_first *first);
    /* streams over FD, taken, that greet: of connections from others, in any thread; to others, in
     * that of the relay. Closed, with errno, if it is not possible. */
    struct stream (*accept)(void *ctx, int fd);
    struct stream (*dial)(void *ctx, int fd);
    /* in the thread of the relay, before something new is carried, and after session_relay_wake */
    void (*woken)(void *ctx);
};
/* session_relay_new - listen at PORT, and connect to that port of others; 0: any, for tests
 *
 *   l         the main loop
 *   ops, ctx  borrowed until session_relay_free
 *
 * Returns new: session_relay_free; NULL with ans. */
struct session_relay *session_relay_new(struct loop *l, uint16_t port,
                                        const struct session_relay_ops *ops, void *ctx,
                                        struct answer *ans);
/* session_relay_free - all that it carries ends; NULL is fine */
void session_relay_free(struct session_relay *r);
/* session_relay_send - FIRST came over NEAR, which is moved in, and is for HOST. Returns true; or
 * false with *MOST, and NEAR unchanged: as many of this user, or of all, are carried already. */
bool session_relay_send(struct session_relay *r, struct stream *near,
                        const struct session_first *first, const char *host, unsigned *most);
/* session_relay_set_silence - hosts that say nothing for SILENT_S seconds are lost, from the next
 * connection on */
void session_relay_set_silence(struct session_relay *r, uint32_t silent_s);
/* session_relay_wake - WOKEN is called; any thread */
void session_relay_wake(struct session_relay *r);
/* session_relay_close - no more come: the port is closed. What is carried goes on.
 * session_relay_is_empty - nothing is carried, and nothing is on its way to the main loop */
void session_relay_close(struct session_relay *r);
bool session_relay_is_empty(struct session_relay *r);
uint16_t session_relay_port(const struct session_relay *r);

#endif

#ifndef COMM_RELAY_H
#define COMM_RELAY_H

#include <sys/types.h>

#include "libs/comm/frame.h"

/* The users of a host, who reach a server over the one connection that their host has to it. A
 * client connects to the relay's unix socket as it would to the server's; its bytes travel as they
 * are, in a line of their own (line.h), with the user whom the kernel names. A peer that does not
 * read is not read from, without delaying others; what waits at either end of a line is bounded. */
struct answer;
struct link;
struct loop;
struct relay;
struct turn_counts;

struct relay_ops { /* all called in the loop */
    /* the names of a user, borrowed; false: they are being asked for, relay_named reports that they
     * are known. Called again then. */
    bool (*names)(void *ctx, uid_t uid, gid_t gid, const char **user, const char **group);
    /* the kind of a frame whose body says why a peer is refused */
    uint8_t refusal_kind;
};

/* relay_new - for clients at SOCKET_PATH, copied; closed until relay_up
 *   ops, ctx  borrowed until relay_free
 * Returns new: relay_free. */
struct relay *relay_new(struct loop *l, const char *socket_path, const struct relay_ops *ops,
                        void *ctx);
/* relay_free - NULL is fine */
void relay_free(struct relay *r);
/* relay_up - clients may come, over K, borrowed until relay_down
 * Returns 0, or -1 with ans: it is not possible to listen there. */
int relay_up(struct relay *r, struct link *k, struct answer *ans);
/* relay_down - the link is lost, and with it all lines: their clients see their connections end,
 * and the next find no socket, as if the server were gone */
void relay_down(struct relay *r);
/* relay_take - a frame has come over the link; its body is taken if it is of a line
 * Returns 1; 0: it is of another kind; -1: it breaks the rules, drop the link. */
int relay_take(struct relay *r, struct frame *f);
/* relay_named - more names are known */
void relay_named(struct relay *r);
/* relay_turns - what its part of the loop's turns has cost */
const struct turn_counts *relay_turns(const struct relay *r);
/* relay_count - how many clients there are */
uint32_t relay_count(const struct relay *r);

/* as many connections of one user are let in; all of them together have LINES_OF_HOST lines */
enum { RELAY_CONNS_OF_USER = 128 };

#endif

#ifndef FEED_FEED_H
#define FEED_FEED_H

#include "libs/gdi/message.h"

/* What happens in a cell, for a program whose main thread has a loop of its own: a thread receives
 * the events, and keeps them until that loop takes them. A connection that is lost is made again;
 * what comes then begins with EV_ANEW. No call waits for the network. */
struct answer;
struct cell;
struct feed;
enum { FEED_WHY_BYTES = 256 };

struct feed_status {
    bool is_synced;           /* what was taken is the state as it is */
    bool has_all;             /* jobs of all users; else the user's own, who is no operator */
    char why[FEED_WHY_BYTES]; /* there is no connection; "" before the first attempt has failed */
};

/* feed_start - begin to listen to CELL, which need not run yet
 *
 *   cell     borrowed for life
 *   program  our name, for messages of the qmaster; borrowed for life
 *   fields   of jobs, ended by NULL; borrowed for life
 *
 * Jobs of all users are asked for, and the user's own where the qmaster refuses that. Returns new:
 * feed_stop; NULL with ans: no thread, no descriptors. */
struct feed *feed_start(const struct cell *cell, const char *program, const char *const *fields,
                        struct answer *ans);
/* feed_stop - end the thread and the connection; NULL is fine */
void feed_stop(struct feed *f);

/* feed_fd - readable when feed_take has something to take over */
int feed_fd(const struct feed *f);
/* feed_take - FN is called for each event that has come since the last call
 *
 *   out  what holds when all of them have been taken
 *
 * The thread does not wait meanwhile. It waits when FEED_MOST bytes are not taken: then the qmaster
 * receives no acknowledgement, and sends the state anew later. */
typedef void (*feed_fn)(void *ctx, const struct EV_Type *event);
void feed_take(struct feed *f, feed_fn fn, void *ctx, struct feed_status *out);
enum { FEED_MOST = 32 << 20 };

#endif

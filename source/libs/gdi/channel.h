#ifndef GDI_CHANNEL_H
#define GDI_CHANNEL_H

#include <pthread.h>

#include "common/basis.h"

/* A client's side of GDI for many requests at a time: one connection, and one thread that alone
 * reads and writes it. Its user has a lock, and calls with it held; the thread takes it
 * before it calls back. A connection that is lost is made again, and what was not answered goes out
 * again with the same ids, so that the qmaster carries each out once. For host programs
 * (uti/guard.h): prints nothing, and runs with all signals blocked in its thread. */
struct answer;
struct cell;
struct channel;
struct GA_Type;
struct GR_Type;

enum channel_end {
    CHANNEL_DONE = 0,    /* the last part has come */
    CHANNEL_LOST = 1,    /* no answer within GDI_RETRY_S of the loss of the connection */
    CHANNEL_CUT = 2,     /* the connection went when parts had come already */
    CHANNEL_NO_ROOM = 3, /* the qmaster had no room for the connection */
    CHANNEL_CLOSED = 4,  /* channel_close */
    CHANNEL_BROKEN = 5   /* a broken assertion: nothing is sent any more */
};
/* What becomes of a request; called by the thread with the lock held, so briefly. */
struct channel_ops {
    /* a part of its answer, borrowed */
    void (*part)(void *ctx, const struct GA_Type *part);
    /* the last notification; WHY is a text, or NULL */
    void (*end)(void *ctx, enum channel_end end, const char *why);
};

/* channel_open - connect to the qmaster of CELL, and start the thread
 *   cell, program, lock  borrowed for life
 * Returns new: channel_close; NULL with ans: there is no connection (as gdi_open says), or no
 * thread. Called without the lock. */
struct channel *channel_open(const struct cell *cell, const char *program, pthread_mutex_t *lock,
                             struct answer *ans);
/* channel_close - ends the thread and the connection; requests on their way end with
 * CHANNEL_CLOSED. Called without the lock; NULL is fine */
void channel_close(struct channel *c);
/* channel_leave - in the child of a fork: close its copies of the descriptors.
 * Async-signal-safe. */
void channel_leave(struct channel *c);

/* channel_send - send a request
 *   request     borrowed; gets a GR_request_id
 *   is_patient  wait for the qmaster for ever, and send it again after every loss, whatever parts
 *               had come (GDI_WATCH)
 *   ops, ctx    ctx is good until ops->end
 * Returns 0, or -1 with ans (no random bits for the id). */
int channel_send(struct channel *c, struct GR_Type *request, bool is_patient,
                 const struct channel_ops *ops, void *ctx, struct answer *ans);

#endif

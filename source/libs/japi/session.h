#ifndef JAPI_SESSION_H
#define JAPI_SESSION_H

#include <pthread.h>

#include "libs/cli/submitter.h"
#include "libs/gdi/channel.h"
#include "libs/gdi/message.h"
#include "libs/japi/ends.h"
#include "libs/uti/answer.h"
#include "libs/uti/tree.h"

/* The room's own: a session, and how its callers wait. */
struct waiter;
struct japi {
    struct cell *cell;
    struct submitter by;
    char *key;
    struct channel *channel;
    pthread_mutex_t lock; /* guards what follows, and is the channel's */
    struct ends *ends;
    TAILQ_HEAD(waiters, waiter) waiters;
    bool is_stopped;
};

/* session_news - JOB has news: wake who waits for it. Under the lock. */
void session_news(struct japi *j, uint32_t job);

/* One request and its answer, whole. */
struct exchange {
    struct GA_Type *parts; /* owned, n of them */
    uint32_t n, cap;
    struct answer ans; /* entries of all parts */
};
/* session_ask - send REQUEST and wait for its answer, without the lock. Returns JAPI_DONE with the
 * answer in *OUT (in: empty; exchange_free), whether the qmaster agreed or not; else why there is
 * none, in ANS, too. */
enum japi_end session_ask(struct japi *j, struct GR_Type *request, struct exchange *out,
                          struct answer *ans);
void exchange_free(struct exchange *e);
/* session_end_of_channel - the same of a request that was sent over the channel; ANS says why
 * session_end_of - how a call ended whose answer holds ANS: JAPI_DONE if there is no error */
enum japi_end session_end_of_channel(enum channel_end end, const char *why, struct answer *ans);
enum japi_end session_end_of(const struct answer *ans);

#endif

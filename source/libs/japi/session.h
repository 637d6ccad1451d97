#ifndef JAPI_SESSION_H
#define JAPI_SESSION_H

#include <pthread.h>
#include <sys/types.h>

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
    uid_t uid; /* whose the connection is */
    char *key;
    struct channel *channel;
    pthread_mutex_t lock; /* guards what follows, and is the channel's */
    struct ends *ends;
    TAILQ_HEAD(waiters, waiter) waiters;
    bool is_stopped;
    bool is_synced;    /* the ends that were kept before are here */
    bool is_reporting; /* a report of what was taken is on its way */
};

/* All under the lock:
 * session_news - tasks of JOB have ended: wake those whose waiting is over with that
 * session_wake_takers - ends have been taken: the same of those who wait for any
 * session_wake_all - whatever they wait for
 * session_await - sleep until one of these wakes who waits for ID (borrowed; NULL: any); false when
 * UNTIL_US has come */
void session_news(struct japi *j, uint32_t job);
void session_wake_takers(struct japi *j);
void session_wake_all(struct japi *j);
bool session_await(struct japi *j, const struct japi_id *id, uint64_t until_us);

/* session_join - begin the session KEY (NULL: a new one) at the qmaster, and watch it
 * session_report_taken - let the qmaster forget what was taken. Under the lock; waits for nothing
 * session_leave - the same, waiting for a while; a session that has nothing left goes */
enum japi_end session_join(struct japi *j, const char *key, struct answer *ans);
void session_report_taken(struct japi *j);
void session_leave(struct japi *j);

/* One request and its answer, whole. */
struct exchange {
    struct GA_Type *parts; /* owned, n of them */
    uint32_t n, cap;
    struct answer ans; /* entries of all parts */
};
/* session_ask - send REQUEST and wait for its answer until UNTIL_US, without the lock. Returns
 * JAPI_DONE with the answer in *OUT (in: empty; exchange_free), whether the qmaster agreed or not;
 * else why no answer came, with ANS. */
enum japi_end session_ask(struct japi *j, struct GR_Type *request, uint64_t until_us,
                          struct exchange *out, struct answer *ans);
void exchange_free(struct exchange *e);
/* session_keep_why - a copy of what channel_ops.end says, new: free(); NULL also without memory:
 * waiters must receive the end */
char *session_keep_why(const char *why);
/* session_end_of_channel - the same of a request that was sent over the channel; ANS says why
 * session_end_of - how a call ended whose answer holds ANS: JAPI_DONE if it has no error */
enum japi_end session_end_of_channel(enum channel_end end, const char *why, struct answer *ans);
enum japi_end session_end_of(const struct answer *ans);

#endif

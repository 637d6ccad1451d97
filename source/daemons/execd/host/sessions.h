#ifndef EXECD_HOST_SESSIONS_H
#define EXECD_HOST_SESSIONS_H

#include "common/basis.h"

/* Where the client of an interactive task and its shepherd meet: both connect to a socket of this
 * execd and name the task. When the client's user is the task's owner and its secret has the digest
 * that came with the job, the shepherd's process gets the client's descriptor, and this execd has
 * no part in what follows. Who waits is bounded, also for each user. */
struct answer;
struct loop;
struct sessions;

enum { SESSIONS_WAITING_MOST = 2048, SESSIONS_WAITING_OF_USER = 256 };

struct session_ops { /* called in the loop */
    /* has this host been ordered to run the task? Its client may wait as long as it has */
    bool (*has_task)(void *ctx, const char *task);
};

/* sessions_new - at SOCKET, copied, for clients of tasks on HOST, borrowed as OPS and CTX until
 * sessions_free. New; NULL with ans if it is not possible to listen there. */
struct sessions *sessions_new(struct loop *l, const char *socket, const char *host,
                              const struct session_ops *ops, void *ctx, struct answer *ans);
/* sessions_free - who waits sees the connection end; NULL is fine */
void sessions_free(struct sessions *s);
/* sessions_task_ended - TASK will not come: its client is refused. O(waiting); S may be NULL */
void sessions_task_ended(struct sessions *s, const char *task);

#endif

#ifndef EXECD_HOST_SESSIONS_H
#define EXECD_HOST_SESSIONS_H

#include "common/basis.h"

/* Where the client of an interactive task and its shepherd meet: both connect to a socket of this
 * execd and name the task. When the client's user is the task's owner and its secret has the digest
 * that came with the job, the shepherd's process gets the client's descriptor, and this execd has
 * no part in what follows. A client of a task on another host is handed on. Clients that wait are
 * bounded, also for each user; shepherds are not: each task has one. */
struct answer;
struct loop;
struct session_first;
struct sessions;
struct stream;

enum { SESSIONS_WAITING_MOST = 2048, SESSIONS_WAITING_OF_USER = 256 };

struct session_ops { /* called in the loop */
    /* has this host been ordered to run the task? Its client may wait as long as it has */
    bool (*has_task)(void *ctx, const char *task);
    /* FIRST came over NEAR, which is moved out, and is for HOST; NULL: there are no other hosts.
     * Returns false with *MOST, the limit that is reached, and NEAR unchanged */
    bool (*send)(void *ctx, struct stream *near, const struct session_first *first,
                 const char *host, unsigned *most);
};

/* sessions_new - at SOCKET, copied, for clients of tasks on HOST, borrowed as OPS and CTX until
 * sessions_free. New; NULL with ans if it is not possible to listen there. */
struct sessions *sessions_new(struct loop *l, const char *socket, const char *host,
                              const struct session_ops *ops, void *ctx, struct answer *ans);
/* sessions_take - a sender that another process vouches for has come: FD, taken, a unix socket, is
 * where it reads and writes, and FIRST its first frame */
void sessions_take(struct sessions *s, int fd, const struct session_first *first);
/* sessions_free - who waits sees the connection end; NULL is fine */
void sessions_free(struct sessions *s);
/* sessions_task_ended - TASK will not come: its client is refused. O(waiting); S may be NULL */
void sessions_task_ended(struct sessions *s, const char *task);

#endif

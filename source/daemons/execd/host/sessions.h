#ifndef EXECD_HOST_SESSIONS_H
#define EXECD_HOST_SESSIONS_H

#include <sys/types.h>

#include "common/basis.h"

/* Where the client of an interactive task and its shepherd meet: both connect to a socket of this
 * execd and name the task. When the client's user is the task's owner and its secret has the digest
 * that came with the job, the shepherd's process gets the client's descriptor, and this execd has
 * no part in what follows. A client of a task on another host is handed on. Clients that wait are
 * bounded, also for each user; shepherds are not: each task has one. */
struct answer;
struct dstr;
struct loop;
struct session_first;
struct sessions;
struct stream;

enum {
    SESSIONS_WAITING_MOST = 2048,
    SESSIONS_WAITING_OF_USER = 256,
    PETASK_REQUESTS_MOST = 64, /* that come at the same time, of all users and of one */
    PETASK_REQUESTS_OF_USER = 16,
    SESSION_ENDS_KEPT = 256 /* of tasks whose clients may still come */
};

/* What a process of a parallel task asks for: a petask, whose client it is then. Borrowed. */
struct session_petask {
    uid_t uid;
    pid_t pid;        /* of the client, if it is on this host */
    bool is_relayed;  /* it is not */
    const char *from; /* the host that vouches for it then; NULL: no host does */
    const char *task; /* as its client writes it */
    const char *digest;
    uint32_t flags; /* enum petask_flag */
    const char *request;
    size_t len;
};
struct session_ops { /* called in the loop */
    /* has this host been ordered to run the task, and has that not ended? Its client may wait as
     * long */
    bool (*has_task)(void *ctx, const char *task);
    /* FIRST came over NEAR, which is moved out, and is for HOST; NULL: there are no other hosts.
     * Returns false with *MOST, the limit that is reached, or 0: there is no way for it, and NEAR
     * unchanged. What has come from another host goes no further than to a gateway. */
    bool (*send)(void *ctx, struct stream *near, const struct session_first *first,
                 const char *host, unsigned *most);
    /* start a petask; true with its key as text in OUT, or false with the reason there. NULL: this
     * host has none */
    bool (*start_petask)(void *ctx, const struct session_petask *ask, struct dstr *out);
    /* is the client, which is on this host, one that may ask another host for a petask of its task?
     * false with the reason in OUT */
    bool (*may_ask)(void *ctx, const struct session_petask *ask, struct dstr *out);
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
/* sessions_task_ended - TASK will not come: its client is refused; if that MAY_COME, also when it
 * comes later, within SESSION_CLIENT_MS. O(waiting); S may be NULL */
void sessions_task_ended(struct sessions *s, const char *task, bool may_come);
/* sessions_set_patience - how long a first frame or a request may take, and how long a client waits
 * for a task that is not here, in place of HELLO_MS and SESSION_CLIENT_MS: tests do not wait so
 * long */
void sessions_set_patience(struct sessions *s, uint32_t hello_ms, uint32_t client_ms);

#endif

#ifndef CLIENTS_QSUB_QSUB_H
#define CLIENTS_QSUB_QSUB_H

#include "clients/common/request.h"

/* Waiting for the end of a job (-sync y), with a line for each task that ends. The job has a
 * session of its own, which keeps how its tasks end until this program has printed it: whatever is
 * down in between, each end is printed once. Source: submit(1). */
struct said_error;
struct sync_wait {
    struct client *c; /* borrowed */
    uint32_t number;
    struct range_set ended;    /* ordinals of tasks whose end has been printed */
    struct said_error *errors; /* owned: which starts were reported as in error */
    unsigned status;           /* exit status so far: that of the lowest task that failed */
    uint32_t failed;           /* its ordinal, if status is not 0 */
    int signal_fd;             /* of sync_begin; 0 before */
    char *session;             /* its key, of sync_ask; owned */
    bool has_started;          /* of an immediate job: the qmaster has said so */
};

/* sync_ask - the submit GR asks to watch, too. Returns 0, or -1 with ans of the client */
int sync_ask(struct sync_wait *w, struct GR_Type *gr);
/* sync_begin - the job is known: an interrupt from the terminal (SIGINT, SIGTERM, unless ignored)
 * no longer ends this program, it ends the wait */
void sync_begin(struct sync_wait *w);
/* sync_is_interrupted - has such a signal come? */
bool sync_is_interrupted(const struct sync_wait *w);
/* sync_cancel - delete the job because of it; returns the exit status. A second signal ends the
 * program. */
int sync_cancel(struct sync_wait *w);

/* sync_take - say the ends, and the tasks that are in error, of a part of an answer */
void sync_take(struct sync_wait *w, const struct GA_Type *part);
/* sync_resume - watch again after the connection was lost: returns 0 when the job is over or an
 * interrupt came, -1 if nothing can be known */
int sync_resume(struct sync_wait *w);
/* sync_finish - the job is over, and its session is not needed any more; returns the exit status:
 * that of the lowest task that did not end with 0, 1 if it was signalled or could not start, or if
 * all others ended with 0 and some were deleted */
int sync_finish(struct sync_wait *w);
/* sync_forget - the job's session is not needed any more */
void sync_forget(struct sync_wait *w);
void sync_free(struct sync_wait *w);

#endif

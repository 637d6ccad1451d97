#ifndef SHEPHERD_SUPERVISE_H
#define SHEPHERD_SUPERVISE_H

#include <sys/types.h>

#include "daemons/shepherd/usage.h"

/* Waiting for children while signals and limits of time go on: the one place where a shepherd
 * sleeps. */
struct answer;
enum { SUPERVISE_CHILDREN = 2 }; /* the job and a hook that runs beside it */

struct supervised {
    pid_t pid; /* 0: none */
    bool is_done;
    int wait_status;
};
struct supervisor {
    struct supervised child[SUPERVISE_CHILDREN];
    struct job_usage *usage; /* borrowed: gets what every child used */
};
enum { SUPERVISE_JOB = 0, SUPERVISE_HOOK = 1 };

/* supervise_block - block every signal: from now on they are only taken in supervise_sleep */
void supervise_block(void);
/* supervise_reap - collect children that have ended. Returns true while there is any child left,
 * also one that was adopted. */
bool supervise_reap(struct supervisor *s);
/* supervise_sleep - wait for a signal until UNTIL_US (monotonic; UINT64_MAX = for ever)
 * Signals that are not asked for stay pending. Returns the signal, 0 when the time has come. */
enum supervise_for {
    SUPERVISE_CHILD,  /* SIGCHLD */
    SUPERVISE_ENDING, /* and those that end the job */
    SUPERVISE_ANY     /* and those that are for the job */
};
int supervise_sleep(uint64_t until_us, enum supervise_for what);

#endif

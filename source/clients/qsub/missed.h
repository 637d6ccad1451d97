#ifndef CLIENTS_QSUB_MISSED_H
#define CLIENTS_QSUB_MISSED_H

#include "libs/sgeobj/rows.h"

/* The ends of a job's tasks as the accounting file has them: what a client that waits was not told,
 * since it or the qmaster was away. A task is in that file before anybody hears that it has
 * ended. One that was deleted while it ran looks there like one that a signal ended. Source:
 * accounting(5). */
struct answer;
struct missed {
    char *path; /* owned */
    uint64_t inode, offset;
};

/* missed_begin - remember how far the file PATH (taken) is: call it before the job is submitted. It
 * need not be there yet. */
void missed_begin(struct missed *m, char *path);
void missed_free(struct missed *m);

typedef void (*missed_fn)(void *ctx, const struct JR_Type *end);
/* missed_read - FN for each end of a task of JOB since then, oldest first; starts that were put
 * back or parked in error are none
 *   ans  why the file cannot be read
 * Returns 0, or -1 with ans. A file that was moved away since is not followed: its successor is
 * read from its beginning. */
int missed_read(const struct missed *m, uint32_t job, missed_fn fn, void *ctx, struct answer *ans);

#endif

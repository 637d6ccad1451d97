#ifndef QSUB_SYNC_H
#define QSUB_SYNC_H

#include "clients/common/request.h"

/* sync_wait - wait for the end of job NUMBER (-sync y), saying a line for each task that ends
 * Returns the exit status: of a job that is no array its own, 1 if it was signalled, deleted or could not start; of an array 0 if
 * every task ended with 0, else 1. Source: submit(1). */
int sync_wait(struct client *c, uint32_t number);

#endif

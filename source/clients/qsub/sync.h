#ifndef CLIENTS_QSUB_SYNC_H
#define CLIENTS_QSUB_SYNC_H

#include "clients/common/request.h"

/* Waiting for the end of a job (-sync y), with a line for each task that ends. Source: submit(1). */
struct sync_wait {
    struct client *c; /* borrowed */
    uint32_t number;
    struct range_set ended; /* ordinals of tasks whose end has been said */
    unsigned status;        /* exit status so far */
};

/* sync_take - say the ends in a part of an answer */
void sync_take(struct sync_wait *w, const struct GA_Type *part);
/* sync_resume - watch again after the connection was lost: returns 0 when the job is over, -1 if that cannot be known */
int sync_resume(struct sync_wait *w);
/* sync_finish - the job is over; returns the exit status: of a job that is no array its own, 1 if it was signalled, deleted or
 * could not start; of an array 0 if every task ended with 0, else 1. W is empty afterwards. */
int sync_finish(struct sync_wait *w);

#endif

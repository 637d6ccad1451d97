#ifndef CLIENTS_QMON_TASK_ASK_H
#define CLIENTS_QMON_TASK_ASK_H

#include "clients/qmon/qmon.h"

/* Where a task runs and since when, which events do not say, is asked for: of one task at a time,
 * however many run. */
struct task_asking {
    /* what became of it, in the task's queue instance since START_S; QUEUE NULL: it does not run,
     * or no answer comes */
    void (*got)(void *ctx, const struct task_asking *a, const char *queue, uint64_t start_s);
    void *ctx;
    uint32_t job, ordinal; /* of which task */
    bool is_open;          /* the answer has not come yet */
};

/* task_ask - ask about the task ORDINAL of JOB
 *   a  the caller's, for as long as Q lives; its `got` and `ctx` are set
 * Nothing is asked while A waits for an answer, or if there is no qmaster. */
void task_ask(struct qmon *q, struct task_asking *a, uint32_t job, uint32_t ordinal);

#endif

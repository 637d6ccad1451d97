#ifndef CLIENTS_QMON_FORMS_TASK_READ_H
#define CLIENTS_QMON_FORMS_TASK_READ_H

#include "clients/qmon/widgets/qmon.h"

/* What is read of one task, one thing at a time, and no window waits for it: by a request to the
 * qmaster, or in a thread where a file is read, because a file may be on a host that does not
 * answer. */
struct task_read {
    struct qmon *q;
    /* what was read, borrowed; not is_good: why it cannot be */
    void (*done)(void *ctx, bool is_good, const char *text);
    void *ctx;
    bool is_open;
    /* private */
    uint32_t job, task;
    struct reading *reading; /* borrowed of its thread; NULL: no thread runs for it */
};
enum { TASK_OUTPUT_MOST = 64 * 1024 };

/* All of them begin with a task_read_stop; ORDINAL is of a task of JOB. `done` is called in any
 * case: at once if no request can be sent, or no thread started, else later.
 *
 * task_read_why - the first reason for which it waits
 * task_read_record - its accounting record; of a task that has not ended what it uses
 * task_read_output - the last MOST bytes of the file PATH, or of NAME in it if it is a directory */
void task_read_why(struct task_read *r, const struct board_job *job, uint32_t ordinal);
void task_read_record(struct task_read *r, const struct board_job *job, uint32_t ordinal);
void task_read_output(struct task_read *r, const char *path, const char *name, uint32_t most);
/* task_read_stop - `done` is not called any more, and no more of a file is read for it */
void task_read_stop(struct task_read *r);

#endif

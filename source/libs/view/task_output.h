#ifndef VIEW_TASK_OUTPUT_H
#define VIEW_TASK_OUTPUT_H

#include "libs/mir/board.h"

/* Where the output of a task is. Pure. */
struct dstr;

/* what the windows know of it */
struct task_output_at {
    const char *home; /* of the job's owner; NULL: not known here */
    const char *host; /* where the task ran; NULL: not known */
};
/* task_output_path - append the path of the standard output of the task ORDINAL of JOB
 * If that path is a directory, the file in it is called as task_output_name says. Returns false,
 * with nothing appended, if it depends on what is not known.
 * Source: qsub(1) -o */
bool task_output_path(const struct board_job *job, uint32_t ordinal,
                      const struct task_output_at *at, struct dstr *out);
void task_output_name(const struct board_job *job, uint32_t ordinal, struct dstr *out);

/* task_end_told - append how the last start in RECORD, what qacct(1) prints, ended: ", exit status
 * 1", ", killed by signal 9", and what its `failed` says, if it does; nothing without a record
 * task_end_host - where that was, LEN bytes within RECORD; NULL: it does not say so */
void task_end_told(const char *record, struct dstr *out);
const char *task_end_host(const char *record, size_t *len);

#endif

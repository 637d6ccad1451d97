#ifndef CLIENTS_COMMON_JOB_PART_H
#define CLIENTS_COMMON_JOB_PART_H

#include "libs/gdi/message.h"

/* job_part_walk - call EACH for every job of a part of an answer with its tasks, sorted by task id
 *
 * Returns 0, or -1 as soon as EACH does. O(n log n) in the tasks of the part. */
struct answer;
typedef int (*job_fn)(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                      uint32_t n_tasks, struct answer *ans);
int job_part_walk(const struct GA_Type *part, job_fn each, void *ctx, struct answer *ans);

/* job_is_meant - does the identifier of a -j list (id, name or pattern; ID.TASK) mean this job? */
bool job_is_meant(const struct JB_Type *job, const char *identifier);
/* job_identifier_split - "12.3": the number of the job, and of the task; false if it is no number. Without a task *task is 0. */
bool job_identifier_split(const char *identifier, uint32_t *job, uint32_t *task);

#endif

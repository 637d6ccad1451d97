#ifndef EXECD_FILES_TASK_TEXT_H
#define EXECD_FILES_TASK_TEXT_H

#include "daemons/execd/files/task_input.h"

/* What a shepherd reads: the files "config" and "environment" of a task. Pure. Each has a part that
 * is the same for all tasks of a job in a queue, made once and kept, and a part of the task's
 * own. */
struct answer;
struct dstr;

/* task_environment_common / _own - append the lines of "environment": the submitter's variables,
 * then the system's, which win (but for PATH). Source: captured job environments; qsub(1)
 * ENVIRONMENTAL VARIABLES */
void task_environment_common(const struct task_text_input *in, struct dstr *out);
void task_environment_own(const struct task_text_input *in, struct dstr *out);

/* task_config_common - append what all tasks have in common
 * Limits are the lesser of the queue's and the job's (-l), in bytes and seconds. Returns 0, or -1
 * with ans naming the limit that cannot be read. */
int task_config_common(const struct task_text_input *in, struct dstr *out, struct answer *ans);
void task_config_own(const struct task_text_input *in, struct dstr *out);

/* task_tmpdir - append <tmpdir>/<job>.<task>.<queue> */
void task_tmpdir(const struct task_text_input *in, struct dstr *out);

#endif

#ifndef EXECD_FILES_TASK_CHECKPOINT_H
#define EXECD_FILES_TASK_CHECKPOINT_H

#include "daemons/execd/files/task_input.h"

struct dstr;

/* What a task's files say of its checkpoints (libs/sgeobj/checkpoint.h). Pure; nothing for a task
 * without. Source: captured config files and environments; checkpoint(5) */

/* task_checkpoint_command - the command of that attribute of checkpoint(5) which runs for the
 * task; NULL: none does
 * task_checkpoint_environment - append SGE_CKPT_ENV and SGE_CKPT_DIR, which a submitter may set
 * task_checkpoint_config - append the ckpt_... lines: commands that do not run for the interface
 * are NONE */
const char *task_checkpoint_command(const struct task_text_input *in, const char *name);
void task_checkpoint_environment(const struct task_text_input *in, struct dstr *out);
void task_checkpoint_config(const struct task_text_input *in, struct dstr *out);

#endif

#ifndef EXECD_FILES_TASK_ALLOCATION_H
#define EXECD_FILES_TASK_ALLOCATION_H

#include "daemons/execd/files/task_text.h"

/* What a task's files say of its allocation (libs/sgeobj/allocation.h). Pure. Source: captured
 * job environments, config files and pe_hostfile */

/* task_allocation_environment - append NSLOTS, NQUEUES and NHOSTS; of a parallel job PE and
 * PE_HOSTFILE, too
 * task_allocation_config - append what the shepherd's methods may ask for */
void task_allocation_environment(const struct task_text_input *in, struct dstr *out);
void task_allocation_config(const struct task_text_input *in, struct dstr *out);
/* task_hostfile - append the lines of "pe_hostfile", one for each entry: host, slots, queue
 * instance, and the processors, which are not chosen */
void task_hostfile(const struct task_text_input *in, struct dstr *out);

#endif

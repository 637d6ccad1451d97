#ifndef EXECD_FILES_TASK_ALLOCATION_H
#define EXECD_FILES_TASK_ALLOCATION_H

#include "daemons/execd/files/task_input.h"

struct dstr;

/* What a task's files say of its allocation (libs/sgeobj/allocation.h). Pure. Source: captured
 * job environments, config files and pe_hostfile */

/* task_allocation_environment - append NSLOTS, NQUEUES and NHOSTS; of a parallel job PE and
 * PE_HOSTFILE, too
 * task_allocation_config - append what the shepherd's methods may ask for */
void task_allocation_environment(const struct task_text_input *in, struct dstr *out);
void task_allocation_config(const struct task_text_input *in, struct dstr *out);
/* task_hostfile - append the lines of "pe_hostfile", one for each entry: host, slots, queue
 * instance, and the cores (task_binding.h) */
void task_hostfile(const struct task_text_input *in, struct dstr *out);

/* The named devices that a task was given on this host, as its environment says them. Pure.
 * Source: complex(5); sge_conf(5) execd_params DEVICE_VARIABLES */

/* task_devices_environment - append SGE_HGR_<resource>="name name ..." for each resource of which
 * the task has devices here, and the variables of DEVICE_VARIABLES, with commas between the names;
 * those are empty for a task that has none */
void task_devices_environment(const struct task_text_input *in, struct dstr *out);
/* task_devices_set - is VARIABLE one of DEVICE_VARIABLES, whatever a submitter says? */
bool task_devices_set(const struct task_place *place, const char *variable);

#endif

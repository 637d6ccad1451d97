#ifndef EXECD_FILES_TASK_DEVICES_H
#define EXECD_FILES_TASK_DEVICES_H

#include "daemons/execd/files/task_input.h"

/* The named devices that a task was given on this host, as its environment says them. Pure.
 * Source: complex(5); sge_conf(5) execd_params DEVICE_VARIABLES */
struct dstr;

/* task_devices_environment - append SGE_HGR_<resource>="name name ..." for each resource of which
 * the task has devices here, and the variables of DEVICE_VARIABLES, with commas between the names;
 * those are empty for a task that has none */
void task_devices_environment(const struct task_text_input *in, struct dstr *out);
/* task_devices_set - is VARIABLE one of DEVICE_VARIABLES, whatever a submitter says? */
bool task_devices_set(const struct task_place *place, const char *variable);

#endif

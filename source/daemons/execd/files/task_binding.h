#ifndef EXECD_FILES_TASK_BINDING_H
#define EXECD_FILES_TASK_BINDING_H

#include "daemons/execd/files/task_input.h"

struct core_set;
struct dstr;
struct topology;

/* What a task's files say of the cores that it is bound to, and how that is read again. Pure.
 * Source: submit(1) -binding; captured config, environment and pe_hostfile */

/* task_binding_wish - what its job asks for; NULL: nothing, or the site has switched it off
 * (execd_params ENABLE_BINDING) */
const struct BN_Type *task_binding_wish(const struct task_text_input *in);
/* task_binding_choose - free cores of T for WISH, within the processors of the queue
 * Returns false, OUT empty, if it cannot have them. */
bool task_binding_choose(const struct task_text_input *in, const struct BN_Type *wish,
                         const struct topology *t, struct core_set *out);
/* task_binding_environment - append SGE_BINDING, for a job that is bound or is to bind itself
 * task_binding_config - append "binding", and for a job that is bound, "binding_processors" */
void task_binding_environment(const struct task_text_input *in, struct dstr *out);
void task_binding_config(const struct task_text_input *in, struct dstr *out);
/* task_binding_column - append the last column of "pe_hostfile" for ENTRY: with -binding pe the
 * cores there, else UNDEFINED */
void task_binding_column(const struct task_text_input *in, const struct JG_Type *entry,
                         struct dstr *out);
/* task_binding_read - the cores in the value of "binding"; false, OUT empty: T has none of them */
bool task_binding_read(const char *value, const struct topology *t, struct core_set *out);

#endif

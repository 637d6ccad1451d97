/* Cores that tasks are bound to. They belong to the task of a job: its parts on this host (petasks)
 * run on the same ones. The file "config" names them, so that an execd that is started again knows
 * which are taken. Source: submit(1) -binding. */
#include "daemons/execd/tasks/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/execd/files/task_binding.h"
#include "daemons/execd/files/task_files.h"
#include "daemons/execd/host/user.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/msg_tasks.h"
#include "libs/sgeobj/binding.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

/* the cores of a task of the same key but for the petask; NULL: none has any */
static const struct core_set *cores_of_family(const struct exec_task *t)
{
    const struct exec_task *other = task_first_of(t->x, &t->key);
    for (; other != NULL && other->key.job_number == t->key.job_number &&
           other->key.task_number == t->key.task_number;
         other = task_next(other))
        if (other != t && other->cores.n > 0)
            return &other->cores;
    return NULL;
}

static void say_unbound(const struct exec_task *t, const struct task_text_input *in,
                        const struct BN_Type *wish)
{
    struct dstr text = DSTR_INIT;
    binding_text(wish, &text);
    log_msg_of(in->user->uid, LOG_LEVEL_WARNING, MSG_UNBOUND_SSS, t->name, dstr_get(&text),
               t->x->load.topology.in_use);
    dstr_free(&text);
}

void task_take_cores(struct exec_task *t, struct task_text_input *in)
{
    struct topology *topology = &t->x->load.topology;
    const struct BN_Type *wish = task_binding_wish(in);
    in->topology = topology;
    in->cores = &t->cores;
    if (wish == NULL)
        return; /* nearly always */
    const struct core_set *others = cores_of_family(t);
    if (others != NULL)
        core_set_copy(&t->cores, others);
    else if (!task_binding_choose(in, wish, topology, &t->cores))
        say_unbound(t, in, wish);
    task_hold_cores(t);
}

void task_find_cores(struct exec_task *t, const char *config)
{
    char *value = task_files_value(config, "binding");
    if (value != NULL && task_binding_read(value, &t->x->load.topology, &t->cores))
        task_hold_cores(t);
    free(value);
}

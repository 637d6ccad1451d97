/* The checkpoints of a task as text. What the queue says about them, its min_cpu_interval and
 * notify, counts as it is when the task starts. */
#include "daemons/execd/files/task_checkpoint.h"

#include <string.h>

#include "libs/config/qinstance.h"
#include "libs/config/quantity.h"
#include "libs/sgeobj/checkpoint.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"

#define SUBMITTERS_DIR "SGE_CKPT_DIR"

static bool has_own_dir(const struct JB_Type *job)
{
    for (uint32_t i = 0; i < job->JB_env_list.n; i++)
        if (job->JB_env_list.v[i].VA_variable != NULL &&
            strcmp(job->JB_env_list.v[i].VA_variable, SUBMITTERS_DIR) == 0)
            return true;
    return false;
}

void task_checkpoint_environment(const struct task_text_input *in, struct dstr *out)
{
    const struct TC_Type *tc = checkpoint_of(in->task);
    if (tc == NULL)
        return;
    task_text_add(out, "SGE_CKPT_ENV", tc->TC_name != NULL ? tc->TC_name : "");
    if (!has_own_dir(in->job))
        task_text_add(out, SUBMITTERS_DIR, tc->TC_ckpt_dir != NULL ? tc->TC_ckpt_dir : "");
}

/* of a time in the queue's configuration; 0: none, or no end */
static uint64_t queue_seconds(const struct task_text_input *in, const char *name)
{
    const char *text = qinstance_setting(in->queue, name);
    uint64_t s = 0;
    return text != NULL && quantity_time_parse(text, &s) && s != QUANTITY_INFINITY ? s : 0;
}

/* between two periodic checkpoints: no job makes them more often than its queue says */
static uint64_t interval_s(const struct task_text_input *in, const struct TC_Type *tc)
{
    uint64_t least_s = queue_seconds(in, "min_cpu_interval");
    if ((tc->TC_when & CHECKPOINT_AT_MINIMUM_INTERVAL) == 0)
        return 0;
    return tc->TC_interval > least_s ? tc->TC_interval : least_s;
}

const char *task_checkpoint_command(const struct task_text_input *in, const char *name)
{
    const struct TC_Type *tc = checkpoint_of(in->task);
    enum checkpoint_interface interface =
        tc != NULL ? (enum checkpoint_interface)tc->TC_interface : CHECKPOINT_USERDEFINED;
    if (!checkpoint_has_commands(interface))
        return NULL;
    return strcmp(name, "ckpt_command") == 0     ? tc->TC_ckpt_command
           : strcmp(name, "migr_command") == 0   ? tc->TC_migr_command
           : strcmp(name, "clean_command") == 0  ? tc->TC_clean_command
           : interface == CHECKPOINT_APPLICATION ? NULL
                                                 : tc->TC_rest_command;
}

static void add_command(const struct task_text_input *in, const char *key, const char *name,
                        struct dstr *out)
{
    const char *command = task_checkpoint_command(in, name);
    task_text_add(out, key, command != NULL ? command : "NONE");
}

static void add_number(const char *key, uint64_t value, struct dstr *out)
{
    dstr_addf(out, "%s=%llu\n", key, (unsigned long long)value);
}

void task_checkpoint_config(const struct task_text_input *in, struct dstr *out)
{
    const struct TC_Type *tc = checkpoint_of(in->task);
    if (tc == NULL)
        return;
    enum checkpoint_interface interface = (enum checkpoint_interface)tc->TC_interface;
    dstr_add(out, "ckpt_job=1\n");
    add_number("ckpt_restarted", checkpoint_restarted(in->task) == 2, out);
    task_text_add(out, "ckpt_interface", checkpoint_interface_name(interface));
    add_command(in, "ckpt_command", "ckpt_command", out);
    add_command(in, "ckpt_migr_command", "migr_command", out);
    add_command(in, "ckpt_rest_command", "restart_command", out);
    add_command(in, "ckpt_clean_command", "clean_command", out);
    task_text_add(out, "ckpt_dir", tc->TC_ckpt_dir != NULL ? tc->TC_ckpt_dir : "");
    task_text_add(out, "ckpt_signal", tc->TC_signal != NULL ? tc->TC_signal : "NONE");
    add_number("ckpt_interval", interval_s(in, tc), out);
    add_number("ckpt_patience", queue_seconds(in, "notify"), out);
    if ((in->task->JAT_state & TASK_IS_CLEANING) != 0)
        dstr_add(out, "ckpt_clean_only=1\n");
    add_number("ckpt_at_shutdown", (tc->TC_when & CHECKPOINT_AT_SHUTDOWN) != 0, out);
    task_text_add(out, "sge_root", in->place->sge_root);
    task_text_add(out, "sge_cell", in->place->sge_cell);
}

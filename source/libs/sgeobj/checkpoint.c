/* What a task's checkpoints are: rules on records. What a start does is settled when it is ordered
 * and stays in its record, so that a change of the environment or of the job concerns the next
 * start. */
#include "libs/sgeobj/checkpoint.h"

#include <string.h>
#include <strings.h>

#include "libs/sgeobj/job_request.h"

static const char *const names[CHECKPOINT_INTERFACES] = {
    [CHECKPOINT_USERDEFINED] = "USERDEFINED",       [CHECKPOINT_TRANSPARENT] = "TRANSPARENT",
    [CHECKPOINT_APPLICATION] = "APPLICATION-LEVEL", [CHECKPOINT_CPR] = "CPR",
    [CHECKPOINT_HIBERNATOR] = "HIBERNATOR",
};

const char *checkpoint_interface_name(enum checkpoint_interface interface)
{
    return names[(unsigned)interface < CHECKPOINT_INTERFACES ? interface : CHECKPOINT_USERDEFINED];
}

enum checkpoint_interface checkpoint_interface_read(const char *name)
{
    for (unsigned i = 0; name != NULL && i < CHECKPOINT_INTERFACES; i++)
        if (strcasecmp(name, names[i]) == 0)
            return (enum checkpoint_interface)i;
    return CHECKPOINT_USERDEFINED;
}

bool checkpoint_has_commands(enum checkpoint_interface interface)
{
    return interface == CHECKPOINT_APPLICATION || interface == CHECKPOINT_CPR ||
           interface == CHECKPOINT_HIBERNATOR;
}

uint32_t checkpoint_when(const struct JB_Type *job, const struct CK_Type *env)
{
    uint32_t bits = job->JB_checkpoint_attr;
    if (bits == 0 && env->CK_when != NULL &&
        !job_letters_parse(env->CK_when, job_checkpoint_letters, &bits))
        bits = 0;
    return job->JB_checkpoint_interval != 0 ? bits | CHECKPOINT_AT_MINIMUM_INTERVAL : bits;
}

static bool is_something(const char *text)
{
    return text != NULL && *text != '\0' && strcasecmp(text, "none") != 0;
}

void checkpoint_keep(struct JAT_Type *task, const struct JB_Type *job, const struct CK_Type *env)
{
    if (task->JAT_checkpoint.n > 0)
        cull_clear_field(&cull_JAT_Type, task, JAT_checkpoint);
    if (env == NULL)
        return;
    struct TC_Type *tc = cull_append(task, JAT_checkpoint);
    enum checkpoint_interface interface = checkpoint_interface_read(env->CK_interface);
    cull_set(tc, TC_name, env->CK_name);
    cull_set(tc, TC_interface, (uint32_t)interface);
    if (is_something(env->CK_ckpt_command))
        cull_set(tc, TC_ckpt_command, env->CK_ckpt_command);
    if (is_something(env->CK_migr_command))
        cull_set(tc, TC_migr_command, env->CK_migr_command);
    if (is_something(env->CK_rest_command))
        cull_set(tc, TC_rest_command, env->CK_rest_command);
    if (is_something(env->CK_clean_command))
        cull_set(tc, TC_clean_command, env->CK_clean_command);
    cull_set(tc, TC_ckpt_dir, env->CK_ckpt_dir);
    if (is_something(env->CK_signal))
        cull_set(tc, TC_signal, env->CK_signal);
    cull_set(tc, TC_when, checkpoint_when(job, env));
    cull_set(tc, TC_interval, job->JB_checkpoint_interval);
}

const struct TC_Type *checkpoint_of(const struct JAT_Type *task)
{
    return task->JAT_checkpoint.n > 0 ? &task->JAT_checkpoint.v[0] : NULL;
}

bool checkpoint_is_at(const struct JAT_Type *task, uint32_t when)
{
    const struct TC_Type *tc = checkpoint_of(task);
    return tc != NULL && (tc->TC_when & when) != 0;
}

uint32_t checkpoint_restarted(const struct JAT_Type *task)
{
    const struct TC_Type *tc = checkpoint_of(task);
    bool is_made = tc != NULL && task->JAT_is_checkpointed &&
                   checkpoint_has_commands((enum checkpoint_interface)tc->TC_interface);
    return task->JAT_job_restarted == 0 ? 0 : is_made ? 2 : 1;
}

/* Changes of a job's context (-ac, -dc, -sc of qalter) and environment. Invariant of a context: each name once. Source: submit(1). */
#include "libs/sgeobj/job_request.h"

#include <string.h>

#include "libs/sgeobj/rows.h"

static struct VA_Type *context_find(struct JB_Type *job, const char *name)
{
    for (uint32_t i = 0; i < job->JB_context.n; i++)
        if (strcmp(job->JB_context.v[i].VA_variable, name) == 0)
            return &job->JB_context.v[i];
    return NULL;
}

static void context_put(struct JB_Type *job, const struct VA_Type *change)
{
    struct VA_Type *at = context_find(job, change->VA_variable);
    cull_copy(&cull_VA_Type, at != NULL ? at : cull_append(job, JB_context), change);
}

static void context_delete(struct JB_Type *job, const char *name)
{
    struct VA_Type *at = context_find(job, name);
    if (at != NULL)
        cull_remove_at(&cull_VA_Type, (struct cull_list *)&job->JB_context,
                       (uint32_t)(at - job->JB_context.v));
}

static bool is_operation(const char *name)
{
    return strcmp(name, CONTEXT_ADD) == 0 || strcmp(name, CONTEXT_DELETE) == 0 ||
           strcmp(name, CONTEXT_SET) == 0;
}

void job_context_apply(struct JB_Type *job, const struct VA_Type_list *changes)
{
    bool is_delete = false;
    for (uint32_t i = 0; i < changes->n; i++) {
        const char *name = changes->v[i].VA_variable;
        if (name == NULL)
            continue;
        if (strcmp(name, CONTEXT_SET) == 0)
            cull_clear_field(&cull_JB_Type, job, JB_context);
        if (is_operation(name))
            is_delete = strcmp(name, CONTEXT_DELETE) == 0;
        else if (is_delete)
            context_delete(job, name);
        else
            context_put(job, &changes->v[i]);
    }
    cull_mark(job, JB_context);
}

void job_env_keep_submitter(struct JB_Type *job, const struct VA_Type_list *old)
{
    for (uint32_t i = 0; i < old->n; i++) {
        const char *name = old->v[i].VA_variable;
        if (name != NULL && strncmp(name, ENV_SUBMIT_PREFIX, strlen(ENV_SUBMIT_PREFIX)) == 0)
            cull_copy(&cull_VA_Type, cull_append(job, JB_env_list), &old->v[i]);
    }
}

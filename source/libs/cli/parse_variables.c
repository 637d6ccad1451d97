/* Parsers of variables: the job's environment (-v, -V) and its context (-ac, -dc, -sc). Both are
 * merged by name, whatever source they come from. */
#include <stdlib.h>
#include <string.h>

#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/parse_options.h"
#include "libs/cli/submitter.h"
#include "libs/cli/variables.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/list_items.h"

void job_env_set(struct JB_Type *job, const char *name, size_t len, const char *value)
{
    struct VA_Type_list *l = &job->JB_env_list;
    struct VA_Type *va = NULL;
    for (uint32_t i = 0; i < l->n && va == NULL; i++)
        if (strncmp(l->v[i].VA_variable, name, len) == 0 && l->v[i].VA_variable[len] == '\0')
            va = &l->v[i];
    if (va == NULL) {
        char *copy = uti_strndup(name, len);
        va = cull_append(job, JB_env_list);
        cull_set(va, VA_variable, copy);
        free(copy);
    }
    cull_set(va, VA_value, value);
}

OPTION_PARSER(parse_all_variables)
{
    (void)ans;
    for (char *const *e = call->to->by->env; *e != NULL; e++) {
        const char *equals = strchr(*e, '=');
        if (equals != NULL && equals > *e)
            job_env_set(&call->to->job, *e, (size_t)(equals - *e), equals + 1);
    }
    return 0;
}

/* one item of -v: NAME=VALUE, or NAME with the value it has now, if any */
static int set_variable(struct job_command *c, const char *item)
{
    size_t len = strcspn(item, "=");
    const char *value = item[len] == '=' ? item + len + 1 : submitter_getenv(c->by, item, len);
    if (len == 0)
        return -1;
    job_env_set(&c->job, item, len, value);
    return 0;
}

OPTION_PARSER(parse_variables)
{
    struct list_reader r = list_reader_over_values(call->args[0]);
    struct dstr item = DSTR_INIT;
    int result = 0, n = 0;
    for (; result == 0 && list_next(&r, &item); n++)
        result = set_variable(call->to, dstr_get(&item));
    dstr_free(&item);
    if (result < 0 || n == 0)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_VARIABLES_SS, option_speaker(call->to->program),
                        call->args[0]);
    return 0;
}

/* ---- context ---- */

static void context_delete(struct JB_Type *job, const char *name)
{
    struct VA_Type_list *l = &job->JB_context;
    for (uint32_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].VA_variable, name) == 0) {
            cull_remove_at(&cull_VA_Type, (struct cull_list *)l, i);
            return;
        }
}

static void context_append(struct JB_Type *job, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(job, JB_context);
    cull_set(va, VA_variable, name);
    if (value != NULL)
        cull_set(va, VA_value, value);
}

/* -ac, -dc and -sc of a submit act at once; a change carries them as operations for the qmaster
 * (job_request.h). */
OPTION_PARSER(parse_context)
{
    struct JB_Type *job = &call->to->job;
    struct list_reader r = list_reader_over_values(call->args[0]);
    struct dstr item = DSTR_INIT;
    bool is_submit = call->to->program == QSUB, is_delete = call->row->name[1] == 'd',
         is_set = call->row->name[1] == 's';
    if (is_set)
        cull_clear_field(&cull_JB_Type, job, JB_context);
    if (!is_submit)
        context_append(job, is_set ? CONTEXT_SET : is_delete ? CONTEXT_DELETE : CONTEXT_ADD, NULL);
    int result = 0;
    while (result == 0 && list_next(&r, &item)) {
        char *name = dstr_take(&item), *equals = strchr(name, '=');
        if (equals != NULL)
            *equals = '\0';
        if (*name == '\0' || (is_delete && equals != NULL))
            result = ans_fail(ans, STATUS_ESYNTAX, MSG_LIST_SSSS, option_speaker(call->to->program),
                              "context list", call->args[0], call->row->name);
        if (result == 0 && is_submit)
            context_delete(job, name);
        if (result == 0 && !(is_submit && is_delete))
            context_append(job, name, equals == NULL ? NULL : equals + 1);
        free(name);
    }
    dstr_free(&item);
    return result;
}

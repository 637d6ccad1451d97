/* Parsers of comma-separated lists: paths, queues, resources, mail addresses, users,
 * variables. Uses add up,
 * whatever sources they stand in, each entry once; of paths for one host and of values of one
 * resource the last counts. */
#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/option.h"
#include "libs/cli/parse_options.h"
#include "libs/cli/submitter.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/path_expand.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int bad_list(const struct option_call *call, const char *what, struct answer *ans)
{
    return ans_fail(ans, STATUS_ESYNTAX, MSG_LIST_SSSS, option_speaker(call->to->program), what,
                    call->args[0], call->row->name);
}

/* ---- [host:]path ---- */

/* the head of a path list of the job; all four have the same element type */
static struct PN_Type *path_append(struct JB_Type *job, int field)
{
    switch (field) {
    case JB_stdin_path_list:
        return cull_append(job, JB_stdin_path_list);
    case JB_stdout_path_list:
        return cull_append(job, JB_stdout_path_list);
    case JB_stderr_path_list:
        return cull_append(job, JB_stderr_path_list);
    default:
        return cull_append(job, JB_shell_list);
    }
}

static struct PN_Type_list *path_list(struct JB_Type *job, int field)
{
    switch (field) {
    case JB_stdin_path_list:
        return &job->JB_stdin_path_list;
    case JB_stdout_path_list:
        return &job->JB_stdout_path_list;
    case JB_stderr_path_list:
        return &job->JB_stderr_path_list;
    default:
        return &job->JB_shell_list;
    }
}

/* the entry for HOST (NULL: any), made if it is not there */
static struct PN_Type *path_for(struct JB_Type *job, int field, const char *host)
{
    struct PN_Type_list *l = path_list(job, field);
    for (uint32_t i = 0; i < l->n; i++) {
        const char *of = l->v[i].PN_host;
        if (of == NULL || host == NULL ? of == host : strcasecmp(of, host) == 0)
            return &l->v[i];
    }
    return path_append(job, field);
}

static void path_set(struct JB_Type *job, int field, const char *item)
{
    const char *colon = strchr(item, ':');
    char *host = colon != NULL && colon > item ? uti_strndup(item, (size_t)(colon - item)) : NULL;
    struct PN_Type *pn = path_for(job, field, host);
    struct dstr path = DSTR_INIT;
    /* `~` alone is the home of the owner where the job starts */
    dstr_add(&path, path_tilde(colon == NULL ? item : colon + 1, NULL, submitter_home_of, &path));
    cull_set(pn, PN_path, dstr_get(&path));
    dstr_free(&path);
    if (host != NULL)
        cull_set(pn, PN_host, host);
    free(host);
}

OPTION_PARSER(parse_paths)
{
    struct JB_Type *job = &call->to->job;
    struct list_reader r = list_reader_over(call->args[0]);
    struct dstr item = DSTR_INIT;
    int result = 0, n = 0;
    while (result == 0 && list_next(&r, &item)) {
        const char *text = dstr_get(&item), *colon = strchr(text, ':');
        if (*(colon == NULL ? text : colon + 1) == '\0')
            result = bad_list(call, "path list", ans);
        else
            path_set(job, call->row->sets, text);
        n++;
    }
    dstr_free(&item);
    return result < 0 || n > 0 ? result : bad_list(call, "path list", ans);
}

/* ---- queues ---- */

static struct QR_Type_list *queue_list(const struct option_call *call)
{
    struct JB_Type *job = &call->to->job;
    if (call->row->sets == JB_master_hard_queue_list)
        return &job->JB_master_hard_queue_list;
    return call->to->is_soft ? &job->JB_soft_queue_list : &job->JB_hard_queue_list;
}

static struct QR_Type *queue_append(const struct option_call *call)
{
    struct JB_Type *job = &call->to->job;
    if (call->row->sets == JB_master_hard_queue_list)
        return cull_append(job, JB_master_hard_queue_list);
    if (call->to->is_soft)
        return cull_append(job, JB_soft_queue_list);
    return cull_append(job, JB_hard_queue_list);
}

OPTION_PARSER(parse_queues)
{
    struct list_reader r = list_reader_over(call->args[0]);
    struct dstr item = DSTR_INIT;
    int n = 0;
    for (; list_next(&r, &item); n++)
        if (cull_find(&cull_QR_Type, queue_list(call), dstr_get(&item)) == NULL)
            cull_set(queue_append(call), QR_name, dstr_get(&item));
    dstr_free(&item);
    return n > 0 ? 0 : bad_list(call, "queue list", ans);
}

/* ---- resources ---- */

static struct CE_Type *resource_for(struct JB_Type *job, bool is_soft, const char *name)
{
    struct CE_Type_list *l = is_soft ? &job->JB_soft_resource_list : &job->JB_hard_resource_list;
    struct CE_Type *known = cull_find(&cull_CE_Type, l, name);
    if (known != NULL)
        return known;
    return is_soft ? cull_append(job, JB_soft_resource_list)
                   : cull_append(job, JB_hard_resource_list);
}

OPTION_PARSER(parse_resources)
{
    struct list_reader r = list_reader_over_requests(call->args[0]);
    struct dstr item = DSTR_INIT;
    int result = 0, n = 0;
    for (; result == 0 && list_next(&r, &item); n++) {
        char *name = dstr_take(&item), *equals = strchr(name, '=');
        if (equals != NULL)
            *equals = '\0';
        if (*name == '\0') {
            result = bad_list(call, "resource list", ans);
        } else {
            struct CE_Type *ce = resource_for(&call->to->job, call->to->is_soft, name);
            cull_set(ce, CE_name, name);
            cull_set(ce, CE_stringval, equals == NULL ? NULL : equals + 1);
        }
        free(name);
    }
    dstr_free(&item);
    return result < 0 || n > 0 ? result : bad_list(call, "resource list", ans);
}

/* ---- people ---- */

static void mail_add(struct JB_Type *job, const char *user, const char *host)
{
    for (uint32_t i = 0; i < job->JB_mail_list.n; i++) {
        const struct MR_Type *mr = &job->JB_mail_list.v[i];
        bool is_there = mr->MR_host == NULL || host == NULL ? mr->MR_host == host
                                                            : strcmp(mr->MR_host, host) == 0;
        if (is_there && strcmp(mr->MR_user, user) == 0)
            return;
    }
    struct MR_Type *mr = cull_append(job, JB_mail_list);
    cull_set(mr, MR_user, user);
    if (host != NULL)
        cull_set(mr, MR_host, host);
}

OPTION_PARSER(parse_mail_list)
{
    struct list_reader r = list_reader_over(call->args[0]);
    struct dstr item = DSTR_INIT;
    int result = 0, n = 0;
    for (; result == 0 && list_next(&r, &item); n++) {
        char *user = dstr_take(&item), *at = strchr(user, '@');
        if (at != NULL)
            *at = '\0';
        if (*user == '\0') {
            result = ans_fail(ans, STATUS_ESYNTAX, MSG_MAIL_LIST_SS,
                              option_speaker(call->to->program), call->args[0]);
        } else {
            mail_add(&call->to->job, user, at == NULL ? NULL : at + 1);
        }
        free(user);
    }
    dstr_free(&item);
    if (result == 0 && n == 0)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_MAIL_LIST_SS, option_speaker(call->to->program),
                        call->args[0]);
    return result;
}

OPTION_PARSER(parse_users)
{
    struct list_reader r = list_reader_over(call->args[0]);
    struct dstr item = DSTR_INIT;
    int n = 0;
    for (; list_next(&r, &item); n++)
        cull_set(cull_push(&call->to->users), ST_name, dstr_get(&item));
    dstr_free(&item);
    return n > 0 ? 0 : bad_list(call, "user list", ans);
}

OPTION_PARSER(parse_no_users)
{
    ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_OPTION_IDLE_S, call->row->name);
    return 0;
}

/* ---- variables: environment (-v, -V) and context (-ac, -dc, -sc), each merged by name over all
 * sources ---- */
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

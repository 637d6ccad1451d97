/* Parsers of comma-separated lists: paths, queues, resources, mail addresses, users.
 * A list named in a source of higher rank replaces the one below it; within one source uses add up. Resources are merged by name. */
#include <stdlib.h>
#include <string.h>

#include "libs/cli/job_command.h"
#include "libs/cli/list_items.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/parse_options.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

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

static void path_set(struct PN_Type *pn, const char *item)
{
    const char *colon = strchr(item, ':');
    cull_set(pn, PN_path, colon == NULL ? item : colon + 1);
    if (colon != NULL && colon > item) {
        char *host = uti_strndup(item, (size_t)(colon - item));
        cull_set(pn, PN_host, host);
        free(host);
    }
}

OPTION_PARSER(parse_paths)
{
    struct JB_Type *job = &call->to->job;
    struct list_reader r = list_reader_over(call->args[0]);
    struct dstr item = DSTR_INIT;
    int result = 0, n = 0;
    if (call->is_first)
        cull_clear_field(&cull_JB_Type, job, (unsigned)call->row->sets);
    while (result == 0 && list_next(&r, &item)) {
        const char *text = dstr_get(&item), *colon = strchr(text, ':');
        if (*(colon == NULL ? text : colon + 1) == '\0')
            result = bad_list(call, "path list", ans);
        else
            path_set(path_append(job, call->row->sets), text);
        n++;
    }
    dstr_free(&item);
    return result < 0 || n > 0 ? result : bad_list(call, "path list", ans);
}

/* ---- queues ---- */

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
    if (call->is_first) {
        cull_clear_field(&cull_JB_Type, &call->to->job, (unsigned)call->row->sets);
        if (call->row->sets == JB_hard_queue_list)
            cull_clear_field(&cull_JB_Type, &call->to->job, JB_soft_queue_list);
    }
    int n = 0;
    while (list_next(&r, &item))
        if (item.len > 0) {
            struct QR_Type *q = queue_append(call);
            cull_set(q, QR_name, dstr_get(&item));
            n++;
        }
    dstr_free(&item);
    return n > 0 ? 0 : bad_list(call, "queue list", ans);
}

/* ---- resources ---- */

static struct CE_Type *resource_for(struct JB_Type *job, bool is_soft, const char *name)
{
    struct CE_Type_list *l = is_soft ? &job->JB_soft_resource_list : &job->JB_hard_resource_list;
    for (uint32_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].CE_name, name) == 0)
            return &l->v[i];
    return is_soft ? cull_append(job, JB_soft_resource_list)
                   : cull_append(job, JB_hard_resource_list);
}

OPTION_PARSER(parse_resources)
{
    struct list_reader r = list_reader_over(call->args[0]);
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

OPTION_PARSER(parse_mail_list)
{
    struct list_reader r = list_reader_over(call->args[0]);
    struct dstr item = DSTR_INIT;
    int result = 0, n = 0;
    if (call->is_first)
        cull_clear_field(&cull_JB_Type, &call->to->job, JB_mail_list);
    for (; result == 0 && list_next(&r, &item); n++) {
        char *user = dstr_take(&item), *at = strchr(user, '@');
        if (at != NULL)
            *at = '\0';
        if (*user == '\0') {
            result = ans_fail(ans, STATUS_ESYNTAX, MSG_MAIL_LIST_SS,
                              option_speaker(call->to->program), call->args[0]);
        } else {
            struct MR_Type *mr = cull_append(&call->to->job, JB_mail_list);
            cull_set(mr, MR_user, user);
            if (at != NULL)
                cull_set(mr, MR_host, at + 1);
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
        job_command_add_user(call->to, dstr_get(&item), item.len);
    dstr_free(&item);
    return n > 0 ? 0 : bad_list(call, "user list", ans);
}

OPTION_PARSER(parse_no_users)
{
    ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_OPTION_IDLE_S, call->row->name);
    return 0;
}

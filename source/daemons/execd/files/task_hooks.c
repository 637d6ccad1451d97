/* Hooks of a task: which command each is, and as whom it runs. A queue's own prolog and epilog win
 * over those of the cluster; the procedures of the parallel environment come with the allocation.
 * Source: queue_conf(5), sge_conf(5), sge_pe(5). */
#include "daemons/execd/files/task_hooks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemons/execd/files/msg_files.h"
#include "daemons/execd/files/task_checkpoint.h"
#include "daemons/execd/host/user.h"
#include "libs/config/conf.h"
#include "libs/config/qinstance.h"
#include "libs/config/quantity.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum hook_from {
    OF_QUEUE_OR_CONF,
    OF_QUEUE,
    OF_PE_START,
    OF_PE_STOP,
    OF_CHECKPOINT,
    OF_CONF,
    OF_SESSION
};
static const struct {
    const char *key;
    enum hook_from from;
} hooks[TASK_HOOKS] = {
    { "prolog", OF_QUEUE_OR_CONF },       { "epilog", OF_QUEUE_OR_CONF },
    { "starter_method", OF_QUEUE },       { "suspend_method", OF_QUEUE },
    { "resume_method", OF_QUEUE },        { "terminate_method", OF_QUEUE },
    { "pe_start", OF_PE_START },          { "pe_stop", OF_PE_STOP },
    { "ckpt_command", OF_CHECKPOINT },    { "migr_command", OF_CHECKPOINT },
    { "restart_command", OF_CHECKPOINT }, { "clean_command", OF_CHECKPOINT },
    { "set_token_cmd", OF_CONF },     /* as root, without a user in front of it */
    { "session_daemon", OF_SESSION }, /* likewise */
};

const char *task_hook_key(unsigned i)
{
    return hooks[i].key;
}

static bool is_set(const char *text)
{
    return text != NULL && *text != '\0' && strcasecmp(text, "none") != 0;
}

const char *task_session_daemon(const struct task_text_input *in)
{
    if (!job_has_session(in->job))
        return NULL;
    const char *setting = job_session_setting(in->job, true),
               *text = conf_get(in->place->global_conf, in->place->host_conf, setting);
    return is_set(text) && strcasecmp(text, "builtin") != 0 ? text : NULL;
}

const char *task_hook(const struct task_text_input *in, unsigned i)
{
    const struct JG_Type_list *granted = &in->task->JAT_granted_destin_identifier_list;
    const char *text = NULL;
    bool is_of_pe = hooks[i].from == OF_PE_START || hooks[i].from == OF_PE_STOP;
    if (is_of_pe && in->task->JAT_pe_task_id != NULL)
        return NULL; /* a part of the task on a host has none */
    if (hooks[i].from == OF_PE_START)
        text = allocation_pe_start(granted);
    else if (hooks[i].from == OF_PE_STOP)
        text = allocation_pe_stop(granted);
    else if (hooks[i].from == OF_CHECKPOINT)
        text = task_checkpoint_command(in, hooks[i].key);
    else if (hooks[i].from == OF_SESSION)
        return task_session_daemon(in);
    else if (hooks[i].from != OF_CONF)
        text = qinstance_setting(in->queue, hooks[i].key);
    if ((hooks[i].from == OF_QUEUE_OR_CONF && !is_set(text)) || hooks[i].from == OF_CONF)
        text = conf_get(in->place->global_conf, in->place->host_conf, hooks[i].key);
    return is_set(text) ? text : NULL;
}

/* ---- users in front of them ---- */

/* the length of the user's name before the "@" of TEXT, or 0 */
static size_t user_len(const char *text)
{
    size_t len = text != NULL ? strcspn(text, "@ \t/") : 0;
    return len > 0 && text[len] == '@' ? len : 0;
}

/* the user that hook I, whose command is TEXT, runs as, of *LEN bytes; 0: as the job's owner */
static const char *user_of(const struct task_text_input *in, unsigned i, const char *text,
                           size_t *len)
{
    const char *name = text;
    *len = user_len(text);
    if (text != NULL && (hooks[i].from == OF_CONF || hooks[i].from == OF_SESSION)) {
        name = in->place->is_root ? "root" : in->job->JB_owner;
        *len = strlen(name);
    }
    return name;
}

static const struct hook_user *find_user(const struct hook_users *users, const char *name,
                                         size_t len)
{
    for (uint32_t i = 0; users != NULL && i < users->n; i++)
        if (strlen(users->v[i].name) == len && strncmp(users->v[i].name, name, len) == 0)
            return &users->v[i];
    return NULL;
}

bool hook_users_have(const struct hook_users *users, const struct hook_users *others)
{
    for (uint32_t i = 0; others != NULL && i < others->n; i++)
        if (find_user(users, others->v[i].name, strlen(others->v[i].name)) == NULL)
            return false;
    return true;
}

struct hook_users *task_hooks_users(const struct task_text_input *in)
{
    struct hook_users *users = NULL;
    for (unsigned i = 0; i < TASK_HOOKS; i++) {
        const char *text = task_hook(in, i);
        size_t len;
        const char *name = user_of(in, i, text, &len);
        if (len == 0 || find_user(users, name, len) != NULL)
            continue;
        if (users == NULL)
            users = uti_calloc(1, sizeof *users);
        users->v[users->n++].name = uti_strndup(name, len);
    }
    return users;
}

void hook_users_free(struct hook_users *users)
{
    for (uint32_t i = 0; users != NULL && i < users->n; i++) {
        free(users->v[i].name);
        free(users->v[i].ids);
        free(users->v[i].error);
    }
    free(users);
}

bool hook_user_is_listed(const char *list, const char *name)
{
    static const char between[] = ", \t";
    size_t len = strlen(name);
    if (list == NULL)
        return false;
    for (list += strspn(list, between); *list != '\0'; list += strspn(list, between)) {
        size_t n = strcspn(list, between);
        if (n == len && strncmp(list, name, n) == 0)
            return true;
        list += n;
    }
    return false;
}

void hook_user_resolved(struct hook_user *hook, const struct user *user, const char *owner,
                        const char *list, uid_t euid)
{
    struct dstr text = DSTR_INIT;
    bool is_owner = strcmp(hook->name, owner) == 0;
    bool is_permitted = is_owner || hook_user_is_listed(list, hook->name);
    bool is_fine = is_permitted && user->error == NULL && (euid == 0 || user->uid == euid);
    if (is_fine)
        dstr_addf(&text, "%u:%u:%s", (unsigned)user->uid, (unsigned)user->gid, user->groups);
    else if (!is_permitted)
        dstr_addf(&text, MSG_HOOK_USER_DENIED_S, hook->name);
    else if (user->error != NULL)
        dstr_add(&text, user->error);
    else
        dstr_addf(&text, MSG_HOOK_USER_OTHER_U, (unsigned)euid);
    *(is_fine ? &hook->ids : &hook->error) = dstr_take(&text);
}

/* ---- for the shepherd ---- */

void task_hooks_config(const struct task_text_input *in, struct dstr *out)
{
    for (unsigned i = 0; i < TASK_HOOKS; i++) {
        if (hooks[i].from != OF_QUEUE_OR_CONF && hooks[i].from != OF_QUEUE)
            continue;
        const char *text = task_hook(in, i);
        const char *none =
            hooks[i].from == OF_QUEUE ? "NONE" : "none"; /* as their tables have it */
        task_text_add(out, hooks[i].key, text != NULL ? text : none);
    }
}

/* set_token_cmd, with its arguments: the owner, and how long its token is to last */
static void add_token(const struct task_text_input *in, const char *user, const char *command,
                      struct dstr *out)
{
    const char *time = conf_get(in->place->global_conf, in->place->host_conf, "token_extend_time");
    uint64_t extend_s;
    bool is_set = quantity_time_parse(time, &extend_s) && extend_s != QUANTITY_INFINITY;
    dstr_addf(out, "set_token_cmd=%s@%s $job_owner %llu\n", user, command,
              (unsigned long long)(is_set ? extend_s : 0));
    if (is_set)
        dstr_addf(out, "token_extend_time=%llu\n", (unsigned long long)extend_s);
}

/* what the execd of root starts in place of its shepherds */
static int check_starters(const struct task_text_input *in, struct answer *ans)
{
    static const char *const keys[] = { "shepherd_cmd", "pag_cmd" };
    char error[160];
    if (!in->place->has_starters || !in->place->is_root ||
        hook_user_is_listed(in->place->hook_users, "root"))
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        const char *text = conf_get(in->place->global_conf, in->place->host_conf, keys[i]);
        if (!is_set(text))
            continue;
        (void)snprintf(error, sizeof error, MSG_HOOK_USER_DENIED_S, "root");
        return ans_fail(ans, STATUS_DENIED, MSG_HOOK_USER_SSS, keys[i], text, error);
    }
    return 0;
}

int task_hooks_as(const struct task_text_input *in, struct dstr *out, struct answer *ans)
{
    for (unsigned i = 0; in->hook_users != NULL && i < TASK_HOOKS; i++) {
        const char *text = task_hook(in, i);
        size_t len;
        const char *name = user_of(in, i, text, &len);
        const struct hook_user *user = len > 0 ? find_user(in->hook_users, name, len) : NULL;
        if (user == NULL)
            continue;
        const char *key =
            hooks[i].from == OF_SESSION ? job_session_setting(in->job, true) : hooks[i].key;
        if (user->ids == NULL)
            return ans_fail(ans, STATUS_DENIED, MSG_HOOK_USER_SSS, key, text, user->error);
        dstr_addf(out, "%s_as=%s\n", hooks[i].key, user->ids);
        if (hooks[i].from == OF_CONF)
            add_token(in, user->name, text, out);
    }
    return check_starters(in, ans);
}

/* Texts for the shepherd. Pure: no file is looked at, no name resolved. Everything that is the same
 * for all tasks of a job in one queue is in the _common functions: their result is kept for the
 * job. Source: captured config and environment files. */
#include "daemons/execd/files/task_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemons/execd/files/msg_files.h"
#include "daemons/execd/files/task_allocation.h"
#include "daemons/execd/files/task_hooks.h"
#include "daemons/execd/files/task_paths.h"
#include "daemons/execd/host/user.h"
#include "libs/config/conf.h"
#include "libs/config/job_resources.h"
#include "libs/config/qinstance.h"
#include "libs/config/quantity.h"
#include "libs/sgeobj/checkpoint.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/task_key.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"
#include "libs/uti/signals.h"

#define DEFAULT_PATH  "/usr/local/bin:/bin:/usr/bin"
#define DEFAULT_SHELL "/bin/sh"

static void add_number(struct dstr *out, const char *key, uint64_t value)
{
    dstr_addf(out, "%s=%llu\n", key, (unsigned long long)value);
}

static const char *queue_setting(const struct task_text_input *in, const char *name,
                                 const char *otherwise)
{
    const char *value = qinstance_setting(in->queue, name);
    return value != NULL && *value != '\0' ? value : otherwise;
}

/* appends the shell: that of -S, which may depend on the task, else the queue's */
static void add_shell_path(const struct task_text_input *in, struct dstr *out)
{
    const struct PN_Type *asked = path_for_host(&in->job->JB_shell_list, in->place->host);
    struct path_vars vars = task_path_vars(in);
    if (asked != NULL)
        path_expand(asked->PN_path, &vars, NULL, out);
    else if (job_has_session(in->job) && in->user->shell != NULL && *in->user->shell == '/')
        dstr_add(out, in->user->shell); /* as a login has it */
    else
        dstr_add(out, queue_setting(in, "shell", DEFAULT_SHELL));
}

static bool is_binary(const struct JB_Type *job)
{
    return (job->JB_type & JOB_TYPE_BINARY) != 0;
}

void task_tmpdir(const struct task_text_input *in, struct dstr *out)
{
    const struct JAT_Type *task = in->task;
    dstr_addf(out, "%s/%u.%u.%s", queue_setting(in, "tmpdir", "/tmp"), task->JAT_job_number,
              task->JAT_task_number, in->queue->QU_qname != NULL ? in->queue->QU_qname : "");
    if (task->JAT_pe_task_id != NULL)
        dstr_addf(out, ".%s", task->JAT_pe_task_id);
}

/* ---- environment ---- */

static bool has_variable(const struct JB_Type *job, const char *name)
{
    for (uint32_t i = 0; i < job->JB_env_list.n; i++)
        if (job->JB_env_list.v[i].VA_variable != NULL &&
            strcmp(job->JB_env_list.v[i].VA_variable, name) == 0)
            return true;
    return false;
}

/* can it stand in an environment at all? */
static bool is_variable(const struct VA_Type *va)
{
    return va->VA_variable != NULL && *va->VA_variable != '\0' &&
           strchr(va->VA_variable, '=') == NULL;
}

static int compare_variables(const void *a, const void *b)
{
    const struct VA_Type *x = *(const struct VA_Type *const *)a,
                         *y = *(const struct VA_Type *const *)b;
    int rc = strcmp(x->VA_variable, y->VA_variable);
    return rc != 0 ? rc : (x > y) - (x < y);
}

/* which of the N elements of LIST to write: a variable is written once, and the last of a name
 * wins, as it does on a command line. O(n log n): users choose how many there are. New: free() */
static bool *find_last_ones(const struct VA_Type_list *list)
{
    const struct VA_Type **sorted = uti_calloc((size_t)list->n + 1, sizeof(const struct VA_Type *));
    bool *is_last = uti_calloc((size_t)list->n + 1, sizeof *is_last);
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++)
        if (is_variable(&list->v[i]))
            sorted[n++] = &list->v[i];
    qsort(sorted, n, sizeof(const struct VA_Type *), compare_variables);
    for (uint32_t i = 0; i < n; i++)
        is_last[sorted[i] - list->v] =
            i + 1 == n || strcmp(sorted[i]->VA_variable, sorted[i + 1]->VA_variable) != 0;
    free(sorted);
    return is_last;
}

static void add_submitter(const struct task_text_input *in, const struct VA_Type *va,
                          struct dstr *out)
{
    const size_t prefix = strlen(ENV_SUBMIT_PREFIX);
    const char *value = va->VA_value != NULL ? va->VA_value : "";
    if (strncmp(va->VA_variable, ENV_SUBMIT_PREFIX, prefix) == 0) {
        struct dstr name = DSTR_INIT;
        dstr_addf(&name, "SGE_%s", va->VA_variable + prefix);
        task_text_add(out, dstr_get(&name), value);
        dstr_free(&name);
    } else if (!task_is_system_variable(va->VA_variable) &&
               !task_devices_set(in->place, va->VA_variable)) {
        task_text_add(out, va->VA_variable, value);
    }
}

static void add_submitters(const struct task_text_input *in, struct dstr *out)
{
    const struct JB_Type *job = in->job;
    bool *is_last = find_last_ones(&job->JB_env_list);
    for (uint32_t i = 0; i < job->JB_env_list.n; i++)
        if (is_last[i])
            add_submitter(in, &job->JB_env_list.v[i], out);
    free(is_last);
}

static void add_array(const struct JB_Type *job, struct dstr *out)
{
    if (job_is_array(job)) {
        add_number(out, "SGE_TASK_FIRST", job->JB_ja_first);
        add_number(out, "SGE_TASK_LAST", job->JB_ja_last);
        add_number(out, "SGE_TASK_STEPSIZE", job->JB_ja_step);
    } else {
        dstr_add(
            out,
            "SGE_TASK_FIRST=undefined\nSGE_TASK_LAST=undefined\nSGE_TASK_STEPSIZE=undefined\n");
    }
}

/* no port is open for the execd: by convention it is called by the one behind the qmaster's */
static void add_ports(const struct task_place *place, struct dstr *out)
{
    if (place->port == 0)
        return;
    add_number(out, "SGE_QMASTER_PORT", place->port);
    add_number(out, "SGE_EXECD_PORT", place->port + 1u);
}

static const char *script_name(const struct task_text_input *in)
{
    const struct JB_Type *job = in->job;
    if ((job->JB_type & JOB_TYPE_INTERACTIVE) != 0)
        return (job->JB_type & JOB_TYPE_QSH) != 0      ? "INTERACTIVE"
               : (job->JB_type & JOB_TYPE_QLOGIN) != 0 ? "QLOGIN"
                                                       : "QRSH";
    return is_binary(job) && job->JB_script_file != NULL ? job->JB_script_file : in->script_path;
}

void task_environment_common(const struct task_text_input *in, struct dstr *out)
{
    const struct JB_Type *job = in->job;
    const char *name = job->JB_job_name != NULL ? job->JB_job_name : "";
    add_submitters(in, out);
    task_text_add(out, "REQNAME", name);
    task_text_add(out, "HOME", in->user->home);
    task_text_add(out, "USER", in->user->name);
    task_text_add(out, "LOGNAME", in->user->name);
    task_text_add(out, "JOB_NAME", name);
    task_text_add(out, "JOB_SCRIPT", script_name(in));
    task_text_add(out, "SGE_BINARY_PATH", in->place->bin_dir);
    task_text_add(out, "REQUEST", name);
    task_text_add(out, "HOSTNAME", in->place->host);
    task_text_add(out, "QUEUE", in->queue->QU_qname != NULL ? in->queue->QU_qname : "");
    add_number(out, "JOB_ID", job->JB_job_number);
    dstr_addf(out, "ENVIRONMENT=%s\nARC=%s\nSGE_ARCH=%s\n",
              (job->JB_type & JOB_TYPE_INTERACTIVE) != 0 ? "INTERACTIVE" : "BATCH", os_arch(),
              os_arch());
    task_text_add(out, "SGE_CELL", in->place->sge_cell);
    task_text_add(out, "SGE_CLUSTER_NAME", in->place->cluster_name);
    task_text_add(out, "SGE_ROOT", in->place->sge_root);
    add_ports(in->place, out);
    task_text_add(out, "SGE_ACCOUNT", job->JB_account != NULL ? job->JB_account : "sge");
    add_array(job, out);
    if (job->JB_cwd != NULL && !has_variable(job, "PWD"))
        task_text_add(out, "PWD", job->JB_cwd);
}

void task_environment_own(const struct task_text_input *in, struct dstr *out)
{
    const struct JAT_Type *task = in->task;
    if (!has_variable(in->job, "PATH")) {
        struct dstr path = DSTR_INIT;
        dstr_addf(&path, "%s:%s", in->tmpdir, DEFAULT_PATH);
        task_text_add(out, "PATH", dstr_get(&path));
        dstr_free(&path);
    }
    struct dstr shell = DSTR_INIT;
    add_shell_path(in, &shell);
    task_text_add(out, "SHELL", dstr_get(&shell));
    dstr_free(&shell);
    task_text_add(out, "TMPDIR", in->tmpdir);
    task_text_add(out, "TMP", in->tmpdir);
    add_number(out, "RESTARTED",
               checkpoint_of(task) != NULL ? checkpoint_restarted(task) : task->JAT_job_restarted);
    if (job_is_array(in->job))
        add_number(out, "SGE_TASK_ID", task->JAT_task_number);
    else
        dstr_add(out, "SGE_TASK_ID=undefined\n");
    task_text_add(out, "SGE_JOB_SPOOL_DIR", in->task_dir);
}

/* ---- config ---- */

static const char *requested_value(const struct JB_Type *job, const char *name)
{
    for (uint32_t i = 0; i < job->JB_hard_resource_list.n; i++) {
        const struct CE_Type *ce = &job->JB_hard_resource_list.v[i];
        if (ce->CE_name != NULL && strcmp(ce->CE_name, name) == 0)
            return ce->CE_stringval;
    }
    return NULL;
}

static int read_limit(const char *name, bool is_time, const char *text, uint64_t *out,
                      struct answer *ans)
{
    if (is_time ? quantity_time_parse(text, out) : quantity_memory_parse(text, out))
        return 0;
    return ans_fail(ans, STATUS_ESYNTAX, MSG_LIMIT_VALUE_SS, name, text);
}

static int add_limit(const struct task_text_input *in, const struct job_limit *limit,
                     struct dstr *out, struct answer *ans)
{
    const char *name = limit->name, *asked = requested_value(in->job, name);
    uint64_t of_queue, of_job = QUANTITY_INFINITY;
    if (read_limit(name, limit->is_time, queue_setting(in, name, "INFINITY"), &of_queue, ans) != 0)
        return -1;
    if (asked != NULL && read_limit(name, limit->is_time, asked, &of_job, ans) != 0)
        return -1;
    uint64_t least = of_job < of_queue ? of_job : of_queue;
    if (least == QUANTITY_INFINITY)
        task_text_add(out, name, "INFINITY");
    else
        add_number(out, name, least);
    return 0;
}

/* is the shell's name in login_shells? */
static bool is_login_shell(const struct task_place *place, const char *shell)
{
    const char *list = conf_get(place->global_conf, place->host_conf, "login_shells");
    const char *slash = strrchr(shell, '/'), *name = slash != NULL ? slash + 1 : shell;
    size_t len = strlen(name);
    for (list += strspn(list, ", "); *list != '\0'; list += strspn(list, ", ")) {
        size_t n = strcspn(list, ", ");
        if (n == len && strncmp(list, name, n) == 0)
            return true;
        list += n;
    }
    return false;
}

static bool is_param_true(const struct task_place *place, const char *list, const char *word)
{
    return conf_get_switch(place->global_conf, place->host_conf, list, word);
}

static void add_shell(const struct task_text_input *in, struct dstr *out)
{
    const char *mode = queue_setting(in, "shell_start_mode", "unix_behavior");
    struct dstr shell = DSTR_INIT;
    add_shell_path(in, &shell);
    if (in->job->JB_shell_list.n > 0 && strcasecmp(mode, "unix_behavior") == 0)
        mode = "posix_compliant"; /* the job names the shell that is to read its script */
    if (job_has_session(in->job) && strcasecmp(mode, "script_from_stdin") == 0)
        mode = "posix_compliant"; /* standard input is the client's */
    task_text_add(out, "shell_path", dstr_get(&shell));
    if (path_for_host(&in->job->JB_shell_list, in->place->host) == NULL)
        add_number(out, "shell_of_queue", 1);
    task_text_add(out, "shell_start_mode", mode);
    if (strcasecmp(mode, "script_from_stdin") == 0 &&
        hook_user_is_listed(in->place->hook_users, "root"))
        add_number(out, "hooks_as_root", 1);
    bool is_login = job_has_session(in->job) ? (in->job->JB_type & JOB_TYPE_LOGIN) != 0
                                             : is_login_shell(in->place, dstr_get(&shell));
    add_number(out, "use_login_shell", is_login);
    dstr_free(&shell);
}

static void add_argument(struct dstr *out, uint32_t *n, const char *text)
{
    char key[24];
    (void)snprintf(key, sizeof key, "job_arg%u", ++*n);
    task_text_add(out, key, text);
}

/* QRSH_WRAPPER of the job, which runs its command; NULL: none */
static const char *wrapper_of(const struct JB_Type *job)
{
    const char *wrapper = NULL;
    bool has_command = (job->JB_type & JOB_TYPE_QRSH) != 0 && is_binary(job);
    for (uint32_t i = 0; has_command && i < job->JB_env_list.n; i++)
        if (strcmp(job->JB_env_list.v[i].VA_variable, "QRSH_WRAPPER") == 0)
            wrapper = job->JB_env_list.v[i].VA_value;
    return wrapper != NULL && *wrapper != '\0' ? wrapper : NULL;
}

/* The command of qrsh with the wrapper in front of it: as words, or in the line for the shell. */
static void add_wrapped(const struct JB_Type *job, const char *wrapper, struct dstr *out)
{
    bool has_no_shell = (job->JB_type & JOB_TYPE_NO_SHELL) != 0;
    const char *command = job->JB_script_file != NULL ? job->JB_script_file : "";
    struct dstr line = DSTR_INIT;
    uint32_t n = 0;
    dstr_add(&line, wrapper);
    if (!has_no_shell)
        dstr_addf(&line, " %s", command);
    add_number(out, "handle_as_binary", 1);
    add_number(out, "no_shell", has_no_shell);
    task_text_add(out, "script_file", dstr_get(&line));
    add_number(out, "njob_args", has_no_shell ? (uint64_t)job->JB_job_args.n + 1 : 0);
    if (has_no_shell)
        add_argument(out, &n, command);
    for (uint32_t i = 0; has_no_shell && i < job->JB_job_args.n; i++)
        add_argument(out, &n, job->JB_job_args.v[i].ST_name);
    dstr_free(&line);
}

static void add_command(const struct JB_Type *job, const char *script_path, struct dstr *out)
{
    const char *wrapper = wrapper_of(job);
    if (wrapper != NULL) {
        add_wrapped(job, wrapper, out);
        return;
    }
    add_number(out, "handle_as_binary", is_binary(job));
    add_number(out, "no_shell", (job->JB_type & JOB_TYPE_NO_SHELL) != 0);
    task_text_add(out, "script_file",
                  is_binary(job) && job->JB_script_file != NULL ? job->JB_script_file
                                                                : script_path);
    add_number(out, "njob_args", job->JB_job_args.n);
    for (uint32_t i = 0; i < job->JB_job_args.n; i++) {
        char key[24];
        (void)snprintf(key, sizeof key, "job_arg%u", i + 1);
        task_text_add(out, key,
                      job->JB_job_args.v[i].ST_name != NULL ? job->JB_job_args.v[i].ST_name : "");
    }
}

static bool is_member(const struct user *user, gid_t gid)
{
    for (const char *at = user->groups; at != NULL && *at != '\0';) {
        if (strtoul(at, NULL, 10) == gid)
            return true;
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return user->gid == gid;
}

/* the group of the job's processes: with USE_QSUB_GID the submitter's at submission, if the owner
 * is a member of it on this host */
static gid_t job_group(const struct task_text_input *in)
{
    gid_t gid = in->job->JB_gid;
    bool is_wanted = gid != 0 && gid != in->user->gid &&
                     is_param_true(in->place, "execd_params", "USE_QSUB_GID");
    return is_wanted && is_member(in->user, gid) ? gid : in->user->gid;
}

/* DISPLAY of the submitter, or "" */
static const char *display_of(const struct JB_Type *job)
{
    const char *display = NULL;
    for (uint32_t i = 0; i < job->JB_env_list.n; i++)
        if (strcmp(job->JB_env_list.v[i].VA_variable, "DISPLAY") == 0)
            display = job->JB_env_list.v[i].VA_value;
    return display != NULL ? display : "";
}

/* qsh: the configured terminal on the user's display, with a shell in it */
static void add_xterm(const struct task_text_input *in, struct dstr *out)
{
    const struct JB_Type *job = in->job;
    struct dstr title = DSTR_INIT, shell = DSTR_INIT;
    uint32_t n = 0;
    dstr_addf(&title, "SGE Interactive Job %u on %s in Queue %s", job->JB_job_number,
              in->place->host, in->queue->QU_qname != NULL ? in->queue->QU_qname : "");
    add_shell_path(in, &shell);
    add_number(out, "handle_as_binary", 1);
    add_number(out, "no_shell", 1);
    task_text_add(out, "script_file",
                  conf_get(in->place->global_conf, in->place->host_conf, "xterm"));
    add_number(out, "njob_args", (uint64_t)job->JB_job_args.n + 6);
    add_argument(out, &n, "-display");
    add_argument(out, &n, display_of(job));
    add_argument(out, &n, "-n");
    add_argument(out, &n, dstr_get(&title));
    for (uint32_t i = 0; i < job->JB_job_args.n; i++)
        add_argument(out, &n, job->JB_job_args.v[i].ST_name);
    add_argument(out, &n, "-e");
    add_argument(out, &n, dstr_get(&shell));
    dstr_free(&title);
    dstr_free(&shell);
}

static void add_owner(const struct task_text_input *in, struct dstr *out)
{
    task_text_add(out, "job_owner", in->user->name);
    add_number(out, "job_uid", in->user->uid);
    add_number(out, "job_gid", job_group(in));
    task_text_add(out, "job_groups", in->user->groups);
}

static void add_description(const struct task_text_input *in, struct dstr *out)
{
    const struct JB_Type *job = in->job;
    task_text_add(out, "queue", in->queue->QU_qname != NULL ? in->queue->QU_qname : "");
    task_text_add(out, "host", in->place->host);
    task_text_add(out, "job_name", job->JB_job_name != NULL ? job->JB_job_name : "");
    add_number(out, "job_id", job->JB_job_number);
    task_text_add(out, "account", job->JB_account != NULL ? job->JB_account : "sge");
    add_number(out, "submission_time", job->JB_submission_time);
    task_text_add(out, "priority", queue_setting(in, "priority", "0"));
    task_text_add(out, "processors", queue_setting(in, "processors", "UNDEFINED"));
    add_number(out, "merge_stderr", job->JB_merge_stderr);
}

/* how long a hook may take; without it the shepherd's own default counts */
static void add_script_timeout(const struct task_text_input *in, struct dstr *out)
{
    char *value = conf_get_word(in->place->global_conf, in->place->host_conf, "execd_params",
                                "SCRIPT_TIMEOUT");
    uint32_t timeout_s;
    if (value != NULL && parse_u32(value, &timeout_s) && timeout_s > 0)
        add_number(out, "script_timeout", timeout_s);
    free(value);
}

/* NOTIFY_KILL or NOTIFY_SUSP of execd_params: a signal, or none; without it the shepherd's own
 * default counts */
static void add_notice(const struct task_place *place, const char *word, const char *key,
                       struct dstr *out)
{
    char *value = conf_get_word(place->global_conf, place->host_conf, "execd_params", word);
    int sig = value != NULL ? signal_of_text(value) : 0;
    if (sig > 0 || (value != NULL && strcasecmp(value, "none") == 0))
        add_number(out, key, (uint64_t)sig);
    free(value);
}

/* how long the job goes on after a notice, if there is one that it may get */
static void add_notify(const struct task_text_input *in, struct dstr *out)
{
    uint64_t notify_s;
    bool has_s_rt = requested_value(in->job, "s_rt") != NULL ||
                    strcasecmp(queue_setting(in, "s_rt", "INFINITY"), "INFINITY") != 0;
    bool has_method = strcasecmp(queue_setting(in, "terminate_method", "NONE"), "NONE") != 0;
    if (!in->job->JB_notify && !has_s_rt && !has_method)
        return; /* nearly always */
    if (quantity_time_parse(queue_setting(in, "notify", "60"), &notify_s))
        add_number(out, "notify", notify_s);
    if (!in->job->JB_notify)
        return;
    add_number(out, "notify_job", 1);
    add_notice(in->place, "NOTIFY_KILL", "notify_kill", out);
    add_notice(in->place, "NOTIFY_SUSP", "notify_susp", out);
}

/* S_... and H_... of execd_params; false: the site has not set it */
static bool add_site_limit(const struct task_place *place, const char *word, bool is_memory,
                           struct dstr *out)
{
    char *text = conf_get_word(place->global_conf, place->host_conf, "execd_params", word), *at;
    uint64_t value = QUANTITY_INFINITY;
    bool is_infinite = text != NULL && strcasecmp(text, "INFINITY") == 0;
    bool is_set = is_infinite || (text != NULL && (is_memory ? quantity_memory_parse(text, &value)
                                                             : parse_u64(text, &value)));
    free(text);
    if (!is_set)
        return false;
    char *key = uti_strdup(word);
    for (at = key; *at != '\0'; at++)
        *at = (char)tolower((unsigned char)*at);
    if (value == QUANTITY_INFINITY)
        task_text_add(out, key, "INFINITY");
    else
        add_number(out, key, value);
    free(key);
    return true;
}

/* limits that jobs do not ask for; what the site does not set is as the execd was started */
static void add_site_limits(const struct task_place *place, struct dstr *out)
{
    static const char *const counts[] = { "S_MAXPROC", "H_MAXPROC", "S_LOCKS", "H_LOCKS" };
    bool has_soft = add_site_limit(place, "S_DESCRIPTORS", false, out);
    bool has_hard = add_site_limit(place, "H_DESCRIPTORS", false, out);
    if (!has_soft && !has_hard && place->soft_descriptors != 0) { /* execd has raised its own */
        add_number(out, "s_descriptors", place->soft_descriptors);
        add_number(out, "h_descriptors", place->hard_descriptors);
    }
    for (size_t i = 0; i < ARRAY_LEN(counts); i++)
        (void)add_site_limit(place, counts[i], false, out);
    (void)add_site_limit(place, "S_MEMORYLOCKED", true, out);
    (void)add_site_limit(place, "H_MEMORYLOCKED", true, out);
}

int task_config_common(const struct task_text_input *in, struct dstr *out, struct answer *ans)
{
    add_owner(in, out);
    task_hooks_config(in, out);
    add_description(in, out);
    task_text_add(out, "cwd", task_cwd(in));
    bool has_session = job_has_session(in->job); /* it ends with its client's command */
    add_number(out, "forbid_reschedule",
               has_session || is_param_true(in->place, "qmaster_params", "FORBID_RESCHEDULE"));
    add_number(out, "forbid_apperror",
               has_session || is_param_true(in->place, "qmaster_params", "FORBID_APPERROR"));
    add_number(out, "trace", is_param_true(in->place, "execd_params", "KEEP_ACTIVE"));
    if (is_param_true(in->place, "execd_params", "PLAIN_FORK"))
        add_number(out, "plain_fork", 1);
    add_script_timeout(in, out);
    add_notify(in, out);
    add_site_limits(in->place, out);
    for (unsigned i = 0; i < job_limits_n; i++)
        if (add_limit(in, &job_limits[i], out, ans) != 0)
            return -1;
    if ((in->job->JB_type & JOB_TYPE_QSH) != 0)
        add_xterm(in, out);
    else
        add_command(in->job, in->script_path, out);
    return 0;
}

/* where the shepherd finds the client */
static void add_session(const struct task_text_input *in, struct dstr *out)
{
    const struct JB_Type *job = in->job;
    struct task_key key = task_key_of_record(in->task);
    struct dstr task = DSTR_INIT;
    task_key_text(&key, &task);
    bool is_shell = (job->JB_type & JOB_TYPE_LOGIN) != 0;
    add_number(out, "login_session", is_shell);
    if ((job->JB_type & JOB_TYPE_DETACH) != 0)
        add_number(out, "detach", 1);
    const char *daemon = task_session_daemon(in);
    if (daemon != NULL)
        task_text_add(out, "session_daemon", daemon);
    const char *io = is_shell || job->JB_pty ? "pty" : "relay";
    task_text_add(out, "launch_io", daemon != NULL ? "daemon" : io);
    task_text_add(out, "session_socket",
                  in->place->session_socket != NULL ? in->place->session_socket : "");
    task_text_add(out, "session_task", dstr_get(&task));
    task_text_add(out, "session_digest",
                  job->JB_session_digest != NULL ? job->JB_session_digest : "");
    dstr_free(&task);
}

void task_config_own(const struct task_text_input *in, struct dstr *out)
{
    const struct JB_Type *job = in->job;
    const struct JAT_Type *task = in->task;
    add_shell(in, out);
    task_paths_config(in, out);
    task_text_add(out, "tmpdir", in->tmpdir);
    if (in->cgroup != NULL)
        task_text_add(out, "cgroup", in->cgroup);
    add_number(out, "ja_task_id", job_is_array(job) ? task->JAT_task_number : 0);
    add_number(out, "attempt", task->JAT_attempt);
    add_number(out, "ordered_at", task->JAT_start_time);
    if (in->additional_gid != 0)
        add_number(out, "add_grp_id", in->additional_gid);
    if (job_has_session(job))
        add_session(in, out);
}

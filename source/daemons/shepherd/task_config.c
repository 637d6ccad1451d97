/* From lines to what the shepherd uses. One table says which key fills which member; keys that it
 * does not have are for people, for hooks, or for another release. Of a key that is there twice the
 * first line counts. Source: the spooled files of "The shepherd". */
#include "daemons/shepherd/task_config.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/shepherd/msg_shepherd.h"
#include "libs/uti/answer.h"
#include "libs/uti/parse.h"
#include "libs/uti/signals.h"

enum { SCRIPT_TIMEOUT_S = 120, NOTIFY_S = 60 };

struct config_source { /* while it is read */
    struct task_config *c;
    struct plan_source plan;
    const char *starter, *mode, *priority, *timeout, *n_args, *io, *notify, *notify_kill,
        *notify_susp, *token_time;
    const char *interface, *interval, *sig, *patience; /* ckpt_... */
};
enum field_kind { OF_CONFIG, OF_SOURCE, FLAG_OF_CONFIG, FLAG_OF_SOURCE };
#define CONFIG(member) OF_CONFIG, offsetof(struct task_config, member)
#define FLAG(member)   FLAG_OF_CONFIG, offsetof(struct task_config, member)
#define TEXT(member)   OF_SOURCE, offsetof(struct config_source, member)
#define STEP(step)     OF_SOURCE, offsetof(struct config_source, plan.commands[step])
#define RULE(member)   FLAG_OF_SOURCE, offsetof(struct config_source, plan.member)

struct config_field { /* without a pointer: the table is in no page that is written to */
    char key[20];
    uint16_t kind; /* enum field_kind */
    uint16_t at;
};
static const struct config_field fields[] = {
    /* sorted */
    { "binding_processors", CONFIG(binding_processors) },
    { "cgroup", CONFIG(cgroup) },
    { "ckpt_clean_command", STEP(PLAN_CLEAN) },
    { "ckpt_clean_only", RULE(is_clean_only) },
    { "ckpt_command", STEP(PLAN_CHECKPOINT) },
    { "ckpt_interface", TEXT(interface) },
    { "ckpt_interval", TEXT(interval) },
    { "ckpt_migr_command", STEP(PLAN_MIGRATE) },
    { "ckpt_patience", TEXT(patience) },
    { "ckpt_rest_command", STEP(PLAN_RESTART) },
    { "ckpt_restarted", RULE(is_restarted) },
    { "ckpt_signal", TEXT(sig) },
    { "cwd", CONFIG(cwd) },
    { "detach", FLAG(is_detachable) },
    { "epilog", STEP(PLAN_EPILOG) },
    { "forbid_apperror", RULE(forbids_park) },
    { "forbid_reschedule", RULE(forbids_put_back) },
    { "handle_as_binary", FLAG(is_binary) },
    { "hooks_as_root", FLAG(are_hooks_roots) },
    { "host", CONFIG(host) },
    { "ja_task_id", CONFIG(task_id) },
    { "job_id", CONFIG(job_id) },
    { "job_name", CONFIG(job_name) },
    { "launch_io", TEXT(io) },
    { "login_session", FLAG(is_login_session) },
    { "merge_stderr", FLAG(is_merged) },
    { "njob_args", TEXT(n_args) },
    { "no_shell", FLAG(has_no_shell) },
    { "notify", TEXT(notify) },
    { "notify_job", FLAG(is_notified) },
    { "notify_kill", TEXT(notify_kill) },
    { "notify_susp", TEXT(notify_susp) },
    { "pe_start", STEP(PLAN_PE_START) },
    { "pe_stop", STEP(PLAN_PE_STOP) },
    { "pe_task_id", CONFIG(petask) },
    { "plain_fork", FLAG(is_plain_fork) },
    { "priority", TEXT(priority) },
    { "processors", CONFIG(processors) },
    { "prolog", STEP(PLAN_PROLOG) },
    { "resume_method", STEP(PLAN_RESUME) },
    { "script_file", CONFIG(script) },
    { "script_timeout", TEXT(timeout) },
    { "session_daemon", CONFIG(session_daemon) },
    { "session_digest", CONFIG(session_digest) },
    { "session_socket", CONFIG(session_socket) },
    { "session_task", CONFIG(session_task) },
    { "set_token_cmd", STEP(PLAN_TOKEN) },
    { "shell_of_queue", FLAG(is_shell_of_queue) },
    { "shell_path", CONFIG(shell) },
    { "shell_start_mode", TEXT(mode) },
    { "starter_method", TEXT(starter) },
    { "stderr_path", CONFIG(stderr_path) },
    { "stdin_path", CONFIG(stdin_path) },
    { "stdout_path", CONFIG(stdout_path) },
    { "suspend_method", STEP(PLAN_SUSPEND) },
    { "terminate_method", STEP(PLAN_TERMINATE) },
    { "tmpdir", CONFIG(tmpdir) },
    { "token_extend_time", TEXT(token_time) },
    { "trace", FLAG(is_traced) },
    { "use_login_shell", FLAG(is_login_shell) },
};

static int compare_key(const void *key, const void *field)
{
    return strcmp(key, ((const struct config_field *)field)->key);
}

static void take_line(struct config_source *s, const struct config_pair *line)
{
    const struct config_field *f =
        bsearch(line->key, fields, ARRAY_LEN(fields), sizeof *fields, compare_key);
    if (f == NULL)
        return;
    bool is_config = f->kind == OF_CONFIG || f->kind == FLAG_OF_CONFIG;
    char *member = (is_config ? (char *)s->c : (char *)s) + f->at;
    if (f->kind == OF_CONFIG || f->kind == OF_SOURCE)
        memcpy(member, &line->value, sizeof line->value);
    else
        *(bool *)member = strcmp(line->value, "1") == 0;
}

/* a run of keys "job_arg1", "job_arg2" ... from FIRST to END; no more than the line njob_args
 * says */
static void take_arguments(struct task_config *c, const struct config_pair *first,
                           const char *n_args)
{
    static const char prefix[] = "job_arg";
    const struct config_pair *end = c->lines.v + c->lines.n;
    uint32_t most, number;
    if (first == NULL || n_args == NULL || !parse_u32(n_args, &most))
        return;
    c->args = first;
    while (c->n_args < most && first + c->n_args < end) {
        const char *key = first[c->n_args].key;
        if (strncmp(key, prefix, sizeof prefix - 1) != 0 ||
            !parse_u32(key + sizeof prefix - 1, &number) || number != c->n_args + 1)
            break;
        c->n_args++;
    }
}

static const char *text_or(const char *text, const char *otherwise)
{
    return text != NULL ? text : otherwise;
}

static void set_defaults(struct task_config *c)
{
    c->script = text_or(c->script, "");
    c->shell = text_or(c->shell, "/bin/sh");
    c->job_id = text_or(c->job_id, "0");
    c->job_name = text_or(c->job_name, "job");
    c->task_id = text_or(c->task_id, "0");
    c->host = text_or(c->host, "this host");
    c->stdin_path = text_or(c->stdin_path, "/dev/null");
    c->stdout_path = text_or(c->stdout_path, "/dev/null");
    c->stderr_path = text_or(c->stderr_path, "/dev/null");
}

/* the number of a signal; 0: none */
static int signal_or(const char *text, int otherwise)
{
    uint32_t sig;
    return text != NULL && parse_u32(text, &sig) && sig < NSIG ? (int)sig : otherwise;
}

static void take_notice(struct task_config *c, const struct config_source *s)
{
    if (s->notify == NULL || !parse_u64(s->notify, &c->notify_s))
        c->notify_s = NOTIFY_S;
    if (s->token_time == NULL || !parse_u64(s->token_time, &c->token_extend_s))
        c->token_extend_s = 0;
    c->notify_kill = signal_or(s->notify_kill, SIGUSR2);
    c->notify_susp = signal_or(s->notify_susp, SIGUSR1);
}

static uint64_t number_or(const char *text, uint64_t otherwise)
{
    uint64_t number;
    return text != NULL && parse_u64(text, &number) ? number : otherwise;
}

static void take_checkpoint(struct task_config *c, const struct config_source *s)
{
    struct checkpoint_conf *to = &c->checkpoint;
    int32_t sig = 0;
    if (s->interface == NULL)
        return;
    to->is_there = true;
    to->is_of_system = strcmp(s->interface, "CPR") == 0 || strcmp(s->interface, "HIBERNATOR") == 0;
    to->has_commands = to->is_of_system || strcmp(s->interface, "APPLICATION-LEVEL") == 0;
    if (s->sig != NULL && !parse_i32(s->sig, &sig))
        sig = signal_of_name(s->sig);
    to->sig = sig > 0 && sig <= SIGRTMAX ? sig : 0;
    to->interval_s = number_or(s->interval, 0);
    to->patience_s = number_or(s->patience, 0);
}

static void take_source(struct task_config *c, struct config_source *s)
{
    int32_t nice_value;
    const char *mode = text_or(s->mode, "");
    c->mode = strcmp(mode, "unix_behavior") == 0       ? SCRIPT_UNIX
              : strcmp(mode, "script_from_stdin") == 0 ? SCRIPT_STDIN
                                                       : SCRIPT_POSIX;
    c->starter = plan_is_command(s->starter) ? s->starter : NULL;
    c->nice_value = s->priority != NULL && parse_i32(s->priority, &nice_value) ? nice_value : 0;
    if (s->timeout == NULL || !parse_u64(s->timeout, &s->plan.timeout_s))
        s->plan.timeout_s = SCRIPT_TIMEOUT_S;
    take_notice(c, s);
    plan_make(&c->plan, &s->plan);
    take_checkpoint(c, s);
}

static int take_io(struct task_config *c, const char *io, struct answer *ans)
{
    bool is_known = launch_io_kind_of(io, &c->io);
    if (is_known &&
        (c->io == LAUNCH_IO_FILES ||
         ((c->session_daemon != NULL || c->io != LAUNCH_IO_DAEMON) && c->session_socket != NULL &&
          c->session_task != NULL && c->session_digest != NULL)))
        return 0;
    c->io = LAUNCH_IO_FILES;
    return is_known ? ans_fail(ans, STATUS_ESEMANTIC, MSG_CONFIG_NO_VALUE_S, "session_...")
                    : ans_fail(ans, STATUS_ESYNTAX, MSG_CONFIG_BAD_VALUE_SS, "launch_io", io);
}

int task_config_from(struct task_config *c, struct config *lines, struct answer *ans)
{
    *c = (struct task_config){ .lines = *lines };
    *lines = (struct config){ 0 };
    struct config_source s = { .c = c };
    const struct config_pair *first_argument = NULL;
    for (uint32_t i = c->lines.n; i-- > 0;) { /* backwards: the first line wins */
        take_line(&s, &c->lines.v[i]);
        if (strcmp(c->lines.v[i].key, "job_arg1") == 0)
            first_argument = &c->lines.v[i];
    }
    if (s.io != NULL && take_io(c, s.io, ans) != 0)
        return -1;
    set_defaults(c);
    take_arguments(c, first_argument, s.n_args);
    take_source(c, &s);
    return identity_from(&c->who, &c->lines, ans) == 0 &&
                   limits_from(&c->limits, &c->lines, ans) == 0
               ? sums_from(&c->sums, &c->lines, ans)
               : -1;
}

void task_config_free(struct task_config *c)
{
    identity_free(&c->who);
    config_free(&c->lines);
    *c = (struct task_config){ 0 };
}

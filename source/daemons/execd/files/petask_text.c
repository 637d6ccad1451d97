/* Petasks have what their task has on this host, but for the command, its input and output, and the
 * hooks around it, which are the task's alone. Source: captured config and environment files of
 * petasks. */
#include "daemons/execd/files/petask_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/execd/files/task_files.h"
#include "libs/task/session_frame.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

#define DEFAULT_SHELL "/bin/sh"

/* the line at AT without its end, and its key */
static size_t line_len(const char *at)
{
    return strcspn(at, "\n");
}

static size_t key_len(const char *at)
{
    return strcspn(at, "=\n");
}

static const char *next_line(const char *at)
{
    at += line_len(at);
    return *at == '\n' ? at + 1 : at;
}

static bool is_key(const char *line, const char *key)
{
    size_t len = key_len(line);
    return strlen(key) == len && strncmp(line, key, len) == 0;
}

/* ---- config ---- */

/* keys that a petask does not have, or has with a value of its own; those that end in "*" begin
 * with that */
static const char *const own_keys[] = {
    "add_grp_id",       "cgroup",        "ckpt_*",       "cwd",
    "epilog",           "epilog_as",     "forbid_*",     "fs_*",
    "handle_as_binary", "hooks_as_root", "job_arg*",     "job_name",
    "launch_io",        "login_session", "merge_stderr", "njob_args",
    "no_shell",         "ordered_at",    "pe_hostfile",  "pe_start*",
    "pe_stop*",         "petasks",       "prolog",       "prolog_as",
    "script_file",      "session_*",     "shell_*",      "slave",
    "stderr_path",      "stdin_path",    "stdout_path",  "tmpdir",
    "use_login_shell",  "user_shell",
};

static bool is_own_key(const char *line)
{
    for (size_t i = 0; i < ARRAY_LEN(own_keys); i++) {
        const char *key = own_keys[i], *star = strchr(key, '*');
        if (star != NULL ? strncmp(line, key, (size_t)(star - key)) == 0 : is_key(line, key))
            return true;
    }
    return false;
}

static void add_number(struct dstr *out, const char *key, uint64_t value)
{
    dstr_addf(out, "%s=%llu\n", key, (unsigned long long)value);
}

/* a shell reads the words as one line, as a remote shell always has */
static void add_line(const struct petask_request *request, const char *key, struct dstr *out)
{
    struct dstr line = DSTR_INIT;
    for (uint32_t i = 0; i < request->n_words; i++)
        dstr_addf(&line, i > 0 ? " %s" : "%s", request->words[i]);
    task_text_add(out, key, dstr_get(&line));
    dstr_free(&line);
}

static void add_command(const struct petask_text_input *in, struct dstr *out)
{
    const struct petask_request *request = in->request;
    uint32_t n = in->has_no_shell ? request->n_words : 1;
    if (in->has_no_shell)
        task_text_add(out, "script_file", request->words[0]);
    else
        add_line(request, "script_file", out);
    add_number(out, "handle_as_binary", 1);
    add_number(out, "no_shell", in->has_no_shell);
    add_number(out, "njob_args", n - 1);
    for (uint32_t i = 1; i < n; i++) {
        char key[24];
        (void)snprintf(key, sizeof key, "job_arg%u", i);
        task_text_add(out, key, request->words[i]);
    }
}

static void add_shell(const char *of_task, struct dstr *out)
{
    char *shell = task_files_value(of_task, "user_shell");
    task_text_add(out, "shell_path", shell != NULL && *shell == '/' ? shell : DEFAULT_SHELL);
    dstr_add(out, "shell_start_mode=posix_compliant\nuse_login_shell=0\n");
    free(shell);
}

static void add_session(const struct petask_text_input *in, struct dstr *out)
{
    dstr_addf(out, "login_session=0\nlaunch_io=%s\n", in->is_terminal ? "pty" : "relay");
    task_text_add(out, "session_socket", in->session_socket);
    task_text_add(out, "session_task", in->name);
    task_text_add(out, "session_digest", in->session_digest);
}

/* the client's, or else the task's */
static void add_directory(const struct petask_text_input *in, const char *of_task,
                          const char *key_there, const char *key, struct dstr *out)
{
    char *there = task_files_value(of_task, key_there);
    const char *directory = *in->request->directory != '\0' ? in->request->directory : there;
    if (directory != NULL)
        task_text_add(out, key, directory);
    free(there);
}

void petask_config(const struct petask_text_input *in, const char *of_task, struct dstr *out)
{
    for (const char *at = of_task; *at != '\0'; at = next_line(at))
        if (!is_own_key(at))
            dstr_addf(out, "%.*s\n", (int)line_len(at), at);
    task_text_add(out, "pe_task_id", in->petask);
    task_text_add(out, "job_name", "petask");
    add_command(in, out);
    add_shell(of_task, out);
    add_session(in, out);
    add_directory(in, of_task, "cwd", "cwd", out);
    /* what a client's command exits with is for the client */
    dstr_add(out, "forbid_reschedule=1\nforbid_apperror=1\nprolog=none\nepilog=none\n");
    dstr_add(out, "stdin_path=/dev/null\nstdout_path=/dev/null\nstderr_path=/dev/null\n");
    if (in->cgroup != NULL)
        task_text_add(out, "cgroup", in->cgroup);
    if (in->additional_gid != 0)
        add_number(out, "add_grp_id", in->additional_gid);
    add_number(out, "ordered_at", in->ordered_at_s);
}

/* ---- environment ---- */

static int compare_names(const char *a, size_t a_len, const char *b, size_t b_len)
{
    int rc = memcmp(a, b, a_len < b_len ? a_len : b_len);
    return rc != 0 ? rc : (a_len > b_len) - (a_len < b_len);
}

/* by name, and then as they came: the texts stand behind each other in memory */
static int compare_variables(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int rc = compare_names(x, strcspn(x, "="), y, strcspn(y, "="));
    return rc != 0 ? rc : (x > y) - (x < y);
}

static bool may_set(const char *variable)
{
    static const char *const of_petask[] = { "JOB_SCRIPT", "PE_HOSTFILE", "QRSH_COMMAND" };
    size_t len = strcspn(variable, "=");
    char *name = uti_strndup(variable, len);
    bool may = len > 0 && variable[len] == '=' && !task_is_system_variable(name);
    for (size_t i = 0; may && i < ARRAY_LEN(of_petask); i++)
        may = strcmp(name, of_petask[i]) != 0;
    free(name);
    return may;
}

struct variables { /* those of the client that count, sorted; borrowed */
    const char **v;
    uint32_t n;
};

static struct variables sort_variables(const struct petask_request *request)
{
    struct variables out = { uti_calloc((size_t)request->n_variables + 1, sizeof(const char *)),
                             0 };
    uint32_t n = 0;
    for (uint32_t i = 0; i < request->n_variables; i++)
        if (may_set(request->variables[i]))
            out.v[n++] = request->variables[i];
    qsort(out.v, n, sizeof(const char *), compare_variables);
    for (uint32_t i = 0; i < n; i++) {
        size_t len = strcspn(out.v[i], "=");
        bool is_last = i + 1 == n ||
                       compare_names(out.v[i], len, out.v[i + 1], strcspn(out.v[i + 1], "=")) != 0;
        if (is_last)
            out.v[out.n++] = out.v[i];
    }
    return out;
}

static bool is_set(const struct variables *set, const char *line)
{
    size_t len = key_len(line);
    uint32_t from = 0, to = set->n;
    while (from < to) {
        uint32_t at = from + (to - from) / 2;
        int rc = compare_names(set->v[at], strcspn(set->v[at], "="), line, len);
        if (rc == 0)
            return true;
        if (rc < 0)
            from = at + 1;
        else
            to = at;
    }
    return false;
}

/* those that every petask has with values of its own, or not at all */
static bool is_own_variable(const char *line)
{
    static const char *const names[] = { "JOB_NAME",     "JOB_SCRIPT",       "PE_HOSTFILE",
                                         "PWD",          "REQNAME",          "REQUEST",
                                         "QRSH_COMMAND", "SGE_JOB_SPOOL_DIR" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (is_key(line, names[i]))
            return true;
    return false;
}

void petask_environment(const struct petask_text_input *in, const char *of_task, struct dstr *out)
{
    struct variables set = sort_variables(in->request);
    for (const char *at = of_task; *at != '\0'; at = next_line(at))
        if (!is_own_variable(at) && !is_set(&set, at))
            dstr_addf(out, "%.*s\n", (int)line_len(at), at);
    for (uint32_t i = 0; i < set.n; i++) {
        char *name = uti_strndup(set.v[i], strcspn(set.v[i], "="));
        if (!is_own_variable(set.v[i]))
            task_text_add(out, name, set.v[i] + strlen(name) + 1);
        free(name);
    }
    dstr_add(out, "JOB_NAME=petask\nREQNAME=petask\nREQUEST=petask\nJOB_SCRIPT=QRSH\n");
    add_line(in->request, "QRSH_COMMAND", out);
    add_directory(in, of_task, "PWD", "PWD", out);
    task_text_add(out, "SGE_JOB_SPOOL_DIR", in->task_dir);
    free(set.v);
}

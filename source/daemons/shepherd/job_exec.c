/* The child side of a start. Until it executes nothing is allocated and no lock is taken: paths,
 * environment, limits and groups are ready, and the child says what went wrong through a shared
 * page, as a stage, an errno and a pointer to text that both processes have. The job's process
 * stands in the shepherd's memory meanwhile (apart.h), where that can be, and else in a copy of it.
 * Source: qsub(1) -o -e -i -j -cwd; captured error files. */
#include "daemons/shepherd/job_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemons/shepherd/command.h"
#include "daemons/shepherd/limits.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/privilege.h"
#include "daemons/shepherd/task_config.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

/* "name.o12.3": STREAM o, e, po or pe, the task id only for arrays */
static void add_default_name(struct dstr *out, const struct task_config *conf, const char *stream)
{
    dstr_addf(out, "/%s.%s%s", conf->job_name, stream, conf->job_id);
    if (strcmp(conf->task_id, "0") != 0)
        dstr_addf(out, ".%s", conf->task_id);
}

static void output_init(struct output *o, const struct task_config *conf, const char *path,
                        const char *stream, const char *variable)
{
    struct dstr in_dir = DSTR_INIT, env = DSTR_INIT;
    dstr_add(&in_dir, path);
    add_default_name(&in_dir, conf, stream);
    dstr_addf(&env, "%s=%s", variable, dstr_get(&in_dir));
    o->path = uti_strdup(path);
    o->in_dir = dstr_take(&in_dir);
    o->env_in_dir = dstr_take(&env);
}

static char **find_slot(const struct environment *env, const char *variable)
{
    size_t len = strlen(variable);
    for (uint32_t i = 0; i < env->n; i++)
        if (strncmp(env->v[i], variable, len) == 0 && env->v[i][len] == '=')
            return &env->v[i];
    return NULL;
}

static void output_find_slot(struct output *o, const struct environment *env, const char *variable)
{
    o->env_slot = find_slot(env, variable);
    o->env_before = o->env_slot != NULL ? *o->env_slot : NULL;
}

void launch_prepare(struct launch *l, enum launch_kind kind, const struct task_config *conf,
                    struct environment *env)
{
    bool is_of_pe = kind == LAUNCH_PE_HOOK;
    const char *out_stream = is_of_pe ? "po" : "o", *err_stream = is_of_pe ? "pe" : "e";
    const char *out = conf->stdout_path, *cwd = conf->cwd;
    bool is_merged = conf->is_merged;
    const char *err = is_merged ? out : conf->stderr_path;
    l->kind = kind;
    l->cwd = cwd;
    l->stdin_path = conf->stdin_path;
    output_init(&l->out, conf, out, out_stream, "SGE_STDOUT_PATH");
    output_init(&l->err, conf, err, is_merged ? out_stream : err_stream, "SGE_STDERR_PATH");
    environment_set(env, "SGE_STDIN_PATH", l->stdin_path);
    environment_set(env, "SGE_STDOUT_PATH", out);
    environment_set(env, "SGE_STDERR_PATH", err);
    if (cwd != NULL)
        environment_set(env, "SGE_CWD_PATH", cwd);
    output_find_slot(&l->out, env, "SGE_STDOUT_PATH");
    output_find_slot(&l->err, env, "SGE_STDERR_PATH");
    l->envp = env->v;
    if (is_merged) {
        free(l->err.path);
        l->err.path = NULL;
    }
}

static void output_clear(struct output *o)
{
    if (o->env_slot != NULL)
        *o->env_slot = o->env_before;
    free(o->path);
    free(o->in_dir);
    free(o->env_in_dir);
}

void launch_clear(struct launch *l)
{
    output_clear(&l->out);
    output_clear(&l->err);
    *l = (struct launch){ 0 };
}

/* ---- from here to exec: nothing but apart_call, as the memory may be the parent's (apart.h) ----
 */

static SGE_NORETURN void stop_here(struct launch_result *r, enum launch_stage stage,
                                   const char *what, int err)
{
    r->err = err;
    r->what = what;
    r->stage = stage;
    for (;;)
        (void)apart_call(SYS_exit_group, 1, 0, 0, 0, 0);
}

static int open_file(const char *path, int flags)
{
    return (int)apart_call(SYS_openat, AT_FDCWD, (long)path, flags | O_NOCTTY | O_CLOEXEC, 0666, 0);
}

static void move_fd(int fd, int to)
{
    if (fd == to) /* cannot be: 0 to 2 are open in a shepherd; but then it must not close at exec */
        (void)apart_call(SYS_fcntl, fd, F_SETFD, 0, 0, 0);
    else
        (void)apart_call(SYS_dup3, fd, to, 0, 0, 0);
}

static void open_input(const struct launch *l, struct launch_result *r)
{
    const char *path = l->command->stdin_path != NULL ? l->command->stdin_path : l->stdin_path;
    int fd = open_file(path, O_RDONLY);
    if (fd < 0)
        stop_here(r, LAUNCH_STDIN, path, -fd);
    move_fd(fd, STDIN_FILENO);
}

enum {
    OUTPUT_FLAGS = O_WRONLY | O_CREAT | O_APPEND,
    HOOK_OUTPUT_FLAGS = OUTPUT_FLAGS | O_NONBLOCK
};

/* returns true if the file went into a directory */
static bool open_output(const struct output *o, int to, enum launch_stage stage,
                        struct launch_result *r)
{
    bool is_in_dir = false;
    const char *path = o->path;
    int fd = open_file(path, OUTPUT_FLAGS);
    if (fd == -EISDIR) {
        path = o->in_dir;
        is_in_dir = true;
        fd = open_file(path, OUTPUT_FLAGS);
    }
    if (fd < 0)
        stop_here(r, stage, path, -fd);
    move_fd(fd, to);
    r->log = path;
    if (is_in_dir && o->env_slot != NULL)
        *o->env_slot = o->env_in_dir;
    return is_in_dir;
}

static bool is_regular(int fd)
{
    struct statx st;
    return apart_call(SYS_statx, fd, (long)"", AT_EMPTY_PATH, STATX_TYPE, (long)&st) == 0 &&
           S_ISREG(st.stx_mode);
}

/* a hook writes into the job's file if that is one, and cannot be kept waiting there; else into
 * nothing */
static void open_hook_output(const struct output *o, int to, struct launch_result *r)
{
    int fd = open_file(o->path, HOOK_OUTPUT_FLAGS);
    r->log = o->path;
    if (fd == -EISDIR) {
        r->log = o->in_dir;
        fd = open_file(o->in_dir, HOOK_OUTPUT_FLAGS);
        if (fd >= 0 && o->env_slot != NULL)
            *o->env_slot = o->env_in_dir;
    }
    if (fd < 0 || !is_regular(fd)) {
        fd = open_file("/dev/null", O_WRONLY);
        r->log = NULL;
    }
    move_fd(fd, to);
}

static void open_hook_files(const struct launch *l, struct launch_result *r)
{
    move_fd(open_file("/dev/null", O_RDONLY), STDIN_FILENO);
    open_hook_output(&l->out, STDOUT_FILENO, r);
    if (l->err.path != NULL)
        open_hook_output(&l->err, STDERR_FILENO, r);
    else
        move_fd(STDOUT_FILENO, STDERR_FILENO);
}

static void open_files(const struct launch *l, struct launch_result *r)
{
    open_input(l, r);
    bool is_in_dir = open_output(&l->out, STDOUT_FILENO, LAUNCH_STDOUT, r);
    if (l->err.path != NULL) {
        (void)open_output(&l->err, STDERR_FILENO, LAUNCH_STDERR, r);
        return;
    }
    move_fd(STDOUT_FILENO, STDERR_FILENO);
    if (is_in_dir && l->err.env_slot != NULL)
        *l->err.env_slot = l->err.env_in_dir;
}

static void become_owner(const struct launch *l, struct launch_result *r)
{
    int err = 0;
    switch (identity_become(l->who, &err)) {
    case IDENTITY_GROUPS:
        stop_here(r, LAUNCH_GROUPS, NULL, err);
    case IDENTITY_GID:
        stop_here(r, LAUNCH_GID, NULL, err);
    case IDENTITY_UID:
        stop_here(r, LAUNCH_UID, NULL, err);
    case IDENTITY_DONE:
        break;
    }
}

static int execute_path(const char *path, char **argv, char **envp)
{
    return (int)-apart_call(SYS_execve, (long)path, (long)argv, (long)envp, 0, 0);
}

static SGE_NORETURN void execute_job(const struct launch *l, struct launch_result *r)
{
    const struct exec_command *c = l->command;
    const char *what = c->name;
    int reason = ENOENT;
    for (uint32_t i = 0; i < c->paths.n; i++) {
        int err = execute_path(c->paths.v[i], c->argv.v, l->envp);
        if (err == ENOEXEC && c->fallback.n > 0) {
            what = c->fallback.v[0];
            err = execute_path(what, c->fallback.v + 1, l->envp);
        }
        if (err != ENOENT && err != ENOTDIR)
            reason = err; /* the better one, should no other path do */
    }
    stop_here(r, LAUNCH_EXEC, what, reason);
}

/* the shepherd ignores none (main.c) */
static void unblock_signals(void)
{
    uint64_t none = 0; /* as the kernel has sets of signals */
    (void)apart_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, sizeof none, 0);
}

static void change_directory(const struct launch *l, struct launch_result *r)
{
    long rc = l->cwd != NULL ? apart_call(SYS_chdir, (long)l->cwd, 0, 0, 0, 0) : 0;
    if (rc != 0 && l->kind != LAUNCH_JOB)
        rc = apart_call(SYS_chdir, (long)"/", 0, 0, 0, 0);
    if (rc != 0)
        stop_here(r, LAUNCH_CWD, l->cwd, (int)-rc);
}

static void run_child(const struct launch *l, struct launch_result *r)
{
    int err = 0;
    (void)apart_call(SYS_setsid, 0, 0, 0, 0, 0); /* cannot fail: a new child leads no group */
    privilege_nice(l->nice_value);
    const char *limit = l->limits == NULL ? NULL : limits_apply(l->limits, &err);
    if (limit != NULL)
        stop_here(r, LAUNCH_LIMIT, limit, err);
    become_owner(l, r);
    /* after setuid, which takes it back */
    (void)apart_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    (void)apart_call(SYS_umask, 022, 0, 0, 0, 0);
    change_directory(l, r);
    if (l->kind != LAUNCH_JOB)
        open_hook_files(l, r);
    else
        open_files(l, r);
    unblock_signals();
    execute_job(l, r);
}

/* ---- the parent again ---- */

struct launch_page *launch_page_new(struct answer *ans)
{
    void *page = mmap(NULL, sizeof(struct launch_page), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED ? page : ans_sys_null(ans, errno, MSG_SHARED_PAGE);
}

static void run_apart(void *ctx)
{
    const struct launch_start *start = ctx;
    run_child(start->launch, start->result);
}

static void run_forked(const struct launch *l, struct launch_result *result)
{
    if (l->who->is_switch && l->kind != LAUNCH_JOB)
        privilege_expose(); /* before a job's the shepherd has */
    run_child(l, result);
}

/* The job's process does not copy this one. A hook's does: there are few of them, and one that
 * starts while the job runs must not take the shepherd's protection away with its own. */
pid_t launch_start(const struct launch *l, struct launch_page *page, struct launch_result *result,
                   struct answer *ans)
{
    bool is_apart = l->kind == LAUNCH_JOB && !identity_is_traced(l->who);
    *result = (struct launch_result){ 0 };
    page->start = (struct launch_start){ l, result };
    pid_t pid =
        is_apart ? privilege_start_apart(&page->apart, l->cgroup_fd, run_apart, &page->start) : -1;
    if (!is_apart || (pid < 0 && (errno == ENOSYS || errno == EBUSY))) {
        pid = l->cgroup_fd > 0 ? privilege_fork_into(l->cgroup_fd) : fork();
        if (pid == 0)
            run_forked(l, result);
    }
    return pid > 0 ? pid : ans_sys(ans, errno, MSG_FORK);
}

unsigned launch_failure(const struct launch_result *r, struct dstr *words)
{
    const char *what = r->what != NULL ? r->what : "", *why = strerror(r->err);
    switch (r->stage) {
    case LAUNCH_DONE:
        break;
    case LAUNCH_LIMIT:
        dstr_addf(words, MSG_LIMIT_SS, what, why);
        return TASK_FAILED_BEFORE_JOB;
    case LAUNCH_GROUPS:
        dstr_addf(words, MSG_SETGROUPS_S, why);
        return TASK_FAILED_ADD_GROUP;
    case LAUNCH_GID:
        dstr_addf(words, MSG_SETGID_S, why);
        return TASK_FAILED_SETTING_UP;
    case LAUNCH_UID:
        dstr_addf(words, MSG_SETUID_S, why);
        return TASK_FAILED_SETTING_UP;
    case LAUNCH_CWD:
        dstr_addf(words, MSG_CHDIR_SS, what, why);
        return TASK_FAILED_NO_CWD;
    case LAUNCH_STDIN:
        dstr_addf(words, MSG_OPEN_INPUT_SS, what, why);
        return TASK_FAILED_OPEN_OUTPUT;
    case LAUNCH_STDOUT:
    case LAUNCH_STDERR:
        dstr_addf(words, MSG_OPEN_OUTPUT_SS, what, why);
        return TASK_FAILED_OPEN_OUTPUT;
    case LAUNCH_EXEC:
        dstr_addf(words, MSG_EXEC_SSS, what, what, why);
        return TASK_FAILED_NO_SHELL;
    }
    return TASK_FAILED_NOT;
}

bool launch_is_owners_fault(const struct launch_result *r)
{
    return r->err == EAGAIN || r->err == ENOMEM || r->err == E2BIG;
}

/* The child side of a start. Between fork and exec nothing is allocated and no lock is taken:
 * paths, environment, limits and groups are ready, and the child says what went wrong through a
 * shared page, as a stage, an errno and a pointer to text that both processes have. Source: qsub(1)
 * -o -e -i -j -cwd; captured error files. */
#include "daemons/shepherd/job_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/shepherd/command.h"
#include "daemons/shepherd/config.h"
#include "daemons/shepherd/environment.h"
#include "daemons/shepherd/limits.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/privilege.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

/* "name.o12.3": STREAM o, e, po or pe, the task id only for arrays */
static void add_default_name(struct dstr *out, const struct config *conf, const char *stream)
{
    const char *task = config_get(conf, "ja_task_id", "0");
    dstr_addf(out, "/%s.%s%s", config_get(conf, "job_name", "job"), stream,
              config_get(conf, "job_id", "0"));
    if (strcmp(task, "0") != 0)
        dstr_addf(out, ".%s", task);
}

static void output_init(struct output *o, const struct config *conf, const char *path,
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

void launch_prepare(struct launch *l, enum launch_kind kind, const struct config *conf,
                    struct environment *env)
{
    bool is_of_pe = kind == LAUNCH_PE_HOOK;
    const char *out_stream = is_of_pe ? "po" : "o", *err_stream = is_of_pe ? "pe" : "e";
    const char *out = config_get(conf, "stdout_path", "/dev/null");
    bool is_merged = config_is_true(conf, "merge_stderr");
    const char *err = is_merged ? out : config_get(conf, "stderr_path", "/dev/null");
    const char *cwd = config_get(conf, "cwd", NULL);
    l->kind = kind;
    l->cwd = cwd;
    l->stdin_path = config_get(conf, "stdin_path", "/dev/null");
    output_init(&l->out, conf, out, out_stream, "SGE_STDOUT_PATH");
    output_init(&l->err, conf, err, is_merged ? out_stream : err_stream, "SGE_STDERR_PATH");
    environment_set(env, "SGE_STDIN_PATH", l->stdin_path);
    environment_set(env, "SGE_STDOUT_PATH", out);
    environment_set(env, "SGE_STDERR_PATH", err);
    if (cwd != NULL)
        environment_set(env, "SGE_CWD_PATH", cwd);
    l->out.env_slot = find_slot(env, "SGE_STDOUT_PATH");
    l->err.env_slot = find_slot(env, "SGE_STDERR_PATH");
    l->envp = env->v;
    if (is_merged) {
        free(l->err.path);
        l->err.path = NULL;
    }
}

static void output_free(struct output *o)
{
    free(o->path);
    free(o->in_dir);
    free(o->env_in_dir);
}

void launch_free(struct launch *l)
{
    output_free(&l->out);
    output_free(&l->err);
    *l = (struct launch){ 0 };
}

/* ---- from here to exec: async-signal-safe calls only ---- */

static void stop_here(struct launch_result *r, enum launch_stage stage,
                      const char *what) SGE_NORETURN;
static void stop_here(struct launch_result *r, enum launch_stage stage, const char *what)
{
    r->err = errno;
    r->what = what;
    r->stage = stage;
    _exit(1);
}

static void move_fd(int fd, int to)
{
    if (fd == to) /* cannot be: 0 to 2 are open in a shepherd; but then it must not close at exec */
        (void)fcntl(fd, F_SETFD, 0);
    else
        (void)dup2(fd, to);
}

static void open_input(const struct launch *l, struct launch_result *r)
{
    const char *path = l->command->stdin_path != NULL ? l->command->stdin_path : l->stdin_path;
    int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        stop_here(r, LAUNCH_STDIN, path);
    move_fd(fd, STDIN_FILENO);
}

enum { HOOK_OUTPUT_FLAGS = O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_NONBLOCK | O_CLOEXEC };

static int open_append(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_CLOEXEC, 0666);
}

/* returns true if the file went into a directory */
static bool open_output(const struct output *o, int to, enum launch_stage stage,
                        struct launch_result *r)
{
    bool is_in_dir = false;
    const char *path = o->path;
    int fd = open_append(path);
    if (fd < 0 && errno == EISDIR) {
        path = o->in_dir;
        is_in_dir = true;
        fd = open_append(path);
    }
    if (fd < 0)
        stop_here(r, stage, path);
    move_fd(fd, to);
    if (is_in_dir && o->env_slot != NULL)
        *o->env_slot = o->env_in_dir;
    return is_in_dir;
}

/* a hook writes into the job's file if that is one, and cannot be kept waiting there; else into
 * nothing */
static void open_hook_output(const struct output *o, int to)
{
    struct stat st;
    int fd = open(o->path, HOOK_OUTPUT_FLAGS, 0666);
    if (fd < 0 && errno == EISDIR) {
        fd = open(o->in_dir, HOOK_OUTPUT_FLAGS, 0666);
        if (fd >= 0 && o->env_slot != NULL)
            *o->env_slot = o->env_in_dir;
    }
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    move_fd(fd, to);
}

static void open_hook_files(const struct launch *l)
{
    move_fd(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    open_hook_output(&l->out, STDOUT_FILENO);
    if (l->err.path != NULL)
        open_hook_output(&l->err, STDERR_FILENO);
    else
        (void)dup2(STDOUT_FILENO, STDERR_FILENO);
}

static void open_files(const struct launch *l, struct launch_result *r)
{
    open_input(l, r);
    bool is_in_dir = open_output(&l->out, STDOUT_FILENO, LAUNCH_STDOUT, r);
    if (l->err.path != NULL) {
        (void)open_output(&l->err, STDERR_FILENO, LAUNCH_STDERR, r);
        return;
    }
    (void)dup2(STDOUT_FILENO, STDERR_FILENO);
    if (is_in_dir && l->err.env_slot != NULL)
        *l->err.env_slot = l->err.env_in_dir;
}

static void become_owner(const struct launch *l, struct launch_result *r)
{
    switch (identity_become(l->who)) {
    case IDENTITY_GROUPS:
        stop_here(r, LAUNCH_GROUPS, NULL);
    case IDENTITY_GID:
        stop_here(r, LAUNCH_GID, NULL);
    case IDENTITY_UID:
        stop_here(r, LAUNCH_UID, NULL);
    case IDENTITY_DONE:
        break;
    }
}

static void execute_job(const struct launch *l, struct launch_result *r)
{
    const struct command *c = l->command;
    int err = ENOENT;
    for (uint32_t i = 0; i < c->paths.n; i++) {
        (void)execve(c->paths.v[i], c->argv.v, l->envp);
        if (errno == ENOEXEC && c->fallback.n > 0)
            (void)execve(c->fallback.v[0], c->fallback.v + 1, l->envp);
        if (errno != ENOENT && errno != ENOTDIR)
            err = errno; /* the better reason, should no other path do */
    }
    errno = err;
    stop_here(r, LAUNCH_EXEC, c->argv.n > 0 ? c->argv.v[0] : "");
}

/* daemons that a shell started in the background ignore SIGINT and SIGQUIT; a job must not inherit
 * that */
static void reset_signals(void)
{
    sigset_t none;
    struct sigaction sa = { .sa_handler = SIG_DFL };
    for (int sig = 1; sig < NSIG; sig++)
        (void)sigaction(sig, &sa, NULL);
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void run_child(const struct launch *l, struct launch_result *r)
{
    (void)setsid(); /* cannot fail: a new child leads no group */
    privilege_nice(l->nice_value);
    if (l->who->is_switch)
        (void)os_oom_adjust(0); /* the shepherd is protected, the job is not */
    const char *limit = l->limits == NULL ? NULL : limits_apply(l->limits);
    if (limit != NULL)
        stop_here(r, LAUNCH_LIMIT, limit);
    become_owner(l, r);
    (void)os_die_with_parent(SIGKILL); /* after setuid, which takes it back */
    umask(022);
    bool is_hook = l->kind != LAUNCH_JOB;
    if (l->cwd != NULL && chdir(l->cwd) != 0 && (!is_hook || chdir("/") != 0))
        stop_here(r, LAUNCH_CWD, l->cwd);
    if (is_hook)
        open_hook_files(l);
    else
        open_files(l, r);
    reset_signals();
    execute_job(l, r);
}

/* ---- the parent again ---- */

struct launch_result *launch_results_new(unsigned n, struct answer *ans)
{
    void *page = mmap(NULL, n * sizeof(struct launch_result), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED ? page : ans_sys_null(ans, errno, MSG_SHARED_PAGE);
}

pid_t launch_start(const struct launch *l, struct launch_result *result, struct answer *ans)
{
    *result = (struct launch_result){ 0 };
    pid_t pid = l->cgroup_fd > 0 ? privilege_fork_into(l->cgroup_fd) : fork();
    if (pid == 0)
        run_child(l, result);
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
        return TASK_FAILED_BEFORE_JOB;
    case LAUNCH_UID:
        dstr_addf(words, MSG_SETUID_S, why);
        return TASK_FAILED_BEFORE_JOB;
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

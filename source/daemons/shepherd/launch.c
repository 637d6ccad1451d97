/* The child side of a start. Until it executes nothing is allocated and no lock is taken: paths,
 * environment, limits and groups are ready, and the child says what went wrong through a shared
 * page, as a stage, an errno and a pointer to text that both processes have. The job's process
 * stands in the shepherd's memory meanwhile (apart.h), where that can be, and else in a copy of it.
 * Source: qsub(1) -cwd; captured error files. */
#include "daemons/shepherd/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemons/shepherd/command.h"
#include "daemons/shepherd/limits.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/privilege.h"
#include "daemons/shepherd/task_config.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

void launch_prepare(struct launch *l, enum launch_kind kind, const struct task_config *conf,
                    struct environment *env)
{
    l->kind = kind;
    l->is_forked = conf->is_plain_fork || conf->io != LAUNCH_IO_FILES; /* it waits for its client */
    l->cwd = conf->cwd;
    launch_io_files(&l->io, kind, conf, env);
    if (l->cwd != NULL)
        environment_set(env, "SGE_CWD_PATH", l->cwd);
    launch_io_bind(&l->io, env);
    l->envp = env->v;
}

void launch_clear(struct launch *l)
{
    launch_io_clear(&l->io);
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

static void check_identity(enum identity_step step, int err, struct launch_result *r)
{
    switch (step) {
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

static void become_user(const struct launch *l, struct launch_result *r)
{
    int err = 0;
    enum identity_step step = identity_become(l->who, &err);
    check_identity(step, err, r);
}

/* another user than the job's owner runs in the directory of the owner, and writes to files that
 * the owner may open */
static void borrow_owner(const struct launch *l, struct launch_result *r)
{
    int err = 0;
    enum identity_step step = identity_borrow(l->files_as, &err);
    check_identity(step, err, r);
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

static void change_directory(const struct launch *l, struct launch_result *r)
{
    long rc = l->cwd != NULL ? apart_call(SYS_chdir, (long)l->cwd, 0, 0, 0, 0) : 0;
    if (rc != 0 && l->kind != LAUNCH_JOB)
        rc = apart_call(SYS_chdir, (long)"/", 0, 0, 0, 0);
    if (rc != 0)
        stop_here(r, LAUNCH_CWD, l->cwd, (int)-rc);
}

static void bind_to(const struct processors *p, struct launch_result *r)
{
    long rc = apart_call(SYS_sched_setaffinity, 0, sizeof p->bits, (long)p->bits, 0, 0);
    if (rc < 0)
        stop_here(r, LAUNCH_PROCESSORS, p->text, (int)-rc);
}

static void run_child(const struct launch *l, struct launch_result *r)
{
    int err = 0;
    (void)apart_call(SYS_setsid, 0, 0, 0, 0, 0); /* cannot fail: a new child leads no group */
    privilege_nice(l->nice_value);
    const char *limit = l->limits == NULL ? NULL : limits_apply(l->limits, &err);
    if (limit != NULL)
        stop_here(r, LAUNCH_LIMIT, limit, err);
    if (l->processors != NULL)
        bind_to(l->processors, r);
    if (l->io.is_script_open && (err = privilege_open_script(l->io.script)) != 0)
        stop_here(r, LAUNCH_STDIN, l->io.script, err);
    if (l->files_as != NULL)
        borrow_owner(l, r);
    else
        become_user(l, r);
    (void)apart_call(SYS_umask, 022, 0, 0, 0, 0);
    change_directory(l, r);
    enum launch_stage stage = l->io.open(&l->io, r);
    if (stage != LAUNCH_DONE)
        stop_here(r, stage, r->what, r->err);
    if (l->files_as != NULL) {
        identity_return(l->files_as);
        become_user(l, r);
    }
    /* after setuid, which takes it back */
    (void)apart_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    uint64_t none = 0; /* as the kernel has sets of signals; the shepherd ignores none (main.c) */
    (void)apart_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, sizeof none, 0);
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

/* The job's process does not copy this one. A hook's does: there are few of them, and one that
 * starts while the job runs must not take the shepherd's protection away with its own. */
pid_t launch_start(const struct launch *l, struct launch_page *page, struct launch_result *result,
                   struct answer *ans)
{
    bool is_apart = l->kind == LAUNCH_JOB && !l->is_forked && !identity_is_traced(l->who);
    *result = (struct launch_result){ 0 };
    page->start = (struct launch_start){ l, result };
    pid_t pid =
        is_apart ? privilege_start_apart(&page->apart, l->cgroup_fd, run_apart, &page->start) : -1;
    if (!is_apart || (pid < 0 && (errno == ENOSYS || errno == EBUSY))) {
        pid = l->cgroup_fd > 0 ? privilege_fork_into(l->cgroup_fd) : fork();
        if (pid == 0 && l->who->is_switch && l->kind != LAUNCH_JOB)
            privilege_expose(); /* before a job's the shepherd has */
        if (pid == 0)
            run_child(l, result);
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
    case LAUNCH_PROCESSORS:
        dstr_addf(words, MSG_PROCESSORS_SS, what, why);
        return TASK_FAILED_SETTING_UP;
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
    case LAUNCH_CLIENT:
        dstr_add(words, MSG_NO_CLIENT);
        return TASK_FAILED_AFTER_JOB;
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

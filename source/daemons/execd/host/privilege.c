/* The closed list of what an execd does as root. Nothing here decides: callers have checked state
 * and owner. */
#include "daemons/execd/host/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "daemons/execd/host/user.h"
#include "libs/task/task_dir.h"
#include "libs/task/task_line.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/process.h"

static int set_attributes(posix_spawnattr_t *attr)
{
    sigset_t all, defaults;
    sigfillset(&all);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    int rc = posix_spawnattr_init(attr);
    if (rc == 0)
        rc = posix_spawnattr_setsigmask(attr, &all);
    if (rc == 0)
        rc = posix_spawnattr_setsigdefault(attr, &defaults);
    if (rc == 0)
        rc = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                POSIX_SPAWN_SETSID);
    return rc;
}

/* In the child of a vfork: it stands in our memory, and we stand still until it has executed. */
static SGE_NORETURN void exec_shepherd(const char *const volatile *programs, int dir_fd, int pid_fd,
                                       int line_fd, volatile int *err)
{
    const char *shepherd = programs[0], *pag = programs[1];
    char *plain[] = { (char *)(uintptr_t) "sge_shepherd", (char *)(uintptr_t) "-bg", NULL };
    char *through[] = { (char *)(uintptr_t)pag, (char *)(uintptr_t) "-c",
                        (char *)(uintptr_t) "exec \"$0\" -bg", (char *)(uintptr_t)shepherd, NULL };
    char **argv = pag != NULL ? through : plain, *envp[] = { NULL };
    struct sigaction usual = { .sa_handler = SIG_DFL };
    (void)setsid();
    (void)sigaction(SIGPIPE, &usual, NULL); /* the only one that the execd ignores */
    if (fchdir(dir_fd) == 0 &&              /* before the others may replace it */
        dup2(line_fd, TASK_LINE_FD) >= 0 &&
        (pid_fd == TASK_PID_FD ? fcntl(pid_fd, F_SETFD, 0) : dup2(pid_fd, TASK_PID_FD)) >= 0)
        (void)execve(pag != NULL ? pag : shepherd, argv, envp);
    *err = errno;
    _exit(127);
}

/* Not posix_spawn: the C library's resets every signal by a call of its own and makes a stack for
 * each child, which together took as long as the rest of the start. */
pid_t privilege_spawn(const char *shepherd, const char *pag, int dir_fd, int pid_fd, int line_fd,
                      struct answer *ans)
{
    sigset_t all, before;
    const char *const volatile programs[] = { shepherd, pag }; /* read after vfork */
    volatile int err = 0;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before); /* the child must run no handler */
    pid_t pid = vfork();
    if (pid == 0)
        exec_shepherd(programs, dir_fd, pid_fd, line_fd, &err);
    if (pid < 0)
        err = errno;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (err == 0)
        return pid;
    if (pid > 0)
        (void)waitpid(pid, NULL, 0);
    return ans_sys(ans, err, MSG_SPAWN_S, shepherd);
}

/* What a job writes must not end up in our spool: the script stays root's, and its user may read
 * it. Where files have no access control lists it becomes the user's, who then can write to it. */
static int give_script(int fd, uid_t uid, gid_t gid)
{
    if (geteuid() != 0 || uid == 0)
        return fchmod(fd, 0700);
    if (os_file_admit(fd, uid) == 0)
        return 0;
    return errno == EOPNOTSUPP && fchown(fd, uid, gid) == 0 ? fchmod(fd, 0500) : -1;
}

int privilege_write_script(const char *path, const char *text, uid_t uid, gid_t gid,
                           struct answer *ans)
{
    (void)unlink(path); /* an older text may be running: it keeps its file */
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_OPEN_S, path);
    int rc = file_write_all(fd, text, strlen(text));
    if (rc == 0)
        rc = give_script(fd, uid, gid);
    int err = errno;
    close(fd);
    return rc == 0 ? 0 : ans_sys(ans, err, MSG_WRITE_S, path);
}

uint32_t privilege_kill_child(pid_t pid)
{
    uint32_t n = process_signal_below(pid, 0, SIGKILL);
    (void)kill(pid, SIGKILL);
    return n + 1;
}

uint32_t privilege_kill_marked(pid_t pid, gid_t group, const char *variable)
{
    return pid != getpid() && os_signal_marked(pid, group, variable, SIGKILL) == 0;
}

int privilege_kill_cgroup(int cgroup_fd)
{
    return cgroup_kill(cgroup_fd);
}

int privilege_make_tmpdir(const char *path, mode_t mode, uid_t uid, gid_t gid)
{
    if (mkdir(path, mode) != 0)
        return -1;
    return geteuid() == 0 ? lchown(path, uid, gid) : 0;
}

/* a link, or anything else that stands there, is left alone: mkdir does not follow it */
int privilege_make_tmp(const char *path)
{
    if (mkdir(path, 0755) != 0)
        return -1;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    bool is_ours = fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid();
    int rc = is_ours ? fchmod(fd, geteuid() == 0 ? 01777 : 0700) : -1;
    if (fd >= 0)
        close(fd);
    return rc;
}

/* PROGRAM with the words ARGV and no environment; its pid, or -1 with ans */
static pid_t spawn_plain(const char *program, const char *const argv[], struct answer *ans)
{
    char *envp[] = { NULL };
    posix_spawnattr_t attr;
    pid_t pid = -1;
    int rc = set_attributes(&attr);
    if (rc == 0)
        rc = posix_spawn(&pid, program, NULL, &attr, (char *const *)(uintptr_t)argv, envp);
    (void)posix_spawnattr_destroy(&attr);
    return rc == 0 ? pid : ans_sys(ans, rc, MSG_SPAWN_S, program);
}

pid_t privilege_spawn_removal(const char *shepherd, const char *path, struct answer *ans)
{
    const char *const argv[] = { "sge_shepherd", "-remove", path, NULL };
    return spawn_plain(shepherd, argv, ans);
}

pid_t privilege_spawn_renewal(const char *sge_ca, const char *papers_dir, const char *qmaster,
                              struct answer *ans)
{
    const char *const argv[] = { "sge_ca", "renew", papers_dir, qmaster, NULL };
    return spawn_plain(sge_ca, argv, ans);
}

pid_t privilege_spawn_carrier(const char *program, const char *const argv[], int line,
                              struct answer *ans)
{
    posix_spawnattr_t attr;
    posix_spawn_file_actions_t files;
    pid_t pid = -1;
    int rc = set_attributes(&attr);
    if (rc == 0)
        rc = posix_spawn_file_actions_init(&files);
    if (rc == 0) {
        rc = posix_spawn_file_actions_adddup2(&files, line, STDIN_FILENO);
        if (rc == 0)
            rc = posix_spawn(&pid, program, &files, &attr, (char *const *)(uintptr_t)argv, environ);
        (void)posix_spawn_file_actions_destroy(&files);
    }
    (void)posix_spawnattr_destroy(&attr);
    return rc == 0 ? pid : ans_sys(ans, rc, MSG_SPAWN_S, program);
}

/* ---- load sensors ---- */

/* what a child needs between fork and exec, where nothing may be allocated */
struct sensor_start {
    const struct sensor_order *order;
    char **envp;   /* owned, not what it points at */
    gid_t *groups; /* owned */
    size_t n_groups;
    int null_fd;
};

static bool is_cell_variable(const char *line)
{
    return strncmp(line, "SGE_ROOT=", 9) == 0 || strncmp(line, "SGE_CELL=", 9) == 0;
}

/* the execd's environment, with ROOT and CELL ("SGE_ROOT=...") instead of what it has of these */
static char **sensor_environment(char *root, char *cell)
{
    size_t n = 0, k = 0;
    while (environ[n] != NULL)
        n++;
    char **envp = uti_calloc(n + 3, sizeof *envp);
    for (size_t i = 0; i < n; i++)
        if (!is_cell_variable(environ[i]))
            envp[k++] = environ[i];
    envp[k++] = root;
    envp[k] = cell;
    return envp;
}

/* "1001,27" */
static void read_groups(struct sensor_start *start, const char *text)
{
    size_t most = 1;
    for (const char *at = text; *at != '\0'; at++)
        most += *at == ',';
    start->groups = uti_calloc(most, sizeof *start->groups);
    while (*text != '\0' && start->n_groups < most) {
        char *end;
        start->groups[start->n_groups++] = (gid_t)strtoul(text, &end, 10);
        text = end + (*end == ',');
    }
}

static bool become_user(const struct sensor_start *start)
{
    const struct user *user = start->order->user;
    return user == NULL || (setgroups(start->n_groups, start->groups) == 0 &&
                            setgid(user->gid) == 0 && setuid(user->uid) == 0);
}

/* in the child: async-signal-safe calls alone */
static SGE_NORETURN void exec_sensor(const struct sensor_start *start)
{
    const struct sensor_order *o = start->order;
    char *argv[] = { (char *)(uintptr_t)o->path, NULL },
         *sh_argv[] = { (char *)(uintptr_t) "sh", (char *)(uintptr_t)o->path, NULL };
    struct sigaction usual = { .sa_handler = SIG_DFL };
    sigset_t none;
    sigemptyset(&none);
    (void)os_oom_adjust(0);
    (void)sigaction(SIGPIPE, &usual, NULL);
    if (setsid() >= 0 && dup2(o->in_fd, 0) >= 0 && dup2(o->out_fd, 1) >= 0 &&
        dup2(start->null_fd, 2) >= 0 && become_user(start) && os_die_with_parent(SIGTERM) == 0 &&
        sigprocmask(SIG_SETMASK, &none, NULL) == 0) {
        (void)execve(o->path, argv, start->envp);
        if (errno == ENOEXEC)
            (void)execve("/bin/sh", sh_argv, start->envp);
    }
    _exit(127);
}

static pid_t fork_sensor(struct sensor_start *start, struct answer *ans)
{
    start->null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (start->null_fd < 0)
        return ans_sys(ans, errno, MSG_OPEN_S, "/dev/null");
    pid_t pid = fork();
    if (pid == 0)
        exec_sensor(start);
    int err = errno;
    close(start->null_fd);
    return pid > 0 ? pid : ans_sys(ans, err, MSG_SENSOR_START_S, start->order->path);
}

pid_t privilege_spawn_sensor(const struct sensor_order *order, struct answer *ans)
{
    struct dstr root = DSTR_INIT, cell = DSTR_INIT;
    dstr_addf(&root, "SGE_ROOT=%s", order->sge_root);
    dstr_addf(&cell, "SGE_CELL=%s", order->sge_cell);
    struct sensor_start start = { .order = order, .envp = sensor_environment(root.s, cell.s) };
    if (order->user != NULL)
        read_groups(&start, order->user->groups);
    pid_t pid = fork_sensor(&start, ans);
    free(start.envp);
    free(start.groups);
    dstr_free(&root);
    dstr_free(&cell);
    return pid;
}

/* The closed list of what an execd does as root. Nothing here decides: callers have checked state
 * and owner. */
#include "daemons/execd/host/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/file.h"
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

pid_t privilege_spawn(const char *shepherd, int dir_fd, int pid_fd, struct answer *ans)
{
    char *argv[] = { (char *)(uintptr_t) "sge_shepherd", (char *)(uintptr_t) "-bg", NULL },
         *envp[] = { NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    pid_t pid = -1;
    int rc = set_attributes(&attr);
    if (rc == 0)
        rc = posix_spawn_file_actions_init(&actions);
    if (rc == 0)
        rc = posix_spawn_file_actions_addfchdir_np(&actions,
                                                   dir_fd); /* before the next may replace it */
    if (rc == 0)
        rc = posix_spawn_file_actions_adddup2(&actions, pid_fd, TASK_PID_FD);
    if (rc == 0)
        rc = posix_spawn(&pid, shepherd, &actions, &attr, argv, envp);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attr);
    return rc == 0 ? pid : ans_sys(ans, rc, MSG_SPAWN_S, shepherd);
}

int privilege_write_script(const char *path, const char *text, uid_t uid, gid_t gid,
                           struct answer *ans)
{
    (void)unlink(path); /* an older text may be running: it keeps its file */
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_OPEN_S, path);
    int rc = file_write_all(fd, text, strlen(text));
    if (rc == 0 && geteuid() == 0)
        rc = fchown(fd, uid, gid);
    if (rc == 0)
        rc = fchmod(fd, 0700);
    int err = errno;
    close(fd);
    return rc == 0 ? 0 : ans_sys(ans, err, MSG_WRITE_S, path);
}

uint32_t privilege_kill_child(pid_t pid)
{
    uint32_t n = process_signal_below(pid, SIGKILL);
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

pid_t privilege_spawn_removal(const char *shepherd, const char *path, struct answer *ans)
{
    char *argv[] = { (char *)(uintptr_t) "sge_shepherd", (char *)(uintptr_t) "-remove",
                     (char *)(uintptr_t)path, NULL },
         *envp[] = { NULL };
    posix_spawnattr_t attr;
    pid_t pid = -1;
    int rc = set_attributes(&attr);
    if (rc == 0)
        rc = posix_spawn(&pid, shepherd, NULL, &attr, argv, envp);
    (void)posix_spawnattr_destroy(&attr);
    return rc == 0 ? pid : ans_sys(ans, rc, MSG_SPAWN_S, shepherd);
}

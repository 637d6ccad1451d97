#ifndef EXECD_HOST_PRIVILEGE_H
#define EXECD_HOST_PRIVILEGE_H

#include <sys/types.h>

#include "common/basis.h"

/* The acts of an execd that need root, all of them, where it runs as root; an execd of an ordinary
 * user makes the same calls. */
struct answer;

/* privilege_spawn - start SHEPHERD, sge_shepherd or what root lets the configuration name in its
 * place, through the shell PAG if that is not NULL, in directory DIR_FD, with PID_FD as its
 * TASK_PID_FD and LINE_FD as its TASK_LINE_FD, every signal blocked, in a session of its own, with
 * no environment. Asked by: shepherds.c for a task whose files are complete. Returns its pid, or -1
 * with ans. */
pid_t privilege_spawn(const char *shepherd, const char *pag, int dir_fd, int pid_fd, int line_fd,
                      struct answer *ans);
/* privilege_write_script - write a job's script, which its owner alone may read and execute, and
 * not change. Asked by: task_start.c, before the job's first task here. */
int privilege_write_script(const char *path, const char *text, uid_t uid, gid_t gid,
                           struct answer *ans);
/* privilege_kill_child - SIGKILL to a child that has not been waited for, and to all below
 * it
 * privilege_kill_marked - SIGKILL to a process, not ourselves, that still has a task's GROUP or
 * VARIABLE
 * Asked by: orphans.c, for what a dead shepherd left. Return how many processes it was. */
uint32_t privilege_kill_child(pid_t pid);
uint32_t privilege_kill_marked(pid_t pid, gid_t group, const char *variable);
/* privilege_kill_cgroup - SIGKILL to all processes in a task's cgroup. Asked by: orphans.c. Returns
 * 0, or -1 errno */
int privilege_kill_cgroup(int cgroup_fd);
/* privilege_make_tmpdir - a new directory of UID and GID. Asked by: tmpdirs.c for a task that is
 * about to start.
 * Returns 0, or -1 errno: EEXIST if something stands in its place. */
int privilege_make_tmpdir(const char *path, mode_t mode, uid_t uid, gid_t gid);
/* privilege_make_tmp - a new directory in which the TMPDIRs of all users may be made, as in /tmp;
 * an ordinary user's is that user's alone. Asked by: tmpdirs.c, when the tmpdir of a queue is
 * missing. Returns 0, or -1 errno. */
int privilege_make_tmp(const char *path);
/* privilege_spawn_sensor - start a load sensor, in a session of its own, with the execd's
 * environment and SGE_ROOT and SGE_CELL; it ends with the execd. A file without "#!" is a script of
 * /bin/sh. Asked by: load_sensors.c, for what the configuration names. Returns its pid, or -1 with
 * ans. */
struct user;
struct sensor_order { /* borrowed */
    const char *path, *sge_root, *sge_cell;
    int in_fd, out_fd;       /* its standard input and output; standard error is /dev/null */
    const struct user *user; /* whom it becomes; NULL: it stays what the execd is */
};
pid_t privilege_spawn_sensor(const struct sensor_order *order, struct answer *ans);
/* privilege_spawn_removal - start "sge_shepherd -remove PATH". Asked by: removals.c, for a
 * directory that was put aside, when no process of its job is left. Returns its pid, or -1 with
 * ans. */
pid_t privilege_spawn_removal(const char *shepherd, const char *path, struct answer *ans);
/* privilege_spawn_renewal - start "sge_ca renew PAPERS_DIR QMASTER" (host:port). Asked by:
 * renewing.c, when the certificate there is due. Returns its pid, or -1 with ans. */
pid_t privilege_spawn_renewal(const char *sge_ca, const char *papers_dir, const char *qmaster,
                              struct answer *ans);
/* privilege_spawn_carrier - start sge_carrier with the words ARGV and LINE, a socket, as its
 * standard input. Asked by: carrier.c, at the start and when the last one has died. Returns its
 * pid, or -1 with ans. */
pid_t privilege_spawn_carrier(const char *program, const char *const argv[], int line,
                              struct answer *ans);

#endif

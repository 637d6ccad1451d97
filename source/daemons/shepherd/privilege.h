#ifndef SHEPHERD_PRIVILEGE_H
#define SHEPHERD_PRIVILEGE_H

#include <sys/resource.h>
#include <sys/types.h>

#include "common/basis.h"
#include "libs/uti/apart.h"

/* The acts for which a shepherd may need root, all of them. Each says who asks and when. */
struct answer;
struct config;

struct job_identity { /* who the job is */
    bool is_switch;   /* false: the user of the cell runs the job */
    uid_t uid;
    gid_t gid;
    gid_t *groups; /* owned: supplementary groups, as execd resolved them, and the additional one */
    size_t n_groups;
};
/* identity_from - read job_uid, job_gid, job_groups (comma separated) and add_grp_id
 * A shepherd of root needs them and refuses to go on without. Returns 0, or -1 with ans. */
int identity_from(struct job_identity *who, const struct config *conf, struct answer *ans);
/* identity_of_hook - read KEY_as, "uid:gid:group,group", and the additional group: as whom the
 * command of KEY runs. Where the shepherd is no root that is its own user. Returns 0, or -1 with
 * ans. */
int identity_of_hook(struct job_identity *who, const struct config *conf, const char *key,
                     struct answer *ans);
void identity_free(struct job_identity *who);

enum identity_step { IDENTITY_DONE, IDENTITY_GROUPS, IDENTITY_GID, IDENTITY_UID };
/* identity_become - for ever. Asked by: the job's and the hooks' process, before they
 * execute. Makes system calls alone (apart.h).
 * Returns IDENTITY_DONE, or the step that failed with *err. */
enum identity_step identity_become(const struct job_identity *who, int *err);
/* identity_borrow - reach files as WHO alone, until identity_return: so a command that runs as
 * another user than the job's owner opens nothing that the owner could not. Asked by: the process
 * of such a command, which then becomes that user. Make system calls alone. As identity_become. */
enum identity_step identity_borrow(const struct job_identity *who, int *err);
void identity_return(const struct job_identity *who);
/* privilege_open_script - have PATH as descriptor 0: a script that its shell reads from standard
 * input. Asked by: the process of the job for the copy of its script that the execd has made, and
 * that of a hook if "hook_users" of bootstrap(5) names root; before they become who they are. Makes
 * system calls alone. Returns 0, or an errno. */
int privilege_open_script(const char *path);
/* identity_is_traced - could its user trace a process from the moment on in which that becomes WHO?
 * So it is where fs.suid_dumpable is 1, which is for debugging alone (proc(5)). Asked by:
 * launch.c, for such a process must not stand in its shepherd's memory. */
bool identity_is_traced(const struct job_identity *who);
/* privilege_expose - when memory is short, this process and those that it starts from now on are as
 * much to be ended as others. Asked by: a hook's process, and the shepherd before the job's start.
 * privilege_protect - rather others than this one, as the execd; and it may leave a core file
 * again, which the job's process took from it (apart.h). Asked by: the shepherd, when no job's
 * process stands in its memory: the kernel counts those in one memory as one. */
void privilege_expose(void);
void privilege_protect(void);
/* privilege_nice - set the nice value of the calling process; below 0 needs root. Asked by: the
 * job's process before identity_become. Makes system calls alone. */
void privilege_nice(int nice_value);
/* privilege_limit - set a resource limit; above the present hard limit needs root, else it is cut
 * there; that of core files always is. Asked by: the job's
 * process before identity_become. Makes system calls alone. Returns 0 or an errno. */
int privilege_limit(int resource, const struct rlimit *wanted);
/* privilege_signal - signal the job's or a hook's process, or its group (-PID). Asked by:
 * shepherd.c and hooks.c, while that process has not been waited for, so that no other process has
 * its pid. Returns 0 or -1 errno. */
int privilege_signal(pid_t pid, int sig);
/* privilege_signal_below - signal every process below this shepherd but BUT, the one that carries
 * the bytes of an interactive task; 0: all of them. Asked by: children.c, at any time after the
 * job's start.
 * Returns how many were found. */
uint32_t privilege_signal_below(pid_t but, int sig);
/* privilege_make_terminal - both ends of a new pseudo terminal that belongs to WHO. Asked by:
 * session.c before the job's start. Returns 0, or -1 errno with what was opened in MASTER and
 * TERMINAL, which are -1 before. */
int privilege_make_terminal(const struct job_identity *who, int *master, int *terminal);
/* privilege_make_cgroup - the job's cgroup at PATH, without processes. Asked by: shepherd.c before
 * the job's start. Returns its directory, or -1 errno.
 * privilege_start_apart - apart_start (apart.h), in it or, if CGROUP_FD is 0, in ours;
 * privilege_fork_into - fork(2) a child that begins in it. Asked by: launch.c for the job. Return
 * as those do.
 * privilege_confine_cgroup - its processes run on the processors of LIST alone. Asked by:
 * shepherd.c before the job's start. Returns 0, or -1 errno.
 * privilege_kill_cgroup - end all processes in it. Asked by: shepherd.c. Returns 0, or -1 errno.
 * privilege_remove_cgroup - take it away. Asked by: shepherd.c when no process of the job is left.
 * Returns 0, or -1 errno. */
int privilege_make_cgroup(const char *path);
pid_t privilege_start_apart(struct apart *a, int cgroup_fd, apart_fn *run, void *ctx);
pid_t privilege_fork_into(int cgroup_fd);
int privilege_confine_cgroup(int cgroup_fd, const char *list);
int privilege_kill_cgroup(int cgroup_fd);
int privilege_remove_cgroup(const char *path);
/* privilege_clean_tmpdir - the job's TMPDIR as execd made it: empty, or gone if anything was left
 * in it; what cannot be removed until
 * UNTIL_US (monotonic) stays. Asked by: the shepherd after the job's last process has gone. Returns
 * 0, or -1 with ans.
 * privilege_remove_tree - remove PATH, as its owner as far as that goes. Asked by: main.c.
 * Returns 0, or -1. */
int privilege_clean_tmpdir(const char *path, uint64_t until_us, struct answer *ans);
int privilege_remove_tree(const char *path, uint64_t until_us);

#endif

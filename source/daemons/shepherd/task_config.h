#ifndef SHEPHERD_TASK_CONFIG_H
#define SHEPHERD_TASK_CONFIG_H

#include "daemons/shepherd/config.h"
#include "daemons/shepherd/limits.h"
#include "daemons/shepherd/plan.h"
#include "daemons/shepherd/privilege.h"
#include "daemons/shepherd/session.h"

/* The file "config" as the shepherd uses it: read once, in one pass over its lines. */
struct answer;
enum script_mode { SCRIPT_POSIX, SCRIPT_UNIX, SCRIPT_STDIN }; /* shell_start_mode */
struct checkpoint_conf { /* how the job saves its state (checkpoint(5)) */
    bool is_there;       /* it does */
    bool has_commands;   /* by those of the plan; else the job is sent `sig` */
    bool is_of_system;   /* what they exit with counts */
    int sig;             /* 0: none */
    uint64_t interval_s; /* 0: not periodically */
    uint64_t patience_s; /* what the job has from `sig` to its end, when it migrates */
};
struct task_config {
    struct config lines; /* owned: the texts below stand in it, and $names are looked up there */
    /* what the job is */
    const char *script, *shell, *starter; /* starter: NULL = none */
    enum script_mode mode;
    bool are_hooks_roots; /* scripts of hooks that a shell reads are opened as root */
    bool is_binary, has_no_shell, is_login_shell, is_shell_of_queue;
    bool is_login_session;          /* the shell without a command */
    bool is_detachable;             /* it goes on in its files when its client is lost */
    const struct config_pair *args; /* those of the job, in a run */
    uint32_t n_args;
    const char *job_id, *job_name, *host, *task_id; /* task_id "0": not of an array */
    const char *petask; /* its name among those of its task; NULL: it is the task itself */
    /* its files */
    const char *stdin_path, *stdout_path, *stderr_path;
    const char *cwd, *tmpdir, *cgroup; /* NULL: none */
    const char *processors;            /* as queue_conf(5) has them; NULL: all */
    const char *binding_processors;    /* of its cores (-binding); NULL: it is not bound */
    bool is_merged;                    /* standard error goes where the output goes */
    enum launch_io_kind io;            /* or to a client, and how that is found: */
    const char *session_socket, *session_task, *session_digest;
    const char *session_daemon; /* a program that the client's command connects to; NULL: builtin */
    /* as whom, and with what */
    struct job_identity who;
    struct limits limits;
    struct sums sums;
    int nice_value;
    /* notice.h: how long it goes on after a notice, and as which signals it gets one; 0: none */
    uint64_t notify_s;
    uint64_t token_extend_s; /* how long what set_token_cmd sets lasts; 0: long enough */
    int notify_kill, notify_susp;
    bool is_notified; /* before it is suspended or ended, too (-notify) */
    bool is_traced;
    bool is_plain_fork; /* start the job as hooks are started: launch.h */
    /* around it */
    struct plan plan;
    struct checkpoint_conf checkpoint;
};

/* task_config_from - take LINES, which are empty afterwards
 * Returns 0, or -1 with ans naming the key; C is to be freed in any case. */
int task_config_from(struct task_config *c, struct config *lines, struct answer *ans);
void task_config_free(struct task_config *c);

#endif

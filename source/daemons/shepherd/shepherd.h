#ifndef SHEPHERD_SHEPHERD_H
#define SHEPHERD_SHEPHERD_H

#include "common/basis.h"
#include "daemons/shepherd/children.h"
#include "daemons/shepherd/launch.h"
#include "daemons/shepherd/records.h"
#include "daemons/shepherd/session.h"
#include "daemons/shepherd/task_config.h"
#include "libs/uti/process.h"

/* What the parts of a shepherd share. */
struct checkpointing {                /* of checkpoint.c; all zero: nothing goes on */
    bool is_command, is_migr_command; /* one runs; it is migr_command */
    bool is_timed_out;                /* it took too long */
    bool is_waiting;                  /* the job was sent the signal and is to end */
    bool is_due;                      /* a migration follows the checkpoint that is being made */
    uint64_t until_us;                /* until when: then the command, or the job, is killed */
};
struct shepherd {
    /* the process's own, for all its tasks */
    struct process_id self; /* pid 0: not known yet */
    int signal_fd;          /* of run.c; 0: none yet */
    struct launch_page *page;
    bool is_exposed; /* to a shortage of memory, since the last job's start */
    /* the task's */
    struct task_config conf;
    struct environment env;
    struct environment hook_env; /* what hooks get of it */
    struct environment pe_env;   /* the same for hooks of the parallel environment */
    struct job_cgroup cgroup;
    struct launch launch;      /* files, environment, identity of the job */
    struct launch hook_launch; /* and of hooks */
    struct launch pe_launch;   /* and of pe_start and pe_stop */
    /* of the last hook that ran as another user than the job's owner, and of the job's process if
     * starter_method or restart_command name another one */
    struct launch other_launch;
    struct job_identity other, job_other;
    struct environment other_env, job_other_env;
    struct job_usage usage;
    struct supervisor supervisor;
    struct trace trace;
    struct session session; /* with the client of an interactive task */
    char last_said[256];    /* of what went wrong */
    bool is_client_lost;
    bool is_limit_reached, is_limit_of_memory;
    /* notice.h: it has had its notice; terminate_method has had its time; it is suspended */
    bool is_warned, is_kill_due, is_stopped;
    bool is_usage_written;
    unsigned failed_in_usage;
    bool is_soft_time_over; /* s_rt has passed */
    bool is_migrating;      /* the job is being saved, or was, in order to run elsewhere */
    struct checkpointing checkpointing;
    bool is_hook_stopped; /* when its time was over */
    bool is_terminated;   /* asked to end while a hook or a method ran */
};

/* shepherd_read - take what execd's files say. Returns an enum task_failure, and the files show
 * it. */
unsigned shepherd_read(struct shepherd *s);
/* shepherd_clear - the task is over and written: what stood here of it is freed, and all is as
 * before the first */
void shepherd_clear(struct shepherd *s);
/* shepherd_say - a line for the trace and, as from process PID of UID, for the file "error" */
void shepherd_say(struct shepherd *s, uid_t uid, pid_t pid, const char *text);

/* shepherd_expose - a job is about to be started in our memory: privilege_expose
 * shepherd_protect - it is not there, or not any more: privilege_protect. Both do nothing when it
 * is so already. */
void shepherd_expose(struct shepherd *s);
void shepherd_protect(struct shepherd *s);

/* shepherd_launch_as - L, of KIND, for the command of KEY, which runs as the user whose ids are in
 * KEY_as: WHO, with environment ENV. What stood in all three is freed. Returns 0, or -1 with ans
 * and all of them as they were. */
int shepherd_launch_as(const struct shepherd *s, const char *key, enum launch_kind kind,
                       struct launch *l, struct job_identity *who, struct environment *env,
                       struct answer *ans);
/* shepherd_launch - launch_start, again and again while the host has no process or no memory to
 * spare: that is not the job's fault
 * Returns the pid; -1 with ans, also when it is asked to end meanwhile (is_terminated). */
pid_t shepherd_launch(struct shepherd *s, const struct launch *l, struct launch_result *result,
                      struct answer *ans);

#endif

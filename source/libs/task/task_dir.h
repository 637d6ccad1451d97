#ifndef TASK_TASK_DIR_H
#define TASK_TASK_DIR_H

#include "common/basis.h"

/* The directory active_jobs/<job>.<task>/ of a task that was started, or that of a petask in it
 * (libs/sgeobj/task_key.h): what execd and shepherd say to each other.
 *
 *   config       execd     key=value lines: what to run and how
 *   environment  execd     variable=value lines: the job's environment
 *   pe_hostfile  execd     of a parallel job: a line for each queue instance in which the task has
 *                          slots, "host slots queue UNDEFINED"
 *   addgrpid     execd     the additional group id that marks the processes of the job, if there is
 *                          one; for people and for what watches jobs from outside: our programs
 *                          read it in config
 *   pid          both      made and locked (os_lock_take) by execd before it has a shepherd,
 *                          which gets the descriptor as TASK_PID_FD and writes who it is
 *                          (process_id_text): the lock is held exactly as long as the task has a
 *                          shepherd. No other user may open the file.
 *   job_pid      shepherd  pid, session and process group of the job, when it has run for a second
 *   osjobid      shepherd  the number of the job's cgroup, if it has one: likewise
 *   usage        shepherd  name=value lines after the job, those of maxvmem and mem if it has
 *                          looked at their sums; the line "failed=N" is the last
 *   exit_status  shepherd  that of the job, as in usage: after a failure, with a hook after the
 *                          job, or with trace; for people and hooks
 *   failed       shepherd  its last word, an enum task_failure, if that is not the "failed" of
 *                          usage
 *   processor_set_number  shepherd  the same as osjobid, if the job's cgroup confines it to
 *                          processors
 *   error        shepherd  why the task failed, one line each
 *   trace        shepherd  what it did, when asked for (config trace=1) or after a failure
 *   sample       execd     name=value lines: what the running task has used so far, for the next
 *                          execd
 *   signal       execd     the number of a signal that task_signal_for says with SIGTTIN, or an
 *                          enum task_request
 *   checkpointed shepherd  "1": ckpt_command or migr_command has saved the state of the job
 *   migration_failed  shepherd  why the job, which was to migrate, runs on
 *   keep_checkpoint   execd     empty: the task starts again elsewhere, clean_command does not run
 *   petasks      execd     "last=N": how many petasks the task has started on this host
 *   reported     execd     empty: the end is in the qmaster's spool, the directory is kept for
 *                          people (KEEP_ACTIVE)
 *
 * Values and variables that hold a newline or a backslash have them as \n and \\.
 * Source: "The shepherd", spooled files */
#define TASK_FILE_CONFIG           "config"
#define TASK_FILE_ENVIRONMENT      "environment"
#define TASK_FILE_PE_HOSTFILE      "pe_hostfile"
#define TASK_FILE_ADDGRPID         "addgrpid"
#define TASK_FILE_PID              "pid"
#define TASK_FILE_JOB_PID          "job_pid"
#define TASK_FILE_USAGE            "usage"
#define TASK_FILE_EXIT_STATUS      "exit_status"
#define TASK_FILE_FAILED           "failed"
#define TASK_FILE_OSJOBID          "osjobid"
#define TASK_FILE_PROCESSOR_SET    "processor_set_number"
#define TASK_FILE_ERROR            "error"
#define TASK_FILE_TRACE            "trace"
#define TASK_FILE_SAMPLE           "sample"
#define TASK_FILE_SIGNAL           "signal"
#define TASK_FILE_REPORTED         "reported"
#define TASK_FILE_CHECKPOINTED     "checkpointed"
#define TASK_FILE_MIGRATION_FAILED "migration_failed"
#define TASK_FILE_KEEP_CHECKPOINT  "keep_checkpoint"
#define TASK_FILE_PETASKS          "petasks"
#define TASK_FILE_ABOUT_TO_EXIT    "shepherd_about_to_exit"
enum { TASK_PID_FD = 3, TASK_FILE_MAX_BYTES = 64 * 1024 * 1024 };

/* What a file "signal" may request that is no signal. */
enum task_request {
    TASK_REQUEST_CHECKPOINT = 1001, /* run ckpt_command */
    TASK_REQUEST_MIGRATE = 1002,    /* run migr_command, which saves and ends the job */
    /* to an execd alone: SIGKILL, and the task starts again elsewhere */
    TASK_REQUEST_END_AGAIN = 1003
};

/* How a task went wrong: the "failed" field of the accounting file. */
enum task_failure {
    TASK_FAILED_NOT = 0,
    TASK_FAILED_BEFORE_JOB = 1, /* for a reason of the job's */
    TASK_FAILED_PREPARING = 3,  /* the host cannot: spool, tmpdir, shepherd */
    TASK_FAILED_READING_CONFIG = 5,
    TASK_FAILED_NO_OWNER = 7, /* the host does not know the owner of the job */
    TASK_FAILED_IN_PROLOG = 8,
    TASK_FAILED_IN_PE_START = 10,
    TASK_FAILED_SETTING_UP = 11, /* the host cannot: user id, or the queue's shell or starter */
    TASK_FAILED_IN_PE_STOP = 13,
    TASK_FAILED_IN_EPILOG = 15,
    TASK_FAILED_NO_EXIT_STATUS = 19, /* the shepherd went without a word */
    TASK_FAILED_RECOGNIZING = 21,    /* its host has lost it, and it must not run again (-r n) */
    TASK_FAILED_MIGRATING = 24,      /* saved by migr_command: to be started again elsewhere */
    TASK_FAILED_RESCHEDULE = 25,     /* exit 99, or put back: to be started again */
    TASK_FAILED_OPEN_OUTPUT = 26,
    TASK_FAILED_NO_SHELL = 27, /* what was to be executed could not be */
    TASK_FAILED_NO_CWD = 28,
    TASK_FAILED_APPERROR = 30, /* exit 100: parked in error */
    TASK_FAILED_LIMIT = 37,    /* h_rt, h_cpu or h_vmem */
    TASK_FAILED_ADD_GROUP = 38,
    TASK_FAILED_AFTER_JOB = 100 /* the job was ended by a signal */
};
/* task_failure_fate - what becomes of a task after a start with this failure, unless it was
 * deleted or rescheduled meanwhile. Pure. Source: queue_conf(5), submit(1); captured fates of the
 * codes. */
enum task_fate {
    TASK_FATE_ENDS,
    TASK_FATE_STARTS_AGAIN,
    TASK_FATE_ERROR,           /* parked until qmod -cj */
    TASK_FATE_QUEUE_ERROR,     /* its queue is parked, the task starts again elsewhere */
    TASK_FATE_ENDS_QUEUE_ERROR /* its queue is parked, the task is over */
};
enum task_fate task_failure_fate(unsigned failure);
/* task_failure_blame - who keeps the job from starting: to be counted against the host, if several
 * of them follow each other there. Pure. */
enum task_blame {
    TASK_BLAME_NONE,  /* it started, or was to start again */
    TASK_BLAME_HOST,  /* whatever the job */
    TASK_BLAME_EITHER /* job or host: what is missing there may be elsewhere */
};
enum task_blame task_failure_blame(unsigned failure);
/* task_failure_is_start - did the job itself never run? Pure. */
bool task_failure_is_start(unsigned failure);

/* task_signal_for - the signal that makes a shepherd send SIG to its job
 * SIGTERM says terminate (SIGKILL), SIGTTOU suspend, SIGCONT resume, SIGUSR1 and SIGUSR2
 * themselves; SIGTTIN: the number is in the file "signal". (The kernel drops a pending stop signal
 * when SIGCONT comes, so that terminate is another one.) */
int task_signal_for(int sig);

/* task_is_system_variable - does execd set this variable of a job's environment, whatever the
 * submitter said? Pure. */
bool task_is_system_variable(const char *name);
/* those that begin so name the devices that a task was given; all of them are the system's */
#define TASK_DEVICES_PREFIX "SGE_HGR_"

struct dstr;
/* task_text_add - append "KEY=VALUE\n", with VALUE escaped
 * task_text_unescape - undo that in place, of a value */
void task_text_add(struct dstr *out, const char *key, const char *value);
void task_text_unescape(char *s);

#endif

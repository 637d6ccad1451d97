#ifndef SHEPHERD_CHILDREN_H
#define SHEPHERD_CHILDREN_H

#include <sys/types.h>

#include "common/basis.h"
#include "daemons/shepherd/records.h"

/* Waiting for children while signals and limits of time go on: the one place where a shepherd
 * sleeps. */
struct answer;
enum { SUPERVISE_CHILDREN = 3 }; /* the job; a hook, and a checkpoint command, beside it */

struct supervised {
    pid_t pid; /* 0: none */
    bool is_done;
    int wait_status;
};
/* What happens at a time while the job runs. RING returns when it happens again, UINT64_MAX:
 * never */
struct alarm {
    uint64_t at_us; /* monotonic */
    uint64_t (*ring)(void *ctx);
};
enum job_alarm {
    ALARM_JOB_PID,
    ALARM_PROTECT,
    ALARM_S_RT,
    ALARM_H_RT,
    ALARM_SUMS,
    ALARM_END,             /* notice.h */
    ALARM_STOP,            /* likewise */
    ALARM_CHECKPOINT,      /* checkpoint.h */
    ALARM_CHECKPOINT_OVER, /* likewise */
    ALARM_TOKEN,
    SUPERVISE_ALARMS
};
struct supervisor {
    struct supervised child[SUPERVISE_CHILDREN];
    /* a child that does not belong to the job, and outlives its processes (session.h) */
    struct supervised aside;
    struct job_usage *usage; /* borrowed: gets what every child used */
    struct alarm alarms[SUPERVISE_ALARMS];
    uint32_t n_alarms;
    void *alarm_ctx;
};
enum { SUPERVISE_JOB = 0, SUPERVISE_HOOK = 1, SUPERVISE_CHECKPOINT = 2 };

/* supervise_block - block every signal: from now on they are only taken in supervise_sleep */
void supervise_block(void);
/* supervise_reap - collect children that have ended. Returns true while there is any child left,
 * also one that was adopted, but for the one aside. */
bool supervise_reap(struct supervisor *s);
/* supervise_sleep - wait for a signal until UNTIL_US (monotonic; UINT64_MAX = for ever), and ring
 * the alarms of a job that runs meanwhile
 * Signals that are not asked for stay pending. Returns the signal, SIGCHLD also after an alarm, 0
 * when the time has come. */
enum supervise_for {
    SUPERVISE_CHILD,  /* SIGCHLD */
    SUPERVISE_ENDING, /* and those that end the job */
    SUPERVISE_ANY     /* and those that are for the job */
};
int supervise_sleep(struct supervisor *s, uint64_t until_us, enum supervise_for what);

/* The cgroup of the job, which execd names in "config" where this host has one to give: the kernel
 * adds up there what the job used, and ends all of it at once. The shepherd stands outside of it,
 * and so do hooks. A job without one runs all the same: then its processes are those below the
 * shepherd. */
struct job_cgroup {
    const char *path;    /* borrowed from the configuration */
    int fd;              /* 0: the job has none */
    bool has_processors; /* its processes cannot leave those that are set */
};

/* job_cgroup_make - at PATH, NULL: none; what keeps it from being made stands in the trace */
void job_cgroup_make(struct job_cgroup *g, const char *path, struct trace *trace);
/* job_cgroup_confine - its processes cannot leave the processors of LIST, NULL: all; where it
 * cannot be done, nothing happens */
void job_cgroup_confine(struct job_cgroup *g, const char *list);
void job_cgroup_remove(struct job_cgroup *g); /* once the job's last process has gone */
/* job_cgroup_kill - end all that is in it; without one nothing happens */
void job_cgroup_kill(const struct job_cgroup *g);
/* job_cgroup_cpu_us, job_cgroup_rss_bytes - what it says its processes used; false, *OUT unchanged,
 * if nothing */
bool job_cgroup_cpu_us(const struct job_cgroup *g, uint64_t *out);
bool job_cgroup_rss_bytes(const struct job_cgroup *g, uint64_t *out);

/* The job's process tree. The shepherd is a child subreaper: every process the job leaves behind
 * becomes its child, however often it forked or called setsid. So "no child is left" means "no
 * process of the job is left", and costs nothing to know. */

/* tree_signal - send SIG to every process below this one but the one aside; a suspension is
 * repeated until it finds no new ones */
void tree_signal(const struct supervisor *s, int sig);
/* tree_kill - end every process below this one: those in CGROUP at once, and of the others stop all
 * first, so that none forks while they are ended. They still have to be waited for. Not by group
 * id: another cell on this machine may hand out the same one.
 * Returns how many were found. */
uint32_t tree_kill(const struct supervisor *s, const struct job_cgroup *cgroup);

#endif

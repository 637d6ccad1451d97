#ifndef SHEPHERD_PLAN_H
#define SHEPHERD_PLAN_H

#include "common/basis.h"

/* What a shepherd runs for its task, as rows: which command, as whom, when, what its exit means,
 * and for how long it may run. Pure. */
enum plan_step {
    /* in this order */
    PLAN_TOKEN, /* of AFS, for the job's owner; again while the job runs */
    PLAN_PROLOG,
    PLAN_PE_START,
    PLAN_RESTART, /* in place of the job: from its last checkpoint */
    PLAN_JOB,
    PLAN_CLEAN, /* removes what checkpoints have left */
    PLAN_PE_STOP,
    PLAN_EPILOG,
    /* on request, while the job runs */
    PLAN_CHECKPOINT,
    PLAN_MIGRATE,
    PLAN_SUSPEND,
    PLAN_RESUME,
    PLAN_TERMINATE,
    PLAN_STEPS,
    PLAN_IN_ORDER = PLAN_CHECKPOINT /* so many rows are one after another */
};
enum plan_user {
    PLAN_AS_OWNER, /* of the job */
    PLAN_AS_OTHER  /* "user@command": the execd has written the ids of the user */
};
enum plan_when {
    PLAN_WHEN_WELL,      /* nothing has failed */
    PLAN_WHEN_WANTED,    /* likewise, and it is configured, which it hardly ever is */
    PLAN_WHEN_RESTARTED, /* likewise, and there is a checkpoint to restart from */
    PLAN_WHEN_NEW,       /* likewise, without a checkpoint */
    PLAN_WHEN_OVER,      /* the job has run, and is not to run again */
    PLAN_WHEN_BEGUN,     /* the prolog has run well, whatever failed afterwards */
    PLAN_WHEN_ASKED
};
/* An enum task_failure each, of one byte: a shepherd touches few pages. Exit status 0 is
 * TASK_FAILED_NOT */
struct plan_rules {
    uint8_t put_back;     /* 99 */
    uint8_t park;         /* 100 */
    uint8_t signalled;    /* ended by a signal, or stopped until its time was over */
    uint8_t shell_signal; /* 128 + signal: what it ran was */
    uint8_t other;        /* also when it could not be run */
};
struct plan_row {
    const char *command;   /* borrowed; NULL: not configured. The job's is in struct task_config */
    const char *program;   /* the same without "user@" */
    uint64_t timeout_s;    /* UINT64_MAX: none */
    char key[18];          /* its name in messages */
    uint8_t sig;           /* of a method that is the name of a signal; 0: it is a command */
    uint8_t user;          /* enum plan_user */
    uint8_t when;          /* enum plan_when */
    bool is_job;           /* the job's process, with its files, limits and cgroup */
    bool is_of_pe;         /* a procedure of the parallel environment has output files of its own */
    bool is_of_checkpoint; /* more variables stand for something in its command */
    struct plan_rules rules;
};
struct plan {
    struct plan_row rows[PLAN_STEPS];
    bool is_restart; /* from a checkpoint */
    bool
        is_clean_only; /* the job ran earlier: what it has saved is removed, and nothing else runs */
};
struct plan_source {                     /* what the configuration says */
    const char *commands[PLAN_STEPS];    /* NULL, empty and "none": nothing */
    bool forbids_put_back, forbids_park; /* exit 99 and 100 of a job mean nothing */
    bool is_restarted, is_clean_only;
    uint64_t timeout_s; /* script_timeout */
};
struct plan_progress {
    bool is_begun, has_run;
    unsigned failed; /* the first failure */
};

/* plan_is_command - does TEXT, which may be NULL, name something to run? Neither empty nor
 * "none" */
bool plan_is_command(const char *text);
/* plan_program - TEXT without a "user@" in front of it */
const char *plan_program(const char *text);
/* plan_key - the key of STEP in the configuration */
const char *plan_key(enum plan_step step);
/* plan_make - the rows; texts stay borrowed */
void plan_make(struct plan *p, const struct plan_source *source);
/* plan_applies - is STEP, one of those in order, to run now? */
bool plan_applies(const struct plan *p, enum plan_step step, const struct plan_progress *progress);
/* plan_judge - what WAIT_STATUS (wait(2)) of ROW's process means: an enum task_failure */
unsigned plan_judge(const struct plan_row *row, int wait_status);

#endif

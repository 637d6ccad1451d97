#ifndef QMASTER_TABLES_QMASTER_H
#define QMASTER_TABLES_QMASTER_H

#include "daemons/qmaster/tables/ars.h"
#include "daemons/qmaster/tables/file_cache.h"
#include "daemons/qmaster/tables/hosts.h"
#include "daemons/qmaster/tables/jobs.h"
#include "daemons/qmaster/tables/queues.h"
#include "daemons/qmaster/tables/settings.h"
#include "daemons/qmaster/tables/usage.h"
#include "libs/gdi/message.h"
#include "libs/resource/demand.h"
#include "libs/uti/time.h"
#include "libs/uti/tree.h"
#include "libs/uti/turns.h"

/* The one context of the qmaster: all state, owned by the core thread, and the doors to the other
 * threads. Seen by this room only. */
struct cell;
struct change;
struct committer;
struct comm_server;
struct conf_round;
struct events;
struct account_reader;
struct fetcher;
struct letters;
struct mailer;
struct mails;
struct inbox;
struct job_sessions;
struct plan_progress;
struct net;
struct quota_state;
struct recent;
struct schedd;
struct scripts;
struct connections;
struct spool;
struct spool_records;
struct work;

struct qmaster {
    const struct cell *cell;
    const char *host; /* this host's name */
    /* of a cell that an ordinary user runs: it takes that user's jobs alone; 0: everybody's */
    uid_t only_uid;
    char *runs_as;     /* the user who runs it; NULL: the name service knows no name */
    bool refuses_root; /* takes no jobs of root */
    struct inbox *inbox;
    struct net *net;
    struct spool *spool;
    struct spool_records *records; /* what its records are written and read with */
    bool keeps_newer;              /* runs on a spool that a newer release has written */
    struct committer *committer;
    struct fetcher *fetcher;
    struct mailer *mailer; /* NULL: mails are dropped */
    struct account_reader *account_reader;

    struct jobs jobs;
    struct queues queues;
    struct hosts hosts;
    struct ars ars;                  /* advance reservations */
    struct resource_names resources; /* the numbers of resources in supplies */
    struct usage usage;              /* of users in projects */
    struct settings settings; /* configurations, managers, operators, host lists, plain objects */

    /* what this turn and those before it have changed and not yet handed over */
    struct change *change;
    struct connections *connections;         /* connections: who is at the other end */
    struct events *events;                   /* the scheduler's stream */
    struct work *work;                       /* what waits for the core's time (work.h) */
    TAILQ_HEAD(, read) reads;                /* long answers under way */
    LIST_HEAD(, account_read) account_reads; /* the same, of the accounting file */
    uint64_t last_account_read;
    TAILQ_HEAD(, renewal) renewals;    /* of queue instances, under way */
    uint32_t last_renewal;             /* the number of the last one that has begun; 0: none yet */
    struct conf_round *conf_round;     /* a configuration on its way to all hosts; NULL: none is */
    struct job_sessions *job_sessions; /* what keeps the ends of tasks (sessions/job_sessions.h) */
    TAILQ_HEAD(, waiting_request) waiting; /* requests that go on later (steps.h) */
    struct range_set starts; /* jobs whose start is awaited, and which have changed (steps.h) */
    LIST_HEAD(, plan_progress) searches; /* for cycles, under way (depend_plan.c) */
    struct scripts *scripts;             /* long ones, on their way to the spool or out of it */
    struct recent *recent;               /* request ids of late submits */
    struct schedd *schedd;               /* the child process */
    struct file_cache file_cache;        /* environments and scripts that are in memory */
    uint64_t usual_shares[SHARE_LIMITS]; /* where the configuration names none */
    struct letters *letters;             /* how many mails users have caused (jobs/letter.h) */
    struct mails *mails;                 /* what was written of late (jobs/mail.h) */
    struct quota_state *quotas;          /* what tasks book of resource quotas (jobs/quotas.h) */
    struct growing_path task_path;       /* scratch (jobs/bookings.h), and */
    struct supply *place_path[3];        /* of jobs/ar_books.c */

    uint64_t started_s;
    uint64_t now_s; /* clocks, read once a turn */
    uint64_t now_us;
    /* a step that is not done by then continues in another slice; 0: not measured */
    uint64_t slice_until_us;
    struct turns turns;                /* what turns have cost */
    struct turn_reports *schedd_turns; /* as the scheduler has reported */
    struct heap_trim heap_trim;
    bool is_stopping;
    bool lacks_space; /* jobs are refused because the disk is full, as the log says */
};

/* How much a step of the core does (work.h): so many jobs, links or records of tasks, in so much
 * time. */
enum { STEP_WORK = 400 };
/* slice_is_over - asked by a step between two of its jobs: is its time over? Where nothing
 * measures, never. */
static inline bool slice_is_over(const struct qmaster *q)
{
    return q->slice_until_us != 0 && uti_mono_us() >= q->slice_until_us;
}

#endif

#ifndef SCHED_POLICY_CONF_H
#define SCHED_POLICY_CONF_H

#include "libs/config/sched_params.h"
#include "libs/sched/policy/policy.h"
#include "libs/sched/policy/tickets.h"

struct answer;

enum { RECORD_MIB_MOST = 1 << 20 }; /* of RECORD in params */

struct prior_weights {
    double ticket, urgency, priority, waiting_time, deadline;
};
/* What of sched_conf(5) scheduling reads; the other settings are kept by the qmaster and have no
 * effect yet. */
struct sched_conf {
    const struct sched_policy *policy;       /* algorithm */
    char plugin[SCHED_PLUGIN_NAME_MOST + 1]; /* the shared object that it names; "": none */
    /* weight_ticket, weight_urgency, weight_priority, weight_waiting_time, weight_deadline */
    struct prior_weights weights;
    struct ticket_conf tickets;   /* weight_tickets_functional, policy_hierarchy ... */
    uint32_t pending_tasks_most;  /* max_pending_tasks_per_job */
    bool reports_pending_tickets; /* report_pjob_tickets */
    uint32_t interval_s;          /* schedule_interval: the longest pause between two runs */
    uint32_t flush_submit_s;      /* flush_submit_sec: run so long after a submit; 0 = at once */
    uint32_t flush_finish_s;      /* flush_finish_sec: the same for an end */
    bool is_by_seq_no;            /* queue_sort_method seqno: the sequence number before the load */
    uint32_t load_decay_s;        /* load_adjustment_decay_time */
    uint64_t default_run_s; /* default_duration: of tasks that have no limit; TIME_FOREVER: none */
    uint32_t reservations_most; /* max_reservation: so many tasks get reservations; 0: none */
    uint32_t tasks_of_user;     /* maxujobs: the most that run of each owner; 0 = any number */
    struct sched_params {
        bool is_monitored;    /* MONITOR: the file "schedule" is written */
        uint32_t record_mib;  /* RECORD: of the record that is written; 0: none */
        uint32_t frames_most; /* DEPTH_FIRST_FRAMES: of a pipeline at a time; 0: any number */
    } params;
};
/* sched_policy_find - the scheduler that `algorithm` calls NAME, NULL if it is unknown */
const struct sched_policy *sched_policy_find(const char *name);

/* sched_conf_default - the settings of a new cell */
struct sched_conf sched_conf_default(void);

/* sched_conf_read - replace in CONF what RECORD sets
 * A value that makes no sense is passed over with a warning in ans; the old one stays. */
void sched_conf_read(struct sched_conf *conf, const struct CONF_Type *record, struct answer *ans);

#endif

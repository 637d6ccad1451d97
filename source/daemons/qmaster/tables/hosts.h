#ifndef QMASTER_TABLES_HOSTS_H
#define QMASTER_TABLES_HOSTS_H

#include "common/basis.h"
#include "daemons/qmaster/tables/jobs.h"
#include "daemons/qmaster/tables/walk.h"
#include "libs/gdi/turn_report.h"
#include "libs/resource/supply.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

/* Who says what of the cell: load values of the host "global" (config/load.h). Each host has
 * what it says; what those say who may speak is found by name, too, and of several reports the last
 * one counts. */
struct cell_value; /* a name, and who says something of it */
struct cell_values {
    struct cell_value *by_name;
};

struct cell_report {
    char *name, *value;
    struct cell_value *of; /* NULL: it does not count */
    TAILQ_ENTRY(cell_report) in_value;
    LIST_ENTRY(cell_report) in_host;
};
/* what a host says; all zero: nothing */
struct cell_reports {
    LIST_HEAD(, cell_report) all;
    uint32_t n;
    size_t bytes;
};

/* cell_report_find - what SAYINGS has of NAME; NULL: nothing. O(reports)
 * cell_report_put - VALUE of NAME from now on; it does not count yet. O(1) beside cell_report_find
 * cell_report_drop - S is not reported any more
 * cell_reports_clear - nothing is reported any more */
struct cell_report *cell_report_find(const struct cell_reports *reports, const char *name);
struct cell_report *cell_report_put(struct cell_values *values, struct cell_reports *reports,
                                    const char *name, const char *value);
void cell_report_drop(struct cell_values *values, struct cell_reports *reports,
                      struct cell_report *s);
void cell_reports_clear(struct cell_values *values, struct cell_reports *reports);
/* cell_report_bytes - what a report of this counts of its host's share */
size_t cell_report_bytes(const char *name, const char *value);
/* cell_report_count - S counts from now on, as the last word on its name, or no longer. O(1) */
void cell_report_count(struct cell_values *values, struct cell_report *s, bool is_on);
/* cell_value_now - the value of NAME that counts; NULL: none does. Borrowed. O(1) */
const char *cell_value_now(const struct cell_values *values, const char *name);

/* Execution hosts: what they are, whether their execd is here, and what is on its way to them. The
 * core's alone. */
/* a job whose environment and script this host's execd has got since it registered */
struct sent_job {
    uint32_t number;
    bool is_outdated; /* it was altered since: the next start brings it anew */
    bool has_script;  /* with its script, which a host of slaves alone does not need */
    struct host *host;
    LIST_ENTRY(sent_job) in_job; /* of the job: its end looks at these hosts only */
    UT_hash_handle hh;
};
/* starts that failed, one after the other, on a host (jobs/start_failures.h) */
struct failure_row {
    uint32_t n;
    uint64_t since_s;
    char
        *owner; /* owned: of all their jobs, which may be to blame; NULL: of several, or the host */
};
/* slots that were taken in a second (config/load.h) */
struct fresh_slots {
    uint64_t at_s, slots;
    TAILQ_ENTRY(fresh_slots) in_host;
};
struct host {
    struct EH_Type rec;
    struct supply supply;   /* what its tasks book of it; jobs/bookings.c alone changes it */
    uint64_t offers_round;  /* of the complex (settings.h), as the offers were read; 0: not yet */
    uint64_t conn;          /* of its execd; 0 = none */
    struct task_list tasks; /* transferring or running there */
    LIST_HEAD(, slave_host) slaves;   /* of tasks that run on other hosts */
    const struct task *joined_last;   /* the one that was the last to come into that list */
    LIST_HEAD(, qinstance) instances; /* the queues' on it */
    struct sent_job *sent;
    struct XM_Type starts;  /* collected in this turn: EXEC_START */
    size_t starts_bytes;    /* of the jobs in it */
    struct XM_Type signals; /* EXEC_SIGNAL: one signal, many tasks */
    struct XM_Type acks;    /* EXEC_END_ACK */
    struct XM_Type forgets; /* EXEC_FORGET_JOB */
    /* monotonic: when its execd last sent something, or, without a connection, when it went */
    uint64_t seen_us;
    bool is_leaving;  /* its execd ends soon: no more tasks */
    bool is_here;     /* in `here`, else in `away` */
    bool is_given_up; /* away for reschedule_unknown: what may run elsewhere was put back */
    bool is_lost; /* away for so long that tasks which have ended do not wait for slaves there */
    TAILQ_ENTRY(host) in_seen;
    bool has_mail; /* it is in the list of those with something to be said in this turn */
    TAILQ_ENTRY(host) in_mail;
    uint64_t changed;
    size_t load_bytes;       /* of the names and values in EH_load_list */
    double load, load_step;  /* as load_formula and job_load_adjustments see it */
    uint64_t load_settled_s; /* when its load was last looked at (config/load.h) */
    bool is_unsettled;       /* it has reported since: it is in the list of those */
    TAILQ_ENTRY(host) in_unsettled;
    bool has_other_load; /* it has reported values that were not sent to the scheduler */
    uint64_t load_us;    /* monotonic: when values of its load changed last */
    bool is_load_cut;    /* this execd reported more than it may; the log says so */
    /* what its execd says of the cell (config/load.h) */
    struct cell_reports reports;
    bool speaks_for_cell; /* that counts */
    struct failure_row failures;
    char *shut_for; /* owned: whose jobs closed it, or put a queue there into error; NULL: none's */
    bool is_shut;   /* in `shut`: it is closed for a time, or has `shut_for` */
    LIST_ENTRY(host) in_shut;
    bool is_cell_refused;       /* it does not; the log says so */
    struct turn_reports *turns; /* of its execd's threads; NULL: it has reported none */
    /* its queue instances with a subordinate_list, and of them those that are slot-wise */
    uint32_t n_superiors, n_slotwise;
    /* slots that were taken lately, the oldest first, and their sum; in `fresh` while there are */
    TAILQ_HEAD(fresh_slots_list, fresh_slots) starts_lately;
    uint64_t n_fresh;
    LIST_ENTRY(host) in_fresh;
    uint32_t n_watching; /* its queue instances with `watches_left` */
    bool is_unbalanced;  /* in the list of those whose queues are to be compared */
    bool is_crowded;     /* in the list of those whose tasks are to be counted */
    TAILQ_ENTRY(host) in_unbalanced, in_crowded;
    uint64_t reported_s; /* when its last line of the reporting file was made */
    UT_hash_handle hh;   /* by EH_name */
};
TAILQ_HEAD(host_list, host);
struct hosts {
    struct host *all;
    struct supply cell; /* the same of the cell, whose offers are those of the host "global" */
    uint64_t cell_offers_round;
    /* with an execd and without, least recently seen first (reports/presence.h) */
    struct host_list here, away;
    uint64_t looked_us; /* monotonic: at who is silent or away */
    struct host_list with_mail, unsettled;
    struct host_list unbalanced, crowded; /* subordinate queues (config/subordinates.h) */
    uint32_t n_slotwise, n_watching;      /* queue instances of all hosts, as of struct host */
    bool is_cell_other;    /* the load of the cell, or what is left there, is another one */
    struct walk cell_walk; /* over all hosts, whose queue instances are looked at for that */
    LIST_HEAD(, host) shut, fresh;
    struct cell_values cell_values;
    uint64_t load_us; /* the latest of those of all hosts */
    struct walks walks;
    uint64_t removed;
};
/* hosts_init - no hosts; end with hosts_clear, which frees all of them */
void hosts_init(struct hosts *hosts);
void hosts_clear(struct hosts *hosts);
/* hosts_find - NULL without one. hosts_add - the same, made if it is not there. O(1) */
struct host *hosts_find(struct hosts *hosts, const char *name);
struct host *hosts_add(struct hosts *hosts, const char *name);
/* hosts_put - host NAME, made if it is not there, gets the fields present in REC; but for its name,
 * which is the table's key */
struct host *hosts_put(struct hosts *hosts, const char *name, const struct EH_Type *rec);
/* host_note_seen - H, whose execd is here if IS_HERE, sent something or left at NOW_US. O(1) */
void host_note_seen(struct hosts *hosts, struct host *h, bool is_here, uint64_t now_us);
/* host_mark_sent - the entry of JOB if H does not have it, with environment and, WITH_SCRIPT, its
 * script, as it is now; it counts as sent from now on. NULL if H has it
 * host_unmark_sent - S does not count as sent any more
 * host_forget_sent - nothing does: the execd of H is new and has nothing */
struct sent_job *host_mark_sent(struct host *h, struct job *job, bool with_script);
void host_unmark_sent(struct sent_job *s);
void host_forget_sent(struct host *h);
/* host_forget_unsettled - H is not in the list of those whose load waits to be looked at */
void host_forget_unsettled(struct hosts *hosts, struct host *h);
/* host_note_unbalanced - slots or settings of queue instances on H are others: those that suspend
 * and those that are suspended are to be looked at. O(1)
 * host_note_crowded - the same of the tasks on H where slots are counted over several queues
 * host_forget_unbalanced, host_forget_crowded - that was done */
void host_note_unbalanced(struct hosts *hosts, struct host *h);
void host_note_crowded(struct hosts *hosts, struct host *h);
void host_forget_unbalanced(struct hosts *hosts, struct host *h);
void host_forget_crowded(struct hosts *hosts, struct host *h);
/* host_note_start - SLOTS were taken on H at AT_S, and count for its load for a while
 * host_forget_starts - those before BEFORE_S count no longer */
void host_note_start(struct hosts *hosts, struct host *h, uint64_t at_s, uint64_t slots);
void host_forget_starts(struct host *h, uint64_t before_s);
/* host_is_closed - do no tasks start there for a time, since starts failed in a row?
 * host_note_shut - H has been closed, or has `shut_for`, or neither any more */
bool host_is_closed(const struct host *h);
void host_note_shut(struct hosts *hosts, struct host *h);
/* hosts_remove - free H, which has neither tasks nor a connection */
void hosts_remove(struct hosts *hosts, struct host *h);

/* How the cell spells the names of hosts. What is stored, and looked up by its text, is spelled in
 * one way: as host_name_unique has it. A cell that was made when names were stored as they had been
 * written keeps those that it knows. */
struct settings;

/* host_name_known - how the cell spells the host SAID: that text if a host, admin host or submit
 * host is called exactly so, else the unique name. Returns SAID or OUT, which has HOST_NAME_BYTES.
 * O(1) */
const char *host_name_known(struct hosts *hosts, struct settings *settings, const char *said,
                            char *out);

#endif

#ifndef QMASTER_JOBS_START_FAILURES_H
#define QMASTER_JOBS_START_FAILURES_H

#include "daemons/qmaster/tables/qmaster.h"

/* Hosts on which starts fail. A host that cannot start tasks has free slots all the time, and would
 * draw every pending task; so it is closed for a time when START_FAILURES of them failed there in a
 * row, and for twice as long when the next one fails, too. A closed host has its queue instances in
 * state E and says why; the time is in its record, and survives a restart.
 *
 * What the host or the job may be to blame for (task_failure_blame) must not let one user close a
 * cell: the jobs of one owner close OWNER_SHUTS_MOST hosts at a time, and never the last that is
 * open. Source: sge_conf(5) START_FAILURES. */
enum { OWNER_SHUTS_MOST = 2 };

/* start_failures_ended - a start of T on its host has ended with FAILED (enum task_failure) and WHY
 * (optional), neither deleted nor put back by people. O(hosts that are closed), and O(instances)
 * when a host is to be closed because of one owner */
void start_failures_ended(struct qmaster *q, const struct task *t, uint32_t failed,
                          const char *why);
/* start_failures_runs - T runs, or has run: if it started after the first that failed, that was no
 * row */
void start_failures_runs(struct qmaster *q, const struct task *t);
/* start_failures_blame_host - the owner of T is not known on its host: is that the host's fault?
 * False if queues of OWNER_SHUTS_MOST other hosts are in error for the same reason already: then it
 * is the job's */
bool start_failures_blame_host(struct qmaster *q, const struct task *t);
/* start_failures_open - H is open, and nothing has failed there (qmod -cq) */
void start_failures_open(struct qmaster *q, struct host *h);
/* start_failures_step - the hosts whose time has come are open again; once a second. O(hosts that
 * are closed) */
void start_failures_step(struct qmaster *q);

#endif

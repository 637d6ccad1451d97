#ifndef QMASTER_HOSTS_NOTIFICATIONS_H
#define QMASTER_HOSTS_NOTIFICATIONS_H

#include "daemons/qmaster/tables/qmaster.h"

/* What goes to the execds: collected in a turn, and sent as few messages once the batch of the turn
 * is durable. After a reconnect any of it may go out again. */

/* exec_start - send T (its record is filled) to its host, if its slaves are ready
 * exec_start_slave - announce its task to the host of SLAVE (tight.h). O(entries of its allocation)
 * exec_start_slaves - announce T to all its slaves that are not ready, in slices, if it takes long,
 * in turns of the owner of the job */
void exec_start(struct qmaster *q, struct task *t);
void exec_start_slave(struct qmaster *q, struct slave_host *slave);
void exec_start_slaves(struct qmaster *q, const struct task *t);
/* exec_signal - send SIG to the present start of T, if its host is connected; and to its slaves
 * what that means to them
 * exec_signal_slave - that to one of them */
void exec_signal(struct qmaster *q, const struct task *t, int sig);
void exec_signal_slave(struct qmaster *q, const struct slave_host *slave, int sig);
/* exec_flush_signals - send H those collected so far, before any new starts;
 * otherwise the starts of a turn go first */
void exec_flush_signals(struct qmaster *q, struct host *h);
/* exec_ack - acknowledge END, the report of an end, to H: it is durable by the time H reads that
 * exec_end_unknown - end a start that H reports and the qmaster does not know */
void exec_ack(struct qmaster *q, struct host *h, const struct JR_Type *end);
void exec_end_unknown(struct qmaster *q, struct host *h, const struct JR_Type *report);
/* exec_job_changed - hosts that have JOB get it again with their next start of it
 * exec_forget_job - no more starts of it
 * exec_job_files_arrived - send the starts that waited for its environment and script */
void exec_job_changed(struct job *job);
void exec_forget_job(struct qmaster *q, struct job *job);
void exec_job_files_arrived(struct qmaster *q, struct job *job);
/* exec_send_conf - send its configuration to H, at once; after a change: conf_changed */
void exec_send_conf(struct qmaster *q, struct host *h);
/* exec_shutdown - the execd of H ends: with SIG 0 jobs run on, with 9 they end too */
void exec_shutdown(struct qmaster *q, struct host *h, int sig);
/* exec_disconnect - H is about to go: its execd's connection ends, and nothing points to H any more
 * exec_discard - the connection of H has gone: what was collected for it is dropped */
void exec_disconnect(struct qmaster *q, struct host *h);
void exec_discard(struct qmaster *q, struct host *h);
/* exec_flush - send all that was collected */
void exec_flush(struct qmaster *q);

/* Configurations go to the execds: to one that registers (exec_send_conf), and to all that a change
 * concerns. That may be 10,000: they are notified in slices, in turns of who made the change. */
struct conf_round;

/* conf_changed - the configuration NAME is new, has changed or has gone: its host is notified, or,
 * of the global one, all hosts that are connected. The first slice is done at once.
 * O(hosts concerned) */
void conf_changed(struct qmaster *q, uint64_t user, const char *name);

#endif

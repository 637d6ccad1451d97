#ifndef QMASTER_JOBS_SLAVES_H
#define QMASTER_JOBS_SLAVES_H

#include "daemons/qmaster/tables/qmaster.h"

/* Slaves: the hosts of a task with petasks (tables/tight.h) besides its own. All of them are ready
 * before the task is sent, so that it finds them at once; and when it has ended, all of them end
 * before its end has any effect: its record, its slots, another start. Its end as its host reported
 * it is in its record meanwhile (JAT_end). Their reports: reports/slave_reports.c.
 *
 * Over a restart nothing else is stored: a host that registers reports the slaves that it has. */

/* slaves_start - T, which was ordered to start, goes to its slaves, and then, or if it has none at
 * once, to its host */
void slaves_start(struct qmaster *q, struct task *t);
/* slaves_restore - after a restart: T, which has its slots, waits for its slaves if it has ended */
void slaves_restore(struct qmaster *q, struct task *t);
/* slave_is_ready - SLAVE has reported that; true if T waited for it alone, and is to be sent
 * slave_announce - SLAVE, which its host does not have, is announced again */
bool slave_is_ready(struct slave_host *slave);
void slave_announce(struct qmaster *q, struct slave_host *slave);
/* slave_ended - SLAVE has ended, or is lost, with all its petasks; true if its task has ended, too,
 * and waited for it alone: call task_finish */
bool slave_ended(struct qmaster *q, struct slave_host *slave);
/* slaves_keep_end - has T, which ends as REPORT says, slaves that have to end first? Then it keeps
 * the report, and they are sent to end; also if T has ended before */
bool slaves_keep_end(struct qmaster *q, struct task *t, const struct JR_Type *report);
/* slaves_forget - T does not wait for its slaves any more, whatever becomes of them */
void slaves_forget(struct qmaster *q, struct task *t);

#endif

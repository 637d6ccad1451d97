#ifndef QMASTER_JOBS_SUCCESSORS_H
#define QMASTER_JOBS_SUCCESSORS_H

#include "daemons/qmaster/change/links.h"

/* A job in the lists of the jobs that it waits for, and they in its own. */

/* successor_add, successor_remove - JOB comes into, leaves the successor list (IS_AD: of
 * -hold_jid_ad) of the job that PREDECESSOR means, if that is still there */
void successor_add(struct qmaster *q, const struct JRE_Type *predecessor,
                   const struct JRE_Type *job, bool is_ad);
void successor_remove(struct qmaster *q, const struct JRE_Type *predecessor,
                      const struct JRE_Type *job, bool is_ad);
/* predecessor_forget - JOB waits no longer for PREDECESSOR, which has gone; the scheduler is
 * notified of it when -hold_jid was all that held tasks of it */
void predecessor_forget(struct qmaster *q, struct job *job, const struct JRE_Type *predecessor,
                        bool is_ad);

#endif

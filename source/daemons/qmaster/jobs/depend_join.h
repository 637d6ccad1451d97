#ifndef QMASTER_JOBS_DEPEND_JOIN_H
#define QMASTER_JOBS_DEPEND_JOIN_H

#include "daemons/qmaster/tables/qmaster.h"

/* depend_join - JOB waits for the jobs in NEXT, and no longer for those in its list, which NEXT
 * becomes
 * Old and new predecessors change their lists of successors: at once if they are few, else in
 * steps. Meanwhile JOB does not start before NEXT already. Array holds are the caller's.
 *   next   moved; empty afterwards
 *   is_ad  the lists of -hold_jid_ad; else those of -hold_jid */
void depend_join(struct qmaster *q, struct job *job, struct JRE_Type_list *next, bool is_ad);

#endif

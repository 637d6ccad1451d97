#ifndef CLIENTS_QMON_JOB_ACTS_H
#define CLIENTS_QMON_JOB_ACTS_H

#include "libs/gdi/message.h"

/* What can be done to jobs, as requests. No window. */
enum job_act {
    ACT_HOLD,    /* a user hold */
    ACT_RELEASE, /* no user hold any more */
    ACT_SUSPEND,
    ACT_RESUME,
    ACT_RESCHEDULE,
    ACT_CLEAR,
    ACT_DELETE,
    JOB_ACTS
};
enum { ACT_JOBS_MOST = 10000 }; /* in one request, as the qmaster has it */

/* job_get_request - read FIELDS (ended by NULL; NULL: all) of JOBS (numbers), into OUT, which is
 * empty */
void job_get_request(const struct range_set *jobs, const char *const *fields, struct GR_Type *out);
/* job_act_request - ACT on all tasks of JOBS (numbers), into OUT, which is empty
 * job_priority_request - they get PRIORITY, as qalter -p has it */
void job_act_request(enum job_act act, const struct range_set *jobs, struct GR_Type *out);
void job_priority_request(const struct range_set *jobs, int32_t priority, struct GR_Type *out);

#endif

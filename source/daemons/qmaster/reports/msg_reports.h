#ifndef QMASTER_REPORTS_MSG_REPORTS_H
#define QMASTER_REPORTS_MSG_REPORTS_H

#include <inttypes.h>

#include "common/basis.h"

/* Texts of what hosts and the scheduler say: answers are interface (scripts match them), log lines
 * are for administrators. */

/* orders refused */
#define MSG_ORDER_KIND             "unknown kind of order"
#define MSG_ORDER_NO_JOB           "the job is gone"
#define MSG_ORDER_NO_QUEUE         "the queue instance is gone"
#define MSG_ORDER_QUEUE_CLOSED     "the queue instance does not accept tasks now"
#define MSG_ORDER_TOO_EARLY        "the job's start time has not come"
#define MSG_ORDER_GROUPS_OPEN      "the groups of the job's owner are not known yet"
#define MSG_ORDER_NO_ACCESS        "the job's owner or project may not use this queue"
#define MSG_ORDER_QUEUE_NOT_ASKED  "the job does not request this queue"
#define MSG_ORDER_QUEUE_TWICE      "an order that names a queue instance twice"
#define MSG_ORDER_NO_SLOTS         "an order for no slots"
#define MSG_ORDER_ONE_SLOT         "a task of this job takes one slot"
#define MSG_ORDER_NO_PE            "a task of this job runs in a parallel environment"
#define MSG_ORDER_PE_GONE          "the parallel environment is gone"
#define MSG_ORDER_PE_NOT_ASKED     "the job does not request this parallel environment"
#define MSG_ORDER_PE_SLOTS         "the job does not request this number of slots"
#define MSG_ORDER_PE_NOT_OFFERED   "the queue instance does not offer the parallel environment"
#define MSG_ORDER_CKPT_NOT_OFFERED "the queue instance does not offer the checkpointing environment"
#define MSG_ORDER_PE_RULE          "the allocation rule of the parallel environment forbids it"
#define MSG_ORDER_PE_TAKEN         "the parallel environment does not have as many free slots"
#define MSG_ORDER_MASTER           "the job does not request this queue for its master"
#define MSG_ORDER_TOO_LONG         "an order for more than " SGE_TEXT(ORDER_TASKS_MOST) " tasks"
#define MSG_ORDER_NOT_STARTABLE    "the task is not pending or is held"
#define MSG_ORDER_CONCURRENCY      "the limit of concurrent tasks (-tc) is reached"
#define MSG_ORDER_MAXUJOBS         "the owner has as many tasks as he may have (maxujobs)"
#define MSG_ORDER_NO_RESOURCE                                                                      \
    "a requested resource does not exist, or a forced resource is not requested"
#define MSG_ORDER_RESOURCE_TAKEN "not as much of a resource is left"
#define MSG_ORDER_QUOTA          "a resource quota is used up, or is being counted"
#define MSG_ORDER_SLOTS_TAKEN    "the queue instance has no free slot"

/* log */
#define MSG_EXEC_NO_HOST_S     "an execd registered from \"%s\", which is not an execution host"
#define MSG_EXEC_TWO_HOSTS_S   "an execd registered as \"%s\" on a connection of another host"
#define MSG_EXEC_NOT_ITSELF_SS "host %s tried to register as \"%s\": refused"
#define MSG_EXEC_FOREIGN_SUUS  "host %s reported task %u.%u, which runs on host %s: ignored"
#define MSG_EXEC_REGISTERED_SU "execd of %s registered with %u tasks"
#define MSG_EXEC_LOST_S        "lost the execd of %s"
#define MSG_EXEC_SILENT_SU     "lost the execd of %s: no report for %" PRIu64 " seconds (max_unheard)"
#define MSG_SLAVE_FAILED_UUSUS                                                                     \
    "task %u.%u has lost its slave on host %s (failed %u): %s - its job ends, or starts again"
#define MSG_SLAVE_LATE_UUSSU "task %u.%u: its slave on host %s is not %s after %u seconds"
#define MSG_EXEC_SLAVES_GIVEN_UP_SU                                                                \
    "host %s: %u parallel tasks that have slots there and run on other hosts are rescheduled"
#define MSG_EXEC_GIVEN_UP_SUUU                                                                     \
    "host %s has been away for %" PRIu64 " seconds (reschedule_unknown): %u of its tasks start "   \
    "again elsewhere, %u are not rerunnable and wait for the host"

#define MSG_ORDER_RESERVED "the place is reserved in advance, or not what the job has reserved"

#endif

#ifndef SCHED_MSG_SCHED_H
#define SCHED_MSG_SCHED_H

/* The texts of this room. */
#define MSG_SCHED_EVENT_S "event \"%s\" is not for the scheduler"

/* replays of records */
#define MSG_RECORD_NONE    "this is no record of a scheduler"
#define MSG_RECORD_VERSION "the record is of a version with other tables; replay it with that one"
#define MSG_RECORD_MALFORMED_UU                                                                    \
    "the record is damaged behind event %llu and decision %llu; what is before is as recorded"
#define MSG_RECORD_OTHER_UUU                                                                       \
    "decision %llu, at %llu, is another one than was recorded, from its order %u on"

/* `scheduling info:` */
#define MSG_WHY_HELD    "job dropped because of hold state or job dependencies"
#define MSG_WHY_HELD_SS "qstat -j %s -why shows what %s waits for"
#define MSG_WHY_SET_ASIDE                                                                          \
    "job is set aside: the scheduler hung or crashed when it looked at this job; change the job "  \
    "with qalter, or try again with qrls"
#define MSG_WHY_ERROR_UU  "%u of its tasks are in error state; clear with: qmod -cj %u"
#define MSG_WHY_DELAYED_U "%u of its tasks were rescheduled and cannot start yet"
#define MSG_WHY_TC_US     "job dropped because it has reached its limit of %u concurrent tasks (%s)"
#define MSG_WHY_MAXUJOBS_SUU                                                                       \
    "job dropped because of user limitations: %s has %u tasks running; maxujobs allows %u"
#define MSG_WHY_COSTLY_S                                                                           \
    "jobs of other users are considered first: the requests of %s have used the most scheduling "  \
    "time"
#define MSG_WHY_START_TIME "job dropped because its start time (-a) has not come"
#define MSG_WHY_QUEUE_REQUEST_S                                                                    \
    "cannot run in queue instance \"%s\" because it is not contained in its hard queue list (-q)"
#define MSG_WHY_QUEUE_USER_S "has no permission for queue \"%s\" (user_lists, xuser_lists)"
#define MSG_WHY_QUEUE_NO_PROJECT_S                                                                 \
    "queue \"%s\" accepts only jobs of certain projects, and the job has none (-P)"
#define MSG_WHY_QUEUE_PROJECT_SS                                                                   \
    "project \"%s\" has no permission for queue \"%s\" (projects, xprojects)"
#define MSG_WHY_QUEUE_PE_SS                                                                        \
    "cannot run in queue instance \"%s\" because PE \"%s\" is not in pe list"
#define MSG_WHY_QUEUE_CKPT_S                                                                       \
    "cannot run in queue instance \"%s\" because it is not of type checkpointing"
#define MSG_WHY_PE_ACCESS_S                                                                        \
    "cannot run in PE \"%s\" because its user_lists or xuser_lists exclude the job's owner"
#define MSG_WHY_PE_SLOTS_SU "cannot run in PE \"%s\" because it only offers %u slots"
#define MSG_WHY_PE_MULTIPLE_SUU                                                                    \
    "cannot run in PE \"%s\" because it offers %u slots, and only in multiples of %u"
#define MSG_WHY_PE_NO_MASTER_S                                                                     \
    "cannot run in PE \"%s\" because no queue for its master (-masterq) has enough slots"
#define MSG_WHY_QUEUE_FULL_S       "queue instance \"%s\" dropped because it is full"
#define MSG_WHY_QUEUE_DISABLED_S   "queue instance \"%s\" dropped because it is disabled"
#define MSG_WHY_QUEUE_SUSPENDED_S  "queue instance \"%s\" dropped because it is suspended"
#define MSG_WHY_QUEUE_ERROR_S      "queue instance \"%s\" dropped because it is in error state"
#define MSG_WHY_QUEUE_OVERLOADED_S "queue instance \"%s\" dropped because it is overloaded: "
#define MSG_WHY_QUEUE_UNAVAILABLE_S                                                                \
    "queue instance \"%s\" dropped because it is temporarily not available"
#define MSG_WHY_QUEUE_BATCH_S "queue instance \"%s\" dropped because it is not a batch queue"
#define MSG_WHY_QUEUE_INTERACTIVE_S                                                                \
    "queue instance \"%s\" dropped because it is not an interactive queue (-now y)"
#define MSG_WHY_LACKS_UNKNOWN_SSSS                                                                 \
    "(-l %s=%s) cannot run in queue \"%s\" because job requests unknown resource (%s)"
#define MSG_WHY_LACKS_FORCED_SS                                                                    \
    "cannot run in queue \"%s\" because job does not request 'forced' resource \"%s\""
/* (-l %s), where, "hc:mem=1.000G" */
#define MSG_WHY_LACKS_IN_QUEUE_S "cannot run in queue \"%s\" because it offers only "
#define MSG_WHY_LACKS_AT_HOST_S  "cannot run at host \"%s\" because it offers only "
#define MSG_WHY_LACKS_IN_CELL    "cannot run globally because it offers only "
/* the values that a rule in braces expands to, and the rule */
#define MSG_WHY_QUOTA_SS      "cannot run because it exceeds limit \"%s\" in rule \"%s\""
#define MSG_WHY_QUEUES_MORE_U "%u more queue instances dropped"
#define MSG_WHY_RESERVED_SSS  "task %s is expected to start at %s; reserved: %s"
#define MSG_WHY_HELD_BACK_U                                                                        \
    "cannot start where it would delay one of the %u tasks for which resources are reserved"
#define MSG_WHY_ALL_QUEUES "All queues dropped because of overload or full"

/* `-why`: one task */
#define MSG_WHY_RUNS_S          "running in queue instance \"%s\""
#define MSG_WHY_SENT_S          "being started in queue instance \"%s\""
#define MSG_WHY_SUSPENDED_S     "suspended in queue instance \"%s\""
#define MSG_WHY_DELETED_S       "deleted; ending in queue instance \"%s\""
#define MSG_WHY_IN_ERROR_SS     "in error state; clear with qmod -cj %s: %s"
#define MSG_WHY_USER_HOLD_S     "user hold; release with qrls %s"
#define MSG_WHY_OPERATOR_HOLD_S "operator hold; release with qrls -h o %s"
#define MSG_WHY_SYSTEM_HOLD_S   "system hold; release with qrls -h s %s"
#define MSG_WHY_PUT_BACK        "rescheduled; earliest start: "
#define MSG_WHY_STARTS_AT       "start time (-a) not reached: "
#define MSG_WHY_NO_SCHEDULER    "no scheduler is connected; see the messages file of the qmaster"
#define MSG_WHY_NOTHING         "no reason found: it can start"

#endif

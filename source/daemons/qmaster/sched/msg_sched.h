#ifndef QMASTER_SCHED_MSG_SCHED_H
#define QMASTER_SCHED_MSG_SCHED_H

/* Texts of the scheduler's stream and its keeper: answers are interface (scripts match them), log
 * lines are for administrators. */

/* answers */
#define MSG_EVENTS_OF_ALL_S "denied: \"%s\" must be operator to receive events of all users' jobs"
#define MSG_EVENT_CLIENTS_U                                                                        \
    "there are %u event clients already: no more are accepted (MAX_DYN_EC in qmaster_params)"
#define MSG_EVENT_CLIENTS_OF_USER_SU                                                               \
    "user \"%s\" has %u event clients already: no more are accepted"

/* log */
#define MSG_SCHEDD_START_SS "cannot start %s: %s"
#define MSG_SCHEDD_SILENT_U                                                                        \
    "the scheduler has not acknowledged an event for %u seconds: starting another"
#define MSG_SCHEDD_SHOWS_NOTHING_S                                                                 \
    "no memory to share with the scheduler: %s; should it hang, no job is set aside"
#define MSG_JOB_SET_ASIDE_U                                                                        \
    "job %u is set aside: the scheduler hung or crashed when it looked at this job; the "          \
    "job stays pending until qalter or qrls changes it"
#define MSG_SCHEDD_BEHIND_Z "the scheduler is %zu bytes of events behind: it starts anew"
#define MSG_SCHEDD_ENDED_D  "the scheduler ended (wait status %d); starting it again"
#define MSG_THREAD_S        "cannot start the %s thread"

#endif

#ifndef QMASTER_SCHED_MSG_SCHED_H
#define QMASTER_SCHED_MSG_SCHED_H

/* Texts of the scheduler's stream and its keeper: answers are interface (scripts match them), log lines are for administrators. */

/* log */
#define MSG_SCHEDD_START_SS "cannot start %s: %s"
#define MSG_SCHEDD_SILENT_U                                                                        \
    "the scheduler has not acknowledged an event for %u seconds: starting another"
#define MSG_SCHEDD_BEHIND_Z "the scheduler is %zu bytes of events behind: it starts anew"
#define MSG_SCHEDD_ENDED_D  "the scheduler ended (wait status %d); starting it again"
#define MSG_THREAD_S        "cannot start the %s thread"

#endif

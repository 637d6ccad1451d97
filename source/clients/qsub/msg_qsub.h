#ifndef CLIENTS_QSUB_MSG_QSUB_H
#define CLIENTS_QSUB_MSG_QSUB_H

/* What qsub says; scripts match it. */
#define MSG_UNABLE            "Unable to run job: "
#define MSG_EXITING           "Exiting.\n"
#define MSG_AT_ONCE_WAITING   "Waiting for immediate job to be scheduled.\n"
#define MSG_AT_ONCE_STARTED_U "\nYour immediate job %u has been successfully scheduled.\n"
#define MSG_AT_ONCE_NOT       "\nYour qsub request could not be scheduled; try again later.\n"
#define MSG_EXITED_SI         "Job %s exited with exit code %u."
#define MSG_SIGNALLED_SS      "Job %s exited because of signal SIG%s"
#define MSG_SIGNALLED_SU      "Job %s exited because of signal %u"
#define MSG_IN_ERROR_SS       "Job %s is in error: %s"
#define MSG_WHY_UNKNOWN       "the reason is not known"
#define MSG_NEVER_RAN_S       "Unable to run job %s"
#define MSG_NEVER_RAN_U       "Unable to run job %u"
#define MSG_ENDS_UNKNOWN_U                                                                         \
    "the ends of tasks of job %u are no longer available: they were not requested in time"

#endif

#ifndef SCHEDD_MSG_SCHEDD_H
#define SCHEDD_MSG_SCHEDD_H

#define MSG_SCHEDD_STARTING     "starting up " SGE_VERSION_LINE
#define MSG_SCHEDD_STOPPING     "shutting down"
#define MSG_SCHEDD_SUBSCRIBED_S "algorithm %s: subscribed anew to what it needs"
#define MSG_SCHEDD_SYNCED       "registered: the state of the cell is complete"
#define MSG_SCHEDD_NO_QMASTER   "sge_schedd runs only as a child of sge_qmaster, which starts it"
#define MSG_SCHEDD_LOST_S       "connection to the qmaster lost: %s"
#define MSG_OUTPUT_WRITE_SS     "cannot write to %s: %s"
#define MSG_OUTPUT_LATE_SUS     "%s: more than %u MiB wait for the disk, %s"
#define MSG_SCHEDULE_LATE       "intervals are left out until they are written"
#define MSG_SCHEDULE_CUT_SU     "%s: intervals have more than %u lines, running tasks are left out"
#define MSG_RECORD_BEGINS_S     "recording what is decided into %s"
#define MSG_RECORD_LATE         "the record ends"
#define MSG_RECORD_FULL_SU                                                                         \
    "the record %s ends: with what follows it would have more than %u MiB (RECORD of params, "     \
    "sched_conf(5))"
#define MSG_REPLAY_READ   "cannot be read"
#define MSG_REPLAY_JOB_U  "job %u is not there at the end of the record"
#define MSG_REPLAY_HOST_S "host %s has no queue instance at the end of the record"
#define MSG_SCHEDD_REFUSED_UUUS                                                                    \
    "the qmaster refused %llu of %llu ordered tasks, first of job %u: %s"
#define MSG_SCHEDD_DISAGREE_U                                                                      \
    "%u packages of orders in a row were refused: exiting, so that a new scheduler starts"

/* scheduler plug-ins: the file, and what became of it */
#define MSG_PLUGIN_LOADED_S "scheduler plug-in %s is loaded and decides from now on"
#define MSG_PLUGIN_FAILED_SS                                                                       \
    "scheduler plug-in %s failed: %s; the algorithm default decides until the scheduler's "        \
    "configuration is changed"
#define MSG_PLUGIN_START_S   "cannot start %s"
#define MSG_PLUGIN_SIGNAL_IS "its process was ended by signal %d (%s)"
#define MSG_PLUGIN_EXIT_I    "its process exited with status %d"
#define MSG_PLUGIN_LATE      "its process gave no answer in time"
#define MSG_PLUGIN_CLOSED    "its process closed the connection"
#define MSG_PLUGIN_ANSWER    "its process sent what is not an answer"

#endif

#ifndef EXECD_MSG_EXECD_H
#define EXECD_MSG_EXECD_H

#include "common/version.h"

/* Texts of the program itself: lines of its messages file. */
#define MSG_SIGNALS           "can't watch signals"
#define MSG_STARTED           "starting up " SGE_VERSION_LINE
#define MSG_STOPPED           "controlled shutdown"
#define MSG_CONNECTED         "connected to the qmaster"
#define MSG_RENEWED           "the certificate of this host was renewed: valid until "
#define MSG_NOT_RENEWED       "the certificate of this host could not be renewed yet: valid until "
#define MSG_CONNECTION_LOST_S "connection to the qmaster lost: %s"
#define MSG_REFUSED_S         "the qmaster refuses this host: %s"
#define MSG_NOT_CONNECTED_S   "cannot connect to the qmaster: %s"
#define MSG_BAD_MESSAGE_S     "the qmaster sent something malformed: %s"
#define MSG_BAD_LINE          "the qmaster sent data for an unknown connection of a user"
#define MSG_NO_GROUP_RANGE                                                                         \
    "gid_range is not set: tasks have no group id of their own, so their processes are found by "  \
    "parentage alone"
#define MSG_TASK_LOST_S        "task %s was running when this host went down: lost"
#define MSG_TASK_NOT_STARTED_S "\"%s\" in active_jobs was never started: removed"
#define MSG_UNKNOWN_MESSAGE_U  "the qmaster sent a message of unknown kind %u"

#define MSG_SPOOL_DIR_LATER_S                                                                      \
    "execd_spool_dir is \"%s\": it takes effect when sge_execd starts and no task is left here"
#define MSG_CARRIER_S "cannot start sge_carrier: %s"
#define MSG_CARRIER_GONE_U                                                                         \
    "sge_carrier has ended, with all sessions that it carried to and from other hosts; it starts " \
    "again in %u s"
#define MSG_CARRIERS_MOST_U                                                                        \
    "%u earlier sge_carrier of this host still carry sessions, which is the limit"

#endif

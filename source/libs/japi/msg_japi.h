#ifndef JAPI_MSG_JAPI_H
#define JAPI_MSG_JAPI_H

/* What a session says. */
#define MSG_JAPI_NO_SESSION_S "you have no session \"%s\""
#define MSG_JAPI_NO_JOBS      "this session has no jobs left to wait for"
#define MSG_JAPI_NO_JOB_U                                                                          \
    "job %u does not exist in this session, or its exit status has been retrieved"
#define MSG_JAPI_NO_JOB_UU                                                                         \
    "task %u.%u does not exist in this session, or its exit status has been retrieved"
#define MSG_JAPI_UNKNOWN_U "job %u does not exist"
#define MSG_JAPI_LOST_U                                                                            \
    "the connection to the qmaster was lost for %u seconds; it is not known whether the request "  \
    "was carried out"
#define MSG_JAPI_NO_ROOM_S "the qmaster has no room for this session: %s"
#define MSG_JAPI_STATE_S   "the job cannot be %s in its current state"

#endif

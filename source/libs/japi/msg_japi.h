#ifndef JAPI_MSG_JAPI_H
#define JAPI_MSG_JAPI_H

/* What a session says. */
#define MSG_JAPI_NO_SESSION_S "there is no session \"%s\" of yours"
#define MSG_JAPI_NO_JOBS      "no job of this session is left to wait for"
#define MSG_JAPI_NO_JOB_U     "job %u does not exist in this session, or its end has been taken"
#define MSG_JAPI_NO_JOB_UU    "there is no task %u.%u in this session, or its end has been taken"
#define MSG_JAPI_UNKNOWN_U    "job %u does not exist"
#define MSG_JAPI_LOST_U                                                                            \
    "the qmaster was lost and did not come back within %u seconds; it is not known whether it "    \
    "carried out the request"
#define MSG_JAPI_NO_ROOM_S "the qmaster has no room for this session: %s"
#define MSG_JAPI_STATE_S   "the job is in no state to be %s"

#endif

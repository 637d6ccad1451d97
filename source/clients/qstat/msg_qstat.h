#ifndef CLIENTS_QSTAT_MSG_QSTAT_H
#define CLIENTS_QSTAT_MSG_QSTAT_H

#define MSG_WHY_NEEDS_TASK                                                                         \
    "-why needs one task: qstat -j JOB.TASK -why, or qstat -j JOB -why for a non-array job"
#define MSG_QUEUE_UNHEARD                                                                          \
    "its host has no execution daemon that is connected: is sge_execd running there?"
#define MSG_JOBS_UNKNOWN "Following jobs do not exist: "
#define MSG_WHY_MANY_SU  "\"%s\" means %u jobs: -why needs one of them"

#endif

#ifndef CLIENTS_QSTAT_MSG_QSTAT_H
#define CLIENTS_QSTAT_MSG_QSTAT_H

#define MSG_WHY_NEEDS_JOB "-why needs jobs or tasks: qstat -j JOB -why, or qstat -j JOB.TASK -why"
#define MSG_QUEUE_UNHEARD                                                                          \
    "the execution daemon of its host is not connected: is sge_execd running there?"
#define MSG_JOBS_HELD    "Jobs dropped because of hold state"
#define MSG_JOBS_UNKNOWN "Following jobs do not exist: "

#endif

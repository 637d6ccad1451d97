#ifndef CLIENTS_QSTAT_MSG_QSTAT_H
#define CLIENTS_QSTAT_MSG_QSTAT_H

#define MSG_OPTION_ARGUMENT_S "%s option must have argument"
#define MSG_OPTION_INVALID_S  "invalid option argument \"%s\""
#define MSG_OPTION_WRONG_S    "ERROR! wrong argument to %s option"
#define MSG_OPTION_LATER_S    "%s: not supported yet"
#define MSG_WHY_NEEDS_TASK                                                                         \
    "-why needs one task: qstat -j JOB.TASK -why, or qstat -j JOB -why for a job that is no array"
#define MSG_JOBS_UNKNOWN   "Following jobs do not exist: "
#define MSG_WHY_NOTHING_UU "task %u.%u waits for no other task"

#endif

#ifndef CLIENTS_ACCT_MSG_ACCT_H
#define CLIENTS_ACCT_MSG_ACCT_H

/* The texts of this room. */
#define MSG_JOB_ID_NOT_FOUND_S   "job id %s not found"
#define MSG_JOB_NAME_NOT_FOUND_S "job name %s not found"
#define MSG_TASKS_NOT_FOUND_SUUU "Job-array tasks %s.%u-%u:%u not found"
#define MSG_JOBS_NOT_FOUND       "no jobs found"
#define MSG_BAD_LINES_UUS        "%u lines could not be read, the first is line %u: %s"

#endif

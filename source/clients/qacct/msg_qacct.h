#ifndef CLIENTS_QACCT_MSG_QACCT_H
#define CLIENTS_QACCT_MSG_QACCT_H

#define MSG_NO_FILE_YET "no jobs running since startup"
#define MSG_JOBS_OR_FILE_SS                                                                        \
    "\"%s\" is a job and \"%s\" an accounting file: separate jobs by commas if both are jobs"
#define MSG_TIME_SS        "%s: \"%s\" is not a date of the form [[CC]YY]MMDDhhmm[.SS]"
#define MSG_DAYS_S         "-d: \"%s\" is not a number of days"
#define MSG_SLOTS_S        "-slots: \"%s\" is not a number of slots"
#define MSG_TASKS_NEED_JOB "-t option requires -j option with an argument"

#endif

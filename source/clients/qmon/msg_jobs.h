#ifndef CLIENTS_QMON_MSG_JOBS_H
#define CLIENTS_QMON_MSG_JOBS_H

/* The texts of Job Control and Submit Job beyond those of msg_qmon.h. */

/* files that windows read and write */
#define MSG_JOBS_OPEN_S    "cannot open %s"
#define MSG_JOBS_NO_FILE_S "%s is not a regular file"
#define MSG_JOBS_KEPT_SS   "%s: these lines make no sense, and are ignored: %s"

/* holds */
#define MSG_JOBS_HOLDS_OF_U "Holds of %u "

/* why */
#define MSG_JOBS_WHY_TITLE     "what keeps it from starting"
#define MSG_JOBS_LINES_US      ", %u line%s"
#define MSG_JOBS_LOOKING       "qstat is asked ..."
#define MSG_JOBS_LEADS         "\342\206\222 " /* an arrow */
#define MSG_JOBS_FOLLOW        "Return or a double click follows a line with an arrow"
#define MSG_JOBS_LEADS_NOWHERE "this line leads nowhere"
#define MSG_JOBS_NO_WAY_BACK   "here it began"
#define MSG_JOBS_WHY_CUT       "there is more than fits here: ask qstat -j JOB -why"

/* the chunk map */
#define MSG_JOBS_TASKS_SUUU "%s: tasks %u-%u:%u"
#define MSG_JOBS_THIS_JOB   "this job"
#define MSG_JOBS_WAIT_FOR   " of this job: waits for " /* between two lists of tasks */

/* scripts */
#define MSG_JOBS_NO_TEXT_S           "%s is no text in UTF-8"
#define MSG_JOBS_LOCALE              "not all of its letters can be shown in this locale: it cannot be saved"
#define MSG_JOBS_NEW_SCRIPT          "#!/bin/sh\n"
#define MSG_JOBS_NEW_FILE            "there is no such file yet"
#define MSG_JOBS_FORGET              "Forget the changes that were not saved?"
#define MSG_JOBS_RELOADED            "the options of the script are read again"
#define MSG_JOBS_WRITTEN             "saved"
#define MSG_JOBS_OVERWRITE_S         "Overwrite %s?"
#define MSG_JOBS_OVERWRITE_CHANGED_S "%s has changed since it was read here. Overwrite it?"

/* change */
#define MSG_JOBS_SEVERAL_U ": %u jobs"
#define MSG_JOBS_READING   " (reading)"
#define MSG_JOBS_CHANGE    "what is not as it was is changed, and nothing else"
#define MSG_JOBS_CHANGING  "changing ..."
#define MSG_JOBS_NO_CHANGE "nothing is changed yet"
#define MSG_JOBS_GONE      "the job has gone"

/* columns */
#define MSG_JOBS_NO_COLUMNS_S "there are no such columns: %s"
#define MSG_JOBS_COLUMNS_UU   ": %u of %u shown"
#define MSG_JOBS_ONE_COLUMN   "one column must stay"

#endif

#ifndef CLIENTS_QMON_WIDGETS_MSG_JOBS_H
#define CLIENTS_QMON_WIDGETS_MSG_JOBS_H

/* The texts of Job Control and Submit Job beyond those of msg_qmon.h. */

/* files that windows read and write */
#define MSG_JOBS_OPEN_S    "cannot open %s"
#define MSG_JOBS_NO_FILE_S "%s is not a regular file"
#define MSG_JOBS_KEPT_SS   "%s: invalid lines, ignored: %s"

/* holds */
#define MSG_JOBS_HOLDS_OF_U "Holds of %u "

/* why */
#define MSG_JOBS_WHY_TITLE     "why the job does not start"
#define MSG_JOBS_LINES_US      ", %u line%s"
#define MSG_JOBS_LOOKING       "running qstat ..."
#define MSG_JOBS_LEADS         "\342\206\222 " /* an arrow */
#define MSG_JOBS_FOLLOW        "Return or a double click follows a line with an arrow"
#define MSG_JOBS_LEADS_NOWHERE "no link on this line"
#define MSG_JOBS_NO_WAY_BACK   "this is the first page"
#define MSG_JOBS_WHY_CUT       "too much to show here: run qstat -j JOB -why"

/* the chunk map */
#define MSG_JOBS_TASKS_SUUU "%s: tasks %u-%u:%u"
#define MSG_JOBS_THIS_JOB   "this job"
#define MSG_JOBS_WAIT_FOR   " of this job: waits for " /* between two lists of tasks */

/* scripts */
#define MSG_JOBS_NO_TEXT_S           "%s is not UTF-8 text"
#define MSG_JOBS_LOCALE              "this locale cannot show all characters: saving is disabled"
#define MSG_JOBS_NEW_SCRIPT          "#!/bin/sh\n"
#define MSG_JOBS_NEW_FILE            "new file"
#define MSG_JOBS_FORGET              "Discard unsaved changes?"
#define MSG_JOBS_RELOADED            "options read from the script"
#define MSG_JOBS_WRITTEN             "saved"
#define MSG_JOBS_OVERWRITE_S         "Overwrite %s?"
#define MSG_JOBS_OVERWRITE_CHANGED_S "%s has changed since it was read here. Overwrite it?"

/* change */
#define MSG_JOBS_SEVERAL_U ": %u jobs"
#define MSG_JOBS_READING   " (reading)"
#define MSG_JOBS_REFUSED_S ", check %s" /* behind the title: the label of a field */
#define MSG_JOBS_CHANGE    "only the fields that you edit are changed"
#define MSG_JOBS_CHANGING  "changing ..."
#define MSG_JOBS_NO_CHANGE "no changes"
#define MSG_JOBS_GONE      "the job has ended or was deleted"

/* columns */
#define MSG_JOBS_NO_COLUMNS_S "unknown columns: %s"
#define MSG_JOBS_COLUMNS_UU   ": %u of %u shown"
#define MSG_JOBS_ONE_COLUMN   "at least one column must be shown"

#endif

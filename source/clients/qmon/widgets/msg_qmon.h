#ifndef CLIENTS_QMON_WIDGETS_MSG_QMON_H
#define CLIENTS_QMON_WIDGETS_MSG_QMON_H

/* The texts of qmon that are not labels; those stand in the app-defaults file. */
#define MSG_QMON_DISPLAY_S   "cannot open display \"%s\""
#define MSG_QMON_LOST_S      "qmon: the connection to display \"%s\" was lost\n"
#define MSG_QMON_LAYOUT_S    "cannot read %s, which has the layout of the windows"
#define MSG_QMON_COLOR_SS    "resource %s: \"%s\" is not a color"
#define MSG_QMON_FONT_SS     "resource %s: no font matches \"%s\""
#define MSG_QMON_WORD_S      "\"%s\" is not an option of qmon"
#define MSG_QMON_CONNECTED   "connected"
#define MSG_QMON_CONNECTING  "connecting"
#define MSG_QMON_OWN_JOBS    "own jobs only"
#define MSG_QMON_NO_MASTER_S "no connection to the qmaster: %s"
/* the main window, and the line at the top of all windows: since "14:05" */
#define MSG_QMON_LOST_SINCE_S                                                                      \
    "no connection to the qmaster since %.*s, trying again; what is shown is not current"
#define MSG_QMON_OF_UU           "%llu of %llu"
#define MSG_QMON_SLOTS           "slots used"
#define MSG_QMON_RUNNING         "running"
#define MSG_QMON_PENDING         "pending"
#define MSG_QMON_HELD            "held"
#define MSG_QMON_IN_ERROR        "in error"
#define MSG_QMON_FAILED          "failed"
#define MSG_QMON_OWN             "my jobs"
#define MSG_QMON_ILL             "hosts ill"
#define MSG_QMON_ILL_QUEUES      "Not in order: "
#define MSG_QMON_FIGURES_UUUU    ": %llu of %llu slots, %llu running, %llu waiting"
#define MSG_QMON_FIGURE_ERROR_U  ", %llu in error"
#define MSG_QMON_FIGURE_FAILED_U ", %llu failed"
#define MSG_QMON_FIGURE_ILL_US   ", %u host%s ill"
#define MSG_QMON_JOBS_US         "%u job%s"
#define MSG_QMON_CHOSEN_U        ", %u selected"
#define MSG_QMON_STAGES_USUU     "%u stage%s, frames %u to %u"
#define MSG_QMON_SELECT          "no job selected: click one, or press Up or Down"
#define MSG_QMON_OLD             " (not current: no connection to the qmaster)"
#define MSG_QMON_SAVED_S         "saved in %s"
#define MSG_QMON_EXISTS_S        "%s exists and was not overwritten: choose another name"
#define MSG_QMON_ASKED           "waiting for the qmaster ..."
#define MSG_QMON_NO_TEXT         "done"
#define MSG_QMON_MORE_U          " (and %u more answers)"
#define MSG_QMON_AND_MORE_U      " and %u more"
#define MSG_QMON_TOO_MANY        "at most 10000 jobs at a time"
#define MSG_QMON_DELETE          "Delete all tasks of "
#define MSG_QMON_RESCHEDULE      "End and restart the running tasks of "
#define MSG_QMON_PRIORITY        "the priority must be a number from -1023 to 1024"

/* objects and queues */
#define MSG_QMON_OBJECTS_US        "%u object%s"
#define MSG_QMON_QUEUES_US         "%u queue instance%s"
#define MSG_QMON_NAME              "name"
#define MSG_QMON_PLACE             "host or @group"
#define MSG_QMON_VALUE             "value"
#define MSG_QMON_NODE              "node"
#define MSG_QMON_SHARES            "shares"
#define MSG_QMON_PERCENT           "of all"
#define MSG_QMON_MEMBERS           "hosts and groups in it:"
#define MSG_QMON_WEEK_ON           "on"
#define MSG_QMON_WEEK_OFF          "off"
#define MSG_QMON_WEEK_SUSPENDED    "suspended"
#define MSG_QMON_NEW               "new"
#define MSG_QMON_CHANGE            "change"
#define MSG_QMON_DISCARD           "Close and discard the changes?"
#define MSG_QMON_UNCHANGED         "no changes to apply"
#define MSG_QMON_SELECT_ONE        "nothing selected: click a row, or press Up or Down"
#define MSG_QMON_NAMES_ONLY        "these entries have no attributes: add or delete them"
#define MSG_QMON_OBJECT_GONE       "the object no longer exists"
#define MSG_QMON_DELETE_SS         "Delete the %s %s?"
#define MSG_QMON_SELECT_QUEUES     "no queue selected: click one, or press Up or Down"
#define MSG_QMON_SELECT_QUEUE      "select one queue or one queue instance"
#define MSG_QMON_TOO_MANY_QUEUES   "at most 10000 queues at a time"
#define MSG_QMON_RESCHEDULE_QUEUES "End and restart the tasks that run in "

/* the browser */
#define MSG_QMON_EVENTS_LUS ": %llu event%s"
#define MSG_QMON_MESSAGES   ": messages of the qmaster"
#define MSG_QMON_NOTHING    "no such object"
#define MSG_QMON_WHAT_SS    "\"%s\" does not begin with a kind of object:%s"
#define MSG_QMON_CUT        "\n... truncated at 4 MiB\n"
#define MSG_QMON_XML        "not enough memory for the document"

/* Frames */
#define MSG_QMON_MARKED_US        ", %u task%s marked"
#define MSG_QMON_MARK             "no tasks marked: drag over them, or press Shift and an arrow key"
#define MSG_QMON_DELETE_TASKS     "Delete "
#define MSG_QMON_RESCHEDULE_TASKS "End and restart the running tasks among "
#define MSG_QMON_POINT            "no task selected: click one, or press an arrow key"
#define MSG_QMON_NO_PATH          "the path depends on the host of the task or on its owner's home directory"
#define MSG_QMON_FORGOTTEN        "the job ended long ago: run qacct for its record"
#define MSG_QMON_PICTURE_S        "cannot make %s"
#define MSG_QMON_PICTURE_WHY_SS   "cannot write %s: %s"
#define MSG_QMON_NO_PICTURE       "not enough memory for a picture of this size"

/* Submit Job */
#define MSG_QMON_DEFAULT    "Default"
#define MSG_QMON_STORED     " (stored with the job, no effect yet)"
#define MSG_QMON_WRONG_S    "\342\232\240 %s" /* a warning sign: not by color alone */
#define MSG_QMON_NO_COMMAND "enter a command"
#define MSG_QMON_REFUSED_S  ": check %s" /* behind the title: the label of a field */
#define MSG_QMON_NO_FILE_S  "%s is not a file"
#define MSG_QMON_WAITS_UUSS "waits for %u.%u (%s, %s)"
#define MSG_QMON_WAITS_USS  "waits for %u (%s, %s)"
#define MSG_QMON_SUBMITTING "submitting ..."

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
#define MSG_JOBS_LOOKING       "asking the qmaster ..."
#define MSG_JOBS_LEADS         "\342\206\222 " /* an arrow */
#define MSG_JOBS_FOLLOW        "Return or a double click follows a line with an arrow"
#define MSG_JOBS_LEADS_NOWHERE "no link on this line"
#define MSG_JOBS_NO_WAY_BACK   "this is the first page"

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
#define MSG_QMON_TERMINAL_S   "the terminal \"%s\" cannot be started"
#define MSG_QMON_INTERACTIVE  "qrsh has been started in a terminal"

#endif

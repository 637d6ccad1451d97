#ifndef CLIENTS_QMON_MSG_QMON_H
#define CLIENTS_QMON_MSG_QMON_H

/* The texts of qmon that are not labels; those stand in the app-defaults file. */
#define MSG_QMON_DISPLAY_S   "cannot open display \"%s\""
#define MSG_QMON_LOST_S      "qmon: the display \"%s\" has gone\n"
#define MSG_QMON_LAYOUT_S    "cannot read %s, which has the layout of the windows"
#define MSG_QMON_COLOR_SS    "resource %s: \"%s\" is not a color"
#define MSG_QMON_FONT_SS     "resource %s: no font is like \"%s\""
#define MSG_QMON_WORD_S      "\"%s\" is not an option of qmon"
#define MSG_QMON_CONNECTED   "connected"
#define MSG_QMON_CONNECTING  "connecting"
#define MSG_QMON_OWN_JOBS    "own jobs only"
#define MSG_QMON_NO_MASTER_S "no connection to the qmaster: %s"
#define MSG_QMON_JOBS_US     "%u job%s"
#define MSG_QMON_CHOSEN_U    ", %u selected"
#define MSG_QMON_STAGES_USUU "%u stage%s, frames %u to %u"
#define MSG_QMON_SELECT      "select jobs first: a click, or Up and Down"
#define MSG_QMON_OLD         " (as of the loss of the qmaster)"
#define MSG_QMON_SAVED_S     "saved in %s"
#define MSG_QMON_EXISTS_S    "%s exists, and stays as it is: choose another name"
#define MSG_QMON_ASKED       "the qmaster is asked ..."
#define MSG_QMON_NO_TEXT     "done"
#define MSG_QMON_MORE_U      " (and %u more answers)"
#define MSG_QMON_AND_MORE_U  " and %u more"
#define MSG_QMON_TOO_MANY    "at most 10000 jobs at a time"
#define MSG_QMON_DELETE      "Delete, with all tasks, "
#define MSG_QMON_RESCHEDULE  "End the running tasks, and start them again, of "
#define MSG_QMON_PRIORITY    "a priority is a number from -1023 to 1024"

/* objects and queues */
#define MSG_QMON_OBJECTS_US        "%u object%s"
#define MSG_QMON_QUEUES_US         "%u queue instance%s"
#define MSG_QMON_NAME              "name"
#define MSG_QMON_PLACE             "host or @group"
#define MSG_QMON_VALUE             "value"
#define MSG_QMON_NEW               "new"
#define MSG_QMON_CHANGE            "change"
#define MSG_QMON_UNCHANGED         "nothing has changed"
#define MSG_QMON_SELECT_ONE        "select one first: a click, or Up and Down"
#define MSG_QMON_NAMES_ONLY        "these are names alone: add or delete them"
#define MSG_QMON_OBJECT_GONE       "it is not there any more"
#define MSG_QMON_DELETE_SS         "Delete the %s %s?"
#define MSG_QMON_SELECT_QUEUES     "select queues first: a click, or Up and Down"
#define MSG_QMON_SELECT_QUEUE      "select one queue, or one of its instances, first"
#define MSG_QMON_TOO_MANY_QUEUES   "at most 10000 queues at a time"
#define MSG_QMON_RESCHEDULE_QUEUES "End the tasks, and start them again, that run in "

/* the browser */
#define MSG_QMON_EVENTS_LUS ": %llu event%s"
#define MSG_QMON_MESSAGES   ": messages of the qmaster"
#define MSG_QMON_NOTHING    "there is nothing like that"
#define MSG_QMON_WHAT_SS    "\"%s\" does not begin with a kind of objects:%s"
#define MSG_QMON_CUT        "\n... cut off at 4 MiB: ask for less\n"
#define MSG_QMON_XML        "there is no memory for the document"

/* Frames */
#define MSG_QMON_MARKED_US        ", %u task%s marked"
#define MSG_QMON_MARK             "mark tasks first: drag over them, or Shift and the arrow keys"
#define MSG_QMON_DELETE_TASKS     "Delete "
#define MSG_QMON_RESCHEDULE_TASKS "End what runs, and start again, of "
#define MSG_QMON_POINT            "go to a task first: a click, or the arrow keys"
#define MSG_QMON_NO_PATH          "where it is depends on the host of the task, or on its owner's home"
#define MSG_QMON_FORGOTTEN        "the job ended long ago, and is forgotten here: qacct knows it"
#define MSG_QMON_PICTURE_S        "cannot make %s"
#define MSG_QMON_PICTURE_WHY_SS   "cannot write %s: %s"
#define MSG_QMON_NO_PICTURE       "there is no memory for so large a picture"

/* Submit Job */
#define MSG_QMON_COMMAND_NAME "Command"
#define MSG_QMON_COMMAND      "a script, or with -b y a program, and its arguments"
#define MSG_QMON_STORED       " (stored with the job, no effect yet)"
#define MSG_QMON_WRONG_S      "\342\232\240 %s" /* a warning sign: not by color alone */
#define MSG_QMON_NO_COMMAND   "what shall it run?"
#define MSG_QMON_SUBMITTING   "submitting ..."
#define MSG_QMON_RUN_SS       "cannot run %s: %s"

#endif

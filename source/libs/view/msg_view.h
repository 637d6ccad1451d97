#ifndef VIEW_MSG_VIEW_H
#define VIEW_MSG_VIEW_H

/* The texts of this room. */
#define MSG_FORM_NO_SCRIPT  "the command is not a script"
#define MSG_FORM_STAYS      "qalter cannot reset this field"
#define MSG_FORM_VALUE      "the value"
#define MSG_FORM_TOO_MANY_S "\"%s\" is one argument too many"

/* objects */
#define MSG_FORM_NAME         "name"
#define MSG_FORM_NO_NAME      "a name is required"
#define MSG_FORM_RENAMED      "existing objects cannot be renamed: clone the object instead"
#define MSG_FORM_ONE_OBJECT_U "the text must contain one object, not %u"

/* queues */
#define MSG_QUEUE_UNHEARD_OF "no contact with its host"

/* what a list of jobs to wait for says */
#define MSG_HOLD_NO_JOB_U     "job %u does not exist"
#define MSG_HOLD_NO_NAME_S    "no job is named \"%s\""
#define MSG_HOLD_NO_ARRAY_US  "job %u (%s) is not an array job"
#define MSG_HOLD_RANGE_USUUUU "job %u (%s) has the tasks %u-%u, not %u-%u"
#define MSG_HOLD_OVER_US      "job %u (%s) has already ended"

/* kinds of hold */
#define MSG_HOLDS_USER     "user hold"
#define MSG_HOLDS_OPERATOR "operator hold"
#define MSG_HOLDS_SYSTEM   "system hold"
#define MSG_HOLDS_JOB      "-hold_jid"
#define MSG_HOLDS_ARRAY    "-hold_jid_ad"
#define MSG_HOLDS_WAITS    ": waits for "
#define MSG_HOLDS_TASKS    ": tasks "
#define MSG_HOLDS_IT       ": the job"
#define MSG_HOLDS_NONE     "no holds"

/* which tasks wait for which */
#define MSG_CHUNKS_MORE_U "... and %u more tasks"

#endif

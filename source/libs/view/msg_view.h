#ifndef VIEW_MSG_VIEW_H
#define VIEW_MSG_VIEW_H

/* The texts of this room. */
#define MSG_FORM_VALUE      "the value"
#define MSG_FORM_TOO_MANY_S "\"%s\" is one word too many"

/* what a list of jobs to wait for says */
#define MSG_HOLD_NO_JOB_U     "there is no job %u"
#define MSG_HOLD_NO_NAME_S    "no job is called \"%s\""
#define MSG_HOLD_NO_ARRAY_US  "job %u (%s) is no array job"
#define MSG_HOLD_RANGE_USUUUU "job %u (%s) has the tasks %u-%u, not %u-%u"
#define MSG_HOLD_OVER_US      "job %u (%s) has ended: nothing waits for it"

/* which tasks wait for which */
#define MSG_CHUNKS_MORE_U "... and %u more tasks"

#endif

#ifndef CLIENTS_QMON_MSG_JOBS_H
#define CLIENTS_QMON_MSG_JOBS_H

/* The texts of Job Control and Submit Job beyond those of msg_qmon.h. */

/* files that windows read and write */
#define MSG_JOBS_OPEN_S    "cannot open %s"
#define MSG_JOBS_NO_FILE_S "%s is not a regular file"
#define MSG_JOBS_KEPT_SS   "%s: these lines make no sense, and are ignored: %s"

/* columns */
#define MSG_JOBS_NO_COLUMNS_S "there are no such columns: %s"
#define MSG_JOBS_COLUMNS_UU   ": %u of %u shown"
#define MSG_JOBS_ONE_COLUMN   "one column must stay"

#endif

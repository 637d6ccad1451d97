#ifndef EXECD_FILES_MSG_FILES_H
#define EXECD_FILES_MSG_FILES_H

/* Texts about a task's files: JR_err_str when a task could not be started. */
#define MSG_LOCK_S         "can't lock \"%s\""
#define MSG_MAKE_DIR_SS    "can't make directory \"%s/%s\""
#define MSG_LIMIT_VALUE_SS "limit %s: \"%s\" is not a valid value"

#endif

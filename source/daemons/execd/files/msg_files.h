#ifndef EXECD_FILES_MSG_FILES_H
#define EXECD_FILES_MSG_FILES_H

/* Texts about a task's files: JR_err_str when a task could not be started. */
#define MSG_LOCK_S         "can't lock \"%s\""
#define MSG_MAKE_DIR_SS    "can't make directory \"%s/%s\""
#define MSG_LIMIT_VALUE_SS "limit %s: \"%s\" is not a valid value"
#define MSG_HOOK_USER_SSS  "%s \"%s\" cannot be used: %s"
#define MSG_HOOK_USER_DENIED_S                                                                     \
    "\"hook_users\" in bootstrap(5) of this host does not name user \"%s\""
#define MSG_HOOK_USER_OTHER_U "this cell runs as user id %u and cannot run commands of other users"

#endif

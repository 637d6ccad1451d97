#ifndef UTI_MSG_UTI_H
#define UTI_MSG_UTI_H

/* The texts of this room. Those ending in a path get ": <reason of the system>" appended. */
#define MSG_FILE_OPEN_S        "error opening %s"
#define MSG_FILE_READ_S        "error reading from file %s"
#define MSG_FILE_WRITE_S       "error writing to file %s"
#define MSG_FILE_TOO_BIG_SU    "file %s is larger than %zu bytes"
#define MSG_FILE_RENAME_SS     "cannot rename %s to %s"
#define MSG_FILE_MKDIR_S       "cannot create directory %s"
#define MSG_FILE_REMOVE_S      "cannot remove %s"
#define MSG_FILE_LOCK_S        "cannot lock %s"
#define MSG_FILE_LOCKED_S      "%s is locked by another process"
#define MSG_ALLOC_FAILED_U     "out of memory: %zu bytes refused\n"
#define MSG_ASSERT_FAILED_SSIS "assertion failed: %s in %s (%s:%d)"
#define MSG_PATTERN_LONG_ISU                                                                       \
    "denied: \"%.*s...\" is longer than %u bytes, the limit for names and patterns"
#define MSG_LOG_THREAD        "cannot start the thread that writes the messages file"
#define MSG_NO_RANDOM         "the system provides no random bytes"
#define MSG_LOG_REPEATED_U    "last message of this kind repeated %u times"
#define MSG_LOG_DROPPED_U     "%u lines were dropped: they came faster than they could be written"
#define MSG_ALIAS_NAME_SUS    "%s, line %u: \"%s\" is not a valid host name"
#define MSG_ALIAS_TWICE_SUSSS "%s, line %u: the name \"%s\" stands for two hosts: %s and %s"
#define MSG_TURN_LONG_SUSU    "a turn of %s took %u ms, the longest part of it %s with %u ms"
#define MSG_TURN_LONG_SUSUS   MSG_TURN_LONG_SUSU " for user %s"
#define MSG_DAEMON_OPTION_SS  "%s: invalid option argument \"%s\""

#endif

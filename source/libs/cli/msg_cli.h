#ifndef CLI_MSG_CLI_H
#define CLI_MSG_CLI_H

/* What libs/cli says to users. Scripts match these; captured behaviour settles most of them. The
 * first %s is the program. */
#define MSG_OPTION_UNKNOWN_SS     "%s: invalid option argument \"%s\""
#define MSG_OPTION_OF_BATCH_S     "error: Unknown option %s"
#define MSG_OPTION_ARGUMENT_SSS   "%s: invalid option argument \"%s %s\""
#define MSG_OPTION_NO_ARGUMENT_SS "%s: %s option must have argument"
#define MSG_OPTION_WAITS_SS       "%s: option \"%s\" is not supported yet"
#define MSG_OPTION_KEPT_S         "warning: option \"%s\" is stored with the job, but has no effect yet"
#define MSG_LIMIT_EMPTY_S         "warning: \"-l %s\" has no value and limits nothing"
#define MSG_OPTION_AS_NAME_S                                                                       \
    "warning: \"%s\" is not an option of qdel (see qdel -help) and is treated as a job name"
#define MSG_OPTION_IDLE_S "warning: option \"%s\" has no effect on a submit"
#define MSG_OPTION_AGAIN_S                                                                         \
    "warning: \"%s\" option has already been set, overriding previous setting"
#define MSG_OPTION_FILES_NESTED_SI "%s: option files are nested more than %d deep"
#define MSG_OPTIONS_ONLY_SS        "%s: invalid option argument \"%s\""
#define MSG_DURATION_SSS           "%s: Wrong time format \"%s\" specified to %s option"
#define MSG_SPEAKER_SS             "%s: %s"
#define MSG_IN_FILE_SUS            "%s (line %u of %s)"
#define MSG_OPTION_BARE_S          "invalid option argument \"%s\""
#define MSG_QMOD_NO_ARGUMENT_S     "%s option must have argument"

#define MSG_REQUEST_PASSED_SS      "warning: request file \"%s\" is ignored: %s"
#define MSG_DIRECTORY_OF_ANOTHER   "its directory belongs to another user"
#define MSG_DIRECTORY_OPEN         "its directory is writable by others"
#define MSG_FILE_OF_ANOTHER        "it belongs to another user"
#define MSG_FILE_OPEN_TO_OTHERS    "it is writable by others"
#define MSG_FILE_NOT_REGULAR       "it is not a regular file"

#define MSG_WORDS_QUOTE_SU         "%s: line %u: a quote is not closed"
#define MSG_WORDS_MANY_SUI         "%s: line %u: more than %d words"
#define MSG_FILE_OPEN_SS           "Unable to read script file because of error: error opening %s: %s"
#define MSG_FILE_IS_DIRECTORY_SS                                                                   \
    "error: fread(\"%s\") failed: Is a directory\n"                                                \
    "Unable to read script file because of error: error reading from file %s"
#define MSG_FILE_READ_SS                                                                           \
    "Unable to read script file because of error: error reading from file %s: %s"
#define MSG_FILE_BIG_SI                                                                            \
    "Unable to read script file because of error: %s is larger than the limit of %d bytes"
#define MSG_FILE_NUL_S                                                                             \
    "Unable to read script file because of error: %s is not text (it contains a zero byte); use "  \
    "-b y for programs"
#define MSG_COMMAND_HINT_SS "\"%s\" is a command: \"qsub -b y %s ...\" runs it"
#define MSG_SCRIPT_CRLF_S                                                                          \
    "warning: the lines of %s end with a carriage return (CR LF), which the shell treats as part " \
    "of each line"
#define MSG_STDIN_EMPTY         "Unable to read script file because of error: no input read from stdin"
#define MSG_BINARY_NO_COMMAND_S "%s: command required for a binary job"
#define MSG_USER_UNKNOWN_U      "no user has the id %u"
#define MSG_CWD                 "cannot find the working directory"

#define MSG_NAME_SLASH_S        "%s: argument to -N option must not contain / "
#define MSG_JOBSHARE_S          "%s: invalid jobshare, must be an unsigned integer"
#define MSG_PRIORITY_SSII       "%s: invalid priority \"%s\".  Must be an integer from %d to %d"
#define MSG_CONCURRENCY_SS                                                                         \
    "%s: invalid task concurrency number \"%s\". Must be an integer greater or equal to 0."
#define MSG_DATE_SSS                                                                               \
    "\nInvalid format of date/hour-minute field.\n%s: Wrong date/time format \"%s\" specified to " \
    "%s option"
#define MSG_MAIL_OPTIONS_SS       "%s: Wrong mail options list format \"%s\" specified to -m option"
#define MSG_MAIL_LIST_SS          "%s: Wrong mail list format \"%s\" specified to -M option"
#define MSG_VARIABLES_SS          "%s: Wrong variable list format -v \"%s\" or environment variable not set"
#define MSG_LIST_SSSS             "%s: Wrong %s format \"%s\" specified to %s option"
#define MSG_BINDING_SS            "%s: -binding option contains errors: %s"
#define MSG_SLOTS_SSS             "%s: invalid slot range \"%s\" for parallel environment \"%s\""
#define MSG_SLOT_RANGES_SSUU      "%s: slot range \"%s\" has %u separate numbers: the limit is %u"
#define MSG_CHECKPOINT_ARGUMENT_S "%s: -c argument invalid"
#define MSG_CHECKPOINT_WHEN_S     "%s: -c specifier invalid"
#define MSG_HOLDS_SS              "%s: Unknown hold list \"%s\" specified to -h option"
#define MSG_USERS_AND_JOBS_S      "%s: option \"-u\" is not allowed in combination with a job_task_list"
#define MSG_TASKS_LONELY_S        "found lonely '-t %s' option (The -t option needs a leading job name)."
#define MSG_INTERACTIVE_OPTION_S                                                                   \
    "option \"%s\" is for interactive jobs (qrsh, qlogin, qsh), which a program cannot submit"
#define MSG_TASKS_BULK_S                                                                           \
    "option \"-t %s\" is not allowed here: the call specifies the tasks of a bulk job"
#define MSG_NO_NUMBER_SS                                                                           \
    "%s: Numerical value invalid!\nThe initial portion of string \"%s\" contains no decimal "      \
    "number"
#define MSG_STEP_S              "%s: Negative or zero step in range is not allowed"
#define MSG_TASK_BIG_SSI        "%s: task id %s is greater than the limit of %d"
#define MSG_TASK_DISTANCE_SUS   "%s: task ids %u%s do not have equal distances"
#define MSG_TASK_REST_SSS       "%s: \"%s\" is not a range of task ids: \"%s\" left over"
#define MSG_SUBMIT_DIRECTORY_SS "warning: %s: there is no directory \"%s\" on this host"
#define MSG_SUBMIT_FILE_SS      "warning: %s: there is no file \"%s\" on this host"
#define MSG_SUBMIT_HOST_S       "can't resolve hostname \"%s\""

#endif

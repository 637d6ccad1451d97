#ifndef CLIENTS_QRSH_MSG_QRSH_H
#define CLIENTS_QRSH_MSG_QRSH_H

/* What qrsh and qlogin print; scripts match it. */
#define MSG_WAITING           "waiting for interactive job to be scheduled ..."
#define MSG_SCHEDULED_U       "\nYour interactive job %u has been successfully scheduled.\n"
#define MSG_ESTABLISHING_SS   "Establishing %s session to host %s ...\n"
#define MSG_COMMAND_EXITED_SI "%s exited with exit code %d\n"
#define MSG_COMMAND_EXEC_SS   "error: Could not exec %s: %s\n"
#define MSG_COMMAND_OFFER     "error: the host of the job sends no port to connect to\n"
#define MSG_HOST_IS_BUILTIN_SSS                                                                    \
    "error: %s is \"%s\" for this host, but the daemon for it on %s is builtin\n"
#define MSG_HOST_HAS_DAEMON_SS                                                                     \
    "error: %s is builtin for this host, but not the daemon for it on %s\n"
#define MSG_NOT_NOW_S      "Your \"%s\" request could not be scheduled, try again later.\n"
#define MSG_UNKNOWN_SCRIPT "error: Unknown option script\n"
#define MSG_NO_EXECD_SS                                                                            \
    "error: sessions go through the execution daemon of this host, and there is none at \"%s\": "  \
    "%s\n"
#define MSG_NO_TUNNEL_SS                                                                           \
    "error: no session with the job on %s by the certificate of this user: %s\n"
#define MSG_NO_DISPLAY      "error: no DISPLAY variable found with interactive job "
#define MSG_LOCAL_DISPLAY_S "error: local DISPLAY variable \"%s\" delivered with interactive job "
#define MSG_DETACH_LOGIN    "error: -detach y needs a command\n"
#define MSG_DETACHED_U      "job %u goes on without its client\n"
#define MSG_NOT_DETACHED_S  "warning: -detach y has no effect with the configured %s\n"
#define MSG_LOST            "error: the connection to the job was lost before its end\n"
#define MSG_RECONNECTED     "error: the job is not known any more\n"

/* qrsh -inherit */
#define MSG_INHERIT_USAGE                                                                          \
    "error: usage with \"-inherit\" option: \"qrsh -inherit ... <host> <command> [args]\"\n"
#define MSG_INHERIT_OPTION_S "error: Unknown option %s\n"
#define MSG_INHERIT_NO_JOB                                                                         \
    "error: \"-inherit\" is for processes of a parallel job: JOB_ID is not set\n"
#define MSG_INHERIT_LONG_U                                                                         \
    "error: command and variables together have %u bytes, and %u is the limit\n"
#define MSG_INHERIT_TEXTS_U                                                                        \
    "error: command and variables together are more than %u texts, which is the limit\n"
#define MSG_INHERIT_FAILED_SS "error: executing task of job %s failed: %.*s\n"
#define MSG_INHERIT_NO_HOST_SS                                                                     \
    "error: executing task of job %s failed: failed sending task to execd@%s: can't resolve host " \
    "name\n"
#define MSG_INHERIT_STARTING_S "Starting server daemon at host \"%s\"\n"
#define MSG_INHERIT_STARTED_SS "Server daemon successfully started with task id \"%.*s\"\n"

#endif

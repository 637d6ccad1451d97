#ifndef CLIENTS_QRSH_STARTER_MSG_QRSH_STARTER_H
#define CLIENTS_QRSH_STARTER_MSG_QRSH_STARTER_H

/* What the client of a job reads if its command cannot be started. */
#define MSG_USAGE           "usage: qrsh_starter directory\n"
#define MSG_NO_START_SS     "qrsh_starter: no command to start in \"%s\": %s\n"
#define MSG_NO_DIRECTORY_SS "qrsh_starter: cannot change to directory %s: %s\n"
#define MSG_NOT_EXECUTED_SS "qrsh_starter: executing child process %s failed: %s\n"

#endif

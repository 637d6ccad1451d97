#ifndef CLIENTS_QRSH_QRSH_H
#define CLIENTS_QRSH_QRSH_H

#include <sys/types.h>

#include "common/basis.h"

/* The session of qrsh and qlogin with their job: what is typed goes to its standard input, its
 * output and error come here, its exit status is theirs. Source: qrsh(1). */

struct session_options {
    const char *socket;      /* of the execution daemon of this host */
    const char *host, *task; /* of the job */
    const char *secret;
    bool is_terminal;  /* the job has a terminal, and this one, if there is one, is in its hands */
    bool has_no_stdin; /* its standard input is empty */
    int wake_fd;       /* readable when a signal has come: terminal_signals */
};
enum session_result {
    SESSION_ENDED, /* the status is the job's */
    SESSION_UNSTARTED, /* the job could not be started, and may be tried again: the reason was printed */
    SESSION_NOT_MADE, /* likewise, and the job may run */
    SESSION_LOST,     /* the connection has gone */
    SESSION_SIGNALLED /* a signal ended it: the status says which */
};
/* session_run - until the job has ended. *STATUS gets the exit status. */
enum session_result session_run(const struct session_options *o, int *status);

/* The terminal that this program has, and its signals. */
/* terminal_signals - SIGINT, SIGTERM and SIGHUP, unless they are ignored, and SIGWINCH are bytes to
 * be read from now on, from the descriptor that is returned; -1: they act as always
 * terminal_ending - the signal of those that end this program which has come; 0: none */
int terminal_signals(void);
int terminal_ending(int wake_fd);
/* terminal_raw - every key goes to the job; terminal_restore - as it was before. Nothing happens
 * without a terminal. */
void terminal_raw(void);
void terminal_restore(void);
/* terminal_window - rows, columns, width, height of it, 24 and 80 without one, u16be each */
void terminal_window(uint8_t out[8]);

#endif

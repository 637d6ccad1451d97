#ifndef CLIENTS_QRSH_QRSH_H
#define CLIENTS_QRSH_QRSH_H

#include <sys/types.h>

#include "common/basis.h"
#include "libs/task/session_frame.h"

/* The session of qrsh and qlogin with their job: what is typed goes to its standard input, its
 * output and error come here, its exit status is theirs. Source: qrsh(1). */

struct cell;
struct petask_order {   /* qrsh -inherit: the task is a petask that is to be started */
    const char *number; /* of its job, for texts */
    const char *bytes;  /* what SESSION_PETASK_REQUEST holds */
    size_t len;
    bool has_no_shell, is_verbose;
};
struct session_options {
    const struct cell *cell;           /* where a certificate of the user may do; NULL: nowhere */
    const struct petask_order *petask; /* NULL: the task exists */
    const char *socket;                /* of the execution daemon of this host */
    const char *host, *task;           /* of the job */
    const char *secret;
    bool is_terminal;  /* the job has a terminal, and this one, if there is one, is in its hands */
    bool has_no_stdin; /* its standard input is empty */
    /* the configured program that reaches the job, NULL: builtin; the setting it is from; how it is
     * called; whether its exit status is printed */
    const char *command, *setting;
    enum command_form { FORM_QLOGIN, FORM_RLOGIN, FORM_RSH } form;
    bool is_verbose;
    /* what happens with the job when this program is suspended, and goes on; NULL: nothing */
    void (*on_stop)(void *ctx, bool is_stopped);
    void *ctx;
    int wake_fd; /* readable when a signal has come: terminal_signals */
};
enum session_result {
    SESSION_ENDED,   /* the status is the job's */
    SESSION_COMMAND, /* the configured program has ended, and the job has not */
    SESSION_UNSTARTED, /* the job could not be started, and may be tried again: the reason was printed */
    SESSION_NOT_MADE, /* likewise, and the job may run */
    SESSION_LOST,     /* the connection has gone */
    SESSION_SIGNALLED /* a signal ended it: the status says which */
};
/* session_run - until the job has ended. *STATUS gets the exit status. */
enum session_result session_run(const struct session_options *o, int *status);

/* The configured program (qlogin_command and others of sge_conf(5)), which reaches the job through
 * a port of its host. */
struct command_run {
    pid_t pid; /* 0: it does not run */
    int pid_fd;
};
/* command_start - run the program of O, as OFFER, the data of SESSION_DAEMON, says. Returns 0, or
 * -1 with the reason printed.
 * command_end - wait for it; one that still runs after a while is ended. Its exit status, as a
 * shell has it
 * command_has_peer - is the connection from the address and port of PEER, of SESSION_PEER_BYTES, to
 * that port one of this user, on this host? */
int command_start(struct command_run *c, const struct session_options *o,
                  const struct session_frame *offer, uint16_t *port);
int command_end(struct command_run *c, const struct session_options *o);
bool command_has_peer(const uint8_t *peer, uint16_t port);
/* inherit_is_asked - is this a call of qrsh -inherit?
 * inherit_run - the command as a petask of the job that this program runs in; its exit status */
struct client;
bool inherit_is_asked(int argc, char *const *argv);
int inherit_run(struct client *c, int argc, char **argv);

/* The terminal that this program has, and its signals. */
/* terminal_signals - SIGINT, SIGTERM and SIGHUP, unless they are ignored, SIGWINCH, and with
 * HAS_STOP SIGTSTP, are bytes to be read from now on, from the descriptor that is returned; -1:
 * they act as always
 * terminal_ending - the signal of those that end this program which has come; else SIGTSTP, if that
 * has come; 0: none */
int terminal_signals(bool has_stop);
int terminal_ending(int wake_fd);
/* terminal_raw - every key goes to the job; terminal_restore - as it was before. Nothing happens
 * without a terminal. */
void terminal_raw(void);
void terminal_restore(void);
/* terminal_window - rows, columns, width, height of it, 24 and 80 without one, u16be each */
void terminal_window(uint8_t out[8]);

#endif

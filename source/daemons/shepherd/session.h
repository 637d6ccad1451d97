#ifndef SHEPHERD_SESSION_H
#define SHEPHERD_SESSION_H

#include <sys/types.h>

#include "common/basis.h"

/* The parent's half of an interactive task's input and output: a process beside the job, the pump,
 * has the other ends of the job's descriptors and carries their bytes to the client and back, as
 * the job's owner; if the job may go on without its client, then to its files. This shepherd sends
 * it the exit status, and its end says that the client has gone. Nothing of it exists for a task
 * with files. */
struct answer;
struct daemon_place;
struct detached_files;
struct job_identity;

enum launch_io_kind { LAUNCH_IO_FILES, LAUNCH_IO_TERMINAL, LAUNCH_IO_PIPES, LAUNCH_IO_DAEMON };
/* launch_io_kind_of - of the value of the key launch_io, "files", "pty", "relay" or
 * "daemon"; false if it is another */
bool launch_io_kind_of(const char *text, enum launch_io_kind *out);

struct session_place {  /* borrowed */
    const char *socket; /* of the execd: the clients come there */
    const char *task;   /* its key as text */
    const char *digest; /* of the secret of its client */
    const struct job_identity *who;
    bool is_terminal;
    const struct daemon_place *daemon; /* daemon_port.h; NULL: builtin */
    const struct detached_files
        *files; /* for what is written without a client; NULL: the job ends */
};
struct session {
    pid_t pump;  /* 0: the task has files */
    int control; /* the exit status goes here */
    /* the job's process reads a byte from it when the client is there, or gets the connection of a
     * configured daemon through it */
    int go;
    int of_job[3]; /* its input, output and error; of a terminal all the same; -1: a daemon's */
    bool is_terminal;
};

/* session_begin - the descriptors, and the pump, which waits for its client
 * Returns 0, or -1 with ans and S empty. */
int session_begin(struct session *s, const struct session_place *place, struct answer *ans);
/* session_job_started - the job's process has its ends: those of this process are closed */
void session_job_started(struct session *s);
/* session_end - the client gets what is still to be read of the job, then STATUS and TEXT (NULL:
 * none); the pump ends when it has it all, or when it has gone. Nothing for an empty S. */
void session_end(struct session *s, int status, const char *text);

#endif

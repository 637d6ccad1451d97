#ifndef QMASTER_IO_MAIL_PROCESS_H
#define QMASTER_IO_MAIL_PROCESS_H

#include <sys/types.h>

#include "common/basis.h"

/* The process that runs mailers. It is started before the qmaster gives up the ability to gain
 * privileges, has the user of the qmaster, and ends with it. It runs mailers and nothing else: it
 * checks each request itself, so that a qmaster that has been taken over can send mail, as before,
 * but start no other program with privileges. Source: sge_conf(5) mailer, bootstrap(5) mailers. */
enum {
    MAILERS = 4, /* that run at a time */
    MAIL_DEADLINE_MS = 30000,
    MAIL_SUBJECT_MOST = 1000, /* bytes */
    MAIL_BODY_MOST = 256 << 10,
    MAIL_PROGRAM_MOST = 4096,
    MAIL_SAID_MOST = 300,         /* of what a mailer prints */
    MAIL_PROCESS_REST_MOST_S = 60 /* between two starts of its server */
};

struct mail_process {
    const char *user;    /* borrowed; as whom it runs; NULL: the name is unknown */
    const char *trusted; /* borrowed; paths of mailers, divided by blanks or commas, that may gain
                          * privileges; NULL: none */
    bool is_hardened;    /* all other programs cannot gain privileges, and have this group: */
    gid_t group;         /* so that they cannot trace one that may */
};
/* mail_process_run - the life of that process: requests from FD, a socket of packets, are served
 * until its other end is closed, by a child. If one of the two is killed, the other starts it
 * again: at once, and later if it lived less than MAIL_PROCESS_REST_MOST_S. Mails that have not
 * been taken wait, and a mailer that runs goes on. Both return. Only in a process without threads.
 * Returns the exit status. */
int mail_process_run(const struct mail_process *p, int fd);

enum mail_result { MAIL_LOST, MAIL_SENT, MAIL_FAILED, MAIL_LATE };
struct mail_request {
    const char *program, *subject, *address, *body; /* borrowed */
    unsigned deadline_ms;
};
struct mail_answer {
    uint32_t result; /* an enum mail_result; LOST: what ran the mailer has ended */
    char said[MAIL_SAID_MOST + 1];
};
/* mail_process_send - run a mailer: pass M on through FD, the other end, and wait for the answer
 * Any thread. When STOP_FD becomes readable the mailer has a second more. Returns 0, or an errno if
 * the request could not be passed on: ECANCELED because of STOP_FD. */
int mail_process_send(int fd, const struct mail_request *m, int stop_fd, struct mail_answer *out);

#endif

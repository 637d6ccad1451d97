#ifndef QMASTER_IO_MAILER_H
#define QMASTER_IO_MAILER_H

#include "common/basis.h"
#include "libs/uti/tree.h"

/* Sends mail: has the mailer of sge_conf(5) run (mail_process.h) for each address, with the
 * arguments -s SUBJECT ADDRESS and the text as its input. Threads that are made with the first mail
 * wait for the mailers; no other thread does.
 *
 * What waits is bounded (MAILS_WAIT_...) and in memory only: a qmaster that ends loses it. The
 * mails of one user are sent one after the other, those of several users in turn, so that no user
 * keeps others waiting. A mailer that takes longer than its time (MAIL_DEADLINE_MS) is killed,
 * with its process group; one that fails is run again twice, a rest (MAIL_REST_MS) later each
 * time. */
enum { MAIL_REST_MS = 60000, MAIL_TRIES = 3, MAILS_WAIT_MOST = 10000, MAILS_WAIT_BYTES = 32 << 20 };

struct mail {
    STAILQ_ENTRY(mail) next;
    char *user;    /* who caused it; all texts are owned */
    char *program; /* the path of the mailer */
    char *subject;
    char *body;
    char **to; /* owned, each an address */
    unsigned n_to, at;
    unsigned tries; /* to send it to address AT */
};
STAILQ_HEAD(mail_list, mail);
/* mail_free - NULL is fine */
void mail_free(struct mail *m);

struct mailer;
/* mailer_new - with these times; PROCESS_FD, taken, is the socket of the process that runs mailers;
 * new: mailer_free
 * mailer_free - after mailer_stop; NULL is fine */
struct mailer *mailer_new(int process_fd, unsigned deadline_ms, unsigned rest_ms);
void mailer_free(struct mailer *r);
/* mailer_give - send all of MAILS, which is empty afterwards; what does not fit is dropped, with a
 * line in the log. Any thread; does not wait. */
void mailer_give(struct mailer *r, struct mail_list *mails);
/* mailer_stop - send no more: mailers that run are killed a second later; the log
 * has how many mails were not sent. NULL is fine. */
void mailer_stop(struct mailer *r);

#endif

#ifndef QMASTER_EXEC_H
#define QMASTER_EXEC_H

#include "daemons/qmaster/sessions.h"

/* The dialogue with the execds. What is to be said to a host in a turn is collected and leaves as few messages, once the batch of the
 * turn is durable. Every message may be sent twice: after a reconnect both sides compare what they know. */
void exec_handle(struct qmaster *q, struct session *s, struct frame *f); /* an EXEC frame */
void exec_on_closed(struct qmaster *q, struct session *s);
/* exec_send_away - H is about to go: its execd's connection ends, and nothing points to H any more */
void exec_send_away(struct qmaster *q, struct host *h);
/* exec_start - send T (its record is filled) to its host */
void exec_start(struct qmaster *q, struct task *t);
void exec_signal(struct qmaster *q, const struct task *t, int sig);
void exec_job_changed(
    struct job *job); /* hosts that have it get it again with their next start of it */
void exec_forget_job(struct qmaster *q, struct job *job); /* no more starts of it */
void exec_job_files_arrived(
    struct qmaster *q, struct job *job); /* starts that waited for its environment and script */
void exec_conf_changed(struct qmaster *q);
void exec_shutdown(struct qmaster *q, struct host *h,
                   int sig); /* 0: jobs run on; 9: they end too */
void exec_flush(struct qmaster *q);

#endif

#ifndef SHEPHERD_JOB_SIGNALS_H
#define SHEPHERD_JOB_SIGNALS_H

/* Signals for the job. */
struct shepherd;

/* job_signal - do to the job what SIG asks for: SIGSTOP and SIGCONT go to the whole tree,
 * SIGKILL ends it, others go to its group */
void job_signal(struct shepherd *s, int sig);
/* job_take_signal - do what a signal to the shepherd asks for; SIGCHLD asks for nothing */
void job_take_signal(struct shepherd *s, int sig);

#endif

#ifndef SHEPHERD_JOB_WAIT_H
#define SHEPHERD_JOB_WAIT_H

struct shepherd;

/* job_wait - stay with the running job to its end: pass on signals to it, hold it to its limits */
void job_wait(struct shepherd *s);

#endif

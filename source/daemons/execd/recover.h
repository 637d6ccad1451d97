#ifndef EXECD_RECOVER_H
#define EXECD_RECOVER_H

struct execd;

/* tasks_recover - find the tasks of an earlier execd in active_jobs */
void tasks_recover(struct execd *x);

#endif

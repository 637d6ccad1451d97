#ifndef QMASTER_REQUESTS_JOBS_ACT_TASKS_H
#define QMASTER_REQUESTS_JOBS_ACT_TASKS_H

#include "daemons/qmaster/change/request.h"

/* act_concerns - is T in a state in which ACTION (enum gdi_action) means something? */
bool act_concerns(uint32_t action, const struct task *t);
/* act_on_task - do to T what R asks for, if that is possible, and say what became of it. T may have
 * gone afterwards. */
void act_on_task(struct qmaster *q, struct request *r, struct task *t);

#endif

#ifndef QMASTER_JOBS_SLOTS_H
#define QMASTER_JOBS_SLOTS_H

#include "daemons/qmaster/jobs/places.h"

/* The slots of tasks. Nothing here can fail. */

/* slots_take - T, which holds none, has these from now on; its record says so. O(places) */
void slots_take(struct qmaster *q, struct task *t, const struct places *places);
/* slots_give_back - all that T holds; the record still says where it was */
void slots_give_back(struct qmaster *q, struct task *t);
/* slots_restore - after a restart: a task that runs takes the slots again that its record speaks
 * of */
void slots_restore(struct qmaster *q, struct task *t);

#endif

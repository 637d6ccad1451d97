#ifndef QMASTER_JOBS_SLOTS_H
#define QMASTER_JOBS_SLOTS_H

#include "daemons/qmaster/tables/qmaster.h"

/* The slots of tasks. Nothing here can fail. */

/* an allocation (libs/sgeobj/allocation.h) whose queue instances have been found; the first is
 * the master's */
struct places {
    struct place {
        struct qinstance *qi;
        uint32_t slots; /* of each task */
    } * v;
    uint32_t n;             /* > 0 */
    struct text_object *pe; /* the parallel environment; NULL: none */
};

/* slots_take - T, which holds none, has these from now on; its record says so. O(places) */
void slots_take(struct qmaster *q, struct task *t, const struct places *places);
/* slots_give_back - all that T holds; the record still says where it was */
void slots_give_back(struct qmaster *q, struct task *t);
/* slots_restore - after a restart: a task that runs takes the slots again that its record speaks
 * of */
void slots_restore(struct qmaster *q, struct task *t);

#endif

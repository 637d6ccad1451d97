#ifndef QMASTER_JOBS_BOOKINGS_H
#define QMASTER_JOBS_BOOKINGS_H

#include "daemons/qmaster/jobs/places.h"
#include "libs/resource/supply.h"

/* What tasks book where they run: the bookings in the supplies of queue instances, hosts and the
 * cell, of parallel environments and of further limits are exactly what the records of the tasks
 * there say. */

/* bookings_plan - PLACES get what a task of JOB books at each; places_clear frees it. JOB is
 * borrowed until then
 * bookings_missing - is a resource asked for that a place does not have, or not asked for where it
 * must be? */
void bookings_plan(struct qmaster *q, struct places *places, const struct job *job);
bool bookings_missing(struct qmaster *q, const struct place *place, const struct job *job);
/* bookings_fit - is there room for what is planned, in all places together? Then PLACES also say
 * which devices the next task gets: those that their hosts name, else the queues, else the cell. If
 * not, LACKING is what the first place without room lacks: of a quota, which may have gone by then,
 * its kind and the numbers. While running tasks are being counted again it is a quota, too.
 * O(places x (resources + devices)) */
bool bookings_fit(struct qmaster *q, struct places *places, struct shortage *lacking);

/* what limits the tasks of a job beside the places where they run */
struct task_limits {
    struct counted_supply concurrency, owner; /* -tc or max_aj_instances, and maxujobs */
    struct supply *members[3];
    struct path path; /* of both, and of the parallel environment if there is one */
};
/* task_limits_of - those of tasks of JOB, in PE (NULL: none), as it is now. OUT must not move. O(1)
 */
void task_limits_of(struct qmaster *q, const struct job *job, const struct text_object *pe,
                    struct task_limits *out);

/* what keeps a task from a queue instance */
struct lack {
    const char *name; /* of the resource; borrowed, as is asked */
    uint32_t type;    /* of the complex */
    char place; /* 'q', 'h', 'g': the queue, the host or the cell has too little; 0: none has any,
                       * or it is FORCED and was not asked for */
    bool is_forced;
    const char *asked; /* NULL: it is the default */
    int64_t left;      /* where PLACE is set */
};
/* bookings_lack - the first thing of which there is not enough at QI for one slot of REQUEST;
 * AS_IF_UNUSED: if nothing ran. False: there is enough of all. O(resources x log) */
bool bookings_lack(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                   bool as_if_unused, struct lack *out);

/* bookings_lack_limit - the first limit of who asks, and where (quotas.h), that has too little for
 * SLOTS slots of REQUEST in PE (NULL: none) at QI. AS_IF_UNUSED as above. False: there is enough of
 * all. O(resources x limits) */
bool bookings_lack_limit(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                         const char *pe, uint32_t slots, bool as_if_unused, struct shortage *out);

/* for how many slots of a task a place has enough; UINT64_MAX: for any number */
struct slot_room {
    uint64_t queue, host, cell; /* QUEUE: quotas as well */
};
/* bookings_room - so many slots of REQUEST, which asks for slots in PE, find what each of them
 * takes in QI, on its host and in the cell. AS_IF_UNUSED as above. O(resources x log) */
struct slot_room bookings_room(struct qmaster *q, struct qinstance *qi,
                               const struct JB_Type *request, const char *pe, bool as_if_unused);

/* bookings_add - a task, in the advance reservation AR (0: in none), has SLOTS at QI and takes
 * TAKEN there
 * bookings_end - undo exactly that */
void bookings_add(struct qmaster *q, uint32_t ar, struct qinstance *qi, uint32_t slots,
                  const struct TK_Type_list *taken);
void bookings_end(struct qmaster *q, uint32_t ar, struct qinstance *qi, uint32_t slots,
                  const struct TK_Type_list *taken);

/* bookings_add_limits - T, whose record says where it runs, books in PE (NULL: none) and in its
 * quotas
 * bookings_end_limits - undo exactly that
 * bookings_recount_limits - JOB is of another project: its tasks that hold slots are counted anew.
 * O(its task records x places)
 * bookings_free - when the tasks have gone */
void bookings_add_limits(struct qmaster *q, struct task *t, const struct text_object *pe);
void bookings_end_limits(struct qmaster *q, struct task *t, const struct text_object *pe);
void bookings_recount_limits(struct qmaster *q, struct job *job);
void bookings_free(struct qmaster *q);
/* bookings_add_slots - a task has SLOTS in the parallel environment PE */
void bookings_add_slots(const struct text_object *pe, uint32_t slots);

#endif

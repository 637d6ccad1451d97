#ifndef QMASTER_JOBS_TAKINGS_H
#define QMASTER_JOBS_TAKINGS_H

#include "daemons/qmaster/jobs/places.h"

/* Resources that run out, as tasks take them where they run: what is in the stocks of queue
 * instances, hosts and the cell is exactly what the records of the tasks there say. */

/* takings_plan - PLACES get what a task of JOB takes at each; places_clear frees it
 * takings_missing - is a resource asked for that a place does not have, or not asked for where it
 * must be? */
void takings_plan(struct qmaster *q, struct places *places, const struct job *job);
bool takings_missing(struct qmaster *q, const struct place *place, const struct job *job);
/* takings_fit - is there room for what is planned, in all places together? Then PLACES also say
 * which devices the next task gets: those that their hosts name, else the queues, else the cell.
 * O(places x (resources + devices)) */
bool takings_fit(struct qmaster *q, struct places *places);

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
/* takings_lack - the first thing of which there is not enough at QI for one slot of REQUEST;
 * AS_IF_UNUSED: if nothing ran. False: there is enough of all. O(resources x log) */
bool takings_lack(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                  bool as_if_unused, struct lack *out);

/* for how many slots of a task a place has enough; UINT64_MAX: for any number */
struct slot_room {
    uint64_t queue, host, cell;
};
/* takings_room - so many slots of REQUEST find what each of them takes at QI, on its host and in
 * the cell; slots of the queue are not counted. AS_IF_UNUSED as above. O(resources x log) */
struct slot_room takings_room(struct qmaster *q, struct qinstance *qi,
                              const struct JB_Type *request, bool as_if_unused);

/* takings_book - a task has SLOTS at QI and takes TAKEN there
 * takings_unbook - undo exactly that */
void takings_book(struct qmaster *q, struct qinstance *qi, uint32_t slots,
                  const struct TK_Type_list *taken);
void takings_unbook(struct qmaster *q, struct qinstance *qi, uint32_t slots,
                    const struct TK_Type_list *taken);

#endif

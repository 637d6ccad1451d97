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

/* takings_book - a task has SLOTS at QI and takes TAKEN there
 * takings_unbook - undo exactly that */
void takings_book(struct qmaster *q, struct qinstance *qi, uint32_t slots,
                  const struct TK_Type_list *taken);
void takings_unbook(struct qmaster *q, struct qinstance *qi, uint32_t slots,
                    const struct TK_Type_list *taken);

#endif

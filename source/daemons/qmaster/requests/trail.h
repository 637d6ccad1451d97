#ifndef QMASTER_REQUESTS_TRAIL_H
#define QMASTER_REQUESTS_TRAIL_H

#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/tables/qmaster.h"

/* The trail of administration: a line of the log for each change of the cell, who made it, from
 * where, of what object, and which attributes. What is refused leaves none, so that nobody fills
 * the log with requests. */

/* struct trail - what one change of an object leaves; all zero before trail_begin
 * trail_begin - before RECORD, of the kind and form of R, takes the place of what there is
 * trail_end - a line for each text that the answer has got since then: with the attributes that
 *             have changed, if it was a change. The trail is empty afterwards. */
struct trail {
    void *before; /* owned: the object as it was; NULL: it was not there */
    const char *name;
    uint32_t texts; /* that the answer had */
};
void trail_begin(struct qmaster *q, const struct request *r, const char *name, struct trail *t);
void trail_end(struct qmaster *q, const struct request *r, struct trail *t);

/* trail_note - a line with the last text of the answer to R. Of what one may do who is no manager
 * (owners of queues and of jobs), one line a second is written. */
void trail_note(struct qmaster *q, const struct request *r);
/* trail_note_task - the same of an act on a task of OWNER; what its owner does is nobody else's */
void trail_note_task(struct qmaster *q, const struct request *r, const char *owner);

#endif

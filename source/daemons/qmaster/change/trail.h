#ifndef QMASTER_CHANGE_TRAIL_H
#define QMASTER_CHANGE_TRAIL_H

#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/tables/qmaster.h"

struct dstr;

/* The trail of administration: a line of the log for each change of the cell, who made it, from
 * where, of what object, and which attributes. What is refused leaves none, so that no user can
 * fill the log with requests. */

/* trail_note - a line with the last text of the answer to R. Of what one may do who is no manager
 * (owners of queues and of jobs), one line a second is written. */
void trail_note(struct qmaster *q, const struct request *r);
/* trail_note_task - the same of an act on a task of OWNER; acts of the owner leave none */
void trail_note_task(struct qmaster *q, const struct request *r, const char *owner);
/* trail_add_text - TEXT, preceded by who made the request R unless it begins with that already */
void trail_add_text(const struct request *r, const char *text, struct dstr *out);

#endif

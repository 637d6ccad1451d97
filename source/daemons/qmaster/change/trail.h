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

struct cull_type;

/* struct config_trail - what one change of an administrator's object leaves in the log; all zero
 * before config_trail_begin
 *
 * config_trail_begin - before the request R changes an object; NOW is the object, of TYPE; NULL:
 *                      there is none
 * config_trail_end - a line for each text that the answer has got since then: with the attributes
 *                    that have changed, if it was a change; NOW as above. The trail is empty
 *                    afterwards. */
struct config_trail {
    const struct cull_type *type;
    void *before;   /* owned: the object as it was; NULL: none, or no change */
    uint32_t texts; /* that the answer had */
};
void config_trail_begin(const struct request *r, const struct cull_type *type, const void *now,
                        struct config_trail *t);
void config_trail_end(const struct request *r, const void *now, struct config_trail *t);

#endif

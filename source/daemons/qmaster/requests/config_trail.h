#ifndef QMASTER_REQUESTS_CONFIG_TRAIL_H
#define QMASTER_REQUESTS_CONFIG_TRAIL_H

#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/tables/qmaster.h"

/* struct config_trail - what one change of an object leaves; all zero before config_trail_begin
 * config_trail_begin - before RECORD, of the kind and form of R, takes the place of what there is
 * config_trail_end - a line for each text that the answer has got since then: with the attributes that
 *             have changed, if it was a change. The trail is empty afterwards. */
struct config_trail {
    void *before; /* owned: the object as it was; NULL: it was not there */
    const char *name;
    uint32_t texts; /* that the answer had */
};
void config_trail_begin(struct qmaster *q, const struct request *r, const char *name, struct config_trail *t);
void config_trail_end(struct qmaster *q, const struct request *r, struct config_trail *t);

#endif

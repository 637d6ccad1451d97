#ifndef QMASTER_REQUESTS_OBJECTS_CONFIG_TRAIL_H
#define QMASTER_REQUESTS_OBJECTS_CONFIG_TRAIL_H

#include "daemons/qmaster/change/request.h"

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

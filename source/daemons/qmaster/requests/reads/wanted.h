#ifndef QMASTER_REQUESTS_READS_WANTED_H
#define QMASTER_REQUESTS_READS_WANTED_H

#include "libs/sgeobj/rows.h"

/* Which fields of a record a client requested (GR_fields). Of a queue instance single attributes of
 * queue_conf(5) may be named, too: then its settings are those alone. Pure. */
enum { FIELDS_MOST = 1000 }; /* names in one request */
struct wanted {
    const struct cull_type *type;
    uint64_t fields[2];
    uint64_t settings; /* of a queue instance, by row of cqueue_attrs */
    bool is_all;
};

/* wanted_read - what NAMES mean for records of TYPE: the keys always; all, if there is no name that
 * means anything
 * O(names x fields) */
void wanted_read(struct wanted *w, const struct cull_type *type, const struct ST_Type_list *names);
/* wanted_has - is FIELD wanted? */
bool wanted_has(const struct wanted *w, unsigned field);
/* wanted_copy - TO, which is empty, becomes FROM as far as it is wanted */
void wanted_copy(const struct wanted *w, void *to, const void *from);

#endif

#ifndef CULL_SHARED_H
#define CULL_SHARED_H

#include "libs/cull/cull.h"

/* Records of one type of which many are equal, each content kept once. What is shared is never
 * changed; it exists as long as it has a holder. Owned by one thread. */
struct shared_records;

/* shared_records_new - none yet, of type T. New: shared_records_free, when none has a holder any
 * more; NULL is fine */
struct shared_records *shared_records_new(const struct cull_type *t);
void shared_records_free(struct shared_records *s);

/* shared_records_get - the one that is equal to RECORD, whose members are moved out: empty
 * afterwards. Held for the caller: shared_records_drop. O(bytes of RECORD) */
const void *shared_records_get(struct shared_records *s, void *record);
/* shared_records_drop - one holder less; the last one frees it. NULL is fine */
void shared_records_drop(struct shared_records *s, const void *record);
/* shared_records_count - how many different ones there are */
uint32_t shared_records_count(const struct shared_records *s);

#endif

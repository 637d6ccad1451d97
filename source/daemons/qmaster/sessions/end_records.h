#ifndef QMASTER_SESSIONS_END_RECORDS_H
#define QMASTER_SESSIONS_END_RECORDS_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/cull/pack.h"
#include "libs/spool/spool.h"

struct answer;

/* The spool records of kept ends. SPOOL_END has one for each task that was started: session, job,
 * ordinal. SPOOL_UNRUN has the tasks that were deleted before they ran, END_CHUNK ordinals in a
 * record: session, job, chunk. */
enum { END_KEY_BYTES = 16, END_CHUNK = 1 << 16 };

struct end_place { /* what a key says */
    uint64_t session;
    uint32_t job, low; /* an ordinal, or a chunk */
};
/* end_key - append the key of P
 * end_key_read - the place that KEY of LEN bytes means; false: none */
void end_key(struct packer *key, const struct end_place *p);
bool end_key_read(const void *key, size_t len, struct end_place *out);
/* end_put - stage END as the record of P in TABLE. end_del - stage that this goes */
void end_put(struct qmaster *q, enum spool_table table, const struct end_place *p,
             const struct EN_Type *end);
void end_del(struct qmaster *q, enum spool_table table, const struct end_place *p);
/* end_read - VALUE, the record of P in TABLE, into END, which is empty. Returns 0, or -1 with
 * ans */
int end_read(struct qmaster *q, enum spool_table table, const struct end_place *p,
             const void *value, size_t len, struct EN_Type *end, struct answer *ans);

#endif

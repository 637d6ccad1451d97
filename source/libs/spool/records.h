#ifndef SPOOL_RECORDS_H
#define SPOOL_RECORDS_H

#include "libs/cull/pack.h"
#include "libs/spool/spool.h"

/* Records that outlive the release that wrote them.
 *
 * value = varint number of a schema, the record in that schema's form (pack.h), and what earlier
 * states of the record hold that the writer has no fields for: n blobs, the latest first, each
 * again a number and a record
 *
 * SPOOL_SCHEMA keeps each schema (table of descriptors) with which records were ever written, so
 * that every record can be read and none is converted: it is written with our schema when it
 * changes. A program that reads a record with fields that it does not know keeps that record's
 * bytes, and writes them behind its own: nothing is lost when the release that knows them comes
 * back. One thread. */
struct answer;
struct cull_pool;
struct spool_records;

struct spool_key {
    enum spool_table table;
    const void *bytes;
    size_t len;
};

/* spool_records_open - read the schemas of S, of which one is OURS or will be
 *   ours, release  borrowed: our tables, and the release that we are ("9.0.0")
 * Returns new: spool_records_free; NULL with ans. */
struct spool_records *spool_records_open(struct spool *s, const struct cull_schema *ours,
                                         const char *release, struct answer *ans);
/* spool_records_free - NULL is fine */
void spool_records_free(struct spool_records *r);
/* spool_records_newer - the newest release that has written here with other tables than ours, if it
 * is newer than we are; else NULL */
const char *spool_records_newer(const struct spool_records *r);
/* spool_records_stage - our schema goes into B unless the spool has it; before any record does */
void spool_records_stage(const struct spool_records *r, struct spool_batch *b);
/* spool_records_kept - how many records have fields that we do not know */
uint32_t spool_records_kept(const struct spool_records *r);

/* spool_record_read - read the record at KEY into O, an empty record; what we do not know of it is
 * kept until spool_record_gone
 *   pool  NULL, or where strings of CULL_INTERN fields are shared
 * Returns 0, or -1 with ans and O empty. */
int spool_record_read(struct spool_records *r, struct spool_key key, const struct cull_type *t,
                      struct cull_pool *pool, const void *value, size_t len, void *o,
                      struct answer *ans);
/* spool_record_pack - append the value for KEY: the spool fields of O, and what was kept
 * spool_record_begin, spool_record_end - the same around the caller's cull_pack */
void spool_record_pack(const struct spool_records *r, struct packer *p, struct spool_key key,
                       const struct cull_type *t, const void *o);
void spool_record_begin(const struct spool_records *r, struct packer *p);
void spool_record_end(const struct spool_records *r, struct packer *p, struct spool_key key);
/* spool_record_gone - the record is removed: what was kept for KEY must not come back with another
 * of that name
 * spool_records_gone - of all records of TABLE whose keys begin with the 4 bytes of a job's
 * number */
void spool_record_gone(struct spool_records *r, struct spool_key key);
void spool_records_gone(struct spool_records *r, enum spool_table table, uint32_t job);

#endif

#ifndef QMASTER_IO_FETCHER_H
#define QMASTER_IO_FETCHER_H

#include "libs/spool/spool.h"

/* The thread that reads records for the core, which itself never waits for a disk. It is not the
 * committer, so that a read does not wait for a sync. */
struct inbox;
struct fetcher;

/* fetcher_new - SPOOL and CORE are borrowed; new: fetcher_free
 * fetcher_free - after fetcher_run has returned; NULL is fine */
struct fetcher *fetcher_new(struct spool *spool, struct inbox *core);
void fetcher_free(struct fetcher *f);
/* fetcher_run - the body of the thread; returns after fetcher_stop once everything asked for has
 * been read */
void fetcher_run(struct fetcher *f);
void fetcher_stop(struct fetcher *f);

/* fetcher_get - read the record of table T with key JOB, or all pieces of its script; the answer
 * comes as NOTE_FETCHED with conn = T, number = JOB and data NULL
 * without a record. What cannot be read is tried again until it can be. */
void fetcher_get(struct fetcher *f, enum spool_table t, uint32_t job);
/* fetcher_get_many - read N records of table T, whose KEYS, one after the other, are of one length;
 * they are taken. The answer comes as NOTE_FETCHED with conn = T, number = ID, and for each key in
 * order: 1 (pack_u8) and the record (pack_blob), or 0 and an empty one if it is not there. */
struct packer;
void fetcher_get_many(struct fetcher *f, enum spool_table t, uint64_t id, struct packer *keys,
                      uint32_t n);

#endif

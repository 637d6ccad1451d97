#ifndef QMASTER_CHANGE_MARKS_H
#define QMASTER_CHANGE_MARKS_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/cull/pack.h"
#include "libs/spool/spool.h"

/* What the batch that is being collected has to write: the records of jobs, tasks and ended
 * ordinals that have changed, each of them once. They are packed the oldest first and in pieces, so
 * that a hand-over never finds more of them than it has time for. A record that changes after it
 * was packed is marked and packed again: the batch writes in this order, so the last one counts,
 * and when nothing is marked the batch holds the state of that moment. */
struct marks;
enum { MARKS_KEPT_BYTES = 256 << 10 }; /* so much may wait for a hand-over: it packs that in 2 ms */

/* marks_new - nothing is marked; new: marks_free. marks_free - NULL is fine */
struct marks *marks_new(void);
void marks_free(struct marks *m);

/* marks_job, marks_task - the record is to be written as it is when it is packed; one that has gone
 * by then is deleted. O(1)
 * marks_job_gone - all records of JOB are to be deleted */
void marks_job(struct marks *m, const struct job *job);
void marks_job_gone(struct marks *m, uint32_t job);
void marks_task(struct marks *m, uint32_t job, uint32_t ordinal);
/* marks_task_later - it goes with the next batch that is written anyway, or when marks_all_later is
 * called */
void marks_task_later(struct marks *m, uint32_t job, uint32_t ordinal);
void marks_all_later(struct marks *m);
/* marks_ended - CHUNK of the ended ordinals: those from CHUNK * SPOOL_ENDED_SPAN on */
void marks_ended(struct marks *m, uint32_t job, uint32_t chunk);

/* marks_is_empty - is nothing marked? */
bool marks_is_empty(const struct marks *m);
/* marks_bytes - about how many bytes are still to be packed */
size_t marks_bytes(const struct marks *m);
/* marks_pack - pack the oldest into B until no more than KEEP bytes are left or the slice is over
 * (work.h). O(what is packed). */
void marks_pack(struct qmaster *q, struct marks *m, struct spool_batch *b, size_t keep);

/* ---- keys and packed values on their way into a batch ---- */
/* job_key - the key of JOB's record; new: packer_free
 * batch_put - stage VALUE under KEY. batch_del - stage that the record of KEY goes. Both free what
 * they get. */
struct packer job_key(uint32_t job);
void batch_put(struct spool_batch *b, enum spool_table t, struct packer *key, struct packer *value);
void batch_del(struct spool_batch *b, enum spool_table t, struct packer *key);

#endif

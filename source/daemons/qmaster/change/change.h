#ifndef QMASTER_CHANGE_CHANGE_H
#define QMASTER_CHANGE_CHANGE_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/spool/spool.h"

/* Changes: everything requests did to the state since the last hand-over, as one transaction. The order for each request is decode,
 * authorise, check, apply, stage; change_commit() then is the only way out: it gives the batch to the committer as soon as that is free.
 * Staging cannot fail. */
struct parcel;

struct change *change_new(uint64_t first_number);
void change_free(struct change *c);
/* change_number - the number of the batch that is being collected; what is changed now is durable with it */
uint64_t change_number(const struct qmaster *q);
uint64_t change_durable(const struct qmaster *q);
void change_set_durable(struct qmaster *q, uint64_t number); /* on NOTE_DURABLE */

/* change_is_settled - nothing is collected and nothing is with the committer */
bool change_is_settled(const struct qmaster *q);

/* staging: each notes the record as it will be at the end of the batch (a record changed ten times is written once) */
void change_job(struct qmaster *q, struct job *job);     /* the job's own record */
void change_job_new(struct qmaster *q, struct job *job); /* its record and the next number */
/* a packed environment anew */
/* change_batch - what is collected, for what is staged at once (job_files.h); borrowed until the end of the turn */
struct spool_batch *change_batch(struct qmaster *q);
/* change_script_piece - piece N of the long script of JOB, which need not be there yet; TEXT NULL: it goes. With the first piece the
 * number counts as used, so that no other job finds it after a restart. */
void change_script_piece(struct qmaster *q, uint32_t job, uint32_t n, const char *text, size_t len);
void change_job_gone(struct qmaster *q,
                     struct job *job); /* all records of it; call before job_free */
void change_task(struct qmaster *q, struct task *t);
/* change_task_later - the record is worth writing, not a batch of its own: it goes with the next one, or when change_all_later is called */
void change_task_later(struct qmaster *q, struct task *t);
void change_all_later(struct qmaster *q);
void change_task_gone(struct qmaster *q, struct job *job,
                      uint32_t ordinal); /* the record of a start */
void change_ended(struct qmaster *q, struct job *job,
                  const struct range_set *ended); /* what left `unfinished` */
void change_record(struct qmaster *q, enum spool_table table, const char *name,
                   const struct cull_type *t, const void *o);
void change_record_gone(struct qmaster *q, enum spool_table table, const char *name);
/* change_schema - the spool is to have the schema that records are written with, before any is */
void change_schema(struct qmaster *q);
void change_outbox_gone(struct qmaster *q);                  /* at the start: all are settled */
void change_accounting(struct qmaster *q, const char *line); /* one line with its newline */
/* change_request - a request id to be remembered (recent.h), with its job or its packed answer */
void change_request(struct qmaster *q, const char *request_id, uint32_t job_number,
                    const void *answer, size_t len);
void change_request_gone(struct qmaster *q, const char *request_id);

/* sending: each frame leaves once batch AFTER is durable; AFTER 0 sends at once. BODY is taken */
void change_send(struct qmaster *q, uint64_t after, uint64_t conn, uint8_t kind, uint32_t serial,
                 uint8_t *body, size_t len);
/* change_answer - one part of an answer to a request; packs and empties GA */
void change_answer(struct qmaster *q, uint64_t after, uint64_t conn, uint32_t serial,
                   struct GA_Type *ga);

/* change_weight - how much of the log the batch that is being collected will take, in bytes and about
 * change_is_full - is that enough? Everybody in it waits for all of it, so what is long waits for the next one (work.h, parked.h). Not
 * while the disk takes nothing: then what comes is refused, and that must be said. */
enum { CHANGE_FULL_BYTES = 1024 * 1024 };
size_t change_weight(const struct qmaster *q);
bool change_is_full(const struct qmaster *q);
/* change_is_free - would change_commit hand over what is staged? */
bool change_is_free(const struct qmaster *q);
/* change_commit - the end of a turn: what is staged goes to the committer if it is free and all of it could be packed in the slice (work.h) */
void change_commit(struct qmaster *q);
/* change_is_behind - is there something to be packed now, because the last slice had no time for it? */
bool change_is_behind(const struct qmaster *q);
/* change_unpacked - about how many bytes of what has changed are not packed yet */
size_t change_unpacked(const struct qmaster *q);
/* change_pack - a slice of packing; true when no more is left than a hand-over has time for */
bool change_pack(struct qmaster *q);

#endif

#ifndef QMASTER_CHANGE_CHANGE_H
#define QMASTER_CHANGE_CHANGE_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/spool/spool.h"

/* Changes: everything requests did to the state since the last hand-over, as one transaction. The
 * order for each request is decode, authorise, check, apply, stage; change_commit() then is the
 * only way out: it gives the batch to the committer as soon as that is free. Staging cannot
 * fail. */
struct mail;
struct outgoing;

/* change_new - nothing has changed; the first batch gets FIRST_NUMBER. New: change_free
 * change_free - what was not handed over is dropped; NULL is fine */
struct change *change_new(uint64_t first_number);
void change_free(struct change *c);
/* change_number - the number of the batch that is being collected; what is changed now is durable
 * with it
 * change_durable - the number of the last batch that is on disk
 * change_set_durable - that is NUMBER now: the committer said so (NOTE_DURABLE) */
uint64_t change_number(const struct qmaster *q);
uint64_t change_durable(const struct qmaster *q);
void change_set_durable(struct qmaster *q, uint64_t number);

/* change_is_settled - is nothing collected, and nothing with the committer? */
bool change_is_settled(const struct qmaster *q);

/* ---- staging ----
 * Each notes that a record is to be written as it will be at the end of the batch: one that changes
 * ten times is written once. */
/* change_job - the job's own record has changed
 * change_job_new - JOB is new: its record, and the next number */
void change_job(struct qmaster *q, struct job *job);
void change_job_new(struct qmaster *q, struct job *job);
/* change_batch - what is collected, for what is staged at once (job_files.h); borrowed until the
 * end of the turn */
struct spool_batch *change_batch(struct qmaster *q);
/* change_script_piece - piece N of the long script of JOB, which need not be there yet; TEXT NULL:
 * it goes. With the first piece the number counts as used, so that no other job finds it after a
 * restart. */
void change_script_piece(struct qmaster *q, uint32_t job, uint32_t n, const char *text, size_t len);
/* change_job_gone - all records of JOB go; call it before job_free */
void change_job_gone(struct qmaster *q, struct job *job);
/* change_task - the record of T has changed */
void change_task(struct qmaster *q, struct task *t);
/* change_task_later - the record has changed, but is not worth a batch of its own: it goes with the
 * next one, or when change_all_later is called */
void change_task_later(struct qmaster *q, struct task *t);
void change_all_later(struct qmaster *q);
/* change_task_gone - the record of task ORDINAL goes
 * change_ended - the ordinals ENDED have left `unfinished` of JOB */
void change_task_gone(struct qmaster *q, struct job *job, uint32_t ordinal);
void change_ended(struct qmaster *q, struct job *job, const struct range_set *ended);
/* change_record, change_record_gone - an object of the configuration, NAME of TABLE, is O, of type
 * T, now, or has gone; packed at once
 * change_records_gone - all of TABLE whose names begin with PREFIX have gone; O(1). What newer
 * releases keep in them is forgotten by change_record_forget, one by one */
void change_record(struct qmaster *q, enum spool_table table, const char *name,
                   const struct cull_type *t, const void *o);
void change_record_gone(struct qmaster *q, enum spool_table table, const char *name);
void change_records_gone(struct qmaster *q, enum spool_table table, const char *prefix);
void change_record_forget(struct qmaster *q, enum spool_table table, const char *name);
/* change_schema - the spool is to have the schema that records are written with, before any is */
void change_schema(struct qmaster *q);
/* change_accounting - LINE, with its newline, goes into the accounting file, unless
 * accounting=false
 * change_accounting_left - LINES of earlier ends, which the file did not take, go there in any case
 * change_outbox_gone - at the start: all lines of the outbox are in the file */
void change_outbox_gone(struct qmaster *q);
void change_accounting(struct qmaster *q, const char *line);
void change_accounting_left(struct qmaster *q, const char *lines);
/* change_reporting - LINE, with its newline, goes into the reporting file; lost, with a line in the
 * log, if CHANGE_REPORTING_MOST bytes wait for the disk already */
enum { CHANGE_REPORTING_MOST = 8 << 20 };
void change_reporting(struct qmaster *q, const char *line);
/* change_mail - M, taken, is sent when the batch is durable; lost with a qmaster that ends before
 * change_mails - those that are collected, for tests; borrowed */
struct mail_list;
void change_mail(struct qmaster *q, struct mail *m);
const struct mail_list *change_mails(const struct qmaster *q);
/* change_usage_gone - P (tables/usage.h) is about to be dropped; what was used is stored with the
 * batch without being asked */
void change_usage_gone(struct qmaster *q, const struct usage_pair *p);
/* change_request - a request id to be remembered (recent.h), with its job or its packed answer */
void change_request(struct qmaster *q, const char *request_id, uint32_t job_number,
                    const void *answer, size_t len);
/* change_request_gone - it need not be remembered any longer */
void change_request_gone(struct qmaster *q, const char *request_id);

/* ---- sending ---- */
/* change_send - the frame leaves once batch AFTER is durable, at once if AFTER is 0; BODY is
 * taken */
void change_send(struct qmaster *q, uint64_t after, uint64_t conn, uint8_t kind, uint32_t serial,
                 uint8_t *body, size_t len);
/* change_answer - one part of an answer to a request; packs and empties GA */
void change_answer(struct qmaster *q, uint64_t after, uint64_t conn, uint32_t serial,
                   struct GA_Type *ga);

/* change_weight - about how many bytes of the log the batch that is being collected will take
 * change_is_full - is that enough? Everybody in it waits for all of it, so what is long waits for
 * the next one (work.h, steps.h). Not while the disk takes nothing: then what comes is refused,
 * and that must be said. */
enum { CHANGE_FULL_BYTES = 1024 * 1024 };
size_t change_weight(const struct qmaster *q);
bool change_is_full(const struct qmaster *q);
/* change_is_free - would change_commit hand over what is staged? */
bool change_is_free(const struct qmaster *q);
/* change_commit - the end of a turn: what is staged goes to the committer if it is free and all of
 * it could be packed in the slice (work.h) */
void change_commit(struct qmaster *q);
/* change_is_behind - is there something to be packed now, because the last slice had no time for
 * it? */
bool change_is_behind(const struct qmaster *q);
/* change_unpacked - about how many bytes of what has changed are not packed yet */
size_t change_unpacked(const struct qmaster *q);
/* change_pack - a slice of packing; true when no more is left than a hand-over has time for */
bool change_pack(struct qmaster *q);

/* The administrator's objects on their way to the spool: after a change and in a new cell. */
/* config_stage_names - one of the lists of names, as it is now
 * config_stage_text, config_stage_text_gone - a plain object is as REC says, or has gone */
void config_stage_names(struct qmaster *q, enum admin_list list);
void config_stage_text(struct qmaster *q, const struct TX_Type *rec);
void config_stage_text_gone(struct qmaster *q, const struct TX_Type *rec);

#endif

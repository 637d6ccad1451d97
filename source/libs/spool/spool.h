#ifndef SPOOL_SPOOL_H
#define SPOOL_SPOOL_H

#include "common/basis.h"

/* Records in transactions. The qmaster's core stages changes into a batch (memory only); its
 * committer thread writes the batch and syncs once. A batch is there whole or not at all after a
 * crash. One method: Berkeley DB (bdb.c); classic (readable files) comes behind the same functions.
 * Keys are big-endian, so walks run in number order. */
struct answer;
struct spool;
struct spool_batch;

enum spool_table {
    /* "next_job" -> numbers. A new fact gets a new key, since older releases write what they know */
    SPOOL_META,
    SPOOL_SCHEMA,     /* number -> release and tables that records were written with (records.h) */
    SPOOL_JOB,        /* job number -> JB_Type, spool fields */
    SPOOL_JOB_SCRIPT, /* job number -> script bytes, if it is not in pieces */
    SPOOL_JOB_PIECE,  /* job number, 0, 1, 2 ... -> a piece of a script too long for one batch */
    SPOOL_JOB_ENV,    /* job number -> JB_Type with JB_env_list only */
    SPOOL_TASK,       /* job number, task ordinal -> JAT_Type */
    SPOOL_ENDED, /* job number, ordinal / SPOOL_ENDED_SPAN -> packed ranges of ended ordinals, and of those of them
                    * that failed, and of those of which it is not known */
    SPOOL_OUTBOX,  /* number -> accounting line whose presence in the file is not yet certain */
    SPOOL_REQUEST, /* request id -> job number and time: a retried submit finds its job */
    SPOOL_CQUEUE,
    SPOOL_QINSTANCE,
    SPOOL_HOST,
    SPOOL_CONFIG,
    SPOOL_NAMES,
    SPOOL_TEXT,    /* name -> record */
    SPOOL_SESSION, /* session number, 8 bytes -> SN_Type */
    SPOOL_END,     /* session number, job number, ordinal -> EN_Type of one task */
    SPOOL_UNRUN,   /* session number, job number, chunk of ordinals -> EN_Type of any number */
    SPOOL_USAGE,   /* USER/PROJECT -> UP_Type; "/" -> UP_Type of the kinds of usage */
    SPOOL_AR,      /* "next" -> AR_Type whose AR_id is the next number; number as text -> AR_Type */
    SPOOL_TABLES
};
enum { SPOOL_ENDED_SPAN = 8192 };
/* How tables, keys and values are laid out; in the file "format" of the directory (format.h). Rows
 * and tables come without another number: an older release keeps what it does not know (records.h).
 * What it would do wrong without knowing gets another SPOOL_LAYOUT; SPOOL_LAYOUT_OLDEST follows if
 * what was there has got another form. */
enum { SPOOL_LAYOUT = 2, SPOOL_LAYOUT_OLDEST = 2 };

struct spool_options {
    size_t cache_bytes;      /* 0 = 1 MiB */
    size_t checkpoint_bytes; /* log written between two checkpoints; 0 = 32 MiB */
    /* a file given up when the disk is full, so that what is acknowledged can be finished; 0 = 8
     * MiB */
    size_t ballast_bytes;
    bool is_new;      /* create it; refuse an existing one */
    bool keeps_newer; /* run on a newer layout, too, if it only adds to ours (format.h) */
};

/* spool_open - open DIR, recovering what a crash left
 * Takes an exclusive lock on DIR: a second opener gets STATUS_EEXIST naming the holder's pid.
 * Returns new: spool_close; NULL with ans. */
struct spool *spool_open(const char *dir, const struct spool_options *options, struct answer *ans);
/* spool_close - give the directory back, after the checkpoint thread has ended; NULL is fine */
void spool_close(struct spool *s);

/* spool_batch_new - an empty batch; new: spool_batch_free
 * spool_batch_free - NULL is fine */
struct spool_batch *spool_batch_new(void);
void spool_batch_free(struct spool_batch *b);
/* spool_put - stage: the record of KEY, which is not empty, becomes VALUE; both are copied
 * spool_del - stage: the record of KEY goes; a missing key is fine
 * They take effect in the order in which they were staged. Memory only, O(bytes). */
void spool_put(struct spool_batch *b, enum spool_table t, const void *key, size_t key_len,
               const void *value, size_t len);
void spool_del(struct spool_batch *b, enum spool_table t, const void *key, size_t key_len);
/* spool_del_prefix - remove every record whose key starts with KEY (all tasks of a job); an empty
 * KEY: all */
void spool_del_prefix(struct spool_batch *b, enum spool_table t, const void *key, size_t key_len);
/* spool_batch_is_empty, spool_batch_bytes - is nothing staged? bytes of all keys and values */
bool spool_batch_is_empty(const struct spool_batch *b);
size_t spool_batch_bytes(const struct spool_batch *b);

/* spool_commit - write B in one transaction and sync the log; B is unchanged, so that a failed
 * commit can be tried again
 * Returns 0 when it is on disk, or -1 with ans: STATUS_EDISK when there is no space. After -1 the
 * outcome may be in doubt: B must be tried again before any other batch (which is harmless, as
 * records are written whole). Committer thread only. */
int spool_commit(struct spool *s, const struct spool_batch *b, struct answer *ans);
/* spool_get - read one record; 1 found (value new: free()), 0 not there, -1 with ans. Any thread;
 * it does not wait for a sync that is under way, and may find what that sync is about to make
 * durable. */
int spool_get(struct spool *s, enum spool_table t, const void *key, size_t key_len, void **value,
              size_t *len, struct answer *ans);
/* spool_walk - every record of T in key order; FN returns 0 to go on, and must not call the spool.
 * Before the threads start, or on the committer thread. Returns 0, what FN returned to stop it, or
 * -1 with ans. */
typedef int (*spool_walk_fn)(void *ctx, const void *key, size_t key_len, const void *value,
                             size_t len);
int spool_walk(struct spool *s, enum spool_table t, spool_walk_fn fn, void *ctx,
               struct answer *ans);
/* spool_walk_keys - the same without reading the values: FN gets NULL and 0 for them */
int spool_walk_keys(struct spool *s, enum spool_table t, spool_walk_fn fn, void *ctx,
                    struct answer *ans);
/* spool_has_space - false when the qmaster should refuse new work: less free space than the ballast
 * needs. Cheap: any thread; it reads one flag, and at most once a second has the checkpoint thread
 * look at the disk. */
bool spool_has_space(struct spool *s, uint64_t now_us);
/* spool_space_wanted - bytes that must be free for spool_has_space to be true; any thread */
uint64_t spool_space_wanted(const struct spool *s);
/* spool_disk_bytes - the size of the file system that holds the spool; 0 if that is unknown */
uint64_t spool_disk_bytes(const struct spool *s);
/* spool_dir - the directory of the spool; borrowed */
const char *spool_dir(const struct spool *s);
/* spool_disk_error - what keeps DIR's disk from being written: 0 if nothing does, ENOSPC or EDQUOT
 * if it is full, else what trying again will not cure (EIO, a directory that was removed). Writes a
 * little; committer thread. */
int spool_disk_error(const struct spool *s);
/* spool_disk_relieve - give up the ballast, so that a commit that failed for space can go through;
 * false if it was gone. It is laid down again when there is room for it (spool_has_space).
 * Committer thread. */
bool spool_disk_relieve(struct spool *s);
/* spool_checkpoint_loop - the body of the checkpoint thread: returns after
 * spool_stop_checkpoints */
void spool_checkpoint_loop(struct spool *s);
/* spool_stop_checkpoints - let it return, after what it is doing; any thread */
void spool_stop_checkpoints(struct spool *s);

#endif

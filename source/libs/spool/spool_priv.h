#ifndef SPOOL_SPOOL_PRIV_H
#define SPOOL_SPOOL_PRIV_H

#include <pthread.h>
#include <stdatomic.h>

#include "common/basis.h"
#include "libs/spool/spool.h"

/* What the files of the room share: staged operations and the interface of a spooling method. */

enum spool_op_kind { SPOOL_OP_PUT, SPOOL_OP_DEL, SPOOL_OP_DEL_PREFIX };
struct spool_op {
    enum spool_op_kind kind;
    enum spool_table table;
    const uint8_t *key, *value; /* in the batch's blocks */
    size_t key_len, value_len;
};
struct spool_block; /* keys and values, one after the other: batch.c */
struct spool_batch {
    struct spool_op *ops; /* in the order in which they were staged */
    uint32_t n, cap;
    struct spool_block *blocks; /* the one that is being filled first */
    size_t len;                 /* of all keys and values */
};

/* what a method has to tend to, so that commits need not wait for it */
enum { SPOOL_DUE_CHECKPOINT = 1, SPOOL_DUE_RESERVE = 2 };

/* struct spool_method - one way to keep records; `state` is the method's own
 *
 * open and close frame everything; commit, due and walk come from one thread at a time; tend and
 * get may come from others beside them. Those with ans return -1 on failure; commit's STATUS_EDISK
 * says that space may help. */
struct spool_method {
    const char *name; /* as the format file of the directory says, with the layout */
    void *(*open)(const char *dir, const struct spool_options *options, struct answer *ans);
    void (*close)(void *state);
    int (*commit)(void *state, const struct spool_batch *b, struct answer *ans);
    unsigned (*due)(void *state); /* SPOOL_DUE_.. bits, after a commit */
    int (*tend)(void *state, unsigned due, struct answer *ans);
    int (*get)(void *state, enum spool_table t, const void *key, size_t key_len, void **value,
               size_t *len, struct answer *ans);
    int (*walk)(void *state, enum spool_table t, bool with_values, spool_walk_fn fn, void *ctx,
                struct answer *ans);
};
extern const struct spool_method spool_method_bdb;

/* ---- the files of Berkeley DB's log (bdb_log.c); all return 0 or -1 with ans ---- */
enum { BDB_LOG_FILE_BYTES = 4 << 20 };
/* bdb_log_set_aside_blank - the library must not see files that were laid down and not begun; only
 * while no environment is open. The next bdb_log_reserve takes the space of the last of them. */
int bdb_log_set_aside_blank(const char *dir, struct answer *ans);
/* bdb_log_rewrite - make the end of the log certain again, while no environment is open
 * After a sync that failed the system counts the pages as clean: bytes that never reached the disk
 * would be read back, and what is appended behind them would be lost with the power. A copy in the
 * file's place is synced whole. */
int bdb_log_rewrite(const char *dir, struct answer *ans);
/* bdb_log_reserve - lay file NUMBER down; fine if it is there. STATUS_EDISK if there is no space */
int bdb_log_reserve(const char *dir, uint32_t number, struct answer *ans);

/* spool_table_name - the name of a table's file; a literal */
const char *spool_table_name(enum spool_table t);

/* The ballast and the question whether there is room (space.c). */
struct spool_space {
    char *dir, *ballast_path;
    size_t ballast_bytes;
    atomic_bool is_enough, has_ballast;
};
/* spool_space_open - lay the ballast down in DIR; SP is all zero before
 * A full disk is no failure: is_enough is false then. Returns 0, or -1 with ans. Blocks on the
 * disk.
 * spool_space_close - forget it; the ballast stays where it is */
int spool_space_open(struct spool_space *sp, const char *dir, size_t ballast_bytes,
                     struct answer *ans);
void spool_space_close(struct spool_space *sp);
/* spool_space_look - ask the file system, restore the ballast when there is room again. Blocks on
 * the disk. */
void spool_space_look(struct spool_space *sp);
/* spool_space_relieve - remove the ballast; false if it was gone already */
bool spool_space_relieve(struct spool_space *sp);
/* spool_space_bytes - how much must be free for is_enough */
size_t spool_space_bytes(const struct spool_space *sp);
/* spool_space_error - write a little and remove it: 0, or the error number of what failed */
int spool_space_error(const struct spool_space *sp);
/* spool_space_disk_bytes - as spool_disk_bytes */
uint64_t spool_space_disk_bytes(const struct spool_space *sp);

/* The file "format" of a spool's directory, one line: METHOD LAYOUT [OLDEST]
 *
 * Layouts are numbered, and a release writes one of them. A layout that adds to one before it,
 * without another form for what was there, says so: OLDEST is the first layout whose releases may
 * run on this one and leave alone what they do not know. Without OLDEST only those of LAYOUT
 * may. */
struct answer;

struct spool_layout {
    uint32_t number, oldest; /* oldest <= number */
};

enum spool_format_use {
    SPOOL_FORMAT_USE_AS_IS, /* also of a newer layout, which stays in the file */
    SPOOL_FORMAT_WRITE      /* an older one, which OWN adds to: it becomes OWN */
};

/* spool_format_check - may a program that writes layout OWN run on the spool in DIR, whose file
 * "format" is at PATH?
 *   keeps_newer  on one of a newer layout, too, if that allows it (newer_spool in bootstrap(5))
 * Returns an enum spool_format_use, or -1 with ans. */
int spool_format_check(const char *path, const char *dir, const char *method,
                       const struct spool_layout *own, bool keeps_newer, struct answer *ans);
/* spool_format_write - make the file, whole or not at all */
int spool_format_write(const char *path, const char *method, const struct spool_layout *layout,
                       struct answer *ans);

#endif

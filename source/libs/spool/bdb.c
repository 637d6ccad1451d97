/* The method "berkeleydb": a Berkeley DB 5.3 environment private to this process, one B-tree file
 * for each table.
 *
 * One commit is one transaction and one fdatasync of the log; the tables' own files are written by
 * checkpoints. There is no lock subsystem: `records` is held while records are read or changed, but
 * not while the log is synced, so that a read on another thread need not wait for the disk. A
 * checkpoint may run beside all of them: it reads no records, and pages, log and transaction tables
 * are guarded by the library's own mutexes (DB_THREAD). Pages are 4 KiB with checksums, a size that
 * disks write whole.
 *
 * After a commit that failed in the library the environment counts as broken: its memory may know
 * more than the disk. It is closed as it is, and opened again with recovery before the next commit
 * or read. That takes all three locks, in this order: `commit_guard` (a whole commit, with its
 * sync), `reopen_guard` (tending), `records`. */
#include <db.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libs/spool/msg_spool.h"
#include "libs/spool/spool_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

enum { BDB_PAGE_BYTES = 4096, BDB_LOG_BUFFER_BYTES = BDB_LOG_FILE_BYTES / 64 };

struct bdb {
    char *dir;
    size_t cache_bytes, checkpoint_bytes;
    DB_ENV *env; /* NULL after a failed attempt to open it again */
    DB *tables[SPOOL_TABLES];
    atomic_bool is_broken;        /* set by committer or checkpoint; cleared by bdb_reopen */
    atomic_bool has_write_failed; /* since the commit in hand began */
    pthread_mutex_t commit_guard;
    pthread_mutex_t reopen_guard; /* held while tending, and while env and tables are exchanged */
    pthread_mutex_t records;
    pthread_mutex_t reserve_guard;
    _Atomic uint32_t log_file; /* number of the file that the log grows in */
    /* files up to this number are laid down; written under reserve_guard */
    _Atomic uint32_t log_reserved;
    uint64_t unsaved_bytes; /* of log since the last checkpoint, as of the last commit */
};

/* the library speaks through return values; what it would print on stderr is dropped */
static void bdb_hush(const DB_ENV *env SGE_UNUSED, const char *prefix SGE_UNUSED,
                     const char *text SGE_UNUSED)
{
}

static void bdb_event(DB_ENV *env, u_int32_t event, void *info SGE_UNUSED)
{
    struct bdb *st = env->app_private;
    if (event == DB_EVENT_WRITE_FAILED)
        st->has_write_failed = true;
}

/* a failed write or sync is the disk's fault, whatever the library made of it; it gives up
 * (DB_RUNRECOVERY) for nothing else that could be cured by trying again */
static enum answer_status bdb_status(const struct bdb *st, int err)
{
    bool is_disk = err == ENOSPC || err == EDQUOT || err == EIO || err == DB_RUNRECOVERY ||
                   st->has_write_failed;
    return is_disk ? STATUS_EDISK : STATUS_ESYSTEM;
}

static int bdb_fail(const struct bdb *st, int err, const char *what, struct answer *ans)
{
    return ans_fail(ans, bdb_status(st, err), MSG_SPOOL_DB_SSS, st->dir, what, db_strerror(err));
}

static int bdb_fail_table(const struct bdb *st, int err, const char *what, enum spool_table t,
                          struct answer *ans)
{
    return ans_fail(ans, bdb_status(st, err), MSG_SPOOL_DB_TABLE_SSSS, st->dir, what,
                    spool_table_name(t), db_strerror(err));
}

static DBT bdb_in(const void *data, size_t len)
{
    DBT d = { 0 };
    d.data = (void *)(uintptr_t)data; /* the library takes it as input only */
    d.size = (u_int32_t)len;
    return d;
}

/* ---- opening ---- */

static int bdb_env_configure(struct bdb *st)
{
    DB_ENV *env = st->env;
    size_t cache_bytes = st->cache_bytes;
    u_int32_t giga = (u_int32_t)(cache_bytes >> 30),
              rest = (u_int32_t)(cache_bytes & ((1u << 30) - 1));
    int err;
    env->app_private = st;
    env->set_errcall(env, bdb_hush);
    if ((err = env->set_event_notify(env, bdb_event)) != 0)
        return err;
    if ((err = env->set_cachesize(env, giga, rest, 1)) != 0)
        return err;
    if ((err = env->set_lg_bsize(env, BDB_LOG_BUFFER_BYTES)) != 0)
        return err;
    return env->set_lg_max(env, BDB_LOG_FILE_BYTES);
}

static int bdb_env_open(struct bdb *st, struct answer *ans)
{
    u_int32_t flags =
        DB_PRIVATE | DB_INIT_TXN | DB_INIT_LOG | DB_INIT_MPOOL | DB_CREATE | DB_RECOVER | DB_THREAD;
    int err = db_env_create(&st->env, 0);
    if (err != 0) {
        st->env = NULL;
        return bdb_fail(st, err, "make an environment", ans);
    }
    if ((err = bdb_env_configure(st)) == 0)
        err = st->env->open(st->env, st->dir, flags, 0600);
    return err == 0 ? 0 : bdb_fail(st, err, "open the environment", ans);
}

static int bdb_table_open(struct bdb *st, enum spool_table t, struct answer *ans)
{
    DB *db = NULL;
    int err = db_create(&db, st->env, 0);
    if (err != 0)
        return bdb_fail_table(st, err, "open", t, ans);
    st->tables[t] = db;
    if ((err = db->set_flags(db, DB_CHKSUM)) == 0 &&
        (err = db->set_pagesize(db, BDB_PAGE_BYTES)) == 0)
        err = db->open(db, NULL, spool_table_name(t), NULL, DB_BTREE,
                       DB_CREATE | DB_AUTO_COMMIT | DB_THREAD, 0600);
    return err == 0 ? 0 : bdb_fail_table(st, err, "open", t, ans);
}

/* bdb_anchor - keep the last page of a new table's file in use for ever
 *
 * The library syncs the log in the middle of a transaction when it frees the last page of a file.
 * So the last page belongs to a record that is never removed (the one with the empty key, which
 * nobody else can have), behind free pages that the table may grow into. A table that outgrows them
 * pays that sync now and then; it is large by then. */
static int bdb_anchor(struct bdb *st, enum spool_table t, struct answer *ans)
{
    enum { FILLER_BYTES = 64 * BDB_PAGE_BYTES, ANCHOR_BYTES = BDB_PAGE_BYTES / 2 };
    static const uint8_t filler_key[] = { 0 };
    DB *db = st->tables[t];
    uint8_t *filler = uti_calloc(1, FILLER_BYTES);
    DBT key = bdb_in("", 0), gap_key = bdb_in(filler_key, 1);
    DBT anchor = bdb_in(filler, ANCHOR_BYTES), gap = bdb_in(filler, FILLER_BYTES);
    int err = db->exists(db, NULL, &key, 0);
    if (err == DB_NOTFOUND && (err = db->put(db, NULL, &gap_key, &gap, DB_AUTO_COMMIT)) == 0 &&
        (err = db->put(db, NULL, &key, &anchor, DB_AUTO_COMMIT)) == 0)
        err = db->del(db, NULL, &gap_key, DB_AUTO_COMMIT);
    free(filler);
    return err == 0 ? 0 : bdb_fail_table(st, err, "write", t, ans);
}

/* the tables whose records come and go with the jobs */
static int bdb_anchor_all(struct bdb *st, struct answer *ans)
{
    static const enum spool_table lively[] = { SPOOL_JOB,     SPOOL_JOB_SCRIPT, SPOOL_JOB_PIECE,
                                               SPOOL_JOB_ENV, SPOOL_TASK,       SPOOL_ENDED,
                                               SPOOL_OUTBOX,  SPOOL_REQUEST,    SPOOL_SESSION,
                                               SPOOL_END };
    for (size_t i = 0; i < ARRAY_LEN(lively); i++) {
        if (bdb_anchor(st, lively[i], ans) < 0)
            return -1;
    }
    return 0;
}

static void bdb_handles_close(struct bdb *st)
{
    for (int t = 0; t < SPOOL_TABLES; t++) {
        if (st->tables[t] != NULL)
            st->tables[t]->close(st->tables[t], DB_NOSYNC);
        st->tables[t] = NULL;
    }
    if (st->env != NULL)
        st->env->close(st->env, 0);
    st->env = NULL;
}

/* bdb_log_look - how far is the log? */
static void bdb_log_look(struct bdb *st)
{
    DB_LOG_STAT *stat = NULL;
    if (st->env->log_stat(st->env, &stat, 0) != 0)
        return;
    st->log_file = stat->st_cur_file;
    st->unsaved_bytes = ((uint64_t)stat->st_wc_mbytes << 20) + stat->st_wc_bytes;
    free(stat);
}

static int bdb_handles_open(struct bdb *st, struct answer *ans)
{
    if (bdb_log_set_aside_blank(st->dir, ans) < 0)
        return -1;
    st->log_reserved = 0;
    int ret = bdb_env_open(st, ans);
    for (int t = 0; ret == 0 && t < SPOOL_TABLES; t++)
        ret = bdb_table_open(st, (enum spool_table)t, ans);
    if (ret < 0)
        bdb_handles_close(st);
    else
        bdb_log_look(st);
    return ret;
}

static void bdb_free(struct bdb *st)
{
    bdb_handles_close(st);
    pthread_mutex_destroy(&st->commit_guard);
    pthread_mutex_destroy(&st->reopen_guard);
    pthread_mutex_destroy(&st->records);
    pthread_mutex_destroy(&st->reserve_guard);
    free(st->dir);
    free(st);
}

static void *bdb_open(const char *dir, const struct spool_options *options, struct answer *ans)
{
    struct bdb *st = uti_calloc(1, sizeof *st);
    st->dir = uti_strdup(dir);
    st->cache_bytes = options->cache_bytes;
    st->checkpoint_bytes = options->checkpoint_bytes;
    pthread_mutex_init(&st->commit_guard, NULL);
    pthread_mutex_init(&st->reopen_guard, NULL);
    pthread_mutex_init(&st->records, NULL);
    pthread_mutex_init(&st->reserve_guard, NULL);
    int ret = bdb_handles_open(st, ans);
    if (ret == 0 && options->is_new)
        ret = bdb_anchor_all(st, ans);
    if (ret == 0)
        return st;
    bdb_free(st);
    return NULL;
}

static int bdb_tend(void *state, unsigned due, struct answer *ans);

static void bdb_close(void *state)
{
    bdb_tend(state, SPOOL_DUE_CHECKPOINT, NULL); /* so that the next start has nothing to recover */
    bdb_free(state);
}

/* ---- writing ---- */

/* bdb_reopen - leave an environment that the library gave up; recovery brings back what was
 * durable. commit_guard is held */
static int bdb_reopen(struct bdb *st, struct answer *ans)
{
    pthread_mutex_lock(&st->reopen_guard);
    pthread_mutex_lock(&st->records);
    st->has_write_failed = false;
    bdb_handles_close(st);
    int ret = bdb_log_set_aside_blank(st->dir, ans);
    if (ret == 0)
        ret = bdb_log_rewrite(st->dir, ans);
    if (ret == 0)
        ret = bdb_handles_open(st, ans);
    st->is_broken = ret < 0;
    pthread_mutex_unlock(&st->records);
    pthread_mutex_unlock(&st->reopen_guard);
    return ret;
}

static int bdb_del_prefix(DB *db, DB_TXN *txn, const void *prefix, size_t prefix_len)
{
    DBC *cursor = NULL;
    if (prefix_len == 0)
        prefix = ""; /* of no bytes, but an address that memcpy and memcmp may have */
    DBT key = bdb_in(prefix, prefix_len), value = { 0 };
    int err = db->cursor(db, txn, &cursor, 0);
    if (err != 0)
        return err;
    /* the key comes back in memory that grows; of the value nothing is wanted */
    key.flags = DB_DBT_REALLOC;
    key.data = uti_alloc(prefix_len);
    memcpy(key.data, prefix, prefix_len);
    value.flags = DB_DBT_USERMEM | DB_DBT_PARTIAL;
    err = cursor->get(cursor, &key, &value, DB_SET_RANGE);
    while (err == 0 && key.size >= prefix_len && memcmp(key.data, prefix, prefix_len) == 0) {
        if ((err = cursor->del(cursor, 0)) == 0)
            err = cursor->get(cursor, &key, &value, DB_NEXT);
    }
    free(key.data);
    int closed = cursor->close(cursor);
    return err == 0 || err == DB_NOTFOUND ? closed : err;
}

static int bdb_apply(DB *db, DB_TXN *txn, const struct spool_op *op)
{
    DBT key = bdb_in(op->key, op->key_len);
    int err;
    switch (op->kind) {
    case SPOOL_OP_PUT: {
        DBT value = bdb_in(op->value, op->value_len);
        return db->put(db, txn, &key, &value, 0);
    }
    case SPOOL_OP_DEL:
        err = db->del(db, txn, &key, 0);
        return err == DB_NOTFOUND ? 0 : err;
    case SPOOL_OP_DEL_PREFIX:
        return bdb_del_prefix(db, txn, op->key, op->key_len);
    }
    return EINVAL;
}

/* bdb_reserve - have COUNT files of log in stock behind the one in use */
static int bdb_reserve(struct bdb *st, uint32_t count, struct answer *ans)
{
    int ret = 0;
    if (st->log_reserved >= st->log_file + count)
        return 0;
    pthread_mutex_lock(&st->reserve_guard);
    if (st->log_reserved < st->log_file)
        st->log_reserved = st->log_file;
    for (uint32_t n = st->log_reserved + 1; ret == 0 && n <= st->log_file + count; n++) {
        ret = bdb_log_reserve(st->dir, n, ans);
        if (ret == 0)
            st->log_reserved = n;
    }
    pthread_mutex_unlock(&st->reserve_guard);
    return ret;
}

/* how many files of log B may begin: it logs what it writes and what was there before */
static uint32_t bdb_files_needed(const struct spool_batch *b)
{
    return 1 + (uint32_t)(2 * spool_batch_bytes(b) / BDB_LOG_FILE_BYTES);
}

/* bdb_change - all of B in one transaction, in memory only; 0 or an error of the library */
static int bdb_change(struct bdb *st, const struct spool_batch *b)
{
    DB_TXN *txn = NULL;
    pthread_mutex_lock(&st->records);
    int err = st->env->txn_begin(st->env, NULL, &txn, 0);
    for (uint32_t i = 0; err == 0 && i < b->n; i++)
        err = bdb_apply(st->tables[b->ops[i].table], txn, &b->ops[i]);
    if (err == 0)
        err = txn->commit(txn, DB_TXN_NOSYNC); /* frees txn, whatever comes of it */
    else if (txn != NULL)
        txn->abort(txn);
    pthread_mutex_unlock(&st->records);
    return err;
}

/* A commit that syncs cannot be believed when a flush fails: the library compares positions in two
 * different files and may report success. Flushing the log tells the truth. */
static int bdb_write(struct bdb *st, const struct spool_batch *b, struct answer *ans)
{
    if ((st->is_broken && bdb_reopen(st, ans) < 0) || bdb_reserve(st, bdb_files_needed(b), ans) < 0)
        return -1;
    st->has_write_failed = false;
    int err = bdb_change(st, b);
    if (err == 0)
        err = st->env->log_flush(st->env, NULL);
    if (err == 0) {
        bdb_log_look(st);
        return 0;
    }
    st->is_broken = true;
    if (err == ENOMEM && st->has_write_failed)
        err = ENOSPC; /* the cache could not write a page to make room for another */
    return bdb_fail(st, err, "write", ans);
}

static int bdb_commit(void *state, const struct spool_batch *b, struct answer *ans)
{
    struct bdb *st = state;
    pthread_mutex_lock(&st->commit_guard);
    int ret = bdb_write(st, b, ans);
    pthread_mutex_unlock(&st->commit_guard);
    return ret;
}

/* ---- reading ---- */

/* bdb_lock_records - records may be read until `records` is given back; 0, or -1 with ans when
 * there is no environment */
static int bdb_lock_records(struct bdb *st, struct answer *ans)
{
    if (st->is_broken) {
        pthread_mutex_lock(&st->commit_guard);
        int ret = st->is_broken ? bdb_reopen(st, ans) : 0;
        pthread_mutex_unlock(&st->commit_guard);
        if (ret < 0)
            return -1;
    }
    pthread_mutex_lock(&st->records);
    if (st->env != NULL)
        return 0;
    pthread_mutex_unlock(&st->records); /* broken once more since, and not to be opened */
    return bdb_fail(st, DB_RUNRECOVERY, "read", ans);
}

static int bdb_get(void *state, enum spool_table t, const void *key, size_t key_len, void **value,
                   size_t *len, struct answer *ans)
{
    struct bdb *st = state;
    DBT k = bdb_in(key, key_len), v = { .flags = DB_DBT_MALLOC };
    if (bdb_lock_records(st, ans) < 0)
        return -1;
    int err = st->tables[t]->get(st->tables[t], NULL, &k, &v, 0);
    pthread_mutex_unlock(&st->records);
    if (err == DB_NOTFOUND)
        return 0;
    if (err != 0)
        return bdb_fail_table(st, err, "read", t, ans);
    *value = v.data;
    *len = v.size;
    return 1;
}

static int bdb_walk(void *state, enum spool_table t, bool with_values, spool_walk_fn fn, void *ctx,
                    struct answer *ans)
{
    struct bdb *st = state;
    if (bdb_lock_records(st, ans) < 0)
        return -1;
    DBC *cursor = NULL;
    DBT key = { .flags = DB_DBT_REALLOC }, value = { .flags = DB_DBT_REALLOC };
    if (!with_values) /* of no bytes, in no memory */
        value.flags = DB_DBT_USERMEM | DB_DBT_PARTIAL;
    int err = st->tables[t]->cursor(st->tables[t], NULL, &cursor, 0), stop = 0;
    while (err == 0 && stop == 0 && (err = cursor->get(cursor, &key, &value, DB_NEXT)) == 0) {
        if (key.size > 0) /* else it is the anchor */
            stop = fn(ctx, key.data, key.size, value.data, value.size);
    }
    free(key.data);
    free(value.data);
    if (cursor != NULL)
        cursor->close(cursor);
    pthread_mutex_unlock(&st->records);
    return err == 0 || err == DB_NOTFOUND ? stop : bdb_fail_table(st, err, "read", t, ans);
}

/* ---- tending ---- */

static unsigned bdb_due(void *state)
{
    struct bdb *st = state;
    unsigned due = 0;
    if (st->unsaved_bytes >= st->checkpoint_bytes)
        due |= SPOOL_DUE_CHECKPOINT;
    if (st->log_reserved <= st->log_file)
        due |= SPOOL_DUE_RESERVE;
    return due;
}

/* Always a real one (DB_FORCE): when the last checkpoint took long beside many commits, it stands
 * at the end of the log but covers only what was there when it began, and the library would see no
 * need for another. */
static int bdb_checkpoint(struct bdb *st, struct answer *ans)
{
    int err = st->env->txn_checkpoint(st->env, 0, 0, DB_FORCE);
    if (err == 0)
        err = st->env->log_archive(st->env, NULL, DB_ARCH_REMOVE);
    if (err == DB_RUNRECOVERY)
        st->is_broken = true;
    return err == 0 ? 0 : bdb_fail(st, err, "write a checkpoint", ans);
}

static int bdb_tend(void *state, unsigned due, struct answer *ans)
{
    struct bdb *st = state;
    int ret = 0;
    pthread_mutex_lock(&st->reopen_guard);
    if (!st->is_broken && (due & SPOOL_DUE_RESERVE) != 0)
        ret = bdb_reserve(st, 1, ans);
    if (!st->is_broken && (due & SPOOL_DUE_CHECKPOINT) != 0 && bdb_checkpoint(st, ans) < 0)
        ret = -1;
    pthread_mutex_unlock(&st->reopen_guard);
    return ret;
}

const struct spool_method spool_method_bdb = {
    .name = "berkeleydb",
    .open = bdb_open,
    .close = bdb_close,
    .commit = bdb_commit,
    .due = bdb_due,
    .tend = bdb_tend,
    .get = bdb_get,
    .walk = bdb_walk,
};

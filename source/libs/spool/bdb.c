/* The method "berkeleydb": a Berkeley DB 5.3 environment private to this process, one B-tree file for each table.
 *
 * One commit is one transaction and one fdatasync of the log; the tables' own files are written by checkpoints. There
 * is no lock subsystem, because commit, get and walk come from one thread at a time; a checkpoint may run beside them
 * on another thread: it reads no records, and pages, log and transaction tables are guarded by the library's own
 * mutexes (DB_THREAD). Pages are 4 KiB with checksums, a size that disks write whole.
 *
 * When the library declares an environment unusable (a write or sync that failed in the wrong place), it is closed
 * and opened again, with recovery, before the next commit; `reopen_guard` keeps checkpoints away meanwhile. */
#include <db.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libs/spool/msg_spool.h"
#include "libs/spool/spool_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

enum { BDB_PAGE_BYTES = 4096, BDB_LOG_FILE_BYTES = 16 << 20, BDB_LOG_BUFFER_BYTES = 2 << 20 };

struct bdb {
    char *dir;
    size_t cache_bytes;
    DB_ENV *env; /* NULL after a failed attempt to open it again */
    DB *tables[SPOOL_TABLES];
    atomic_bool is_broken;        /* set by committer or checkpoint; cleared by bdb_reopen */
    pthread_mutex_t reopen_guard; /* held by a checkpoint, and while env and tables are exchanged */
};

/* the library speaks through return values; what it would print on stderr is dropped */
static void bdb_hush(const DB_ENV *env SGE_UNUSED, const char *prefix SGE_UNUSED,
                     const char *text SGE_UNUSED)
{
}

static int bdb_fail(const struct bdb *st, int err, const char *what, struct answer *ans)
{
    enum answer_status status = err == ENOSPC || err == EDQUOT ? STATUS_EDISK : STATUS_ESYSTEM;
    return ans_fail(ans, status, MSG_SPOOL_DB_SSS, st->dir, what, db_strerror(err));
}

static int bdb_fail_table(const struct bdb *st, int err, const char *what, enum spool_table t,
                          struct answer *ans)
{
    enum answer_status status = err == ENOSPC || err == EDQUOT ? STATUS_EDISK : STATUS_ESYSTEM;
    return ans_fail(ans, status, MSG_SPOOL_DB_TABLE_SSSS, st->dir, what, spool_table_name(t),
                    db_strerror(err));
}

static DBT bdb_in(const void *data, size_t len)
{
    DBT d = { 0 };
    d.data = (void *)(uintptr_t)data; /* the library takes it as input only */
    d.size = (u_int32_t)len;
    return d;
}

/* ---- opening ---- */

static int bdb_env_configure(DB_ENV *env, size_t cache_bytes)
{
    u_int32_t giga = (u_int32_t)(cache_bytes >> 30),
              rest = (u_int32_t)(cache_bytes & ((1u << 30) - 1));
    int err;
    env->set_errcall(env, bdb_hush);
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
    if ((err = bdb_env_configure(st->env, st->cache_bytes)) == 0)
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

static int bdb_handles_open(struct bdb *st, struct answer *ans)
{
    int ret = bdb_env_open(st, ans);
    for (int t = 0; ret == 0 && t < SPOOL_TABLES; t++)
        ret = bdb_table_open(st, (enum spool_table)t, ans);
    if (ret < 0)
        bdb_handles_close(st);
    return ret;
}

static void *bdb_open(const char *dir, const struct spool_options *options, struct answer *ans)
{
    struct bdb *st = uti_calloc(1, sizeof *st);
    st->dir = uti_strdup(dir);
    st->cache_bytes = options->cache_bytes;
    pthread_mutex_init(&st->reopen_guard, NULL);
    if (bdb_handles_open(st, ans) == 0)
        return st;
    pthread_mutex_destroy(&st->reopen_guard);
    free(st->dir);
    free(st);
    return NULL;
}

static int bdb_checkpoint(void *state, struct answer *ans);

static void bdb_close(void *state)
{
    struct bdb *st = state;
    if (!st->is_broken)
        bdb_checkpoint(st, NULL); /* so that the next start has nothing to recover */
    bdb_handles_close(st);
    pthread_mutex_destroy(&st->reopen_guard);
    free(st->dir);
    free(st);
}

/* ---- writing ---- */

/* bdb_reopen - leave an environment that the library gave up; recovery brings back what was durable */
static int bdb_reopen(struct bdb *st, struct answer *ans)
{
    pthread_mutex_lock(&st->reopen_guard);
    bdb_handles_close(st);
    int ret = bdb_handles_open(st, ans);
    st->is_broken = ret < 0;
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

static int bdb_apply(DB *db, DB_TXN *txn, const struct spool_batch *b, const struct spool_op *op)
{
    DBT key = bdb_in(b->bytes + op->key_at, op->key_len);
    int err;
    switch (op->kind) {
    case SPOOL_OP_PUT: {
        DBT value = bdb_in(b->bytes + op->value_at, op->value_len);
        return db->put(db, txn, &key, &value, 0);
    }
    case SPOOL_OP_DEL:
        err = db->del(db, txn, &key, 0);
        return err == DB_NOTFOUND ? 0 : err;
    case SPOOL_OP_DEL_PREFIX:
        return bdb_del_prefix(db, txn, b->bytes + op->key_at, op->key_len);
    }
    return EINVAL;
}

/* bdb_note - remember when the library will serve this environment no more */
static void bdb_note(struct bdb *st, int err)
{
    if (err == DB_RUNRECOVERY)
        st->is_broken = true;
}

static int bdb_commit(void *state, const struct spool_batch *b, struct answer *ans)
{
    struct bdb *st = state;
    DB_TXN *txn = NULL;
    if (st->is_broken && bdb_reopen(st, ans) < 0)
        return -1;
    int err = st->env->txn_begin(st->env, NULL, &txn, 0);
    for (uint32_t i = 0; err == 0 && i < b->n; i++)
        err = bdb_apply(st->tables[b->ops[i].table], txn, b, &b->ops[i]);
    if (err == 0)
        err = txn->commit(txn, DB_TXN_SYNC); /* frees txn, whatever comes of it */
    else if (txn != NULL)
        bdb_note(st, txn->abort(txn));
    if (err == 0)
        return 0;
    bdb_note(st, err);
    return bdb_fail(st, err, "write", ans);
}

/* ---- reading ---- */

static int bdb_get(void *state, enum spool_table t, const void *key, size_t key_len, void **value,
                   size_t *len, struct answer *ans)
{
    struct bdb *st = state;
    if (st->is_broken && bdb_reopen(st, ans) < 0)
        return -1;
    DBT k = bdb_in(key, key_len), v = { .flags = DB_DBT_MALLOC };
    int err = st->tables[t]->get(st->tables[t], NULL, &k, &v, 0);
    if (err == DB_NOTFOUND)
        return 0;
    if (err != 0)
        return bdb_fail_table(st, err, "read", t, ans);
    *value = v.data;
    *len = v.size;
    return 1;
}

static int bdb_walk(void *state, enum spool_table t, spool_walk_fn fn, void *ctx,
                    struct answer *ans)
{
    struct bdb *st = state;
    if (st->is_broken && bdb_reopen(st, ans) < 0)
        return -1;
    DBC *cursor = NULL;
    DBT key = { .flags = DB_DBT_REALLOC }, value = { .flags = DB_DBT_REALLOC };
    int err = st->tables[t]->cursor(st->tables[t], NULL, &cursor, 0), stop = 0;
    while (err == 0 && stop == 0 && (err = cursor->get(cursor, &key, &value, DB_NEXT)) == 0)
        stop = fn(ctx, key.data, key.size, value.data, value.size);
    free(key.data);
    free(value.data);
    if (cursor != NULL)
        cursor->close(cursor);
    return err == 0 || err == DB_NOTFOUND ? 0 : bdb_fail_table(st, err, "read", t, ans);
}

/* ---- checkpoints ---- */

static int bdb_checkpoint(void *state, struct answer *ans)
{
    struct bdb *st = state;
    int err = 0;
    pthread_mutex_lock(&st->reopen_guard);
    if (!st->is_broken) {
        err = st->env->txn_checkpoint(st->env, 0, 0, 0);
        if (err == 0)
            err = st->env->log_archive(st->env, NULL, DB_ARCH_REMOVE);
        bdb_note(st, err);
    }
    pthread_mutex_unlock(&st->reopen_guard);
    return err == 0 ? 0 : bdb_fail(st, err, "write a checkpoint", ans);
}

static uint64_t bdb_unsaved_bytes(void *state)
{
    struct bdb *st = state;
    DB_LOG_STAT *stat = NULL;
    if (st->is_broken || st->env->log_stat(st->env, &stat, 0) != 0)
        return 0;
    uint64_t bytes = ((uint64_t)stat->st_wc_mbytes << 20) + stat->st_wc_bytes;
    free(stat);
    return bytes;
}

const struct spool_method spool_method_bdb = {
    .name = "berkeleydb 1",
    .open = bdb_open,
    .close = bdb_close,
    .commit = bdb_commit,
    .get = bdb_get,
    .walk = bdb_walk,
    .checkpoint = bdb_checkpoint,
    .unsaved_bytes = bdb_unsaved_bytes,
};

/* Files of jobs. In the spool the script is a record of plain bytes and the environment a packed
 * record, so that each can be read with the tools of spool. In memory they are the same bytes, one
 * behind the other: `env_len` of the environment, a record (records.h) of a JB_Type that holds only
 * JB_env_list, then the script with its end, if there is one. So nothing is packed twice, and
 * staging is copying. A long script is not copied at all: it is a counted string beside
 * those bytes. */
#include "daemons/qmaster/change/job_files.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/marks.h"
#include "daemons/qmaster/io/fetcher.h"
#include "daemons/qmaster/io/inbox.h"
#include "libs/cull/pack.h"
#include "libs/spool/records.h"
#include "libs/spool/spool.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/hash.h"
#include "libs/uti/log.h"

enum { KEEP_BYTES = 32 * 1024 * 1024 };

static void keep_files(struct qmaster *q, struct job *job)
{
    file_cache_add(&q->file_cache, &job->files);
    while (q->file_cache.bytes > KEEP_BYTES &&
           file_cache_drop_oldest(&q->file_cache, job->files, change_durable(q)))
        continue; /* what is not on disk yet could not be read again, and stays */
}

static void set_long_script(struct job *job, const char *counted, size_t len)
{
    job->files->long_script = counted;
    job->files->long_script_len = (uint32_t)len;
}

/* are they whole in memory? */
static bool is_there(struct job *job)
{
    if (!job->is_fetching && job->files != NULL && job->files->data == NULL)
        job_files_leave(&job->files);
    return !job->is_fetching && job->files != NULL;
}

size_t job_files_bytes(const struct job *job)
{
    const struct job_files *f = job->files;
    return f != NULL ? f->len + f->long_script_len : 0;
}

/* the script, or NULL */
static const char *script_of(const struct job *job)
{
    const struct job_files *f = job->files;
    return f->len > f->env_len ? f->data + f->env_len : NULL;
}

static void put_script(struct packer *p, const char *script, size_t len)
{
    pack_bytes(p, script, len);
    pack_bytes(p, "", 1);
}

/* the environment as the spool has it */
static void put_env(struct qmaster *q, struct packer *p, const struct job *job)
{
    uint64_t only_env[(JB_Type_FIELDS + 63) / 64] = { 0 };
    struct packer key = job_key(job->rec.JB_job_number);
    only_env[JB_env_list / 64] = UINT64_C(1) << (JB_env_list % 64);
    spool_record_begin(q->records, p);
    cull_pack(p, &cull_JB_Type, &job->rec, only_env);
    spool_record_end(q->records, p, (struct spool_key){ SPOOL_JOB_ENV, key.data, key.len });
    packer_free(&key);
}

void job_files_take(struct qmaster *q, struct job *job)
{
    const char *script = job->rec.JB_script_ptr;
    bool is_long = scripts_is_long(script);
    struct packer p = { 0 };
    put_env(q, &p, job);
    size_t env_len = p.len;
    if (script != NULL && !is_long)
        put_script(&p, script, strlen(script));
    job_files_new(&job->files, (char *)p.data, p.len, env_len)->changed = change_number(q);
    if (is_long)
        set_long_script(job, cull_string_hold(script), strlen(script));
    cull_clear_field(&cull_JB_Type, &job->rec, JB_env_list);
    cull_clear_field(&cull_JB_Type, &job->rec, JB_script_ptr);
    cull_set(&job->rec, JB_files_bytes, (uint64_t)job_files_bytes(job));
    keep_files(q, job);
}

static bool unpack_env(struct qmaster *q, const struct job *job, struct JB_Type *files)
{
    struct answer ans = ANSWER_INIT;
    struct packer key = job_key(job->rec.JB_job_number);
    int ret =
        spool_record_read(q->records, (struct spool_key){ SPOOL_JOB_ENV, key.data, key.len },
                          &cull_JB_Type, NULL, job->files->data, job->files->env_len, files, &ans);
    packer_free(&key);
    log_answer(&ans);
    ans_free(&ans);
    return ret == 0;
}

void job_files_stage(struct qmaster *q, struct job *job)
{
    struct spool_batch *b = change_batch(q);
    struct packer key = { 0 };
    const char *script = script_of(job);
    job->changed = job->files->changed = change_number(q);
    pack_u32be(&key, job->rec.JB_job_number);
    if (script != NULL)
        spool_put(b, SPOOL_JOB_SCRIPT, key.data, key.len, script, strlen(script));
    spool_put(b, SPOOL_JOB_ENV, key.data, key.len, job->files->data, job->files->env_len);
    packer_free(&key);
}

bool job_files_get(struct qmaster *q, struct job *job, struct JB_Type *rec)
{
    if (!is_there(job)) {
        if (!job->is_fetching)
            fetcher_get(q->fetcher, SPOOL_JOB_ENV, job->rec.JB_job_number);
        job->is_fetching = true;
        return false;
    }
    file_cache_use(job->files);
    struct JB_Type files = { 0 };
    if (unpack_env(q, job, &files))
        cull_merge(&cull_JB_Type, rec, &files);
    if (job->files->long_script != NULL)
        cull_share(rec, JB_script_ptr, job->files->long_script);
    cull_clear(&cull_JB_Type, &files);
    if (script_of(job) != NULL)
        cull_set(rec, JB_script_ptr, script_of(job));
    return true;
}

/* the environment came first; the script follows and completes it */
static struct job *on_env(struct qmaster *q, struct job *job, struct note *n)
{
    if (n->data == NULL) {
        struct packer empty = { 0 };
        put_env(q, &empty, job);
        n->data = (char *)empty.data;
        n->len = empty.len;
    }
    (void)job_files_new(&job->files, n->data, n->len, n->len);
    n->data = NULL;
    fetcher_get(q->fetcher, SPOOL_JOB_SCRIPT, job->rec.JB_job_number);
    return NULL;
}

static struct job *on_script(struct qmaster *q, struct job *job, struct note *n)
{
    struct job_files *f = job->files;
    if (n->data != NULL && n->len > SCRIPT_PIECE_BYTES) {
        set_long_script(job, cull_string_new(n->data, n->len), n->len);
    } else if (n->data != NULL) {
        struct packer p = { 0 };
        pack_bytes(&p, f->data, f->env_len);
        put_script(&p, n->data, n->len);
        free(f->data);
        f->data = (char *)p.data;
        f->len = (uint32_t)p.len;
    }
    job->is_fetching = false;
    keep_files(q, job);
    return job;
}

struct job *job_files_on_fetched(struct qmaster *q, struct note *n)
{
    struct job *job = jobs_find(&q->jobs, (uint32_t)n->number);
    if (job == NULL || !job->is_fetching)
        return NULL;
    return n->conn == SPOOL_JOB_ENV ? on_env(q, job, n) : on_script(q, job, n);
}

void job_files_drop(struct job *job)
{
    if (!job->is_fetching) /* else job_free frees what is there */
        job_files_leave(&job->files);
}

/* ---- long scripts ---- */
/* The scripts that are coming or leaving, in turns: one piece of each kind in a batch, then the
 * next script of that kind. Invariants: a script is in `coming` or `leaving` exactly while pieces
 * of it are to be staged; one that is there and whose job is not yet is in the table alone. Every
 * piece in the spool belongs to a job or to a script of the table, or scripts_remove_orphans finds
 * it. */
enum { SCRIPTS_AT_ONCE = 4 };

struct script {
    uint32_t job;
    uint32_t uid;
    const char *text; /* counted; NULL: it leaves */
    size_t len;
    uint32_t next, n; /* pieces: the one to be staged next, and how many there are */
    TAILQ_ENTRY(script) in_turn;
    UT_hash_handle hh;
};
TAILQ_HEAD(script_list, script);

struct scripts {
    struct script *by_job;
    struct script_list coming, leaving; /* the first is next */
    uint64_t staged_in;                 /* the batch that has had its pieces */
};

struct scripts *scripts_new(void)
{
    struct scripts *all = uti_calloc(1, sizeof *all);
    TAILQ_INIT(&all->coming);
    TAILQ_INIT(&all->leaving);
    return all;
}

static struct script *find_script(const struct qmaster *q, uint32_t job)
{
    struct script *s;
    HASH_FIND_U32(q->scripts->by_job, &job, s);
    return s;
}

static struct script *add_script(struct qmaster *q, uint32_t job)
{
    struct script *s = uti_calloc(1, sizeof *s);
    s->job = job;
    HASH_ADD_U32(q->scripts->by_job, job, s);
    return s;
}

/* out of the table; it is in no list any more */
static void forget_script(struct scripts *all, struct script *s)
{
    HASH_DEL(all->by_job, s);
    cull_string_drop(s->text);
    free(s);
}

void scripts_free(struct scripts *all)
{
    struct script *s, *next;
    if (all == NULL)
        return;
    HASH_ITER(hh, all->by_job, s, next)
        forget_script(all, s);
    free(all);
}

bool scripts_is_long(const char *text)
{
    return text != NULL && strlen(text) > SCRIPT_PIECE_BYTES;
}

static uint32_t pieces_of(uint64_t bytes)
{
    return (uint32_t)((bytes + SCRIPT_PIECE_BYTES - 1) / SCRIPT_PIECE_BYTES);
}

void scripts_begin(struct qmaster *q, uint32_t job, uint32_t uid, const char *text)
{
    struct script *s = add_script(q, job);
    s->uid = uid;
    s->text = cull_string_hold(text);
    s->len = strlen(text);
    s->n = pieces_of(s->len);
    TAILQ_INSERT_TAIL(&q->scripts->coming, s, in_turn);
}

bool scripts_is_there(const struct qmaster *q, uint32_t job)
{
    const struct script *s = find_script(q, job);
    return s != NULL && s->text != NULL && s->next == s->n;
}

void scripts_keep(struct qmaster *q, uint32_t job)
{
    forget_script(q->scripts, find_script(q, job));
}

bool scripts_has(const struct qmaster *q, uint32_t job)
{
    return find_script(q, job) != NULL;
}

bool scripts_are_enough(const struct qmaster *q, uint32_t uid)
{
    const struct script *s;
    unsigned n = 0;
    TAILQ_FOREACH(s, &q->scripts->coming, in_turn)
        n += s->uid == uid;
    return n >= SCRIPTS_AT_ONCE;
}

/* ---- leaving ---- */

static void leave_script(struct qmaster *q, struct script *s, uint32_t n)
{
    s->next = 0;
    s->n = n;
    TAILQ_INSERT_TAIL(&q->scripts->leaving, s, in_turn);
}

void scripts_abandon(struct qmaster *q, uint32_t job)
{
    struct script *s = find_script(q, job);
    if (s->next < s->n)
        TAILQ_REMOVE(&q->scripts->coming, s, in_turn);
    cull_string_drop(s->text);
    s->text = NULL;
    if (s->next == 0)
        forget_script(q->scripts, s);
    else
        leave_script(q, s, s->next);
}

void scripts_remove(struct qmaster *q, uint32_t job, uint64_t files_bytes)
{
    if (files_bytes > SCRIPT_PIECE_BYTES)
        leave_script(q, add_script(q, job), pieces_of(files_bytes));
}

static int on_piece(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct qmaster *q = ctx;
    const uint8_t *k = key;
    uint32_t job, piece;
    (void)value;
    (void)len;
    if (key_len != 8)
        return 0; /* a newer release has what we do not know */
    job = (uint32_t)k[0] << 24 | (uint32_t)k[1] << 16 | (uint32_t)k[2] << 8 | k[3];
    piece = (uint32_t)k[4] << 24 | (uint32_t)k[5] << 16 | (uint32_t)k[6] << 8 | k[7];
    if (jobs_find(&q->jobs, job) != NULL)
        return 0;
    struct script *s = find_script(q, job);
    if (s == NULL)
        leave_script(q, s = add_script(q, job), 0);
    s->n = piece + 1; /* they come in order */
    return 0;
}

int scripts_remove_orphans(struct qmaster *q, struct answer *ans)
{
    return spool_walk_keys(q->spool, SPOOL_JOB_PIECE, on_piece, q, ans);
}

/* ---- in turns ---- */

/* the first of LIST has had its turn, and waits for its next if it has one */
static void make_newest(struct script_list *list, struct script *s)
{
    TAILQ_REMOVE(list, s, in_turn);
    s->next++;
    if (s->next < s->n)
        TAILQ_INSERT_TAIL(list, s, in_turn);
}

static uint32_t stage_coming(struct qmaster *q)
{
    struct script *s = TAILQ_FIRST(&q->scripts->coming);
    if (s == NULL)
        return 0;
    size_t at = (size_t)s->next * SCRIPT_PIECE_BYTES, left = s->len - at;
    change_script_piece(q, s->job, s->next, s->text + at,
                        left < SCRIPT_PIECE_BYTES ? left : SCRIPT_PIECE_BYTES);
    make_newest(&q->scripts->coming, s);
    return s->next == s->n ? s->job : 0;
}

static void stage_leaving(struct qmaster *q)
{
    struct script *s = TAILQ_FIRST(&q->scripts->leaving);
    if (s == NULL)
        return;
    change_script_piece(q, s->job, s->next, NULL, 0);
    make_newest(&q->scripts->leaving, s);
    if (s->next == s->n)
        forget_script(q->scripts, s);
}

uint32_t scripts_stage(struct qmaster *q)
{
    struct scripts *all = q->scripts;
    bool is_any = !TAILQ_EMPTY(&all->coming) || !TAILQ_EMPTY(&all->leaving);
    if (!is_any || all->staged_in == change_number(q))
        return 0;
    all->staged_in = change_number(q);
    stage_leaving(q);
    return stage_coming(q);
}

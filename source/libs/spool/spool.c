/* The spool as its users see it: the directory with its lock and format, the tables' names, and the
 * checkpoint thread.
 *
 * How records are kept is a struct spool_method; everything here holds for each of them. One
 * process at a time has the directory (an exclusive lock, held until spool_close). A directory
 * holds a spool once its format file is there: it is written last, so that a creation that was cut
 * short counts for nothing and is simply done again.
 *
 * `guard` protects the wishes that committer and core leave for the checkpoint thread, nothing
 * else.
 *
 * The file "format" says which releases may run on a spool; what that means for tables and keys is
 * in spool.h. */
#include "libs/spool/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/version.h"
#include "libs/spool/msg_spool.h"
#include "libs/spool/spool_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"
#include "libs/uti/parse.h"

/* ---- the file "format" ---- */
enum { FORMAT_BYTES_MOST = 256 };

/* LINE is "METHOD LAYOUT [OLDEST]", as METHOD writes it */
static bool parse_format(const char *line, const char *method, struct spool_layout *out)
{
    size_t len = strlen(method);
    if (strncmp(line, method, len) != 0 || line[len] != ' ')
        return false;
    const char *number = line + len + 1, *oldest = strchr(number, ' ');
    char *first = uti_strndup(number, oldest != NULL ? (size_t)(oldest - number) : strlen(number));
    bool is_good = parse_u32(first, &out->number);
    free(first);
    out->oldest = out->number;
    if (is_good && oldest != NULL)
        is_good = parse_u32(oldest + 1, &out->oldest) && out->oldest <= out->number;
    return is_good;
}

static int judge_newer(const char *dir, const struct spool_layout *theirs,
                       const struct spool_layout *own, bool keeps_newer, struct answer *ans)
{
    if (own->number < theirs->oldest)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SPOOL_LAYOUT_FOREIGN_SUUS, dir, theirs->number,
                        own->number, SGE_VERSION);
    if (!keeps_newer)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SPOOL_LAYOUT_NEWER_SUUS, dir, theirs->number,
                        own->number, SGE_VERSION);
    log_msg(LOG_LEVEL_WARNING, MSG_SPOOL_LAYOUT_KEPT_UUS, theirs->number, own->number, SGE_VERSION);
    return SPOOL_FORMAT_USE_AS_IS;
}

static int judge_layout(const char *dir, const struct spool_layout *theirs,
                        const struct spool_layout *own, bool keeps_newer, struct answer *ans)
{
    if (theirs->number > own->number)
        return judge_newer(dir, theirs, own, keeps_newer, ans);
    if (theirs->number < own->oldest)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SPOOL_LAYOUT_OLDER_SUU, dir, theirs->number,
                        own->oldest);
    return theirs->number < own->number ? SPOOL_FORMAT_WRITE : SPOOL_FORMAT_USE_AS_IS;
}

int spool_format_check(const char *path, const char *dir, const char *method,
                       const struct spool_layout *own, bool keeps_newer, struct answer *ans)
{
    struct dstr line = DSTR_INIT;
    struct spool_layout theirs;
    int use = file_read(path, FORMAT_BYTES_MOST, &line, ans);
    if (line.len > 0 && line.s[line.len - 1] == '\n')
        line.s[--line.len] = '\0';
    if (use == 0 && parse_format(dstr_get(&line), method, &theirs))
        use = judge_layout(dir, &theirs, own, keeps_newer, ans);
    else if (use == 0)
        use = ans_fail(ans, STATUS_ESEMANTIC, MSG_SPOOL_FORMAT_SSS, dir, dstr_get(&line), method);
    dstr_free(&line);
    return use;
}

int spool_format_write(const char *path, const char *method, const struct spool_layout *layout,
                       struct answer *ans)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "%s %u", method, layout->number);
    if (layout->oldest < layout->number)
        dstr_addf(&line, " %u", layout->oldest);
    dstr_addc(&line, '\n');
    int rc = file_replace(path, line.s, line.len, 0644, ans);
    dstr_free(&line);
    return rc;
}

/* The cache holds where tables grow and the pages above; the rest of a table is read once, in
 * order, at a start or by a large delete, and the system has it. The library keeps what it has
 * taken. */
enum {
    CACHE_BYTES = 1 << 20,
    CHECKPOINT_BYTES = 32 << 20,
    BALLAST_BYTES = 8 << 20,
    LOOK_INTERVAL_US = 1000000,
    CHECKPOINT_RETRY_S = 1
};

struct spool {
    char *dir;
    int lock_fd;
    const struct spool_method *method;
    void *state;
    struct spool_space space;
    _Atomic uint64_t looked_us; /* when the free space was last asked for */
    pthread_mutex_t guard;
    pthread_cond_t wake;
    bool has_loop, is_stopping, wants_look; /* under guard */
    unsigned due;                           /* SPOOL_DUE_.. bits, under guard */
};

static const struct spool_layout own_layout = { SPOOL_LAYOUT, SPOOL_LAYOUT_OLDEST };

static const char *const table_names[] = {
    [SPOOL_META] = "meta.db",
    [SPOOL_SCHEMA] = "schema.db",
    [SPOOL_JOB] = "job.db",
    [SPOOL_JOB_SCRIPT] = "job_script.db",
    [SPOOL_JOB_PIECE] = "job_piece.db",
    [SPOOL_JOB_ENV] = "job_env.db",
    [SPOOL_TASK] = "task.db",
    [SPOOL_ENDED] = "ended.db",
    [SPOOL_OUTBOX] = "outbox.db",
    [SPOOL_REQUEST] = "request.db",
    [SPOOL_CQUEUE] = "cqueue.db",
    [SPOOL_QINSTANCE] = "qinstance.db",
    [SPOOL_HOST] = "host.db",
    [SPOOL_CONFIG] = "config.db",
    [SPOOL_NAMES] = "names.db",
    [SPOOL_TEXT] = "text.db",
    [SPOOL_SESSION] = "session.db",
    [SPOOL_END] = "end.db",
    [SPOOL_UNRUN] = "unrun.db",
    [SPOOL_USAGE] = "usage.db",
    [SPOOL_AR] = "ar.db",
};
_Static_assert(ARRAY_LEN(table_names) == SPOOL_TABLES, "every table has a name");

const char *spool_table_name(enum spool_table t)
{
    return table_names[t];
}

/* ---- the directory ---- */

/* spool_lock - take the directory for this process; the lock file holds our pid for whoever comes
 * second */
static int spool_lock(struct spool *s, struct answer *ans)
{
    char *path = path_join(s->dir, "lock");
    struct answer why = ANSWER_INIT;
    struct dstr pid = DSTR_INIT;
    s->lock_fd = file_lock(path, &why);
    if (s->lock_fd >= 0) {
        char text[24];
        int len = snprintf(text, sizeof text, "%ld", (long)getpid());
        if (ftruncate(s->lock_fd, 0) < 0 || pwrite(s->lock_fd, text, (size_t)len, 0) != len)
            ans_sys(&why, errno, MSG_SPOOL_LOCK_S, s->dir);
    } else if (why.n > 0 && why.v[0].status == STATUS_EEXIST) {
        file_read(path, 32, &pid, NULL);
        ans_fail(ans, STATUS_EEXIST, MSG_SPOOL_LOCKED_SS, s->dir, pid.len > 0 ? pid.s : "?");
        ans_free(&why);
    }
    int ret = s->lock_fd >= 0 && !ans_has_error(&why) ? 0 : -1;
    ans_move(ans, &why);
    dstr_free(&pid);
    free(path);
    return ret;
}

/* is the directory what the caller expects: a spool that this release may use, or empty? An enum
 * spool_format_use, or -1 */
static int look_at_format(const struct spool *s, const char *path,
                          const struct spool_options *options, struct answer *ans)
{
    bool is_there = access(path, F_OK) == 0;
    if (is_there && options->is_new)
        return ans_fail(ans, STATUS_EEXIST, MSG_SPOOL_EXISTS_S, s->dir);
    if (options->is_new)
        return SPOOL_FORMAT_WRITE;
    if (!is_there)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_SPOOL_MISSING_S, s->dir);
    return spool_format_check(path, s->dir, s->method->name, &own_layout, options->keeps_newer,
                              ans);
}

static size_t size_or(size_t given, size_t otherwise)
{
    return given != 0 ? given : otherwise;
}

/* recovery writes too: on a full disk it gets the ballast */
static int spool_method_open(struct spool *s, const struct spool_options *options,
                             struct answer *ans)
{
    struct answer why = ANSWER_INIT;
    s->state = s->method->open(s->dir, options, &why);
    if (s->state == NULL && !s->space.is_enough && spool_space_relieve(&s->space)) {
        ans_free(&why);
        why = (struct answer)ANSWER_INIT;
        s->state = s->method->open(s->dir, options, &why);
    }
    ans_move(ans, &why);
    return s->state != NULL ? 0 : -1;
}

static int spool_fill(struct spool *s, const struct spool_options *given, struct answer *ans)
{
    struct spool_options o = *given;
    o.cache_bytes = size_or(o.cache_bytes, CACHE_BYTES);
    o.checkpoint_bytes = size_or(o.checkpoint_bytes, CHECKPOINT_BYTES);
    if (o.is_new && file_mkdirs(s->dir, 0700, ans) < 0)
        return -1;
    if (!o.is_new && access(s->dir, F_OK) < 0)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_SPOOL_MISSING_S, s->dir);
    if (spool_lock(s, ans) < 0)
        return -1;
    char *format = path_join(s->dir, "format");
    int use = look_at_format(s, format, &o, ans), ret = use < 0 ? -1 : 0;
    if (ret == 0)
        ret = spool_space_open(&s->space, s->dir, size_or(o.ballast_bytes, BALLAST_BYTES), ans);
    if (ret == 0)
        ret = spool_method_open(s, &o, ans);
    if (ret == 0 && use == SPOOL_FORMAT_WRITE)
        ret = spool_format_write(format, s->method->name, &own_layout, ans);
    free(format);
    return ret;
}

struct spool *spool_open(const char *dir, const struct spool_options *options, struct answer *ans)
{
    static const struct spool_options defaults = { 0 };
    struct spool *s = uti_calloc(1, sizeof *s);
    s->dir = uti_strdup(dir);
    s->lock_fd = -1;
    s->method = &spool_method_bdb;
    pthread_mutex_init(&s->guard, NULL);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&s->wake, &clock);
    pthread_condattr_destroy(&clock);
    if (spool_fill(s, options != NULL ? options : &defaults, ans) == 0)
        return s;
    spool_close(s);
    return NULL;
}

void spool_close(struct spool *s)
{
    if (s == NULL)
        return;
    ASSERT(!s->has_loop);
    if (s->state != NULL)
        s->method->close(s->state);
    spool_space_close(&s->space);
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->guard);
    free(s->dir);
    free(s);
}

/* ---- records ---- */

/* spool_have_tended - let the checkpoint thread do what is due; without such a thread it is done
 * here */
static void spool_have_tended(struct spool *s, unsigned due)
{
    pthread_mutex_lock(&s->guard);
    bool has_loop = s->has_loop;
    if (has_loop) {
        s->due |= due;
        pthread_cond_signal(&s->wake);
    }
    pthread_mutex_unlock(&s->guard);
    if (!has_loop)
        s->method->tend(s->state, due, NULL); /* what fails is due again after the next commit */
}

int spool_commit(struct spool *s, const struct spool_batch *b, struct answer *ans)
{
    if (spool_batch_is_empty(b))
        return 0;
    struct answer why = ANSWER_INIT;
    int ret = s->method->commit(s->state, b, &why);
    if (ret < 0 && why.n > 0 && why.v[0].status == STATUS_EDISK)
        s->space.is_enough = false;
    ans_move(ans, &why);
    unsigned due = ret == 0 ? s->method->due(s->state) : 0;
    if (due != 0)
        spool_have_tended(s, due);
    return ret;
}

int spool_get(struct spool *s, enum spool_table t, const void *key, size_t key_len, void **value,
              size_t *len, struct answer *ans)
{
    return s->method->get(s->state, t, key, key_len, value, len, ans);
}

int spool_walk(struct spool *s, enum spool_table t, spool_walk_fn fn, void *ctx, struct answer *ans)
{
    return s->method->walk(s->state, t, true, fn, ctx, ans);
}

int spool_walk_keys(struct spool *s, enum spool_table t, spool_walk_fn fn, void *ctx,
                    struct answer *ans)
{
    return s->method->walk(s->state, t, false, fn, ctx, ans);
}

/* ---- space ---- */

bool spool_has_space(struct spool *s, uint64_t now_us)
{
    if (now_us - s->looked_us < LOOK_INTERVAL_US)
        return s->space.is_enough;
    s->looked_us = now_us;
    pthread_mutex_lock(&s->guard);
    bool has_loop = s->has_loop;
    s->wants_look = has_loop;
    if (has_loop)
        pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->guard);
    if (!has_loop)
        spool_space_look(&s->space);
    return s->space.is_enough;
}

uint64_t spool_space_wanted(const struct spool *s)
{
    return spool_space_bytes(&s->space);
}

uint64_t spool_disk_bytes(const struct spool *s)
{
    return spool_space_disk_bytes(&s->space);
}

int spool_disk_error(const struct spool *s)
{
    return spool_space_error(&s->space);
}

const char *spool_dir(const struct spool *s)
{
    return s->dir;
}

bool spool_disk_relieve(struct spool *s)
{
    return spool_space_relieve(&s->space);
}

/* ---- the checkpoint thread ---- */

/* spool_tend - guard is held on entry and exit, not in between */
static void spool_tend(struct spool *s)
{
    struct answer why = ANSWER_INIT;
    unsigned due = s->due;
    s->due = 0;
    pthread_mutex_unlock(&s->guard);
    int ret = s->method->tend(s->state, due, &why);
    if (ret < 0)
        log_msg(LOG_LEVEL_ERROR, MSG_SPOOL_CHECKPOINT_S, ans_first_error(&why));
    ans_free(&why);
    pthread_mutex_lock(&s->guard);
    if (ret == 0)
        return;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += CHECKPOINT_RETRY_S;
    s->due |= due;
    while (!s->is_stopping && !s->wants_look &&
           pthread_cond_timedwait(&s->wake, &s->guard, &until) == 0)
        ;
}

void spool_checkpoint_loop(struct spool *s)
{
    pthread_mutex_lock(&s->guard);
    s->has_loop = true;
    while (!s->is_stopping) {
        if (s->wants_look) {
            s->wants_look = false;
            pthread_mutex_unlock(&s->guard);
            spool_space_look(&s->space);
            pthread_mutex_lock(&s->guard);
        } else if (s->due != 0) {
            spool_tend(s);
        } else {
            pthread_cond_wait(&s->wake, &s->guard);
        }
    }
    s->has_loop = false;
    pthread_mutex_unlock(&s->guard);
}

void spool_stop_checkpoints(struct spool *s)
{
    pthread_mutex_lock(&s->guard);
    s->is_stopping = true;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->guard);
}

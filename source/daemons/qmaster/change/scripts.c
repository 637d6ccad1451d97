/* The scripts that are coming or leaving, in turns: one piece of each kind in a batch, then the
 * next script of that kind. Invariants: a script is in `coming` or `leaving` exactly while pieces
 * of it are to be staged; one that is there and whose job is not yet is in the table alone. Every
 * piece in the spool belongs to a job or to a script of the table, or scripts_remove_orphans finds
 * it. */
#include "daemons/qmaster/change/scripts.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "libs/spool/spool.h"
#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"

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

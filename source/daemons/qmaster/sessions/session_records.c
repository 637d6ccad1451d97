/* What is kept, as sets of ordinals. Invariants: a job has an entry exactly while something of it
 * is kept or unwritten; `ran` and `unrun` have no member in common; a session's n_kept is the sum
 * of what both have over its jobs. Records of `ran` are staged at once, since a task ends once;
 * chunks of `unrun` are staged when the batch may be handed over, however often they changed
 * before. */
#include "daemons/qmaster/sessions/session_records.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/marks.h"
#include "daemons/qmaster/change/work.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/spool/records.h"
#include "libs/uti/alloc.h"

/* ---- keys and records ---- */
void end_key(struct packer *key, const struct end_place *p)
{
    pack_u32be(key, (uint32_t)(p->session >> 32));
    pack_u32be(key, (uint32_t)p->session);
    pack_u32be(key, p->job);
    pack_u32be(key, p->low);
}

bool end_key_read(const void *key, size_t len, struct end_place *out)
{
    struct unpacker u = unpacker_over_own(key, len);
    out->session = (uint64_t)unpack_u32be(&u) << 32;
    out->session |= unpack_u32be(&u);
    out->job = unpack_u32be(&u);
    out->low = unpack_u32be(&u);
    return !u.is_bad && len == END_KEY_BYTES;
}

void end_put(struct qmaster *q, enum spool_table table, const struct end_place *p,
             const struct EN_Type *end)
{
    struct packer key = { 0 }, value = { 0 };
    end_key(&key, p);
    spool_record_pack(q->records, &value, (struct spool_key){ table, key.data, key.len },
                      &cull_EN_Type, end);
    batch_put(change_batch(q), table, &key, &value);
}

void end_del(struct qmaster *q, enum spool_table table, const struct end_place *p)
{
    struct packer key = { 0 };
    end_key(&key, p);
    spool_record_gone(q->records, (struct spool_key){ table, key.data, key.len });
    batch_del(change_batch(q), table, &key);
}

int end_read(struct qmaster *q, enum spool_table table, const struct end_place *p,
             const void *value, size_t len, struct EN_Type *end, struct answer *ans)
{
    struct packer key = { 0 };
    end_key(&key, p);
    int rc = spool_record_read(q->records, (struct spool_key){ table, key.data, key.len },
                               &cull_EN_Type, q->jobs.pool, value, len, end, ans);
    packer_free(&key);
    return rc;
}

/* ---- which ends are kept ---- */
static int by_number(const struct session_job *a, const struct session_job *b)
{
    return a->job < b->job ? -1 : a->job > b->job;
}
TREE_GENERATE(session_job_tree, session_job, in_session, by_number)

static struct session_job *find_job(const struct job_sessions *all, uint32_t job)
{
    struct session_job *k;
    HASH_FIND_U32(all->jobs, &job, k);
    return k;
}

bool session_records_have_job(const struct qmaster *q, uint32_t number)
{
    return find_job(q->job_sessions, number) != NULL;
}

struct session_job *session_job_at_or_after(struct job_session *s, uint32_t number)
{
    struct session_job at = { .job = number };
    return RB_NFIND(session_job_tree, &s->jobs, &at);
}

/* the entry of JOB; NULL if another session keeps ends of a job with that number, which cannot be:
 * numbers are not used again so early */
static struct session_job *get_kept(struct qmaster *q, struct job_session *s, uint32_t job)
{
    struct job_sessions *all = q->job_sessions;
    struct session_job *k = find_job(all, job);
    if (k == NULL) {
        k = uti_calloc(1, sizeof *k);
        k->job = job;
        k->session = s;
        HASH_ADD_U32(all->jobs, job, k);
        RB_INSERT(session_job_tree, &s->jobs, k);
    }
    return k->session == s ? k : NULL;
}

static void forget_job(struct job_sessions *all, struct session_job *k)
{
    if (!range_set_is_empty(&k->unwritten))
        TAILQ_REMOVE(&all->unwritten, k, in_unwritten);
    HASH_DEL(all->jobs, k);
    RB_REMOVE(session_job_tree, &k->session->jobs, k);
    range_set_free(&k->ran);
    range_set_free(&k->unrun);
    range_set_free(&k->unwritten);
    free(k);
}

static void forget_if_empty(struct job_sessions *all, struct session_job *k)
{
    if (range_set_is_empty(&k->ran) && range_set_is_empty(&k->unrun) &&
        range_set_is_empty(&k->unwritten))
        forget_job(all, k);
}

static void count_ends(struct job_session *s, uint64_t n)
{
    s->n_kept += n;
    s->user->n_ends += n;
}

static void count_taken(struct job_session *s, uint64_t n)
{
    s->n_kept -= n;
    s->user->n_ends -= n;
}

/* ---- more ---- */
void session_records_add(struct qmaster *q, struct job_session *s, uint32_t ordinal,
                         const struct EN_Type *end)
{
    struct session_job *k = get_kept(q, s, end->EN_job_number);
    struct end_place place = { s->rec.SN_number, end->EN_job_number, ordinal };
    if (k == NULL)
        return;
    job_session_settle(s, 1);
    count_ends(s, 1);
    s->changed = change_number(q);
    range_set_add(&k->ran, ordinal, ordinal);
    end_put(q, SPOOL_END, &place, end);
}

/* the chunks with members of ORDINALS are to be written */
static void note_unwritten(struct qmaster *q, struct session_job *k,
                           const struct range_set *ordinals)
{
    bool was_written = range_set_is_empty(&k->unwritten);
    struct range run;
    for (uint64_t at = 0; range_set_next_run(ordinals, at, &run);) {
        uint32_t last = run.last / END_CHUNK;
        range_set_add(&k->unwritten, run.first / END_CHUNK, last);
        at = (uint64_t)(last + 1) * END_CHUNK;
    }
    if (was_written && !range_set_is_empty(&k->unwritten))
        TAILQ_INSERT_TAIL(&q->job_sessions->unwritten, k, in_unwritten);
    k->session->changed = change_number(q);
}

static void set_shape(struct session_job *k, uint32_t first, uint32_t step, bool is_array)
{
    k->ja_first = first;
    k->ja_step = step;
    k->is_array = is_array;
}

void session_records_add_unrun(struct qmaster *q, struct job_session *s, const struct JB_Type *rec,
                               const struct range_set *ordinals)
{
    struct session_job *k = get_kept(q, s, rec->JB_job_number);
    uint64_t n = range_set_count(ordinals);
    if (k == NULL)
        return;
    job_session_settle(s, n);
    count_ends(s, n);
    set_shape(k, rec->JB_ja_first, rec->JB_ja_step, job_is_array(rec));
    range_set_unite(&k->unrun, ordinals);
    note_unwritten(q, k, ordinals);
}

static void fill_unrun(struct EN_Type *out, uint32_t job, uint32_t first, uint32_t step,
                       bool is_array)
{
    cull_set(out, EN_job_number, job);
    cull_set(out, EN_ja_first, first);
    cull_set(out, EN_ja_step, step);
    cull_set(out, EN_is_array, is_array);
    cull_set(out, EN_how, (uint32_t)END_UNRUN);
}

void end_fill_unrun(struct EN_Type *out, const struct JB_Type *rec,
                    const struct range_set *ordinals)
{
    fill_unrun(out, rec->JB_job_number, rec->JB_ja_first, rec->JB_ja_step, job_is_array(rec));
    range_set_copy(cull_ranges(out, EN_ordinals), ordinals);
}

void session_job_unrun(const struct session_job *k, const struct range_set *ordinals,
                       struct EN_Type *out)
{
    fill_unrun(out, k->job, k->ja_first, k->ja_step, k->is_array);
    range_set_copy(cull_ranges(out, EN_ordinals), ordinals);
}

/* ---- less ---- */
void session_records_take(struct qmaster *q, struct job_session *s, uint32_t job,
                          const struct range_set *ordinals, struct range_set *ran)
{
    struct session_job *k = find_job(q->job_sessions, job);
    struct range_set unrun = { 0 };
    if (k == NULL || k->session != s)
        return;
    range_set_intersection(ran, &k->ran, ordinals);
    range_set_intersection(&unrun, &k->unrun, ordinals);
    count_taken(s, range_set_count(ran) + range_set_count(&unrun));
    range_set_subtract(&k->ran, ran);
    range_set_subtract(&k->unrun, &unrun);
    note_unwritten(q, k, &unrun);
    range_set_free(&unrun);
    forget_if_empty(q->job_sessions, k);
}

/* ---- all of a session that has gone ---- */
static uint32_t drop_ran(struct qmaster *q, struct session_job *k, uint32_t most)
{
    struct end_place place = { k->session->rec.SN_number, k->job, 0 };
    uint32_t n = 0;
    for (; n < most && range_set_min(&k->ran, &place.low); n++) {
        end_del(q, SPOOL_END, &place);
        range_set_remove(&k->ran, place.low, place.low);
    }
    return n;
}

static uint32_t drop_unrun(struct qmaster *q, struct session_job *k, uint32_t most)
{
    struct end_place place = { k->session->rec.SN_number, k->job, 0 };
    uint32_t n = 0, first;
    for (; n < most && range_set_min(&k->unrun, &first); n++) {
        place.low = first / END_CHUNK;
        end_del(q, SPOOL_UNRUN, &place);
        range_set_remove(&k->unrun, first, place.low * END_CHUNK + (END_CHUNK - 1));
    }
    return n;
}

bool session_records_remove(struct qmaster *q, struct job_session *s, uint32_t most)
{
    struct session_job *k;
    while (most > 0 && (k = RB_MIN(session_job_tree, &s->jobs)) != NULL) {
        most -= drop_ran(q, k, most);
        most -= drop_unrun(q, k, most);
        if (most > 0) {
            forget_job(q->job_sessions, k);
            most--;
        }
    }
    return RB_EMPTY(&s->jobs);
}

void session_records_forget(struct job_sessions *all, struct job_session *s)
{
    struct session_job *k;
    while ((k = RB_MIN(session_job_tree, &s->jobs)) != NULL)
        forget_job(all, k);
}

/* ---- to the spool and back ---- */
static void stage_chunk(struct qmaster *q, const struct session_job *k, uint32_t chunk)
{
    struct end_place place = { k->session->rec.SN_number, k->job, chunk };
    struct range_set window = { 0 }, of_chunk = { 0 };
    range_set_add(&window, chunk * END_CHUNK, chunk * END_CHUNK + (END_CHUNK - 1));
    range_set_intersection(&of_chunk, &k->unrun, &window);
    if (range_set_is_empty(&of_chunk)) {
        end_del(q, SPOOL_UNRUN, &place);
    } else {
        struct EN_Type end = { 0 };
        session_job_unrun(k, &of_chunk, &end);
        end_put(q, SPOOL_UNRUN, &place, &end);
        cull_clear(&cull_EN_Type, &end);
    }
    range_set_free(&of_chunk);
    range_set_free(&window);
}

void session_records_flush(struct qmaster *q)
{
    struct job_sessions *all = q->job_sessions;
    struct session_job *k;
    while ((k = TAILQ_FIRST(&all->unwritten)) != NULL) {
        uint32_t chunk;
        while (range_set_min(&k->unwritten, &chunk)) {
            stage_chunk(q, k, chunk);
            range_set_remove(&k->unwritten, chunk, chunk);
        }
        TAILQ_REMOVE(&all->unwritten, k, in_unwritten);
        forget_if_empty(all, k);
    }
}

bool session_records_restore(struct qmaster *q, struct job_session *s, const struct end_place *p)
{
    struct session_job *k = get_kept(q, s, p->job);
    if (k == NULL)
        return false;
    count_ends(s, 1);
    range_set_add(&k->ran, p->low, p->low);
    return true;
}

bool session_records_restore_unrun(struct qmaster *q, struct job_session *s,
                                   const struct EN_Type *end)
{
    struct session_job *k = get_kept(q, s, end->EN_job_number);
    if (k == NULL)
        return false;
    count_ends(s, range_set_count(&end->EN_ordinals));
    set_shape(k, end->EN_ja_first, end->EN_ja_step, end->EN_is_array);
    range_set_unite(&k->unrun, &end->EN_ordinals);
    return true;
}

/* ---- removal ---- */
/* Pieces of work (work.h) that remove records. They outlive the connection that asked. */
struct removal_job {
    uint32_t job;
    struct range_set ran;
};
struct removal {
    struct piece piece;
    struct job_session *session; /* owned, out of the table: all of it; NULL: `jobs` are meant */
    uint64_t number;             /* of the session */
    uint64_t conn;               /* that is answered at the end; 0: none */
    uint32_t serial;
    struct removal_job *jobs; /* owned */
    uint32_t n, cap, at;
    struct job_sessions *among;
    LIST_ENTRY(removal) in_all; /* once it is under way */
};

struct removal *removal_new(const struct job_session *s)
{
    struct removal *l = uti_calloc(1, sizeof *l);
    l->number = s->rec.SN_number;
    return l;
}

void removal_add(struct removal *l, uint32_t job, struct range_set *ran)
{
    if (range_set_is_empty(ran))
        return;
    l->jobs = uti_vec_grow(l->jobs, &l->cap, l->n + 1, sizeof *l->jobs);
    l->jobs[l->n] = (struct removal_job){ .job = job };
    range_set_move(&l->jobs[l->n++].ran, ran);
}

static void removal_free(struct removal *l)
{
    for (uint32_t i = l->at; i < l->n; i++)
        range_set_free(&l->jobs[i].ran);
    free(l->jobs);
    free(l);
}

/* ---- steps ---- */
static uint32_t remove_of_job(struct qmaster *q, const struct removal *l, struct removal_job *of,
                              uint32_t most)
{
    struct end_place place = { l->number, of->job, 0 };
    uint32_t n = 0;
    for (; n < most && range_set_min(&of->ran, &place.low); n++) {
        end_del(q, SPOOL_END, &place);
        range_set_remove(&of->ran, place.low, place.low);
    }
    return n;
}

/* MOST records; true if there are no more */
static bool remove_some(struct qmaster *q, struct removal *l, uint32_t most)
{
    while (most > 0 && l->at < l->n) {
        struct removal_job *of = &l->jobs[l->at];
        most -= remove_of_job(q, l, of, most);
        if (range_set_is_empty(&of->ran))
            range_set_free(&l->jobs[l->at++].ran);
    }
    return l->at == l->n;
}

static void answer_done(struct qmaster *q, const struct removal *l)
{
    struct GA_Type ga = { 0 };
    if (l->conn == 0)
        return;
    cull_set(&ga, GA_is_last, true);
    change_answer(q, change_number(q), l->conn, l->serial, &ga);
}

static bool removal_step(struct qmaster *q, struct piece *piece)
{
    struct removal *l = (struct removal *)piece;
    bool is_done = l->session != NULL ? session_records_remove(q, l->session, STEP_WORK)
                                      : remove_some(q, l, STEP_WORK);
    if (is_done)
        answer_done(q, l);
    piece->is_waiting = !is_done && change_is_full(q);
    return is_done;
}

static void free_piece(struct piece *piece)
{
    struct removal *l = (struct removal *)piece;
    LIST_REMOVE(l, in_all);
    if (l->session != NULL) {
        session_records_forget(l->among, l->session);
        job_session_free(l->session);
    }
    removal_free(l);
}

static const struct piece_kind removal_kind = { "removing ends that were kept", removal_step,
                                                free_piece };

static void put_to_work(struct qmaster *q, struct removal *l, uint32_t uid)
{
    l->piece.kind = &removal_kind;
    l->among = q->job_sessions;
    LIST_INSERT_HEAD(&q->job_sessions->removals, l, in_all);
    work_put_piece(q->work, uid, &l->piece);
}

void removal_start(struct qmaster *q, struct removal *l, struct request *r)
{
    if (remove_some(q, l, STEP_WORK)) {
        removal_free(l);
        return;
    }
    l->conn = r->from->conn;
    l->serial = r->serial;
    r->is_answered_later = true;
    put_to_work(q, l, r->from->who.uid);
}

void removal_of_session(struct qmaster *q, struct job_session *s)
{
    struct removal *l = removal_new(s);
    uint32_t uid = s->rec.SN_uid;
    job_session_gone(q, s);
    l->session = s;
    put_to_work(q, l, uid);
}

void removals_on_commit(struct qmaster *q)
{
    struct removal *l;
    if (change_is_full(q))
        return;
    LIST_FOREACH(l, &q->job_sessions->removals, in_all) {
        if (l->piece.is_waiting)
            piece_wake(&l->piece);
    }
}

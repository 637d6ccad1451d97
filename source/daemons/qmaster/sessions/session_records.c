/* What is kept, as sets of ordinals. Invariants: a job has an entry exactly while something of it
 * is kept or unwritten; `ran` and `unrun` have no member in common; a session's n_kept is the sum
 * of what both have over its jobs. Records of `ran` are staged at once, since a task ends once;
 * chunks of `unrun` are staged when the batch may be handed over, however often they changed
 * before. */
#include "daemons/qmaster/sessions/session_records.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "libs/sgeobj/end.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"

static int by_number(const struct kept_job *a, const struct kept_job *b)
{
    return a->job < b->job ? -1 : a->job > b->job;
}
TREE_GENERATE(kept_tree, kept_job, in_session, by_number)

static struct kept_job *find_kept(const struct job_sessions *all, uint32_t job)
{
    struct kept_job *k;
    HASH_FIND_U32(all->jobs, &job, k);
    return k;
}

bool kept_has_job(const struct qmaster *q, uint32_t number)
{
    return find_kept(q->job_sessions, number) != NULL;
}

struct kept_job *kept_at_or_after(struct job_session *s, uint32_t number)
{
    struct kept_job at = { .job = number };
    return RB_NFIND(kept_tree, &s->jobs, &at);
}

/* the entry of JOB; NULL if another session keeps ends of a job with that number, which cannot be:
 * numbers are not used again so early */
static struct kept_job *get_kept(struct qmaster *q, struct job_session *s, uint32_t job)
{
    struct job_sessions *all = q->job_sessions;
    struct kept_job *k = find_kept(all, job);
    if (k == NULL) {
        k = uti_calloc(1, sizeof *k);
        k->job = job;
        k->session = s;
        HASH_ADD_U32(all->jobs, job, k);
        RB_INSERT(kept_tree, &s->jobs, k);
    }
    return k->session == s ? k : NULL;
}

static void forget_kept(struct job_sessions *all, struct kept_job *k)
{
    if (!range_set_is_empty(&k->unwritten))
        TAILQ_REMOVE(&all->unwritten, k, in_unwritten);
    HASH_DEL(all->jobs, k);
    RB_REMOVE(kept_tree, &k->session->jobs, k);
    range_set_free(&k->ran);
    range_set_free(&k->unrun);
    range_set_free(&k->unwritten);
    free(k);
}

static void forget_if_empty(struct job_sessions *all, struct kept_job *k)
{
    if (range_set_is_empty(&k->ran) && range_set_is_empty(&k->unrun) &&
        range_set_is_empty(&k->unwritten))
        forget_kept(all, k);
}

static void count_kept(struct job_session *s, uint64_t n)
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
void kept_add_ran(struct qmaster *q, struct job_session *s, uint32_t ordinal,
                  const struct EN_Type *end)
{
    struct kept_job *k = get_kept(q, s, end->EN_job_number);
    struct end_place place = { s->rec.SN_number, end->EN_job_number, ordinal };
    if (k == NULL)
        return;
    job_session_settle(s, 1);
    count_kept(s, 1);
    s->changed = change_number(q);
    range_set_add(&k->ran, ordinal, ordinal);
    end_put(q, SPOOL_END, &place, end);
}

/* the chunks with members of ORDINALS are to be written */
static void mark_unwritten(struct qmaster *q, struct kept_job *k, const struct range_set *ordinals)
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

static void set_shape(struct kept_job *k, uint32_t first, uint32_t step, bool is_array)
{
    k->ja_first = first;
    k->ja_step = step;
    k->is_array = is_array;
}

void kept_add_unrun(struct qmaster *q, struct job_session *s, const struct JB_Type *rec,
                    const struct range_set *ordinals)
{
    struct kept_job *k = get_kept(q, s, rec->JB_job_number);
    uint64_t n = range_set_count(ordinals);
    if (k == NULL)
        return;
    job_session_settle(s, n);
    count_kept(s, n);
    set_shape(k, rec->JB_ja_first, rec->JB_ja_step, job_is_array(rec));
    range_set_unite(&k->unrun, ordinals);
    mark_unwritten(q, k, ordinals);
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

void kept_fill_unrun(struct EN_Type *out, const struct JB_Type *rec,
                     const struct range_set *ordinals)
{
    fill_unrun(out, rec->JB_job_number, rec->JB_ja_first, rec->JB_ja_step, job_is_array(rec));
    range_set_copy(cull_ranges(out, EN_ordinals), ordinals);
}

void kept_unrun_end(const struct kept_job *k, const struct range_set *ordinals, struct EN_Type *out)
{
    fill_unrun(out, k->job, k->ja_first, k->ja_step, k->is_array);
    range_set_copy(cull_ranges(out, EN_ordinals), ordinals);
}

/* ---- less ---- */
void kept_take(struct qmaster *q, struct job_session *s, uint32_t job,
               const struct range_set *ordinals, struct range_set *ran)
{
    struct kept_job *k = find_kept(q->job_sessions, job);
    struct range_set unrun = { 0 };
    if (k == NULL || k->session != s)
        return;
    range_set_intersection(ran, &k->ran, ordinals);
    range_set_intersection(&unrun, &k->unrun, ordinals);
    count_taken(s, range_set_count(ran) + range_set_count(&unrun));
    range_set_subtract(&k->ran, ran);
    range_set_subtract(&k->unrun, &unrun);
    mark_unwritten(q, k, &unrun);
    range_set_free(&unrun);
    forget_if_empty(q->job_sessions, k);
}

/* ---- all of a session that has gone ---- */
static uint32_t drop_ran(struct qmaster *q, struct kept_job *k, uint32_t most)
{
    struct end_place place = { k->session->rec.SN_number, k->job, 0 };
    uint32_t n = 0;
    for (; n < most && range_set_min(&k->ran, &place.low); n++) {
        end_del(q, SPOOL_END, &place);
        range_set_remove(&k->ran, place.low, place.low);
    }
    return n;
}

static uint32_t drop_unrun(struct qmaster *q, struct kept_job *k, uint32_t most)
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

bool kept_drop(struct qmaster *q, struct job_session *s, uint32_t most)
{
    struct kept_job *k;
    while (most > 0 && (k = RB_MIN(kept_tree, &s->jobs)) != NULL) {
        most -= drop_ran(q, k, most);
        most -= drop_unrun(q, k, most);
        if (most > 0) {
            forget_kept(q->job_sessions, k);
            most--;
        }
    }
    return RB_EMPTY(&s->jobs);
}

void kept_free(struct job_sessions *all, struct job_session *s)
{
    struct kept_job *k;
    while ((k = RB_MIN(kept_tree, &s->jobs)) != NULL)
        forget_kept(all, k);
}

/* ---- to the spool and back ---- */
static void stage_chunk(struct qmaster *q, const struct kept_job *k, uint32_t chunk)
{
    struct end_place place = { k->session->rec.SN_number, k->job, chunk };
    struct range_set window = { 0 }, of_chunk = { 0 };
    range_set_add(&window, chunk * END_CHUNK, chunk * END_CHUNK + (END_CHUNK - 1));
    range_set_intersection(&of_chunk, &k->unrun, &window);
    if (range_set_is_empty(&of_chunk)) {
        end_del(q, SPOOL_UNRUN, &place);
    } else {
        struct EN_Type end = { 0 };
        kept_unrun_end(k, &of_chunk, &end);
        end_put(q, SPOOL_UNRUN, &place, &end);
        cull_clear(&cull_EN_Type, &end);
    }
    range_set_free(&of_chunk);
    range_set_free(&window);
}

void kept_flush(struct qmaster *q)
{
    struct job_sessions *all = q->job_sessions;
    struct kept_job *k;
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

bool kept_restore_ran(struct qmaster *q, struct job_session *s, const struct end_place *p)
{
    struct kept_job *k = get_kept(q, s, p->job);
    if (k == NULL)
        return false;
    count_kept(s, 1);
    range_set_add(&k->ran, p->low, p->low);
    return true;
}

bool kept_restore_unrun(struct qmaster *q, struct job_session *s, const struct EN_Type *end)
{
    struct kept_job *k = get_kept(q, s, end->EN_job_number);
    if (k == NULL)
        return false;
    count_kept(s, range_set_count(&end->EN_ordinals));
    set_shape(k, end->EN_ja_first, end->EN_ja_step, end->EN_is_array);
    range_set_unite(&k->unrun, &end->EN_ordinals);
    return true;
}

/* The tasks of a job: ordinals and ids, holds, and sets of ordinals as task ids.
 *
 * Ordinals count from 0; task ids are what users see. A task that runs, was put back or is in error
 * has a JAT record, all others are described by the job's range sets. Source: qstat(1); the forms
 * that scripts match. */
#include "libs/sgeobj/job_state.h"

#include "libs/sgeobj/ja_dependency.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"

/* ---- the array ---- */
bool job_is_interactive(const struct JB_Type *job)
{
    return (job->JB_type & JOB_TYPE_INTERACTIVE) != 0;
}

bool job_has_session(const struct JB_Type *job)
{
    return (job->JB_type & JOB_TYPE_SESSION) != 0;
}

const char *job_session_setting(const struct JB_Type *job, bool is_daemon)
{
    if ((job->JB_type & JOB_TYPE_QLOGIN) != 0)
        return is_daemon ? "qlogin_daemon" : "qlogin_command";
    if ((job->JB_type & JOB_TYPE_LOGIN) != 0)
        return is_daemon ? "rlogin_daemon" : "rlogin_command";
    return is_daemon ? "rsh_daemon" : "rsh_command";
}

bool job_is_array(const struct JB_Type *job)
{
    return (job->JB_type & JOB_TYPE_ARRAY) != 0;
}

uint32_t job_task_count(const struct JB_Type *job)
{
    struct ja_shape s = ja_shape_of(job);

    return ja_task_count(&s);
}

uint32_t job_task_id(const struct JB_Type *job, uint32_t ordinal)
{
    struct ja_shape s = ja_shape_of(job);

    ASSERT(ordinal < ja_task_count(&s));
    return s.first + ordinal * s.step;
}

bool job_task_ordinal(const struct JB_Type *job, uint32_t task_id, uint32_t *ordinal)
{
    struct ja_shape s = ja_shape_of(job);

    if (task_id < s.first || task_id > s.last || (task_id - s.first) % s.step != 0)
        return false;
    *ordinal = (task_id - s.first) / s.step;
    return true;
}

/* ---- holds ---- */
unsigned job_task_holds(const struct JB_Type *job, uint32_t ordinal)
{
    unsigned holds = job->JB_jid_predecessor_list.n > 0 ? HOLD_JID : 0;

    if (range_set_has(&job->JB_ja_u_h_ids, ordinal))
        holds |= MINUS_H_TGT_USER;
    if (range_set_has(&job->JB_ja_o_h_ids, ordinal))
        holds |= MINUS_H_TGT_OPERATOR;
    if (range_set_has(&job->JB_ja_s_h_ids, ordinal))
        holds |= MINUS_H_TGT_SYSTEM;
    if (range_set_has(&job->JB_ja_a_h_ids, ordinal))
        holds |= MINUS_H_TGT_JA_AD;
    return holds;
}

void job_ready_ids(const struct JB_Type *job, struct range_set *out)
{
    range_set_free(out);
    if (job->JB_jid_predecessor_list.n > 0)
        return;
    range_set_copy(out, &job->JB_ja_pending_ids);
    range_set_subtract(out, &job->JB_ja_u_h_ids);
    range_set_subtract(out, &job->JB_ja_o_h_ids);
    range_set_subtract(out, &job->JB_ja_s_h_ids);
    range_set_subtract(out, &job->JB_ja_a_h_ids);
}

/* Most jobs have no hold, or all of their tasks have one. */
bool job_has_ready(const struct JB_Type *job)
{
    const struct range_set *const holds[] = { &job->JB_ja_u_h_ids, &job->JB_ja_o_h_ids,
                                              &job->JB_ja_s_h_ids, &job->JB_ja_a_h_ids };
    bool is_held = false;
    if (job->JB_jid_predecessor_list.n > 0 || range_set_is_empty(&job->JB_ja_pending_ids))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(holds); i++) {
        if (range_set_equal(holds[i], &job->JB_ja_pending_ids))
            return false;
        is_held = is_held || !range_set_is_empty(holds[i]);
    }
    if (!is_held)
        return true;
    struct range_set ready = { 0 };
    job_ready_ids(job, &ready);
    bool has_ready = !range_set_is_empty(&ready);
    range_set_free(&ready);
    return has_ready;
}

/* ---- sets of ordinals as task ids ---- */
enum {
    IDS_IN_A_RANGE = 3, /* two ids are written as "1,3", three as "1-5:2" */
    MANY_IDS = 1000     /* so many are worth a look whether they are one progression */
};

/* Ordinals at one distance from each other that are not written yet. */
struct ids_writer {
    struct ja_shape shape;
    struct dstr *out;
    size_t start_len;            /* length of out before the first id */
    uint32_t first, last, count; /* the progression; count 0: nothing is open */
    uint32_t stride;             /* of ordinals; meaningful from count 2 on */
    struct range run; /* stands before those that are open, and may give its last id to them */
    bool has_run;
};

static void write_id(struct ids_writer *w, uint32_t ordinal)
{
    dstr_addf(w->out, "%s%u", w->out->len > w->start_len ? "," : "",
              w->shape.first + ordinal * w->shape.step);
}

static void write_range(struct ids_writer *w, uint32_t first, uint32_t last, uint32_t stride)
{
    write_id(w, first);
    dstr_addf(w->out, "-%u:%u", w->shape.first + last * w->shape.step, stride * w->shape.step);
}

static void write_run(struct ids_writer *w)
{
    if (w->has_run)
        write_range(w, w->run.first, w->run.last, 1);
    w->has_run = false;
}

/* write what is open but the last KEEP ids (0 or 1) */
static void flush_ids(struct ids_writer *w, uint32_t keep)
{
    write_run(w);
    if (w->count >= IDS_IN_A_RANGE) {
        write_range(w, w->first, w->last, w->stride);
        w->count = 0;
        return;
    }
    for (; w->count > keep; w->count--, w->first += w->stride)
        write_id(w, w->first);
}

/* A second id behind a run: if the run's last id and these two are a progression, it begins there,
 * as long as the run stays one. */
static void settle_run(struct ids_writer *w, uint32_t ordinal)
{
    uint32_t stride = ordinal - w->first, last = w->run.last;
    bool is_shared =
        w->has_run && w->first - last == stride && last - w->run.first >= IDS_IN_A_RANGE;
    if (is_shared)
        w->run.last--;
    write_run(w);
    if (!is_shared)
        return;
    w->first = last;
    w->last = last + stride;
    w->stride = stride;
    w->count = 2;
}

static void add_one(struct ids_writer *w, uint32_t ordinal)
{
    if (w->count == 1)
        settle_run(w, ordinal);
    if (w->count >= 2 && ordinal - w->last != w->stride)
        flush_ids(w, 1);
    if (w->count == 0)
        w->first = ordinal;
    else if (w->count == 1)
        w->stride = ordinal - w->first;
    w->last = ordinal;
    w->count++;
}

static void add_run(struct ids_writer *w, const struct range *run)
{
    if (run->last - run->first + 1 < IDS_IN_A_RANGE) {
        for (uint32_t ordinal = run->first; ordinal <= run->last; ordinal++)
            add_one(w, ordinal);
        return;
    }
    flush_ids(w, 0);
    w->run = *run;
    w->has_run = true;
}

/* Runs of three and more stay together ("1,3-9:1", not "1-3:2,4-9:1"); what lies between them may
 * still be a progression, which begins with the last id of the run before if it can:
 * "1-10:1,11-19:4", not "1-11:1,15,19". */
bool job_ids_text_cut(const struct JB_Type *job, const struct range_set *ids, size_t most_bytes,
                      struct dstr *out)
{
    struct ids_writer w = { .shape = ja_shape_of(job), .out = out, .start_len = out->len };
    struct range_walk walk;
    struct range run;
    bool is_cut = false;

    /* as after `-t 1-10000000:2`: then its millions of members need no look */
    if (range_set_count(ids) >= MANY_IDS &&
        range_set_is_progression(ids, &w.first, &w.last, &w.stride)) {
        w.count = IDS_IN_A_RANGE;
        flush_ids(&w, 0);
        return false;
    }
    range_walk_begin(&walk, ids);
    while (!is_cut && range_walk_next(&walk, &run)) {
        is_cut = out->len - w.start_len > most_bytes;
        if (!is_cut)
            add_run(&w, &run);
    }
    if (is_cut)
        dstr_add(out, ",...");
    else
        flush_ids(&w, 0);
    return is_cut;
}

void job_ids_text(const struct JB_Type *job, const struct range_set *ids, struct dstr *out)
{
    job_ids_text_cut(job, ids, SIZE_MAX, out);
}

/* The scheduler for pipelines of arrays (-hold_jid_ad): tasks of later stages go before those of
 * earlier ones, so that the first frames are complete as soon as they can be; and a pipeline has
 * no more frames in flight than params DEPTH_FIRST_FRAMES says. All else is the default's.
 *
 * A job's rank is its depth: how many stages are before it. A frame is what one task of a first
 * stage begins; it is in flight while that task, or a task of a later stage of its frame, is
 * ordered, runs or may start. So what is held, in error or deleted holds up no others, and nothing
 * has to be remembered: a restart counts the same. A first stage is capped at what its later stages
 * leave of the limit.
 *
 * Owns the stages: jobs with such a dependency, and those that they depend on. A walk over a
 * pipeline is bounded (STAGES_MOST): what lies beyond counts for nothing.
 *
 * Source: sched_conf(5) */
#include <stdlib.h>
#include <string.h>

#include "libs/sched/policy/model.h"
#include "libs/sched/policy/policy.h"
#include "libs/sched/policy/services.h"
#include "libs/sgeobj/event.h"

/* stages of a pipeline that are looked at, and what a job may depend on of them */
enum { STAGES_MOST = 64, DEPTH_MOST = 64 };

struct stage {
    uint32_t number, depth, tc;
    bool is_capped;
    struct stage **before, **after;
    uint32_t n_before, n_after;
    uint64_t seen; /* the walk that has come by */
    UT_hash_handle hh;
};
struct depth_first {
    struct sched *sched;
    struct stage *stages;
    uint64_t walks;
};
/* the stages that a walk has found, each once */
struct stage_walk {
    struct stage *v[STAGES_MOST];
    uint32_t n;
};

/* ---- stages ---- */
static struct stage *stage_find(const struct depth_first *own, uint32_t number)
{
    struct stage *stage;
    HASH_FIND_U32(own->stages, &number, stage);
    return stage;
}

static struct stage *stage_get(struct depth_first *own, uint32_t number)
{
    struct stage *stage = stage_find(own, number);
    const struct sched_job *job = job_find(&own->sched->jobs, number);
    if (stage != NULL)
        return stage;
    stage = uti_calloc(1, sizeof *stage);
    stage->number = number;
    stage->tc = job != NULL ? job->concurrency : 0;
    HASH_ADD_U32(own->stages, number, stage);
    return stage;
}

static void list_add(struct stage ***list, uint32_t *n, struct stage *stage)
{
    *list = uti_realloc(*list, (*n + 1) * sizeof **list);
    (*list)[(*n)++] = stage;
}

static void list_remove(struct stage **list, uint32_t *n, const struct stage *stage)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *n; i++)
        if (list[i] != stage)
            list[kept++] = list[i];
    *n = kept;
}

static void stage_unlink_before(struct stage *stage)
{
    for (uint32_t i = 0; i < stage->n_before; i++)
        list_remove(stage->before[i]->after, &stage->before[i]->n_after, stage);
    stage->n_before = 0;
}

static void stage_free(struct depth_first *own, struct stage *stage)
{
    stage_unlink_before(stage);
    for (uint32_t i = 0; i < stage->n_after; i++)
        list_remove(stage->after[i]->before, &stage->after[i]->n_before, stage);
    HASH_DEL(own->stages, stage);
    free(stage->before);
    free(stage->after);
    free(stage);
}

/* ---- walks ---- */
static void walk_add(struct depth_first *own, struct stage_walk *walk, struct stage *stage)
{
    if (stage->seen == own->walks)
        return;
    stage->seen = own->walks;
    if (walk->n < STAGES_MOST)
        walk->v[walk->n++] = stage;
}

/* FROM and all stages behind it, or before it */
static void walk_from(struct depth_first *own, struct stage_walk *walk, struct stage *from,
                      bool is_behind)
{
    walk->n = 0;
    own->walks++;
    walk_add(own, walk, from);
    for (uint32_t at = 0; at < walk->n; at++) {
        const struct stage *stage = walk->v[at];
        uint32_t n = is_behind ? stage->n_after : stage->n_before;
        for (uint32_t i = 0; i < n && walk->n < STAGES_MOST; i++)
            walk_add(own, walk, is_behind ? stage->after[i] : stage->before[i]);
    }
}

/* ---- depths ---- */
static uint32_t depth_of(const struct stage *stage)
{
    uint32_t depth = stage->depth;
    for (uint32_t i = 0; i < stage->n_before; i++)
        if (stage->before[i]->depth + 1 > depth)
            depth = stage->before[i]->depth + 1;
    return depth < DEPTH_MOST ? depth : DEPTH_MOST;
}

/* a depth never falls while the job is there: a stage that has ended was before it all the same */
static void depths_renew(struct depth_first *own, struct stage *from)
{
    struct stage_walk walk;
    walk_from(own, &walk, from, true);
    for (uint32_t i = 0; i < walk.n; i++) {
        struct stage *stage = walk.v[i];
        stage->depth = depth_of(stage);
        (void)sched_rank_job(own->sched, stage->number, stage->depth);
    }
}

/* ---- frames in flight ---- */
static uint32_t job_step(const struct sched_job *job)
{
    return job->ja_step > 0 ? job->ja_step : 1;
}

static uint32_t job_first(const struct sched_job *job)
{
    return job->ja_step > 0 ? job->ja_first : 1;
}

static uint32_t frame_of(const struct sched_job *first, uint64_t id)
{
    uint64_t begin = job_first(first), step = job_step(first);
    return id > begin ? (uint32_t)((id - begin) / step) : 0;
}

/* FRAMES, ordinals of FIRST, also has those of IDS of JOB */
static void add_frames(struct range_set *frames, const struct sched_job *first,
                       const struct sched_job *job, const struct range_set *ids)
{
    struct range_walk walk;
    struct range run;
    if (job_step(first) == job_step(job) && job_first(first) == job_first(job)) {
        range_set_unite(frames, ids);
        return;
    }
    uint64_t step = job_step(job), begin = job_first(job);
    range_walk_begin(&walk, ids);
    while (range_walk_next(&walk, &run))
        range_set_add(frames, frame_of(first, begin + run.first * step),
                      frame_of(first, begin + run.last * step + step - 1));
}

/* how many frames of FIRST are in stages behind it */
static uint64_t frames_behind(struct depth_first *own, const struct sched_job *first,
                              const struct stage_walk *behind)
{
    struct range_set frames = { 0 };
    for (uint32_t i = 1; i < behind->n; i++) {
        const struct sched_job *job = job_find(&own->sched->jobs, behind->v[i]->number);
        if (job == NULL || job->is_deleted)
            continue;
        add_frames(&frames, first, job, &job->ready);
        add_frames(&frames, first, job, &job->ordered);
        add_frames(&frames, first, job, &job->running);
    }
    range_set_subtract(&frames, &first->ordered);
    range_set_subtract(&frames, &first->running);
    uint64_t n = range_set_count(&frames);
    range_set_free(&frames);
    return n;
}

static void cap_set(struct depth_first *own, struct stage *stage, struct sched_job *job,
                    uint64_t most)
{
    uint32_t cap = stage->tc != 0 && stage->tc < most ? stage->tc : (uint32_t)most;
    stage->is_capped = true;
    if (!job->is_capped || job->concurrency != cap)
        job_cap(&own->sched->jobs, job, cap);
}

static void cap_drop(struct depth_first *own, struct stage *stage)
{
    struct sched_job *job = job_find(&own->sched->jobs, stage->number);
    if (stage->is_capped && job != NULL && !job->is_deleted)
        job_uncap(&own->sched->jobs, job, stage->tc);
    stage->is_capped = false;
}

/* STAGE, if it is a first one, may start what the limit leaves */
static void stage_limit(struct depth_first *own, struct stage *stage)
{
    struct sched_job *job = job_find(&own->sched->jobs, stage->number);
    uint32_t limit = own->sched->conf.params.frames_most;
    struct stage_walk behind;
    if (job == NULL || job->is_deleted || limit == 0 || stage->n_before > 0 ||
        stage->n_after == 0) {
        cap_drop(own, stage);
        return;
    }
    walk_from(own, &behind, stage, true);
    uint64_t n = frames_behind(own, job, &behind);
    cap_set(own, stage, job, n < limit ? limit - n : 0);
}

/* something of STAGE has changed: the first stages of its pipeline follow */
static void pipeline_limit(struct depth_first *own, struct stage *stage)
{
    struct stage_walk before;
    walk_from(own, &before, stage, false);
    for (uint32_t i = 0; i < before.n; i++)
        if (before.v[i]->n_before == 0 || before.v[i]->is_capped)
            stage_limit(own, before.v[i]);
}

/* ---- events ---- */
static void take_links(struct depth_first *own, const struct JB_Type *record)
{
    const struct JRE_Type_list *list = &record->JB_ja_ad_predecessor_list;
    struct stage *stage = stage_find(own, record->JB_job_number);
    if (list->n == 0 && stage == NULL)
        return;
    stage = stage_get(own, record->JB_job_number);
    stage_unlink_before(stage);
    for (uint32_t i = 0; i < list->n && i < STAGES_MOST; i++) {
        struct stage *before = stage_get(own, list->v[i].JRE_job_number);
        if (before == stage)
            continue;
        list_add(&stage->before, &stage->n_before, before);
        list_add(&before->after, &before->n_after, stage);
    }
    depths_renew(own, stage);
}

static void apply_record(struct depth_first *own, const struct EV_Type *event)
{
    const struct JB_Type *record = &event->EV_jobs.v[0];
    struct sched_job *job = job_find(&own->sched->jobs, record->JB_job_number);
    if (job == NULL)
        return;
    if (cull_has(record, JB_ja_ad_predecessor_list))
        take_links(own, record);
    struct stage *stage = stage_find(own, record->JB_job_number);
    if (stage == NULL)
        return;
    if (cull_has(record, JB_ja_task_concurrency)) {
        stage->tc = record->JB_ja_task_concurrency;
        job->is_capped = false; /* what was the policy's is overwritten */
    }
    (void)sched_rank_job(own->sched, stage->number, stage->depth);
    pipeline_limit(own, stage);
}

static void apply_gone(struct depth_first *own, uint32_t number)
{
    struct stage *stage = stage_find(own, number);
    struct stage_walk before;
    if (stage == NULL)
        return;
    walk_from(own, &before, stage, false);
    stage_free(own, stage);
    for (uint32_t i = 1; i < before.n; i++)
        if (before.v[i]->n_before == 0)
            stage_limit(own, before.v[i]);
}

static void apply_all(struct depth_first *own)
{
    for (struct stage *stage = own->stages; stage != NULL; stage = stage->hh.next)
        stage_limit(own, stage);
}

static void depth_apply(struct sched *s, void *ctx, const struct EV_Type *event)
{
    struct depth_first *own = ctx;
    (void)s;
    if (event->EV_kind == EV_JOB_ADD || event->EV_kind == EV_JOB_MOD)
        apply_record(own, event);
    else if (event->EV_kind == EV_JOB_DEL)
        apply_gone(own, event->EV_job_number);
    else if (event->EV_kind == EV_CONF)
        apply_all(own);
    else if (cull_has(event, EV_job_number) && stage_find(own, event->EV_job_number) != NULL)
        pipeline_limit(own, stage_find(own, event->EV_job_number));
}

static void depth_refused(struct sched *s, void *ctx, const struct OR_Type *order)
{
    struct depth_first *own = ctx;
    struct stage *stage = stage_find(own, order->OR_job_number);
    (void)s;
    if (stage != NULL)
        pipeline_limit(own, stage);
}

/* ---- life ---- */
static void *depth_new(struct sched *s)
{
    struct depth_first *own = uti_calloc(1, sizeof *own);
    own->sched = s;
    return own;
}

static void depth_free(void *ctx)
{
    struct depth_first *own = ctx;
    while (own->stages != NULL) {
        cap_drop(own, own->stages);
        stage_free(own, own->stages);
    }
    free(own);
}

const struct sched_policy sched_depth_first = {
    .name = "depth_first",
    .needs = SCHED_NEEDS_JOBS,
    .new = depth_new,
    .free = depth_free,
    .apply = depth_apply,
    .refused = depth_refused,
};

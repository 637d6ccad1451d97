/* The job table. Invariants: every job is in the map by number, in the numbers of its owner and in
 * the list of its owner and name; `running` has the numbers of those that have tasks with slots;
 * an ordinal in `unfinished` is either in JB_ja_pending_ids or has a task record, never both;
 * `waiting` holds exactly the ordinals whose record is TASK_WAITING. */
#include "daemons/qmaster/tables/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/tables/file_cache.h"
#include "libs/sgeobj/allocation.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/hash.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"

/* ---- jobs by name ---- */
/* What jobs name, counted. Invariant: a name is in the table exactly while some job names it, so
 * that the table is as large as the names in use are many. */
struct job_name {
    char *name;
    uint64_t n;
    UT_hash_handle hh;
};

static struct job_name *name_find(const struct job_names *names, enum object_kind kind,
                                  const char *name)
{
    struct job_name *found;
    HASH_FIND_STR(names->of_kind[kind], name, found);
    return found;
}

typedef void count_fn(struct job_names *names, enum object_kind kind, const char *name);

static void count_up(struct job_names *names, enum object_kind kind, const char *name)
{
    struct job_name *found = name_find(names, kind, name);
    if (found == NULL) {
        found = uti_calloc(1, sizeof *found);
        found->name = uti_strdup(name);
        HASH_ADD_KEYPTR(hh, names->of_kind[kind], found->name, strlen(found->name), found);
    }
    found->n++;
}

static void count_down(struct job_names *names, enum object_kind kind, const char *name)
{
    struct job_name *found = name_find(names, kind, name);
    ASSERT(found != NULL);
    if (--found->n > 0)
        return;
    HASH_DEL(names->of_kind[kind], found);
    free(found->name);
    free(found);
}

static void count_name(struct job_names *names, enum object_kind kind, const char *name,
                       count_fn *count)
{
    if (name != NULL)
        count(names, kind, name);
}

static void count_resources(struct job_names *names, const struct CE_Type_list *l, count_fn *count)
{
    for (uint32_t i = 0; i < l->n; i++)
        count_name(names, OBJECT_COMPLEX, l->v[i].CE_name, count);
}

/* everything in REC that is the name of an object */
static void count_all(struct job_names *names, const struct JB_Type *rec, count_fn *count)
{
    count_name(names, OBJECT_PROJECT, rec->JB_project, count);
    count_name(names, OBJECT_PE, rec->JB_pe, count);
    count_name(names, OBJECT_CKPT, rec->JB_checkpoint_name, count);
    count_resources(names, &rec->JB_hard_resource_list, count);
    count_resources(names, &rec->JB_soft_resource_list, count);
}

void job_names_add(struct job_names *names, const struct JB_Type *rec)
{
    count_all(names, rec, count_up);
}

void job_names_remove(struct job_names *names, const struct JB_Type *rec)
{
    count_all(names, rec, count_down);
}

uint64_t job_names_count(const struct job_names *names, enum object_kind kind, const char *name)
{
    const struct job_name *found = name_find(names, kind, name);
    return found != NULL ? found->n : 0;
}

uint64_t job_names_count_if(const struct job_names *names, enum object_kind kind,
                            job_name_fn *is_one, void *ctx)
{
    uint64_t n = 0;
    for (const struct job_name *at = names->of_kind[kind]; at != NULL; at = at->hh.next)
        n += is_one(ctx, at->name) ? at->n : 0;
    return n;
}

/* ---- jobs ---- */
static int compare_tasks(struct task *a, struct task *b)
{
    return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}
TREE_GENERATE(task_tree, task, in_job, compare_tasks)

void jobs_init(struct jobs *jobs)
{
    *jobs = (struct jobs){ .next_number = 1 };
    slab_init(&jobs->slab, sizeof(struct job));
    TAILQ_INIT(&jobs->finished);
    LIST_INIT(&jobs->watchers);
    TAILQ_INIT(&jobs->tight.starting);
    TAILQ_INIT(&jobs->tight.ending);
    jobs->pool = cull_pool_new();
}

void jobs_clear(struct jobs *jobs)
{
    struct job *job;
    while ((job = jobs_at_or_after(jobs, 0)) != NULL) {
        jobs_remove(jobs, job);
        job_free(jobs, job);
    }
    while ((job = TAILQ_FIRST(&jobs->finished)) != NULL) {
        TAILQ_REMOVE(&jobs->finished, job, in_named);
        job_free(jobs, job);
    }
    range_set_free(&jobs->running);
    cull_pool_free(jobs->pool);
    slab_end(&jobs->slab);
}

void job_set_defaults(struct JB_Type *rec)
{
    if (!cull_has(rec, JB_ja_first))
        cull_set(rec, JB_ja_first, 1u);
    if (!cull_has(rec, JB_ja_last))
        cull_set(rec, JB_ja_last, rec->JB_ja_first);
    if (!cull_has(rec, JB_ja_step))
        cull_set(rec, JB_ja_step, 1u);
    if (!cull_has(rec, JB_priority))
        cull_set(rec, JB_priority, (uint32_t)JOB_PRIORITY_BASE);
}

static const struct job_rare nothing_rare;

bool job_has_rare(const struct job *job)
{
    return job->rare != &nothing_rare;
}

struct job_rare *job_rare(struct job *job)
{
    if (!job_has_rare(job))
        job->rare = uti_calloc(1, sizeof *job->rare);
    return (struct job_rare *)(uintptr_t)job->rare;
}

static void free_rare(struct job *job)
{
    if (!job_has_rare(job))
        return;
    struct job_rare *own = job_rare(job);
    range_set_free(&own->waiting);
    range_set_free(&own->delayed);
    range_set_free(&own->withdrawn);
    range_set_free(&own->failed);
    range_set_free(&own->unknown);
    free(own);
}

/* to look for one, or remove one: adding needs the job's own */
static struct task_tree *tasks_of(struct job *job)
{
    return (struct task_tree *)(uintptr_t)&job->rare->tasks;
}

struct job *job_new(struct jobs *jobs, struct JB_Type *rec)
{
    struct job *job = slab_take(&jobs->slab);
    job->rare = &nothing_rare;
    job->rec = *rec;
    *rec = (struct JB_Type){ 0 };
    uint32_t n = job_task_count(&job->rec);
    range_set_add(&job->unfinished, 0, n - 1);
    range_set_free(&job->rec.JB_ja_pending_ids);
    range_set_add(cull_ranges(&job->rec, JB_ja_pending_ids), 0, n - 1);
    return job;
}

void job_free(struct jobs *jobs, struct job *job)
{
    if (job == NULL)
        return;
    struct task *t;
    while ((t = RB_MIN(task_tree, tasks_of(job))) != NULL)
        job_task_remove(job, t);
    range_set_free(&job->unfinished);
    free_rare(job);
    cull_clear(&cull_JB_Type, &job->rec);
    job_files_leave(&job->files);
    slab_give(&jobs->slab, job);
}

struct owner *jobs_owner(const struct jobs *jobs, const char *name)
{
    struct owner *o;
    HASH_FIND_STR(jobs->owners, name, o);
    return o;
}

static struct owner *owner_get(struct jobs *jobs, const char *name)
{
    struct owner *o = jobs_owner(jobs, name);
    if (o != NULL)
        return o;
    o = uti_calloc(1, sizeof *o);
    o->name = uti_strdup(name);
    HASH_ADD_KEYPTR(hh, jobs->owners, o->name, strlen(o->name), o);
    return o;
}

static void share_add(struct share *to, const struct share *s)
{
    to->memory += s->memory;
    to->spool += s->spool;
}

static void share_remove(struct share *from, const struct share *s)
{
    from->memory -= s->memory;
    from->spool -= s->spool;
}

static void index_by_name(struct jobs *jobs, struct job *job)
{
    struct owner *o = owner_get(jobs, job->rec.JB_owner);
    struct named_jobs *named;
    const char *name = job->rec.JB_job_name;
    HASH_FIND_STR(o->names, name, named);
    if (named == NULL) {
        named = uti_calloc(1, sizeof *named);
        named->name = uti_strdup(name);
        named->owner = o;
        TAILQ_INIT(&named->jobs);
        HASH_ADD_KEYPTR(hh, o->names, named->name, strlen(named->name), named);
    }
    TAILQ_INSERT_TAIL(&named->jobs, job, in_named);
    job->named = named;
    named->n++;
    o->n_jobs++;
    range_set_add(&o->numbers, job->rec.JB_job_number, job->rec.JB_job_number);
    o->n_running += job->rare->n_running;
    share_add(&o->share, &job->share);
}

static void owner_put(struct jobs *jobs, struct owner *o)
{
    if (o->n_jobs > 0 || o->n_claims > 0)
        return;
    HASH_DEL(jobs->owners, o);
    range_set_free(&o->numbers);
    free(o->name);
    free(o);
}

static void unindex_by_name(struct jobs *jobs, struct job *job)
{
    struct named_jobs *named = job->named;
    struct owner *o = named->owner;
    struct jobs_watcher *w;
    LIST_FOREACH(w, &jobs->watchers, in_jobs)
        w->on_leaving(w, job);
    TAILQ_REMOVE(&named->jobs, job, in_named);
    job->named = NULL;
    named->n--;
    o->n_jobs--;
    range_set_remove(&o->numbers, job->rec.JB_job_number, job->rec.JB_job_number);
    o->n_running -= job->rare->n_running;
    share_remove(&o->share, &job->share);
    if (TAILQ_EMPTY(&named->jobs)) {
        HASH_DEL(o->names, named);
        free(named->name);
        free(named);
    }
    owner_put(jobs, o);
}

void jobs_claim(struct jobs *jobs, const char *owner, uint64_t bytes)
{
    struct owner *o = owner_get(jobs, owner);
    const struct share claim = { .memory = bytes };
    o->n_claims++;
    share_add(&o->share, &claim);
    share_add(&jobs->share, &claim);
}

void jobs_unclaim(struct jobs *jobs, const char *owner, uint64_t bytes)
{
    struct owner *o = jobs_owner(jobs, owner);
    const struct share claim = { .memory = bytes };
    o->n_claims--;
    share_remove(&o->share, &claim);
    share_remove(&jobs->share, &claim);
    owner_put(jobs, o);
}

void jobs_add(struct jobs *jobs, struct job *job)
{
    cull_intern(&cull_JB_Type, &job->rec, jobs->pool);
    number_map_add(&jobs->all, job->rec.JB_job_number, job);
    index_by_name(jobs, job);
    /* who submits a job submits others like it: what they have in common is there once */
    const struct job *last = TAILQ_PREV(job, job_list, in_named);
    if (last != NULL)
        cull_adopt(&cull_JB_Type, &job->rec, &last->rec);
    job_names_add(&jobs->names, &job->rec);
    share_add(&jobs->share, &job->share);
    jobs_count_running(jobs, job, 0);
    job->serial = jobs->n_added++;
    jobs->n++;
}

void jobs_remove(struct jobs *jobs, struct job *job)
{
    number_map_remove(&jobs->all, job->rec.JB_job_number);
    unindex_by_name(jobs, job);
    job_names_remove(&jobs->names, &job->rec);
    share_remove(&jobs->share, &job->share);
    range_set_remove(&jobs->running, job->rec.JB_job_number, job->rec.JB_job_number);
    jobs->n--;
}

void jobs_set_share(struct jobs *jobs, struct job *job, struct share share)
{
    struct owner *o = job->named->owner;
    share_remove(&o->share, &job->share);
    share_remove(&jobs->share, &job->share);
    job->share = share;
    job->share.memory += job->rare->ends_bytes;
    share_add(&o->share, &job->share);
    share_add(&jobs->share, &job->share);
}

void jobs_charge_ends(struct jobs *jobs, struct job *job)
{
    const struct job_rare *rare = job->rare;
    size_t bytes = range_set_bytes(&rare->failed) + range_set_bytes(&rare->unknown);
    struct share share = job->share;
    if (bytes == rare->ends_bytes)
        return;
    share.memory -= rare->ends_bytes;
    job_rare(job)->ends_bytes = bytes;
    jobs_set_share(jobs, job, share);
}

void jobs_count_running(struct jobs *jobs, struct job *job, int by)
{
    uint32_t number = job->rec.JB_job_number;
    if (by != 0)
        job_rare(job)->n_running += (uint32_t)by;
    if (job->named == NULL)
        return;
    job->named->owner->n_running += (uint64_t)by;
    if (job->rare->n_running > 0)
        range_set_add(&jobs->running, number, number);
    else
        range_set_remove(&jobs->running, number, number);
}

void jobs_rename(struct jobs *jobs, struct job *job, const char *name)
{
    unindex_by_name(jobs, job);
    cull_set(&job->rec, JB_job_name, name);
    index_by_name(jobs, job);
}

struct job *jobs_find(const struct jobs *jobs, uint32_t number)
{
    return number_map_get(&jobs->all, number);
}

struct job *jobs_at_or_after(const struct jobs *jobs, uint32_t number)
{
    return number_map_at_or_after(&jobs->all, number);
}

struct job *jobs_next(const struct jobs *jobs, const struct job *job)
{
    return number_map_at_or_after(&jobs->all, (uint64_t)job->rec.JB_job_number + 1);
}

const char *task_queue(const struct task *t)
{
    return allocation_queue(&t->rec.JAT_granted_destin_identifier_list);
}

const char *task_host(const struct task *t)
{
    return allocation_host(&t->rec.JAT_granted_destin_identifier_list);
}

bool task_has_slots_in(const struct task *t, const char *queue)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    for (uint32_t i = 0; i < granted->n; i++)
        if (strcmp(granted->v[i].JG_qname, queue) == 0)
            return true;
    return false;
}

bool task_holds_slots(const struct task *t)
{
    return t->rec.JAT_status == TASK_TRANSFERRING || t->rec.JAT_status == TASK_RUNNING;
}

bool task_has_ended(const struct task *t)
{
    return t->rec.JAT_end.n > 0;
}

struct task *job_task(struct job *job, uint32_t ordinal)
{
    struct task key;
    key.ordinal = ordinal;
    return RB_FIND(task_tree, tasks_of(job), &key);
}

struct task *job_task_first(struct job *job, uint32_t from_ordinal)
{
    struct task key;
    key.ordinal = from_ordinal;
    return RB_NFIND(task_tree, tasks_of(job), &key);
}

struct task *job_task_next(struct task *t)
{
    return RB_NEXT(task_tree, NULL, t);
}

struct task *job_task_add(struct job *job, uint32_t ordinal)
{
    struct task *t = uti_calloc(1, sizeof *t);
    t->job = job;
    t->ordinal = ordinal;
    cull_set(&t->rec, JAT_job_number, job->rec.JB_job_number);
    cull_set(&t->rec, JAT_task_number, job_task_id(&job->rec, ordinal));
    struct job_rare *own = job_rare(job);
    struct task *there = RB_INSERT(task_tree, &own->tasks, t);
    ASSERT(there == NULL);
    own->n_records++;
    range_set_remove(&job->rec.JB_ja_pending_ids, ordinal, ordinal);
    return t;
}

static int compare_delays(const struct task *a, const struct task *b)
{
    uint64_t x = a->rec.JAT_not_before, y = b->rec.JAT_not_before;
    if (x != y)
        return x < y ? -1 : 1;
    return (a > b) - (a < b); /* in any order */
}
TREE_GENERATE(delay_tree, task, in_delayed, compare_delays)

static void end_delay(struct task *t)
{
    if (t->delayed_in == NULL)
        return;
    RB_REMOVE(delay_tree, t->delayed_in, t);
    t->delayed_in = NULL;
    range_set_remove(&job_rare(t->job)->delayed, t->ordinal, t->ordinal);
}

void jobs_delay(struct jobs *jobs, struct task *t)
{
    end_delay(t);
    t->delayed_in = &jobs->delayed;
    (void)RB_INSERT(delay_tree, &jobs->delayed, t);
    range_set_add(&job_rare(t->job)->delayed, t->ordinal, t->ordinal);
}

struct task *jobs_end_delay(struct jobs *jobs, uint64_t now_s)
{
    struct task *t = RB_MIN(delay_tree, &jobs->delayed);
    if (t == NULL || t->rec.JAT_not_before > now_s)
        return NULL;
    end_delay(t);
    return t;
}

void job_task_remove(struct job *job, struct task *t)
{
    end_delay(t);
    RB_REMOVE(task_tree, tasks_of(job), t);
    job_rare(job)->n_records--;
    cull_clear(&cull_JAT_Type, &t->rec);
    tight_free(t->tight);
    free(t->slaves);
    free(t->quotas);
    free(t->usage);
    free(t);
}

void job_startable(struct job *job, const struct range_set *ordinals, struct range_set *out)
{
    range_set_free(out);
    if (job->rec.JB_jid_predecessor_list.n > 0 || job->rare->is_set_aside)
        return;
    /* the given set is usually the small one: cut it down, not the big ones */
    struct range_set put_back = { 0 };
    range_set_intersection(&put_back, ordinals, &job->rare->waiting);
    range_set_intersection(out, ordinals, &job->rec.JB_ja_pending_ids);
    range_set_unite(out, &put_back);
    range_set_free(&put_back);
    range_set_subtract(out, &job->rare->delayed);
    range_set_subtract(out, &job->rec.JB_ja_u_h_ids);
    range_set_subtract(out, &job->rec.JB_ja_o_h_ids);
    range_set_subtract(out, &job->rec.JB_ja_s_h_ids);
    range_set_subtract(out, &job->rec.JB_ja_a_h_ids);
    range_set_subtract(out, &job->rare->withdrawn);
}

bool job_is_startable(struct job *job, uint32_t ordinal)
{
    if (!range_set_has(&job->rec.JB_ja_pending_ids, ordinal) &&
        !range_set_has(&job->rare->waiting, ordinal))
        return false;
    if (job->rare->is_set_aside || range_set_has(&job->rare->delayed, ordinal) ||
        range_set_has(&job->rare->withdrawn, ordinal))
        return false;
    return job_task_holds(&job->rec, ordinal) == 0;
}

size_t job_record_bytes(const struct job *job)
{
    size_t files = job->rec.JB_files_bytes;
    return job->bytes + (files < JOB_RECORD_MOST ? files : SCRIPT_PIECE_BYTES);
}

/* ---- memory of jobs that have gone ---- */
/* When the heap is trimmed. Invariant after a look: the jobs have shrunk by less than TRIM_BYTES
 * since `bytes_most` was noted. */
bool heap_trim_look(struct heap_trim *t, uint64_t bytes)
{
    if (bytes > t->bytes_most)
        t->bytes_most = bytes;
    if (t->bytes_most - bytes < TRIM_BYTES)
        return false;
    os_trim_heap();
    t->bytes_most = bytes;
    return true;
}

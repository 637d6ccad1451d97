/* The jobs that windows show. Invariants: each job is in the hash under its number; a task is in at
 * most one of the five sets of its job, but for one that is suspended, which runs as well; `failed`
 * and `unknown` are parts of `done` without a common task; jobs that are over are in `over`, the
 * oldest first, and no more than BOARD_KEPT.
 * Source: libs/sgeobj/event.h. */
#include "libs/mir/board.h"

#include <stdlib.h>

#include "libs/sgeobj/event.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

TAILQ_HEAD(board_jobs, board_job);

struct board {
    struct board_job *jobs;
    struct board_jobs changed, over;
    uint32_t n_over;
    LIST_HEAD(, board_watcher) watchers;
};

const char *const board_fields[] = {
    "JB_job_number",
    "JB_job_name",
    "JB_owner",
    "JB_submission_time",
    "JB_project",
    "JB_type",
    "JB_priority",
    "JB_ja_first",
    "JB_ja_last",
    "JB_ja_step",
    "JB_ja_pending_ids",
    "JB_jid_predecessor_list",
    "JB_ja_ad_predecessor_list",
    "JB_stdout_path_list",
    "JB_cwd",
    NULL,
};

struct board *board_new(void)
{
    struct board *b = uti_calloc(1, sizeof *b);
    TAILQ_INIT(&b->changed);
    TAILQ_INIT(&b->over);
    return b;
}

/* ---- jobs come, change and go ---- */

static void mark_changed(struct board *b, struct board_job *job)
{
    if (!job->is_changed)
        TAILQ_INSERT_TAIL(&b->changed, job, in_changed);
    job->is_changed = true;
    job->are_holds_asked = false;
}

static void clear_sets(struct board_job *job)
{
    range_set_free(&job->ready);
    range_set_free(&job->running);
    range_set_free(&job->suspended);
    range_set_free(&job->parked);
    range_set_free(&job->done);
    range_set_free(&job->failed);
    range_set_free(&job->unknown);
}

static void leave_over(struct board *b, struct board_job *job)
{
    if (!job->is_over)
        return;
    TAILQ_REMOVE(&b->over, job, in_over);
    b->n_over--;
    job->is_over = false;
}

static void drop_job(struct board *b, struct board_job *job)
{
    struct board_watcher *w;
    LIST_FOREACH(w, &b->watchers, in_board)
        w->leaves(w->ctx, job);
    leave_over(b, job);
    if (job->is_changed)
        TAILQ_REMOVE(&b->changed, job, in_changed);
    HASH_DEL(b->jobs, job);
    clear_sets(job);
    cull_clear(&cull_JB_Type, &job->rec);
    free(job);
}

void board_free(struct board *b)
{
    if (b == NULL)
        return;
    while (b->jobs != NULL)
        drop_job(b, b->jobs);
    free(b);
}

struct board_job *board_job(const struct board *b, uint32_t number)
{
    struct board_job *job;
    HASH_FIND_U32(b->jobs, &number, job);
    return job;
}

static struct board_job *add_job(struct board *b, uint32_t number)
{
    struct board_job *job = uti_calloc(1, sizeof *job);
    cull_set(&job->rec, JB_job_number, number);
    HASH_ADD_U32(b->jobs, rec.JB_job_number, job);
    return job;
}

static void add_all(const struct board_job *job, struct range_set *to)
{
    range_set_add(to, 0, job_task_count(&job->rec) - 1);
}

/* the job has ended: the results of tasks without an event of their end are unknown */
static void end_rest(struct board_job *job)
{
    struct range_set rest = { 0 };
    add_all(job, &rest);
    range_set_subtract(&rest, &job->done);
    range_set_unite(&job->unknown, &rest);
    range_set_unite(&job->done, &rest);
    range_set_free(&rest);
    range_set_free(&job->ready);
    range_set_free(&job->running);
    range_set_free(&job->suspended);
    range_set_free(&job->parked);
}

static void keep_over(struct board *b, struct board_job *job)
{
    end_rest(job);
    job->is_over = true;
    TAILQ_INSERT_TAIL(&b->over, job, in_over);
    mark_changed(b, job);
    if (++b->n_over > BOARD_KEPT)
        drop_job(b, TAILQ_FIRST(&b->over));
}

/* ---- events ---- */

/* the results of tasks that ended before; an event without these sets is of a new job, or of an
 * older qmaster */
static void take_ends(struct board_job *job, const struct EV_Type *event)
{
    range_set_copy(&job->failed, &event->EV_failed_ids);
    range_set_copy(&job->unknown,
                   cull_has(event, EV_unknown_ids) ? &event->EV_unknown_ids : &job->done);
    range_set_intersect(&job->failed, &job->done);
    range_set_intersect(&job->unknown, &job->done);
    range_set_subtract(&job->unknown, &job->failed);
}

/* what is neither pending nor spoken of by the events that follow has ended */
static void take_job(struct board *b, const struct EV_Type *event)
{
    const struct JB_Type *rec = event->EV_jobs.v;
    struct board_job *job = board_job(b, rec->JB_job_number);
    if (job == NULL)
        job = add_job(b, rec->JB_job_number);
    leave_over(b, job);
    cull_copy(&cull_JB_Type, &job->rec, rec);
    clear_sets(job);
    range_set_copy(&job->ready, &event->EV_ids);
    add_all(job, &job->done);
    range_set_subtract(&job->done, &rec->JB_ja_pending_ids);
    range_set_subtract(&job->done, &job->ready);
    take_ends(job, event);
    job->is_stale = false;
    mark_changed(b, job);
}

static void change_job(struct board *b, const struct EV_Type *event)
{
    struct board_job *job = board_job(b, event->EV_jobs.v[0].JB_job_number);
    if (job != NULL && cull_merge(&cull_JB_Type, &job->rec, event->EV_jobs.v))
        mark_changed(b, job);
}

static void move_ids(struct board_job *job, struct range_set *to, const struct range_set *ids)
{
    struct range_set *const all[] = { &job->ready, &job->running, &job->suspended, &job->parked,
                                      &job->done,  &job->failed,  &job->unknown };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (all[i] != to)
            range_set_subtract(all[i], ids);
    if (to != NULL)
        range_set_unite(to, ids);
}

/* where the tasks are that events of KIND speak of; NULL: held */
static struct range_set *set_of(struct board_job *job, uint32_t kind)
{
    if (kind == EV_TASKS_READY)
        return &job->ready;
    if (kind == EV_TASKS_STARTED)
        return &job->running;
    return kind == EV_TASKS_DONE ? &job->done : NULL;
}

static void move_tasks(struct board *b, const struct EV_Type *event)
{
    struct board_job *job = board_job(b, event->EV_job_number);
    if (job == NULL || job->is_over)
        return;
    move_ids(job, set_of(job, event->EV_kind), &event->EV_ids);
    mark_changed(b, job);
}

/* a task is done if it ran and its exit status was 0, and has failed otherwise */
static void end_tasks(struct board *b, const struct EV_Type *event)
{
    struct board_job *job = board_job(b, event->EV_job_number);
    bool is_good =
        cull_has(event, EV_exit_status) && event->EV_failed == 0 && event->EV_exit_status == 0;
    move_tasks(b, event);
    if (job != NULL && !job->is_over && !is_good)
        range_set_unite(&job->failed, &event->EV_ids);
}

/* they wait for another start; whether they are ready is said by events of their own */
static void wait_again(struct board_job *job, const struct range_set *ids)
{
    range_set_subtract(&job->running, ids);
    range_set_subtract(&job->suspended, ids);
    range_set_subtract(&job->parked, ids);
    range_set_subtract(&job->done, ids);
    range_set_subtract(&job->failed, ids);
    range_set_subtract(&job->unknown, ids);
}

static void take_state(struct board *b, const struct EV_Type *event)
{
    struct board_job *job = board_job(b, event->EV_job_number);
    bool is_stopped = (event->EV_state & TASK_SUSPENSIONS) != 0;
    if (job == NULL || job->is_over)
        return;
    if (event->EV_status == TASK_ERROR)
        move_ids(job, &job->parked, &event->EV_ids);
    else if (event->EV_status != TASK_RUNNING && event->EV_status != TASK_TRANSFERRING)
        wait_again(job, &event->EV_ids);
    else if (is_stopped)
        range_set_unite(&job->suspended, &event->EV_ids);
    else
        range_set_subtract(&job->suspended, &event->EV_ids);
    mark_changed(b, job);
}

static void end_job(struct board *b, const struct EV_Type *event)
{
    struct board_job *job = board_job(b, event->EV_job_number);
    if (job != NULL && !job->is_over)
        keep_over(b, job);
}

static void make_stale(struct board *b)
{
    struct board_job *job, *next;
    HASH_ITER(hh, b->jobs, job, next)
        job->is_stale = !job->is_over;
}

/* the job after one that ends may be the one that goes for it, so it is looked up afterwards */
static void end_stale(struct board *b)
{
    for (struct board_job *job = b->jobs; job != NULL; job = job->hh.next)
        if (job->is_stale) {
            job->is_stale = false;
            keep_over(b, job);
        }
}

static void apply_checked(struct board *b, const struct EV_Type *event)
{
    if (event->EV_kind == EV_JOB_ADD)
        take_job(b, event);
    else if (event->EV_kind == EV_JOB_MOD)
        change_job(b, event);
    else if (event->EV_kind == EV_JOB_DEL)
        end_job(b, event);
    else if (event->EV_kind >= EV_TASKS_READY && event->EV_kind <= EV_TASKS_ENDED)
        move_tasks(b, event);
    else if (event->EV_kind == EV_TASKS_DONE)
        end_tasks(b, event);
    else if (event->EV_kind == EV_TASKS_STATE)
        take_state(b, event);
    else if (event->EV_kind == EV_ANEW)
        make_stale(b);
    else if (event->EV_kind == EV_SYNCED)
        end_stale(b);
}

int board_apply(struct board *b, const struct EV_Type *event, struct answer *ans)
{
    if (event_check(event, ans) != 0)
        return -1;
    apply_checked(b, event);
    return 0;
}

void board_set_holds(struct board *b, struct board_job *job, unsigned holds)
{
    bool is_asked = job->are_holds_asked;
    if (job->holds != holds)
        mark_changed(b, job);
    job->holds = holds;
    job->are_holds_asked = is_asked;
}

/* ---- lookups ---- */

struct board_job *board_first(const struct board *b)
{
    return b->jobs;
}

struct board_job *board_next(const struct board_job *job)
{
    return job->hh.next;
}

uint32_t board_count(const struct board *b)
{
    return HASH_COUNT(b->jobs);
}

static uint64_t count_held(const struct board_job *job)
{
    uint64_t all = job_task_count(&job->rec);
    uint64_t others = range_set_count(&job->ready) + range_set_count(&job->running) +
                      range_set_count(&job->parked) + range_set_count(&job->done);
    return all > others ? all - others : 0;
}

uint64_t board_look(const struct board_job *job, enum task_look look)
{
    const struct range_set *const sets[LOOKS] = {
        [LOOK_ERROR] = &job->parked,    [LOOK_SUSPENDED] = &job->suspended,
        [LOOK_RUNNING] = &job->running, [LOOK_READY] = &job->ready,
        [LOOK_FAILED] = &job->failed,   [LOOK_UNKNOWN] = &job->unknown,
        [LOOK_DONE] = &job->done,
    };
    if (look == LOOK_HELD)
        return count_held(job);
    uint64_t n = range_set_count(sets[look]);
    if (look == LOOK_DONE)
        n -= range_set_count(&job->failed) + range_set_count(&job->unknown);
    return look == LOOK_RUNNING ? n - range_set_count(&job->suspended) : n;
}

uint64_t board_ended(const struct board_job *job)
{
    return range_set_count(&job->done);
}

enum task_look board_job_look(const struct board_job *job)
{
    for (enum task_look look = 0; look < LOOK_DONE; look++)
        if (board_look(job, look) > 0)
            return look;
    return LOOK_DONE;
}

enum task_look board_task_look(const struct board_job *job, uint32_t ordinal)
{
    if (range_set_has(&job->parked, ordinal))
        return LOOK_ERROR;
    if (range_set_has(&job->suspended, ordinal))
        return LOOK_SUSPENDED;
    if (range_set_has(&job->running, ordinal))
        return LOOK_RUNNING;
    if (range_set_has(&job->ready, ordinal))
        return LOOK_READY;
    if (!range_set_has(&job->done, ordinal))
        return LOOK_HELD;
    return range_set_has(&job->failed, ordinal)    ? LOOK_FAILED
           : range_set_has(&job->unknown, ordinal) ? LOOK_UNKNOWN
                                                   : LOOK_DONE;
}

void board_add_counts(const struct board_job *job, struct dstr *out)
{
    static const struct {
        enum task_look look;
        const char *word;
    } parts[] = { { LOOK_RUNNING, "running" }, { LOOK_SUSPENDED, "suspended" },
                  { LOOK_READY, "pending" },   { LOOK_HELD, "held" },
                  { LOOK_ERROR, "in error" },  { LOOK_FAILED, "failed" },
                  { LOOK_UNKNOWN, "ended" } };
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        uint64_t n = board_look(job, parts[i].look);
        if (n > 0)
            dstr_addf(out, ", %llu %s", (unsigned long long)n, parts[i].word);
    }
}

bool look_is_ended(enum task_look look)
{
    return look == LOOK_FAILED || look == LOOK_UNKNOWN || look == LOOK_DONE;
}

static const struct {
    const char *name, *letters;
} looks[LOOKS] = {
    [LOOK_ERROR] = { "error", "Eqw" },   [LOOK_SUSPENDED] = { "suspended", "s" },
    [LOOK_RUNNING] = { "running", "r" }, [LOOK_READY] = { "pending", "qw" },
    [LOOK_HELD] = { "held", "hqw" },     [LOOK_FAILED] = { "failed", "zF" },
    [LOOK_UNKNOWN] = { "ended", "z?" },  [LOOK_DONE] = { "done", "z" },
};

const char *look_name(enum task_look look)
{
    return looks[look].name;
}

const char *look_letters(enum task_look look)
{
    return looks[look].letters;
}

/* ---- watchers ---- */

void board_watch(struct board *b, struct board_watcher *w)
{
    LIST_INSERT_HEAD(&b->watchers, w, in_board);
}

void board_unwatch(struct board_watcher *w)
{
    LIST_REMOVE(w, in_board);
}

void board_settle(struct board *b)
{
    struct board_job *job;
    struct board_watcher *w;
    while ((job = TAILQ_FIRST(&b->changed)) != NULL) {
        TAILQ_REMOVE(&b->changed, job, in_changed);
        job->is_changed = false;
        LIST_FOREACH(w, &b->watchers, in_board)
            w->changed(w->ctx, job);
    }
}

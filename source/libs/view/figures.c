/* Counts what the main window shows. Invariants: each sum is what the records that it is of add up
 * to, because a record that changes leaves the sums first and comes back changed; while the state
 * comes anew (EV_ANEW to EV_SYNCED) figures_get answers what was before.
 * Source: libs/sgeobj/event.h. */
#include "libs/view/figures.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/qinstance.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum { ILL_STATES = QI_ALARM | QI_SUSPEND_ALARM | QI_UNKNOWN | QI_ERROR | QI_AMBIGUOUS };

struct host_count {
    char *name;
    uint32_t n, n_ill; /* of its queue instances */
    UT_hash_handle hh;
};
struct queue_count {
    char *name;
    struct host_count *host;
    uint32_t slots, state;
    UT_hash_handle hh;
};
struct job_count {
    uint32_t number;
    bool is_own, is_over;
    uint32_t tasks[LOOKS];
    UT_hash_handle hh;
};

struct figures {
    struct board *board;
    struct board_watcher watcher;
    const char *user;
    struct queue_count *queues;
    struct host_count *hosts;
    struct job_count *jobs;
    struct cell_figures now, shown;
    bool is_coming; /* the state comes anew */
};

/* ---- jobs ---- */

/* BY: 1 or -1 */
static void count_job(struct figures *f, const struct job_count *c, int by)
{
    uint64_t times = (uint64_t)(int64_t)by;
    for (enum task_look look = 0; look < LOOKS; look++)
        f->now.tasks[look] += times * c->tasks[look];
    if (c->is_over)
        return;
    f->now.jobs += (uint32_t)by;
    f->now.own_jobs += c->is_own ? (uint32_t)by : 0;
}

static struct job_count *find_job(struct figures *f, uint32_t number)
{
    struct job_count *c;
    HASH_FIND_U32(f->jobs, &number, c);
    return c;
}

static void on_changed(void *ctx, struct board_job *job)
{
    struct figures *f = ctx;
    struct job_count *c = find_job(f, job->rec.JB_job_number);
    if (c == NULL) {
        c = uti_calloc(1, sizeof *c);
        c->number = job->rec.JB_job_number;
        HASH_ADD_U32(f->jobs, number, c);
    } else {
        count_job(f, c, -1);
    }
    c->is_own = job->rec.JB_owner != NULL && strcmp(job->rec.JB_owner, f->user) == 0;
    c->is_over = job->is_over;
    for (enum task_look look = 0; look < LOOKS; look++)
        c->tasks[look] = (uint32_t)board_look(job, look);
    count_job(f, c, 1);
}

static void on_leaving(void *ctx, struct board_job *job)
{
    struct figures *f = ctx;
    struct job_count *c = find_job(f, job->rec.JB_job_number);
    if (c == NULL)
        return;
    count_job(f, c, -1);
    HASH_DEL(f->jobs, c);
    free(c);
}

/* ---- queue instances and their hosts ---- */

static bool is_ill(uint32_t state)
{
    return (state & ILL_STATES) != 0;
}

static void count_queue(struct figures *f, const struct queue_count *c, bool is_coming)
{
    struct host_count *h = c->host;
    uint32_t by = is_coming ? 1u : UINT32_MAX;
    bool was_ill = h->n_ill > 0;
    f->now.slots += is_coming ? c->slots : -(uint64_t)c->slots;
    h->n += by;
    h->n_ill += is_ill(c->state) ? by : 0;
    f->now.ill_hosts += (uint32_t)(h->n_ill > 0) - (uint32_t)was_ill;
}

static struct host_count *take_host(struct figures *f, const char *name)
{
    struct host_count *h;
    HASH_FIND_STR(f->hosts, name, h);
    if (h != NULL)
        return h;
    h = uti_calloc(1, sizeof *h);
    h->name = uti_strdup(name);
    HASH_ADD_KEYPTR(hh, f->hosts, h->name, strlen(h->name), h);
    f->now.hosts++;
    return h;
}

static void leave_host(struct figures *f, struct host_count *h)
{
    if (h->n > 0)
        return;
    HASH_DEL(f->hosts, h);
    f->now.hosts--;
    free(h->name);
    free(h);
}

static struct queue_count *find_queue(struct figures *f, const char *name)
{
    struct queue_count *c;
    HASH_FIND_STR(f->queues, name, c);
    return c;
}

static void drop_queue(struct figures *f, struct queue_count *c)
{
    count_queue(f, c, false);
    leave_host(f, c->host);
    HASH_DEL(f->queues, c);
    free(c->name);
    free(c);
}

static struct queue_count *add_queue(struct figures *f, const char *name)
{
    const char *at = strchr(name, '@');
    struct queue_count *c = uti_calloc(1, sizeof *c);
    c->name = uti_strdup(name);
    c->host = take_host(f, at != NULL ? at + 1 : name);
    HASH_ADD_KEYPTR(hh, f->queues, c->name, strlen(c->name), c);
    count_queue(f, c, true);
    return c;
}

static void take_queue(struct figures *f, const struct QU_Type *rec)
{
    struct queue_count *c = find_queue(f, rec->QU_full_name);
    if (c == NULL)
        c = add_queue(f, rec->QU_full_name);
    count_queue(f, c, false);
    if (cull_has(rec, QU_job_slots))
        c->slots = rec->QU_job_slots;
    if (cull_has(rec, QU_state))
        c->state = rec->QU_state;
    count_queue(f, c, true);
}

/* ---- slots ---- */

static void take_slots(struct figures *f, const struct EV_Type *event, bool is_start)
{
    uint64_t n = range_set_count(&event->EV_ids) * allocation_slots(&event->EV_granted);
    if (is_start)
        f->now.slots_used += n;
    else
        f->now.slots_used -= n < f->now.slots_used ? n : f->now.slots_used;
}

/* ---- events ---- */

/* jobs stay: the board tells which of them have gone */
static void begin_anew(struct figures *f)
{
    if (!f->is_coming)
        f->shown = f->now;
    f->is_coming = true;
    while (f->queues != NULL)
        drop_queue(f, f->queues);
    f->now.slots_used = 0;
}

void figures_event(struct figures *f, const struct EV_Type *event)
{
    switch (event->EV_kind) {
    case EV_ANEW:
        begin_anew(f);
        break;
    case EV_SYNCED:
        f->is_coming = false;
        break;
    case EV_QUEUE_ADD:
    case EV_QUEUE_MOD:
        if (event->EV_queues.n > 0 && event->EV_queues.v[0].QU_full_name != NULL)
            take_queue(f, event->EV_queues.v);
        break;
    case EV_QUEUE_DEL: {
        struct queue_count *c = event->EV_queue != NULL ? find_queue(f, event->EV_queue) : NULL;
        if (c != NULL)
            drop_queue(f, c);
        break;
    }
    case EV_TASKS_STARTED:
    case EV_TASKS_ENDED:
        take_slots(f, event, event->EV_kind == EV_TASKS_STARTED);
        break;
    default:
        break;
    }
}

struct cell_figures figures_get(struct figures *f)
{
    board_settle(f->board);
    return f->is_coming ? f->shown : f->now;
}

void figures_ill(const struct figures *f, uint32_t most, struct dstr *out)
{
    uint32_t n = 0;
    for (const struct queue_count *c = f->queues; c != NULL && n < most; c = c->hh.next) {
        if (!is_ill(c->state))
            continue;
        dstr_addf(out, "%s%s (", n++ > 0 ? ", " : "", c->name);
        qinstance_state_text(c->state, out);
        dstr_addc(out, ')');
    }
}

/* ---- a cell ---- */

struct figures *figures_new(struct board *board, const char *user)
{
    struct figures *f = uti_calloc(1, sizeof *f);
    f->board = board;
    f->user = user;
    f->is_coming = true;
    f->watcher = (struct board_watcher){ .changed = on_changed, .leaves = on_leaving, .ctx = f };
    board_watch(board, &f->watcher);
    return f;
}

void figures_free(struct figures *f)
{
    struct job_count *c, *next;
    if (f == NULL)
        return;
    board_unwatch(&f->watcher);
    while (f->queues != NULL)
        drop_queue(f, f->queues);
    HASH_ITER(hh, f->jobs, c, next) {
        HASH_DEL(f->jobs, c);
        free(c);
    }
    free(f);
}

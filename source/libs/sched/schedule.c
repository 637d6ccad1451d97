/* The lines of the file "schedule": JOB:TASK:STATE:START:DURATION:LEVEL:NAME:RESOURCE:AMOUNT, one
 * for each resource and each place that limits it. Reads the model; changes nothing.
 *
 * What starts and what is reserved is written before what runs, and stands behind it: where an
 * interval is cut, it is what runs that is left out. */
#include "libs/sched/schedule.h"

#include "libs/config/complex.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/run/jobs.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/job_state.h"

#define SEPARATOR "::::::::\n"
#define NO_END    UINT32_MAX /* as a duration */

/* a task, as its lines say it */
struct entry {
    const struct sched *sched;
    const struct sched_job *job;
    uint32_t ordinal;
    const char *state;
    uint64_t start_s, run_s;
    const struct pe *pe; /* NULL: none */
    const struct placed_demand *at;
    uint32_t n;
};
enum { SUMS_MOST = 64 };
struct sums { /* by resource */
    uint32_t n;
    struct sum {
        uint32_t resource;
        uint64_t amount;
    } v[SUMS_MOST];
};

/* ---- lines ---- */
static double amount_of(const struct sched_cell *cell, const char *name, uint64_t amount)
{
    const double millionths = 1e6;
    const struct CE_Type *ce = complex_find(&cell->complex, name);
    bool is_double = ce != NULL && ce->CE_valtype == COMPLEX_DOUBLE;
    return is_double ? (double)amount / millionths : (double)amount;
}

static void add_line(struct schedule *s, const struct entry *e, char level, const char *name,
                     uint32_t resource, uint64_t amount, struct dstr *out)
{
    const struct sched_job *job = e->job;
    uint32_t step = job->ja_step > 0 ? job->ja_step : 1,
             first = job->ja_step > 0 ? job->ja_first : 1;
    uint64_t run_s = e->run_s < NO_END ? e->run_s : NO_END;
    const char *what = resource_text(&e->sched->jobs.cell->names, resource);
    if (s->n == SCHEDULE_LINES_MOST) {
        s->is_cut = true;
        return;
    }
    s->n++;
    dstr_addf(out, "%u:%u:%s:%llu:%llu:%c:%s:%s:%f\n", job->number, first + e->ordinal * step,
              e->state, (unsigned long long)e->start_s, (unsigned long long)run_s, level, name,
              what, amount_of(&e->sched->cell, what, amount));
}

/* what SUPPLY limits of what is taken at one place */
static void add_level(struct schedule *s, const struct entry *e, char level, const char *name,
                      const struct supply *supply, const struct demand *d, struct dstr *out)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (supply_left(supply, (uint32_t)d->parts[i].resource, TIME_NOW) != RESOURCE_UNLIMITED)
            add_line(s, e, level, name, (uint32_t)d->parts[i].resource, d->parts[i].amount, out);
}

static void sum_demand(struct sums *sums, const struct demand *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        uint32_t at = 0, resource = (uint32_t)d->parts[i].resource;
        while (at < sums->n && sums->v[at].resource != resource)
            at++;
        if (at == SUMS_MOST)
            continue;
        if (at == sums->n)
            sums->v[sums->n++] = (struct sum){ .resource = resource };
        sums->v[at].amount += d->parts[i].amount;
    }
}

/* what all places take together, of the environment and of the cell */
static void add_totals(struct schedule *s, const struct entry *e, struct dstr *out)
{
    struct sums sums = { 0 };
    for (uint32_t i = 0; i < e->n; i++)
        sum_demand(&sums, e->at[i].demand);
    for (uint32_t i = 0; e->pe != NULL && i < sums.n; i++)
        if (sums.v[i].resource == RESOURCE_SLOTS)
            add_line(s, e, 'P', e->pe->name, RESOURCE_SLOTS, sums.v[i].amount, out);
    for (uint32_t i = 0; i < sums.n; i++)
        if (supply_left(&e->sched->cell.supply, sums.v[i].resource, TIME_NOW) != RESOURCE_UNLIMITED)
            add_line(s, e, 'G', "global", sums.v[i].resource, sums.v[i].amount, out);
}

static void add_entry(struct schedule *s, const struct entry *e, struct dstr *out)
{
    add_totals(s, e, out);
    for (uint32_t i = 0; i < e->n && !s->is_cut; i++) {
        const struct sched_queue *q = e->at[i].queue;
        add_level(s, e, 'H', q->host->name, &q->host->supply, e->at[i].demand, out);
        add_level(s, e, 'Q', q->name, &q->supply, e->at[i].demand, out);
    }
}

static struct entry entry_of(const struct sched *sched, const struct stay *stay)
{
    uint64_t asked_s = stay->job->group->category->run_s;
    return (struct entry){ .sched = sched,
                           .job = stay->job,
                           .pe = stay->pe,
                           .run_s = asked_s != 0 ? asked_s : stay->at[0].queue->run_s,
                           .at = stay->at,
                           .n = stay->n };
}

/* ---- what starts ---- */
static void add_order(struct schedule *s, const struct sched *sched, const struct stay *stay,
                      const struct range_set *ids)
{
    struct entry e = entry_of(sched, stay);
    struct range r;
    e.state = "STARTING";
    e.start_s = sched->cell.now_s;
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(ids, at, &r);
         at = (uint64_t)r.last + 1)
        for (uint64_t i = r.first; i <= r.last && !s->is_cut; i++) {
            e.ordinal = (uint32_t)i;
            if (range_set_has(&stay->ordered, e.ordinal))
                add_entry(s, &e, &s->starting);
        }
}

void schedule_add_orders(struct schedule *s, const struct sched *sched,
                         const struct OR_Type_list *orders)
{
    for (uint32_t i = 0; i < orders->n; i++) {
        const struct OR_Type *order = &orders->v[i];
        const struct sched_job *job =
            order->OR_kind == ORDER_START ? job_find(&sched->jobs, order->OR_job_number) : NULL;
        const struct stay *stay;
        if (job == NULL)
            continue;
        LIST_FOREACH(stay, &job->stays, of_job)
            add_order(s, sched, stay, &order->OR_ids);
    }
}

/* ---- what is reserved ---- */
static void add_reservation(struct schedule *s, const struct sched *sched,
                            const struct reservation *of, struct dstr *out)
{
    struct sched_job *job = job_find(&sched->jobs, of->job);
    if (job == NULL)
        return;
    struct placed_demand *at = uti_calloc((size_t)of->places.n + 1, sizeof *at);
    struct demands *demands = &sched->jobs.cell->demands;
    struct entry e = { sched,     job,           of->task, "RESERVING", of->start_s,
                       of->run_s, of->places.pe, at,       of->places.n };
    for (uint32_t i = 0; i < e.n; i++)
        at[i] = (struct placed_demand){
            of->places.v[i].queue,
            grant_demand(sched->jobs.finder, &job->group->category->need->key, &of->places, i)
        };
    add_entry(s, &e, out);
    for (uint32_t i = 0; i < e.n; i++)
        demand_drop(demands, at[i].demand);
    free(at);
}

/* a round that was put off has none that is true */
static void add_reservations(struct schedule *s, const struct sched *sched, struct dstr *out)
{
    const struct reserve *r = &sched->jobs.reserve;
    if (!forecast_is_made(&sched->jobs))
        return;
    for (uint32_t i = 0; i < r->n && !s->is_cut; i++)
        add_reservation(s, sched, &r->v[i], out);
}

/* ---- what runs ---- */
static const char *state_of(const struct sched *sched, const struct sched_job *job,
                            uint32_t ordinal)
{
    uint32_t reasons = facts_suspension(&sched->facts, job->number, ordinal) & TASK_SUSPENSIONS;
    return reasons == 0                                     ? "RUNNING"
           : (reasons & TASK_IS_SUBORDINATE_SUSPENDED) != 0 ? "PREEMPTING"
                                                            : "SUSPENDED";
}

static void add_stay(struct schedule *s, const struct sched *sched, const struct stay *stay,
                     struct dstr *running, struct dstr *suspended)
{
    const struct start_run *runs = start_times_runs(&stay->starts);
    struct entry e = entry_of(sched, stay);
    for (uint32_t i = 0; i < stay->starts.n; i++)
        for (uint64_t k = runs[i].first; k <= runs[i].last && !s->is_cut; k++) {
            e.ordinal = (uint32_t)k;
            e.start_s = runs[i].at_s;
            e.state = state_of(sched, stay->job, e.ordinal);
            add_entry(s, &e, e.state[0] == 'R' ? running : suspended);
        }
}

bool schedule_add_interval(struct schedule *s, const struct sched *sched, struct dstr *text)
{
    struct dstr running = DSTR_INIT, suspended = DSTR_INIT, reserved = DSTR_INIT;
    add_reservations(s, sched, &reserved);
    for (const struct stay *stay = sched->jobs.stays; stay != NULL && !s->is_cut;
         stay = stay->hh.next)
        add_stay(s, sched, stay, &running, &suspended);
    struct dstr *const parts[] = { &running, &suspended, &s->starting, &reserved };
    dstr_add(text, SEPARATOR);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        dstr_addn(text, dstr_get(parts[i]), parts[i]->len);
    dstr_free(&running);
    dstr_free(&suspended);
    dstr_free(&reserved);
    dstr_clear(&s->starting);
    bool was_cut = s->is_cut;
    s->n = 0;
    s->is_cut = false;
    return was_cut;
}

void schedule_free(struct schedule *s)
{
    dstr_free(&s->starting);
    *s = (struct schedule){ 0 };
}

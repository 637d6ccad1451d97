/* Tickets of the jobs of the model. Owns struct ticket_place.
 *
 * Jobs are gathered into classes; what they are given (tickets.h) becomes grants (prior.h) of
 * single jobs, of which only changed ones travel. A pending job has as many tickets as its next
 * task; its further tasks have their own, so that the job falls behind while they start. */
#include "libs/sched/policy/ticket_book.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libs/cull/pack.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/share_tree.h"
#include "libs/sched/policy/tickets.h"
#include "libs/sgeobj/object_kind.h"

struct ticket_place {
    uint32_t number, round;
    uint32_t first, n; /* of its tasks in totals; n 0: none is pending */
    uint64_t n_ready;  /* when they were given out */
    /* what the book of priorities has of the job; as long as that is so */
    struct tickets granted;
    bool is_granted;
};
/* a job, while it is gathered */
struct waiting {
    uint32_t priority, number, tasks;
    uint64_t n_ready;
};
struct class_of_jobs {
    const struct job_group *first; /* of its job groups */
    struct waiting *jobs;
    uint32_t n, cap;
    uint32_t *numbers; /* for each task */
    struct tickets *pending;
};
/* a holder, a class, or how many classes an owner has */
struct entry {
    uint32_t index;
    UT_hash_handle hh;
    char key[];
};
struct gathering {
    struct sched *s;
    struct entry *entries;
    struct packer key; /* of what is looked up */
    bool has_holders;  /* what users, projects and departments have counts */
    struct share_tree tree;
    struct ticket_cell cell;
    struct class_of_jobs *of; /* beside the classes */
    uint32_t holders_cap, classes_cap, of_cap;
    uint32_t most; /* tasks of a class */
};

/* ---- tables ---- */
/* the entry with the key in G; FRESH: it has been made, with index 0 */
static struct entry *entry_get(struct gathering *g, bool *fresh)
{
    struct entry *e = NULL;
    if (g->entries != NULL)
        HASH_FIND(hh, g->entries, g->key.data, g->key.len, e);
    *fresh = e == NULL;
    if (e == NULL) {
        e = uti_alloc(sizeof *e + g->key.len);
        e->index = 0;
        memcpy(e->key, g->key.data, g->key.len);
        HASH_ADD_KEYPTR(hh, g->entries, e->key, g->key.len, e);
    }
    return e;
}

static struct entry *entry_named(struct gathering *g, char what, const char *name, bool *fresh)
{
    g->key.len = 0;
    pack_bytes(&g->key, &what, 1);
    pack_bytes(&g->key, name, strlen(name));
    return entry_get(g, fresh);
}

static uint32_t holder_get(struct gathering *g, enum object_kind kind, const char *name)
{
    bool fresh;
    if (name[0] == '\0' || !g->has_holders)
        return TICKETS_NOBODY;
    struct entry *e = entry_named(g,
                                  kind == OBJECT_USER      ? 'u'
                                  : kind == OBJECT_PROJECT ? 'p'
                                                           : 'd',
                                  name, &fresh);
    if (!fresh)
        return e->index;
    const struct TX_Type *object = facts_object(&g->s->facts, kind, name);
    struct ticket_cell *cell = &g->cell;
    cell->holders =
        uti_vec_grow(cell->holders, &g->holders_cap, cell->n_holders + 1, sizeof *cell->holders);
    cell->holders[cell->n_holders] = (struct ticket_holder){ facts_number(object, "fshare"),
                                                             facts_number(object, "oticket"), 0 };
    return e->index = cell->n_holders++;
}

static void class_new(struct gathering *g, const struct job_group *group, uint32_t job_share,
                      uint32_t override)
{
    struct ticket_cell *cell = &g->cell;
    cell->classes =
        uti_vec_grow(cell->classes, &g->classes_cap, cell->n_classes + 1, sizeof *cell->classes);
    g->of = uti_vec_grow(g->of, &g->of_cap, cell->n_classes + 1, sizeof *g->of);
    g->of[cell->n_classes] = (struct class_of_jobs){ .first = group };
    cell->classes[cell->n_classes] = (struct ticket_class){
        .holders = { holder_get(g, OBJECT_USER, group->owner),
                     holder_get(g, OBJECT_PROJECT, group->project),
                     holder_get(g, OBJECT_USERSET, group->department) },
        .leaf = share_tree_leaf(&g->tree, group->owner, group->project),
        .job_share = job_share,
        .override = override,
    };
    cell->n_classes++;
}

static bool has_claims_of(const struct job_group *group, const struct job_group *other)
{
    return group->job_share == other->job_share &&
           group->override_tickets == other->override_tickets &&
           strcmp(group->owner, other->owner) == 0 && strcmp(group->project, other->project) == 0 &&
           strcmp(group->department, other->department) == 0;
}

/* mostly the one that GROUP had the last time */
static uint32_t class_get(struct gathering *g, const struct job_group *group)
{
    uint32_t job_share = group->job_share, override = group->override_tickets;
    bool fresh;
    if (group->ticket_class < g->cell.n_classes &&
        has_claims_of(group, g->of[group->ticket_class].first))
        return group->ticket_class;
    struct entry *count = entry_named(g, 'n', group->owner, &fresh);
    if (count->index >= CLASSES_OF_OWNER)
        job_share = override = 0;
    g->key.len = 0;
    pack_bytes(&g->key, "c", 1);
    pack_bytes(&g->key, group->owner, strlen(group->owner) + 1);
    pack_bytes(&g->key, group->project, strlen(group->project) + 1);
    pack_bytes(&g->key, group->department, strlen(group->department) + 1);
    pack_bytes(&g->key, &job_share, sizeof job_share);
    pack_bytes(&g->key, &override, sizeof override);
    struct entry *e = entry_get(g, &fresh);
    if (fresh) {
        count->index++;
        e->index = g->cell.n_classes;
        class_new(g, group, job_share, override);
    }
    return e->index;
}

/* ---- what waits ---- */
static int waiting_order(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* no more than may have tickets, the most important first */
static void jobs_trim(struct class_of_jobs *of, uint32_t most)
{
    bool is_sorted = true;
    for (uint32_t i = 1; i < of->n && is_sorted; i++)
        is_sorted = waiting_order(&of->jobs[i - 1], &of->jobs[i]) < 0;
    if (!is_sorted)
        qsort(of->jobs, of->n, sizeof *of->jobs, waiting_order);
    if (of->n > most)
        of->n = most;
}

static uint32_t tasks_at_once(const struct sched *s, const struct sched_job *job, uint64_t n_ready)
{
    uint64_t n = task_concurrency_left(job);
    if (n > n_ready)
        n = n_ready;
    uint32_t most = s->conf.pending_tasks_most > 0 ? s->conf.pending_tasks_most : 1;
    return n < most ? (uint32_t)n : most;
}

static void gather_jobs(struct gathering *g, struct job_group *group)
{
    struct class_of_jobs *of = &g->of[group->ticket_class];
    struct sched_job *job = job_group_first_job(group);
    for (uint32_t n = 0; job != NULL && n < g->most; n++, job = job_group_job_after(job)) {
        if (of->n >= 2 * g->most)
            jobs_trim(of, g->most);
        uint64_t n_ready = range_set_count(&job->ready);
        of->jobs = uti_vec_grow(of->jobs, &of->cap, of->n + 1, sizeof *of->jobs);
        of->jobs[of->n++] = (struct waiting){ group->priority, job->number,
                                              tasks_at_once(g->s, job, n_ready), n_ready };
    }
}

static void place_tasks(struct gathering *g, struct ticket_class *c, struct class_of_jobs *of)
{
    uint32_t n = 0;
    jobs_trim(of, g->most);
    for (uint32_t i = 0; i < of->n; i++) {
        if (of->jobs[i].tasks > g->most - n)
            of->jobs[i].tasks = g->most - n;
        n += of->jobs[i].tasks;
    }
    of->numbers = uti_alloc((n + 1) * sizeof *of->numbers);
    of->pending = uti_alloc((n + 1) * sizeof *of->pending);
    for (uint32_t i = 0; i < of->n; i++)
        for (uint32_t k = 0; k < of->jobs[i].tasks; k++)
            of->numbers[c->n_pending++] = of->jobs[i].number;
    c->jobs = of->numbers;
    c->pending = of->pending;
}

static void note_usage(void *ctx, const char *user, const char *project, double usage)
{
    struct gathering *g = ctx;
    uint32_t at = share_tree_leaf(&g->tree, user, project);
    for (; at != TICKETS_NOBODY; at = g->tree.nodes[at].parent)
        g->tree.nodes[at].usage += usage;
}

static void gather_all(struct gathering *g)
{
    struct sched *s = g->s;
    g->has_holders = s->conf.tickets.functional > 0 || s->facts.n_overriding > 0;
    if (s->conf.tickets.share > 0) {
        share_tree_read(&g->tree, facts_object(&s->facts, OBJECT_SHARETREE, "sharetree"));
        facts_each_weighted(&s->facts, s->cell.now_s, note_usage, g);
    }
    for (struct job_group *group = s->pending.groups; group != NULL; group = group->hh.next) {
        group->ticket_class = class_get(g, group);
        uint64_t n = g->cell.classes[group->ticket_class].running + group->n_taken;
        g->cell.classes[group->ticket_class].running = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    }
    g->most = g->cell.n_classes > 0 ? POSITIONS_MOST / g->cell.n_classes : 1;
    g->most = g->most < 1 ? 1 : g->most > TASKS_OF_CLASS ? TASKS_OF_CLASS : g->most;
    for (struct job_group *group = s->pending.groups; group != NULL; group = group->hh.next)
        gather_jobs(g, group);
    for (uint32_t i = 0; i < g->cell.n_classes; i++)
        place_tasks(g, &g->cell.classes[i], &g->of[i]);
    g->cell.nodes = g->tree.nodes;
    g->cell.n_nodes = g->tree.n;
}

static void gathering_free(struct gathering *g)
{
    struct entry *e, *next;
    HASH_ITER(hh, g->entries, e, next) {
        HASH_DEL(g->entries, e);
        free(e);
    }
    for (uint32_t i = 0; i < g->cell.n_classes; i++) {
        free(g->of[i].jobs);
        free(g->of[i].numbers);
        free(g->of[i].pending);
    }
    packer_free(&g->key);
    free(g->of);
    free(g->cell.holders);
    free(g->cell.classes);
    share_tree_free(&g->tree);
}

/* ---- what they are given ---- */
static struct ticket_place *place_get(struct ticket_book *b, uint32_t number)
{
    struct ticket_place *place = number_map_get(&b->places, number);
    if (place != NULL)
        return place;
    place = uti_calloc(1, sizeof *place);
    place->number = number;
    number_map_add(&b->places, number, place);
    return place;
}

static int grant_job(struct sched *s, uint32_t number, const struct tickets *t)
{
    struct PG_Type g = { 0 };
    cull_set(&g, PG_job_number, number);
    if (t->of[TICKETS_OVERRIDE] > 0)
        cull_set(&g, PG_otickets, t->of[TICKETS_OVERRIDE]);
    if (t->of[TICKETS_FUNCTIONAL] > 0)
        cull_set(&g, PG_ftickets, t->of[TICKETS_FUNCTIONAL]);
    if (t->of[TICKETS_SHARE] > 0)
        cull_set(&g, PG_stickets, t->of[TICKETS_SHARE]);
    return prior_grant(&s->prior, &g, NULL);
}

static bool are_equal(const struct tickets *a, const struct tickets *b)
{
    bool is_same = true;
    for (unsigned p = 0; p < TICKET_POLICIES && is_same; p++)
        is_same = !(a->of[p] < b->of[p]) && !(a->of[p] > b->of[p]);
    return is_same;
}

/* the job at PLACE has T; NULL: none that are shown. Where too many have some already, the job has
 * none until it is tried again. */
static void grant_place(struct sched *s, struct ticket_place *place, const struct tickets *t)
{
    static const struct tickets none;
    const struct tickets *given = t != NULL ? t : &none;
    if (place->is_granted && are_equal(&place->granted, given))
        return;
    place->granted = *given;
    place->is_granted = grant_job(s, place->number, given) == 0;
}

void tickets_forget_job(struct ticket_book *b, uint32_t number)
{
    struct ticket_place *place = number_map_get(&b->places, number);
    if (place != NULL)
        place->is_granted = false;
}

static void note_most(struct ticket_book *b, double tickets)
{
    if (tickets > b->most)
        b->most = tickets;
}

static void give_pending(struct sched *s, const struct ticket_class *c,
                         const struct class_of_jobs *of, uint32_t *used)
{
    struct ticket_book *b = &s->tickets;
    uint32_t at = 0;
    for (uint32_t i = 0; i < of->n && of->jobs[i].tasks > 0; i++) {
        const struct waiting *job = &of->jobs[i];
        struct ticket_place *place = place_get(b, job->number);
        place->round = b->round;
        place->first = *used;
        place->n = job->tasks;
        place->n_ready = job->n_ready;
        double first = tickets_sum(&c->pending[at]);
        note_most(b, first);
        b->pending += first;
        grant_place(s, place, s->conf.reports_pending_tickets ? &c->pending[at] : NULL);
        for (uint32_t k = 0; k < job->tasks; k++)
            b->totals[(*used)++] = tickets_sum(&c->pending[at++]);
    }
}

/* a job with tasks at several places has a stay for each */
static void give_running(struct sched *s, const struct ticket_cell *cell)
{
    struct ticket_book *b = &s->tickets;
    for (const struct stay *stay = s->jobs.stays; stay != NULL; stay = stay->hh.next) {
        const struct sched_job *job = stay->job;
        const struct tickets *t = &cell->classes[job->group->ticket_class].each_running;
        double sum = tickets_sum(t);
        note_most(b, sum);
        b->running += sum * (double)stay_tasks(stay);
        struct ticket_place *place = sum > 0 ? place_get(b, job->number) : NULL;
        if (place == NULL || place->round == b->round) /* it is pending, too, or had its turn */
            continue;
        place->round = b->round;
        place->n = 0;
        grant_place(s, place, t);
    }
}

static void drop_old(struct sched *s)
{
    struct ticket_book *b = &s->tickets;
    struct ticket_place *place;
    for (uint64_t at = 0; (place = number_map_at_or_after(&b->places, at)) != NULL;) {
        at = (uint64_t)place->number + 1;
        if (place->round == b->round)
            continue;
        grant_place(s, place, NULL);
        (void)number_map_remove(&b->places, place->number);
        free(place);
    }
}

/* whole millionths, as what is compared (tickets.c): what changes by less, as usage that decays
 * makes it do, is the same */
static void round_tickets(struct tickets *t)
{
    const double millionth = 1e6;
    for (unsigned p = 0; p < TICKET_POLICIES; p++)
        t->of[p] = round(t->of[p] * millionth) / millionth;
}

static void round_all(struct ticket_cell *cell)
{
    for (uint32_t i = 0; i < cell->n_classes; i++) {
        struct ticket_class *c = &cell->classes[i];
        round_tickets(&c->each_running);
        for (uint32_t k = 0; k < c->n_pending; k++)
            round_tickets(&c->pending[k]);
    }
}

static void begin_round(struct ticket_book *b, bool is_on)
{
    free(b->totals);
    b->totals = NULL;
    b->most = b->pending = b->running = 0;
    b->is_on = is_on;
    b->round++;
}

void tickets_forget(struct sched *s)
{
    begin_round(&s->tickets, false);
    drop_old(s);
}

static bool is_configured(const struct sched *s)
{
    const struct ticket_conf *c = &s->conf.tickets;
    return c->functional > 0 || s->facts.n_overriding > 0 || s->pending.n_overriding > 0 ||
           (c->share > 0 && facts_object(&s->facts, OBJECT_SHARETREE, "sharetree") != NULL);
}

uint32_t tickets_renew(struct sched *s)
{
    if (!is_configured(s)) {
        if (s->tickets.is_on)
            tickets_forget(s);
        return 0;
    }
    struct gathering g = { .s = s };
    uint32_t n = 0, used = 0;
    gather_all(&g);
    tickets_compute(&s->conf.tickets, &g.cell);
    round_all(&g.cell);
    begin_round(&s->tickets, true);
    for (uint32_t i = 0; i < g.cell.n_classes; i++)
        n += g.cell.classes[i].n_pending;
    s->tickets.totals = uti_alloc((n + 1) * sizeof *s->tickets.totals);
    for (uint32_t i = 0; i < g.cell.n_classes; i++)
        give_pending(s, &g.cell.classes[i], &g.of[i], &used);
    give_running(s, &g.cell);
    drop_old(s);
    gathering_free(&g);
    return n;
}

double tickets_of_next(const struct ticket_book *b, const struct sched_job *job)
{
    const struct ticket_place *place = number_map_get(&b->places, job->number);
    if (place == NULL || place->n == 0)
        return 0;
    uint64_t n_ready = range_set_count(&job->ready);
    uint64_t started = place->n_ready > n_ready ? place->n_ready - n_ready : 0;
    return started < place->n ? b->totals[place->first + started] : 0;
}

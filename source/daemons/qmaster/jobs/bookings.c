/* What tasks book of supplies. Owns no data: the only place where the supplies of queue instances,
 * hosts, the cell and parallel environments change, called by slots.c alone, as a task gets its
 * slots. Quotas (quotas.h) are further members of the same paths.
 */
#include "daemons/qmaster/jobs/bookings.h"

#include <stdlib.h>

#include "daemons/qmaster/jobs/ar_books.h"
#include "daemons/qmaster/jobs/place_path.h"
#include "daemons/qmaster/jobs/quotas.h"
#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/resource/consumption.h"
#include "libs/resource/named_devices.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/uti/alloc.h"

#define SLOTS "slots"

/* ---- paths ---- */
/* of a task in the advance reservation AR (0: in none): what that has there, which is booked of the
 * three already */
static struct path books_at(struct qmaster *q, uint32_t ar, struct qinstance *qi,
                            struct supply *at[LEVELS], struct supply *books[LEVELS])
{
    struct path path = place_path(q, qi, at);
    if (ar == 0)
        return path;
    books[OF_QUEUE] = ars_supply_of(q, ar, qi);
    books[OF_HOST] = books[OF_CELL] = &q->ars.unlimited;
    return (struct path){ books, LEVELS };
}

static struct time_span span_asked(bool as_if_unused)
{
    return as_if_unused ? TIME_UNUSED : TIME_NOW;
}

/* ---- plans ---- */
static void plan_one(struct place *place, const struct consumption *consumption, uint64_t times)
{
    uint64_t amount = amount_times(consumption->amount, times);
    if (amount == 0)
        return;
    struct TK_Type *tk = cull_push(&place->taken);
    place->has_devices |= consumption->resource->CE_valtype == COMPLEX_RSMAP;
    cull_share(tk, TK_name, consumption->resource->CE_name);
    cull_set(tk, TK_amount, amount);
}

static void plan_parts(struct qmaster *q, struct place *place)
{
    place->parts = uti_alloc((place->taken.n + 1) * sizeof *place->parts);
    place->n_parts = allocation_parts(&q->resources, place->slots, &place->taken, place->parts);
}

void bookings_plan(struct qmaster *q, struct places *places, const struct job *job)
{
    const struct CE_Type_list *resources = settings_consumables(&q->settings);
    struct consumption *consumptions = uti_alloc((resources->n + 1) * sizeof *consumptions);
    uint32_t n = consumptions_of(resources, &job->rec, consumptions);
    places->job = job;
    for (uint32_t i = 0; i < places->n; i++) {
        struct place *place = &places->v[i];
        bool is_first = i == 0 || places->v[i - 1].qi->host != place->qi->host;
        for (uint32_t k = 0; k < n; k++)
            plan_one(place, &consumptions[k],
                     consumption_times(&consumptions[k], place->slots, is_first, i == 0));
        plan_parts(q, place);
    }
    free(consumptions);
}

/* what REQUEST asks for that nobody has at QI, or must ask for and does not */
static const char *missed_at(struct qmaster *q, const struct qinstance *qi,
                             const struct JB_Type *request)
{
    const struct CE_Type_list *resources = settings_consumables(&q->settings);
    const struct CE_Type_list *const offers[] = { &qi->rec.QU_consumable_config_list,
                                                  &qi->host->rec.EH_consumable_config_list,
                                                  cell_offers(q) };
    const struct CE_Type_list *requested = &request->JB_hard_resource_list;
    const char *missed = resources->n == 0
                             ? NULL
                             : consumables_missed(resources, requested, offers, ARRAY_LEN(offers));
    return missed != NULL
               ? missed
               : forced_missed(settings_forced(&q->settings), requested, offers, ARRAY_LEN(offers));
}

bool bookings_missing(struct qmaster *q, const struct place *place, const struct job *job)
{
    return missed_at(q, place->qi, &job->rec) != NULL;
}

/* ---- what is missing ---- */
static const char *asked_for(const struct JB_Type *request, const char *name)
{
    const struct CE_Type *ce = cull_find(&cull_CE_Type, &request->JB_hard_resource_list, name);
    return ce != NULL ? ce->CE_stringval : NULL;
}

/* what one slot takes: resources by name, the slot last */
struct wanted_parts {
    struct consumption *consumptions; /* of the first parts; owned */
    struct demand_part *parts;        /* owned */
    uint32_t n;
};

static bool is_of_slot(const struct consumption *consumption)
{
    return consumption_times(consumption, 2, false, false) > 0;
}

/* OF_SLOT_ALONE: without what is taken once for the host or the job */
static struct wanted_parts parts_of(struct qmaster *q, const struct JB_Type *request,
                                    bool of_slot_alone)
{
    const struct CE_Type_list *resources = settings_consumables(&q->settings);
    struct wanted_parts w = { uti_alloc((resources->n + 1) * sizeof *w.consumptions),
                              uti_alloc((resources->n + 1) * sizeof *w.parts), 0 };
    uint32_t n = consumptions_of(resources, request, w.consumptions);
    for (uint32_t i = 0; i < n; i++) {
        if (of_slot_alone && !is_of_slot(&w.consumptions[i]))
            continue;
        const char *name = w.consumptions[i].resource->CE_name;
        w.consumptions[w.n] = w.consumptions[i];
        w.parts[w.n++] = (struct demand_part){ resource_name_get(&q->resources, name)->number,
                                               w.consumptions[i].amount };
    }
    w.parts[w.n++] = (struct demand_part){ RESOURCE_SLOTS, 1 };
    return w;
}

static void parts_free(struct wanted_parts *w)
{
    free(w->consumptions);
    free(w->parts);
}

/* LACKING is of one of the parts W */
static struct lack lack_of(const struct wanted_parts *w, const struct shortage *lacking,
                           const struct JB_Type *request)
{
    struct lack lack = { .name = SLOTS, .type = COMPLEX_INT };
    uint32_t i = 0;
    while (w->parts[i].resource != lacking->resource)
        i++;
    if (lacking->resource != RESOURCE_SLOTS) {
        const struct CE_Type *ce = w->consumptions[i].resource;
        lack = (struct lack){ .name = ce->CE_name,
                              .type = ce->CE_valtype,
                              .asked = asked_for(request, ce->CE_name) };
    }
    lack.place = supply_letter(lacking->supply->kind);
    lack.left = lacking->left;
    return lack;
}

bool bookings_lack(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                   bool as_if_unused, struct lack *out)
{
    struct supply *at[LEVELS];
    struct shortage lacking;
    const char *missed = missed_at(q, qi, request);
    if (missed != NULL) {
        const char *asked = asked_for(request, missed);
        *out = (struct lack){ .name = missed, .is_forced = asked == NULL, .asked = asked };
        return true;
    }
    struct wanted_parts w = parts_of(q, request, false);
    struct demand d = { .n = w.n, .parts = w.parts };
    bool is_short = path_explain(place_path_now(q, qi, at), &d, span_asked(as_if_unused), &lacking);
    if (is_short)
        *out = lack_of(&w, &lacking, request);
    parts_free(&w);
    return is_short;
}

/* ---- quotas of a request ---- */
/* the slots of a request that are at one place */
struct wanted_slots {
    struct wanted_parts w;
    struct growing_path quotas;
    struct time_span span;
};

static struct wanted_slots wanted_slots_of(struct qmaster *q, struct qinstance *qi,
                                           const struct JB_Type *request, const char *pe,
                                           bool as_if_unused)
{
    struct wanted_slots wanted = { parts_of(q, request, false), { 0 }, span_asked(as_if_unused) };
    struct demand d = { .n = wanted.w.n, .parts = wanted.w.parts };
    (void)quotas_append(q, qi, request, pe, &d, QUOTA_LOOK, &wanted.quotas);
    return wanted;
}

static void wanted_slots_free(struct wanted_slots *wanted)
{
    parts_free(&wanted->w);
    free(wanted->quotas.v);
}

/* the first limit of a quota, as its rule has them, that D exceeds */
static bool exceeds_limit(struct supply *const *quota, const struct demand *d,
                          struct time_span span, struct shortage *out)
{
    const struct quota_rule *rule = quota_of(*quota)->rule;
    for (uint32_t k = 0; k < rule->n_limits; k++)
        for (uint32_t i = 0; i < d->n && rule->limits[k].is_counted; i++) {
            const struct demand one = { .n = 1, .parts = &d->parts[i] };
            if (d->parts[i].resource == rule->limits[k].number &&
                path_explain((struct path){ quota, 1 }, &one, span, out))
                return true;
        }
    return false;
}

/* the first quota that has not enough for SLOTS of them */
static bool quota_is_short(struct wanted_slots *wanted, uint32_t slots, struct shortage *out)
{
    struct wanted_parts *w = &wanted->w;
    struct demand d = { .n = w->n, .parts = w->parts };
    for (uint32_t i = 0; i + 1 < w->n; i++)
        w->parts[i].amount = amount_times(
            w->consumptions[i].amount, consumption_times(&w->consumptions[i], slots, true, true));
    w->parts[w->n - 1].amount = slots;
    for (uint32_t i = 0; i < wanted->quotas.n; i++)
        if (exceeds_limit(&wanted->quotas.v[i], &d, wanted->span, out))
            return true;
    return false;
}

bool bookings_lack_limit(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                         const char *pe, uint32_t slots, bool as_if_unused, struct shortage *out)
{
    struct wanted_slots wanted = wanted_slots_of(q, qi, request, pe, as_if_unused);
    bool is_short = quota_is_short(&wanted, slots, out);
    wanted_slots_free(&wanted);
    return is_short;
}

/* What is taken for each slot, and once, is no simple quotient. */
static uint64_t most_slots(struct wanted_slots *wanted, uint32_t greatest)
{
    struct shortage lacking;
    uint32_t least = quota_is_short(wanted, greatest, &lacking) ? 0 : greatest, most = greatest;
    while (least < most) {
        uint32_t middle = least + (most - least + 1) / 2;
        if (quota_is_short(wanted, middle, &lacking))
            most = middle - 1;
        else
            least = middle;
    }
    return least == greatest ? UINT64_MAX : least;
}

/* how many slots the quotas leave; none if one that applies everywhere alike does not leave
 * enough */
static uint64_t slots_of_quotas(struct qmaster *q, struct qinstance *qi,
                                const struct JB_Type *request, const char *pe, bool as_if_unused)
{
    struct wanted_slots wanted = wanted_slots_of(q, qi, request, pe, as_if_unused);
    struct shortage lacking;
    uint64_t room = UINT64_MAX;
    uint32_t greatest;
    if (!range_set_max(&request->JB_pe_range, &greatest) || greatest == 0)
        greatest = 1;
    if (wanted.quotas.n > 0) {
        bool is_short = quota_is_short(&wanted, pe_slots_least(request), &lacking);
        room = is_short && quota_of(lacking.supply)->rule->is_everywhere
                   ? 0
                   : most_slots(&wanted, greatest);
    }
    wanted_slots_free(&wanted);
    return room;
}

struct slot_room bookings_room(struct qmaster *q, struct qinstance *qi,
                               const struct JB_Type *request, const char *pe, bool as_if_unused)
{
    struct supply *at[LEVELS];
    struct time_span span = span_asked(as_if_unused);
    struct wanted_parts w = parts_of(q, request, true);
    struct demand d = { .n = w.n, .parts = w.parts };
    (void)place_path_now(q, qi, at);
    struct slot_room room = { supply_room(at[OF_QUEUE], &d, span),
                              supply_room(at[OF_HOST], &d, span),
                              supply_room(at[OF_CELL], &d, span) };
    parts_free(&w);
    room.queue = smaller_u64(room.queue, slots_of_quotas(q, qi, request, pe, as_if_unused));
    return room;
}

/* ---- room for a plan ---- */
/* The devices of a host are those of all its queues: its names count before those of the queue. */
static const struct supply *who_names(struct supply *const at[LEVELS], uint32_t resource)
{
    static const int order[LEVELS] = { OF_HOST, OF_QUEUE, OF_CELL };
    for (int i = 0; i < LEVELS; i++)
        if (devices_are_offered(at[order[i]]->devices, resource))
            return at[order[i]];
    return NULL;
}

/* other devices for each task of the plan; false if too few are free: LACKING says of what */
static bool choose_devices(struct supply *const at[LEVELS], struct place *place,
                           struct shortage *lacking)
{
    for (uint32_t i = 0; i < place->taken.n; i++) {
        struct TK_Type *tk = &place->taken.v[i];
        uint32_t resource = (uint32_t)place->parts[i + 1].resource;
        const struct supply *from = who_names(at, resource);
        cull_clear_field(&cull_TK_Type, tk, TK_devices);
        if (from == NULL)
            continue;
        cull_mark(tk, TK_devices);
        *lacking =
            (struct shortage){ .supply = from, .resource = resource, .asked = tk->TK_amount };
        if (!devices_choose(from->devices, resource, tk->TK_amount, &tk->TK_devices))
            return false;
    }
    return true;
}

/* the path of a task at place I of PLACES: AT, then its quotas; valid until the next call.
 * *IS_WHOLE is false while running tasks are being counted again */
static struct path path_of_place(struct qmaster *q, const struct places *places, uint32_t i,
                                 enum quota_use use, struct supply *at[LEVELS], bool *is_whole)
{
    const struct place *place = &places->v[i];
    const struct demand d = { .n = place->n_parts, .parts = place->parts };
    const char *pe = places->pe != NULL ? places->pe->rec.TX_name : NULL;
    struct supply *books[LEVELS];
    (void)place_path_now(q, place->qi, at);
    struct path levels = books_at(q, places->job->rec.JB_ar, place->qi, at, books);
    q->task_path.n = 0;
    for (uint32_t k = 0; k < levels.n; k++)
        path_append(&q->task_path, levels.v[k]);
    *is_whole = quotas_append(q, place->qi, &places->job->rec, pe, &d, use, &q->task_path);
    return path_grown(&q->task_path, 0);
}

static const struct supply some_quota = { .kind = SUPPLY_QUOTA };
static const struct supply some_ar = { .kind = SUPPLY_RESERVATION };

/* A task in a reservation takes nothing but what that has; all others leave it that, as long as
 * they may run. */
static bool reservations_allow(struct qmaster *q, const struct places *places,
                               const struct place *place)
{
    const struct JB_Type *request = &places->job->rec;
    const struct demand d = { .n = place->n_parts, .parts = place->parts };
    if (q->ars.n == 0)
        return true;
    if (request->JB_ar == 0)
        return ars_room(q, place->qi, &d, 1, ars_run_span(q, place->qi, request)) > 0;
    const struct supply *has = ars_supply_of(q, request->JB_ar, place->qi);
    for (uint32_t i = 0; i < d.n; i++)
        if (supply_left(has, (uint32_t)d.parts[i].resource, TIME_NOW) == RESOURCE_UNLIMITED)
            return false;
    return true;
}

static bool place_has_room(struct qmaster *q, struct places *places, uint32_t i,
                           struct shortage *lacking)
{
    struct place *place = &places->v[i];
    struct supply *at[LEVELS];
    struct demand d = { .n = place->n_parts, .parts = place->parts };
    bool is_whole;
    struct path path = path_of_place(q, places, i, QUOTA_LOOK, at, &is_whole);
    if (path_room(path, &d, TIME_NOW) == 0)
        return !path_explain(path, &d, TIME_NOW, lacking);
    if (!is_whole) {
        *lacking = (struct shortage){ .supply = &some_quota };
        return false;
    }
    if (!reservations_allow(q, places, place)) {
        *lacking = (struct shortage){ .supply = &some_ar };
        return false;
    }
    return !place->has_devices || choose_devices(at, place, lacking);
}

static uint32_t number_of(struct qmaster *q, const struct TK_Type *tk)
{
    return resource_name_get(&q->resources, tk->TK_name)->number;
}

/* a task has the devices of TAKEN, or no longer */
static void change_devices(struct qmaster *q, struct supply *const at[LEVELS],
                           const struct TK_Type_list *taken, bool is_end)
{
    for (uint32_t i = 0; i < taken->n; i++) {
        const struct TK_Type *tk = &taken->v[i];
        for (int m = 0; m < LEVELS && tk->TK_devices.n > 0; m++)
            if (is_end)
                devices_release(at[m]->devices, number_of(q, tk), &tk->TK_devices);
            else
                devices_book(&at[m]->devices, number_of(q, tk), &tk->TK_devices);
    }
}

static void change_place(struct qmaster *q, struct places *places, uint32_t i, bool is_end)
{
    const struct place *place = &places->v[i];
    const struct demand d = { .n = place->n_parts, .parts = place->parts };
    struct supply *at[LEVELS];
    bool is_whole;
    struct path path = path_of_place(q, places, i, QUOTA_BOOK, at, &is_whole);
    (is_end ? path_release : path_book)(path, &d, 1);
    change_devices(q, at, &place->taken, is_end);
    quotas_settle(q, (struct path){ path.v + LEVELS, path.n - LEVELS }, &d);
}

/* Places share hosts, the cell and quotas: those before the last are booked for the look at the
 * next. */
bool bookings_fit(struct qmaster *q, struct places *places, struct shortage *lacking)
{
    uint32_t n = 0, last = places->n - 1;
    for (; n < last && place_has_room(q, places, n, lacking); n++)
        change_place(q, places, n, false);
    bool fits = n == last && place_has_room(q, places, last, lacking);
    if (!fits && lacking->supply->kind == SUPPLY_QUOTA)
        lacking->supply = &some_quota; /* it may be there for these bookings alone */
    while (n-- > 0)
        change_place(q, places, n, true);
    return fits;
}

/* ---- books ---- */
typedef void change_bookings_fn(struct path path, const struct demand *d, uint64_t tasks);

static void change_bookings(struct qmaster *q, struct path path, uint32_t slots,
                            const struct TK_Type_list *taken, change_bookings_fn *change)
{
    enum { FEW = 8 };
    struct demand_part few[FEW];
    struct demand_part *parts = taken->n < FEW ? few : uti_alloc((taken->n + 1) * sizeof *parts);
    struct demand d = { .n = allocation_parts(&q->resources, slots, taken, parts), .parts = parts };
    change(path, &d, 1);
    if (parts != few)
        free(parts);
}

void bookings_add(struct qmaster *q, uint32_t ar, struct qinstance *qi, uint32_t slots,
                  const struct TK_Type_list *taken)
{
    struct supply *at[LEVELS], *books[LEVELS];
    change_bookings(q, books_at(q, ar, qi, at, books), slots, taken, path_book);
    change_devices(q, at, taken, false);
}

void bookings_end(struct qmaster *q, uint32_t ar, struct qinstance *qi, uint32_t slots,
                  const struct TK_Type_list *taken)
{
    struct supply *at[LEVELS], *books[LEVELS];
    change_bookings(q, books_at(q, ar, qi, at, books), slots, taken, path_release);
    change_devices(q, at, taken, true);
}

/* ---- limits of tasks ---- */
void task_limits_of(struct qmaster *q, const struct job *job, const struct text_object *pe,
                    struct task_limits *out)
{
    const struct owner *owner = jobs_owner(&q->jobs, job->rec.JB_owner);
    uint32_t at_once = settings_concurrency(&q->settings, &job->rec);
    uint32_t of_owner = q->settings.max_user_tasks;
    counted_supply(&out->concurrency, SUPPLY_CONCURRENCY, RESOURCE_TASKS,
                   at_once != 0 ? at_once : RESOURCE_UNLIMITED, job->rare->n_running);
    counted_supply(&out->owner, SUPPLY_OWNER, RESOURCE_TASKS,
                   of_owner != 0 ? of_owner : RESOURCE_UNLIMITED,
                   owner != NULL ? owner->n_running : 0);
    out->path = (struct path){ out->members, 2 };
    out->members[0] = &out->concurrency.supply;
    out->members[1] = &out->owner.supply;
    if (pe != NULL && job->rec.JB_ar == 0)
        out->members[out->path.n++] = pe->slots;
}

static void change_slots(const struct text_object *pe, uint32_t slots, change_bookings_fn *change)
{
    struct supply *members[] = { pe->slots };
    struct demand_part part = { RESOURCE_SLOTS, slots };
    const struct demand d = { .n = 1, .parts = &part };
    change((struct path){ members, 1 }, &d, 1);
}

void bookings_add_slots(const struct text_object *pe, uint32_t slots)
{
    change_slots(pe, slots, path_book);
}

void bookings_add_limits(struct qmaster *q, struct task *t, const struct text_object *pe)
{
    if (pe != NULL && t->job->rec.JB_ar == 0)
        bookings_add_slots(pe, allocation_slots(&t->rec.JAT_granted_destin_identifier_list));
    quotas_book(q, t);
}

void bookings_end_limits(struct qmaster *q, struct task *t, const struct text_object *pe)
{
    if (pe != NULL && t->job->rec.JB_ar == 0)
        change_slots(pe, allocation_slots(&t->rec.JAT_granted_destin_identifier_list),
                     path_release);
    quotas_unbook(q, t);
}

void bookings_recount_limits(struct qmaster *q, struct job *job)
{
    if (q->quotas == NULL || job->rare->n_running == 0)
        return;
    for (struct task *t = job_task_first(job, 0); t != NULL; t = job_task_next(t)) {
        if (t->host == NULL)
            continue;
        quotas_unbook(q, t);
        quotas_book(q, t);
    }
}

void bookings_free(struct qmaster *q)
{
    quotas_free(q);
}

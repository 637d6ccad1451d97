/* What tasks take of resources that run out. Owns no data: the only place where stocks change,
 * called by slots.c alone, as a task's slots are booked.
 *
 * Offers are read when they are first needed after the complex or complex_values have changed. */
#include "daemons/qmaster/jobs/takings.h"

#include <stdlib.h>

#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/resource/consumption.h"
#include "libs/uti/alloc.h"

#define SLOTS "slots"

/* ---- stocks, up to date ---- */
static const struct CE_Type_list nothing = { 0 };

static struct stock *stock_read(struct qmaster *q, struct stock *l,
                                const struct CE_Type_list *offers, bool slots_too)
{
    if (l->round != q->settings.complex_round) {
        stock_offer(l, offers, settings_consumables(&q->settings), slots_too);
        l->round = q->settings.complex_round;
    }
    return l;
}

static const struct CE_Type_list *cell_offers(struct qmaster *q)
{
    const struct host *global = hosts_find(&q->hosts, HOST_OF_CELL);
    return global != NULL ? &global->rec.EH_consumable_config_list : &nothing;
}

enum { OF_QUEUE, OF_HOST, OF_CELL, LEVELS };
/* the three that decide at QI */
static void stocks_of(struct qmaster *q, struct qinstance *qi, struct stock *out[LEVELS])
{
    out[OF_QUEUE] = stock_read(q, &qi->stock, &qi->rec.QU_consumable_config_list, false);
    out[OF_HOST] = stock_read(q, &qi->host->stock, &qi->host->rec.EH_consumable_config_list, true);
    out[OF_CELL] = stock_read(q, &q->hosts.cell, cell_offers(q), true);
}

/* ---- plans ---- */
static void plan_one(struct place *place, const struct taking *taking, uint64_t times)
{
    uint64_t amount = amount_times(taking->amount, times);
    if (amount == 0)
        return;
    struct TK_Type *tk = cull_push(&place->taken);
    place->has_devices |= taking->resource->CE_valtype == COMPLEX_RSMAP;
    cull_share(tk, TK_name, taking->resource->CE_name);
    cull_set(tk, TK_amount, amount);
}

void takings_plan(struct qmaster *q, struct places *places, const struct job *job)
{
    const struct CE_Type_list *resources = settings_consumables(&q->settings);
    if (resources->n == 0)
        return;
    struct taking *takings = uti_alloc(resources->n * sizeof *takings);
    uint32_t n = takings_of(resources, &job->rec, takings);
    for (uint32_t i = 0; i < places->n; i++) {
        struct place *place = &places->v[i];
        bool is_first = i == 0 || places->v[i - 1].qi->host != place->qi->host;
        for (uint32_t k = 0; k < n; k++)
            plan_one(place, &takings[k],
                     takings_times(&takings[k], place->slots, is_first, i == 0));
    }
    free(takings);
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

bool takings_missing(struct qmaster *q, const struct place *place, const struct job *job)
{
    return missed_at(q, place->qi, &job->rec) != NULL;
}

/* ---- what is missing ---- */
static const char *asked_for(const struct JB_Type *request, const char *name)
{
    const struct CE_Type *ce = cull_find(&cull_CE_Type, &request->JB_hard_resource_list, name);
    return ce != NULL ? ce->CE_stringval : NULL;
}

/* is there less of it than AMOUNT in one of the stocks, the first of which is LEVEL? */
static bool is_short(struct stock *const stocks[LEVELS], int level, uint64_t amount,
                     bool as_if_unused, struct lack *out)
{
    for (; level < LEVELS; level++) {
        out->place = "qhg"[level];
        if (stock_left(stocks[level], out->name, as_if_unused, &out->left) &&
            out->left < (int64_t)amount)
            return true;
    }
    return false;
}

static bool some_is_short(const struct CE_Type_list *resources, const struct JB_Type *request,
                          struct stock *const stocks[LEVELS], bool as_if_unused, struct lack *out)
{
    struct taking *takings = uti_alloc((resources->n + 1) * sizeof *takings);
    uint32_t n = takings_of(resources, request, takings);
    bool is_missing = false;
    for (uint32_t i = 0; i < n && !is_missing; i++) {
        const struct CE_Type *ce = takings[i].resource;
        *out = (struct lack){ .name = ce->CE_name,
                              .type = ce->CE_valtype,
                              .asked = asked_for(request, ce->CE_name) };
        is_missing = is_short(stocks, OF_QUEUE, takings[i].amount, as_if_unused, out);
    }
    free(takings);
    return is_missing;
}

bool takings_lack(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                  bool as_if_unused, struct lack *out)
{
    const struct CE_Type_list *resources = settings_consumables(&q->settings);
    struct stock *stocks[LEVELS];
    const char *missed = missed_at(q, qi, request);
    if (missed != NULL) {
        const char *asked = asked_for(request, missed);
        *out = (struct lack){ .name = missed, .is_forced = asked == NULL, .asked = asked };
        return true;
    }
    stocks_of(q, qi, stocks);
    if (some_is_short(resources, request, stocks, as_if_unused, out))
        return true;
    *out = (struct lack){ .name = SLOTS, .type = COMPLEX_INT };
    return is_short(stocks, OF_HOST, 1, as_if_unused, out);
}

/* ---- room for slots ---- */
/* how often AMOUNT of NAME is left in L */
static uint64_t times_left(const struct stock *l, const char *name, uint64_t amount,
                           bool as_if_unused)
{
    int64_t left;
    if (!stock_left(l, name, as_if_unused, &left))
        return UINT64_MAX;
    return left > 0 ? (uint64_t)left / amount : 0;
}

static uint64_t room_in(const struct stock *l, const struct taking *takings, uint32_t n,
                        bool as_if_unused)
{
    uint64_t room = UINT64_MAX;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t times =
            takings_times(&takings[i], 2, false, false) == 0
                ? UINT64_MAX /* once for the host or the job, not for each slot */
                : times_left(l, takings[i].resource->CE_name, takings[i].amount, as_if_unused);
        room = times < room ? times : room;
    }
    return room;
}

static uint64_t less_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

struct slot_room takings_room(struct qmaster *q, struct qinstance *qi,
                              const struct JB_Type *request, bool as_if_unused)
{
    const struct CE_Type_list *resources = settings_consumables(&q->settings);
    struct taking *takings = uti_alloc((resources->n + 1) * sizeof *takings);
    uint32_t n = takings_of(resources, request, takings);
    struct stock *stocks[LEVELS];
    stocks_of(q, qi, stocks);
    struct slot_room room = {
        .queue = room_in(stocks[OF_QUEUE], takings, n, as_if_unused),
        .host = less_of(room_in(stocks[OF_HOST], takings, n, as_if_unused),
                        times_left(stocks[OF_HOST], SLOTS, 1, as_if_unused)),
        .cell = less_of(room_in(stocks[OF_CELL], takings, n, as_if_unused),
                        times_left(stocks[OF_CELL], SLOTS, 1, as_if_unused)),
    };
    free(takings);
    return room;
}

/* ---- room for a plan ---- */
/* The devices of a host are those of all its queues: its names count before those of the queue. */
static const struct stock *who_names(struct stock *const stocks[LEVELS], const char *resource)
{
    static const int order[LEVELS] = { OF_HOST, OF_QUEUE, OF_CELL };
    for (int i = 0; i < LEVELS; i++)
        if (stock_names_devices(stocks[order[i]], resource))
            return stocks[order[i]];
    return NULL;
}

/* other devices for each task of the plan; false if too few are free */
static bool choose_devices(struct stock *const stocks[LEVELS], struct place *place)
{
    for (uint32_t i = 0; i < place->taken.n; i++) {
        struct TK_Type *tk = &place->taken.v[i];
        const struct stock *from = who_names(stocks, tk->TK_name);
        cull_clear_field(&cull_TK_Type, tk, TK_devices);
        if (from == NULL)
            continue;
        cull_mark(tk, TK_devices);
        if (!stock_choose(from, tk->TK_name, tk->TK_amount, &tk->TK_devices))
            return false;
    }
    return true;
}

static bool level_has_room(const struct stock *l, const struct place *place)
{
    for (uint32_t i = 0; i < place->taken.n; i++)
        if (!stock_has_room(l, place->taken.v[i].TK_name, place->taken.v[i].TK_amount))
            return false;
    return true;
}

static bool place_has_room(struct qmaster *q, struct place *place)
{
    struct stock *stocks[LEVELS];
    stocks_of(q, place->qi, stocks);
    for (int level = 0; level < LEVELS; level++)
        if (!level_has_room(stocks[level], place) ||
            (level != OF_QUEUE && !stock_has_room(stocks[level], SLOTS, place->slots)))
            return false;
    return !place->has_devices || choose_devices(stocks, place);
}

/* Places share hosts and the cell: those before the last are booked for the look at the next. */
bool takings_fit(struct qmaster *q, struct places *places)
{
    uint32_t n = 0, last = places->n - 1;
    for (; n < last && place_has_room(q, &places->v[n]); n++)
        takings_book(q, places->v[n].qi, places->v[n].slots, &places->v[n].taken);
    bool fits = n == last && place_has_room(q, &places->v[last]);
    while (n-- > 0)
        takings_unbook(q, places->v[n].qi, places->v[n].slots, &places->v[n].taken);
    return fits;
}

/* ---- books ---- */
void takings_book(struct qmaster *q, struct qinstance *qi, uint32_t slots,
                  const struct TK_Type_list *taken)
{
    struct stock *const stocks[LEVELS] = { &qi->stock, &qi->host->stock, &q->hosts.cell };
    for (int level = 0; level < LEVELS; level++) {
        for (uint32_t i = 0; i < taken->n; i++)
            stock_take(stocks[level], taken->v[i].TK_name, taken->v[i].TK_amount,
                       &taken->v[i].TK_devices);
        if (level != OF_QUEUE)
            stock_take(stocks[level], SLOTS, slots, NULL);
    }
}

void takings_unbook(struct qmaster *q, struct qinstance *qi, uint32_t slots,
                    const struct TK_Type_list *taken)
{
    struct stock *const stocks[LEVELS] = { &qi->stock, &qi->host->stock, &q->hosts.cell };
    for (int level = 0; level < LEVELS; level++) {
        for (uint32_t i = 0; i < taken->n; i++)
            stock_give(stocks[level], taken->v[i].TK_name, taken->v[i].TK_amount,
                       &taken->v[i].TK_devices);
        if (level != OF_QUEUE)
            stock_give(stocks[level], SLOTS, slots, NULL);
    }
}

/* Supplies and paths: what there is, what is booked, and for how many tasks there is room. Owns
 * struct supply.
 *
 * A row is made when a capacity or a booking first comes, so that a limit that is set later finds
 * what was booked before. Sums are modulo 2^64: releasing all bookings ends at nothing even if they
 * came to more than that, as thousands of requests for INFINITY may where nothing limits them. */
#include "libs/resource/supply.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/resource/consumption.h"
#include "libs/resource/named_devices.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

#define SLOTS "slots"

_Static_assert(AMOUNT_UNLIMITED == RESOURCE_UNLIMITED, "what is unlimited in texts is so here");

void supply_free(struct supply *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        timeline_free(&s->v[i].booked);
    devices_free(s->devices);
    free(s->v);
    *s = (struct supply){ .kind = s->kind };
}

/* ---- rows ---- */
/* the row of RESOURCE, sought from *AT on; *AT is behind it then. Rows and parts of demands are
 * mostly in the same order, so that the row of the next part is the next one. */
static struct capacity *row_search(const struct supply *s, uint64_t resource, uint32_t *at)
{
    for (uint32_t i = *at; i < s->n; i++)
        if (s->v[i].resource == resource) {
            *at = i + 1;
            return &s->v[i];
        }
    for (uint32_t i = 0; i < *at; i++)
        if (s->v[i].resource == resource) {
            *at = i + 1;
            return &s->v[i];
        }
    return NULL;
}

static inline struct capacity *row_next(const struct supply *s, uint64_t resource, uint32_t *at)
{
    uint32_t i = *at;
    if (i >= s->n || s->v[i].resource != resource)
        return row_search(s, resource, at);
    *at = i + 1;
    return &s->v[i];
}

static struct capacity *row_find(const struct supply *s, uint64_t resource)
{
    uint32_t at = 0;
    return row_next(s, resource, &at);
}

static struct capacity *row_get(struct supply *s, uint64_t resource, uint32_t *at)
{
    struct capacity *row = row_next(s, resource, at);
    if (row != NULL)
        return row;
    if (s->cap == 0) {
        s->v = uti_alloc(sizeof *s->v); /* many have one row */
        s->cap = 1;
    }
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    row = &s->v[s->n++];
    *row = (struct capacity){ .resource = (uint32_t)resource, .amount = RESOURCE_UNLIMITED };
    if (s->is_timed)
        timeline_time(&row->booked);
    return row;
}

static uint64_t row_left(const struct capacity *row, struct time_span span)
{
    if (row->amount == RESOURCE_UNLIMITED)
        return RESOURCE_UNLIMITED;
    uint64_t booked = timeline_peak(&row->booked, span);
    return booked < row->amount ? row->amount - booked : 0;
}

static void row_book(struct capacity *row, uint64_t amount, uint64_t tasks, struct time_span span)
{
    row->n_booked += (uint32_t)tasks;
    timeline_book(&row->booked, span, tasks * amount);
}

/* bookings of so few tasks cannot come to 2^64 */
static bool is_summed(const struct capacity *row)
{
    enum { TASKS_SUMMED = 2048 };
    return row->n_booked < TASKS_SUMMED;
}

static void row_release(struct capacity *row, uint64_t amount, uint64_t tasks,
                        struct time_span span)
{
    ASSERT(row != NULL && row->n_booked >= tasks);
    bool was_booked = timeline_release(&row->booked, span, tasks * amount);
    ASSERT(was_booked || !is_summed(row));
    row->n_booked -= (uint32_t)tasks;
    ASSERT(row->n_booked > 0 || (row->booked.booked == 0 && row->booked.n == 0));
}

/* ---- supplies ---- */
void supply_offer(struct supply *s, uint32_t resource, uint64_t capacity)
{
    uint32_t at = 0;
    struct capacity *row = row_get(s, resource, &at);
    s->n_limited -= row->amount != RESOURCE_UNLIMITED;
    row->amount = capacity;
    s->n_limited += row->amount != RESOURCE_UNLIMITED;
}

/* rows of which nothing is booked go: most of them are offered again at once */
void supply_lift(struct supply *s, bool keep_slots)
{
    uint32_t kept = 0;
    s->n_limited = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        struct capacity *row = &s->v[i];
        if (row->resource != RESOURCE_SLOTS || !keep_slots)
            row->amount = RESOURCE_UNLIMITED;
        s->n_limited += row->amount != RESOURCE_UNLIMITED;
        if (row->amount == RESOURCE_UNLIMITED && row->n_booked == 0)
            timeline_free(&row->booked);
        else
            s->v[kept++] = *row;
    }
    s->n = kept;
}

void supply_read(struct supply *s, const struct CE_Type_list *offers,
                 const struct CE_Type_list *consumables, struct resource_names *names)
{
    bool slots_too = s->kind != SUPPLY_QUEUE;
    supply_lift(s, !slots_too);
    for (uint32_t i = 0; i < offers->n; i++) {
        const char *name = offers->v[i].CE_name, *value = offers->v[i].CE_stringval;
        const struct CE_Type *row = consumables_find(consumables, name);
        if (row != NULL)
            supply_offer(s, resource_name_get(names, name)->number,
                         amount_offered(row->CE_valtype, value));
        else if (slots_too && strcmp(name, SLOTS) == 0)
            supply_offer(s, RESOURCE_SLOTS, amount_offered(COMPLEX_INT, value));
    }
}

void supply_read_devices(struct supply *s, const struct CE_Type_list *offers,
                         const struct CE_Type_list *consumables, struct resource_names *names)
{
    devices_offer_none(s->devices);
    for (uint32_t i = 0; i < offers->n; i++) {
        const struct CE_Type *row = consumables_find(consumables, offers->v[i].CE_name);
        if (row != NULL && row->CE_valtype == COMPLEX_RSMAP)
            devices_offer(&s->devices, resource_name_get(names, row->CE_name)->number,
                          offers->v[i].CE_stringval);
    }
}

void supply_time(struct supply *s)
{
    s->is_timed = true;
    for (uint32_t i = 0; i < s->n; i++)
        timeline_time(&s->v[i].booked);
}

void supply_untime(struct supply *s)
{
    s->is_timed = false;
    for (uint32_t i = 0; i < s->n; i++)
        timeline_untime(&s->v[i].booked);
}

uint64_t supply_left(const struct supply *s, uint32_t resource, struct time_span span)
{
    const struct capacity *row = row_find(s, resource);
    return row != NULL ? row_left(row, span) : RESOURCE_UNLIMITED;
}

uint64_t supply_booked(const struct supply *s, uint32_t resource)
{
    const struct capacity *row = row_find(s, resource);
    return row != NULL ? timeline_peak(&row->booked, (struct time_span){ 0, TIME_FOREVER }) : 0;
}

uint64_t supply_first(const struct supply *s, uint32_t resource, uint64_t most,
                      struct time_span span)
{
    const struct capacity *row = row_find(s, resource);
    uint64_t duration_s = span.until_s == TIME_FOREVER ? TIME_FOREVER : span.until_s - span.from_s;
    return row != NULL ? timeline_from(&row->booked, most, span.from_s, duration_s) : span.from_s;
}

bool supply_is_unused(const struct supply *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->v[i].n_booked > 0)
            return false;
    return true;
}

static bool counts_tasks(const struct supply *s)
{
    return s->kind == SUPPLY_CONCURRENCY || s->kind == SUPPLY_OWNER;
}

uint64_t supply_room(const struct supply *s, const struct demand *d, struct time_span span)
{
    uint64_t room = UINT64_MAX;
    if (s->n_limited == 0)
        return room;
    if (counts_tasks(s))
        return supply_left(s, RESOURCE_TASKS, span);
    for (uint32_t i = 0, at = 0; i < d->n; i++) {
        const struct capacity *row = row_next(s, d->parts[i].resource, &at);
        if (row == NULL || row->amount == RESOURCE_UNLIMITED)
            continue;
        uint64_t fit = row_left(row, span) / d->parts[i].amount;
        room = fit < room ? fit : room;
    }
    return room;
}

void counted_supply(struct counted_supply *out, enum supply_kind kind, uint32_t resource,
                    uint64_t capacity, uint64_t booked)
{
    out->row = (struct capacity){ .resource = resource,
                                  .n_booked = (uint32_t)booked,
                                  .amount = capacity,
                                  .booked = { .booked = booked } };
    out->supply = (struct supply){
        .v = &out->row, .n = 1, .n_limited = capacity != RESOURCE_UNLIMITED, .kind = kind
    };
}

/* ---- paths ---- */
void path_append(struct growing_path *to, struct supply *s)
{
    to->v = uti_vec_grow(to->v, &to->cap, to->n + 1, sizeof(struct supply *));
    to->v[to->n++] = s;
}

struct path path_grown(const struct growing_path *from, uint32_t first)
{
    return (struct path){ from->v + first, from->n - first };
}

uint64_t path_room(struct path path, const struct demand *d, struct time_span span)
{
    uint64_t room = UINT64_MAX;
    for (uint32_t m = 0; m < path.n; m++) {
        uint64_t fit = supply_room(path.v[m], d, span);
        room = fit < room ? fit : room;
    }
    return room;
}

/* the first second, FROM_S or later, from which a row has AMOUNT for so long */
static uint64_t row_from(const struct capacity *row, uint64_t amount, uint64_t from_s,
                         uint64_t duration_s)
{
    if (row == NULL || row->amount == RESOURCE_UNLIMITED)
        return from_s;
    if (row->amount < amount)
        return TIME_FOREVER;
    return timeline_from(&row->booked, row->amount - amount, from_s, duration_s);
}

static uint64_t supply_from(const struct supply *s, const struct demand *d, uint64_t from_s,
                            uint64_t duration_s)
{
    if (s->n_limited == 0)
        return from_s;
    if (counts_tasks(s))
        return row_from(row_find(s, RESOURCE_TASKS), 1, from_s, duration_s);
    for (uint32_t i = 0; i < d->n; i++)
        from_s =
            row_from(row_find(s, d->parts[i].resource), d->parts[i].amount, from_s, duration_s);
    return from_s;
}

/* Each round is a pass that moves no member's time back; it ends when no member moves it on. */
uint64_t path_from(struct path path, const struct demand *d, struct time_span span)
{
    uint64_t duration_s = span.until_s == TIME_FOREVER ? TIME_FOREVER : span.until_s - span.from_s;
    uint64_t from_s = span.from_s, before_s;
    do {
        before_s = from_s;
        for (uint32_t m = 0; m < path.n; m++)
            from_s = supply_from(path.v[m], d, from_s, duration_s);
    } while (from_s != before_s && from_s != TIME_FOREVER);
    return from_s;
}

static struct shortage shortage_of(const struct supply *s, const struct capacity *row,
                                   uint64_t asked, struct time_span span)
{
    uint64_t left = row->amount - timeline_peak(&row->booked, span);
    return (struct shortage){ s, row->resource, asked, row->amount, (int64_t)left };
}

static bool is_short(const struct supply *s, uint64_t resource, uint64_t amount,
                     struct time_span span, struct shortage *out)
{
    const struct capacity *row = s->n_limited > 0 ? row_find(s, resource) : NULL;
    if (row == NULL || row_left(row, span) >= amount)
        return false;
    *out = shortage_of(s, row, amount, span);
    return true;
}

bool path_explain(struct path path, const struct demand *d, struct time_span span,
                  struct shortage *out)
{
    for (uint32_t m = 0; m < path.n; m++)
        if (counts_tasks(path.v[m]) && is_short(path.v[m], RESOURCE_TASKS, 1, span, out))
            return true;
    for (uint32_t i = 0; i < d->n; i++)
        for (uint32_t m = 0; m < path.n; m++)
            if (!counts_tasks(path.v[m]) &&
                is_short(path.v[m], d->parts[i].resource, d->parts[i].amount, span, out))
                return true;
    return false;
}

bool path_left(struct path path, uint32_t resource, struct time_span span, struct shortage *out)
{
    bool is_limited = false;
    for (uint32_t m = 0; m < path.n; m++) {
        const struct capacity *row =
            path.v[m]->n_limited > 0 ? row_find(path.v[m], resource) : NULL;
        if (row == NULL || row->amount == RESOURCE_UNLIMITED)
            continue;
        struct shortage least = shortage_of(path.v[m], row, 0, span);
        if (!is_limited || least.left < out->left)
            *out = least;
        is_limited = true;
    }
    return is_limited;
}

char supply_letter(enum supply_kind kind)
{
    static const char letters[] = {
        [SUPPLY_QUEUE] = 'q', [SUPPLY_HOST] = 'h', [SUPPLY_CELL] = 'g', [SUPPLY_RESERVATION] = 0
    };
    return letters[kind];
}

/* A quota, and an environment, has rows of what it limits alone. */
static bool books_all(const struct supply *s)
{
    return s->kind != SUPPLY_QUOTA && s->kind != SUPPLY_PE;
}

static struct capacity *row_to_book(struct supply *s, uint64_t resource, uint32_t *at)
{
    return books_all(s) ? row_get(s, resource, at) : row_next(s, resource, at);
}

void path_reserve(struct path path, const struct demand *d, uint64_t tasks, struct time_span span)
{
    for (uint32_t m = 0; m < path.n; m++) {
        uint32_t at = 0;
        if (counts_tasks(path.v[m])) {
            row_book(row_get(path.v[m], RESOURCE_TASKS, &at), 1, tasks, span);
            continue;
        }
        for (uint32_t i = 0; i < d->n; i++) {
            struct capacity *row = row_to_book(path.v[m], d->parts[i].resource, &at);
            if (row != NULL)
                row_book(row, d->parts[i].amount, tasks, span);
        }
    }
}

void path_unreserve(struct path path, const struct demand *d, uint64_t tasks, struct time_span span)
{
    for (uint32_t m = 0; m < path.n; m++) {
        if (counts_tasks(path.v[m])) {
            row_release(row_find(path.v[m], RESOURCE_TASKS), 1, tasks, span);
            continue;
        }
        for (uint32_t i = 0, at = 0; i < d->n; i++) {
            struct capacity *row = row_next(path.v[m], d->parts[i].resource, &at);
            if (row != NULL || books_all(path.v[m]))
                row_release(row, d->parts[i].amount, tasks, span);
        }
    }
}

static const struct time_span held = { 0, TIME_FOREVER };

void path_book(struct path path, const struct demand *d, uint64_t tasks)
{
    path_reserve(path, d, tasks, held);
}

void path_release(struct path path, const struct demand *d, uint64_t tasks)
{
    path_unreserve(path, d, tasks, held);
}

/* ---- the future ---- */
static void row_end(struct capacity *row, uint64_t amount, uint64_t at_s)
{
    if (row != NULL && row->booked.cap > 0)
        (void)timeline_release(&row->booked, (struct time_span){ at_s, TIME_FOREVER }, amount);
}

void path_note_end(struct path path, const struct demand *d, uint64_t tasks, uint64_t at_s)
{
    for (uint32_t m = 0; m < path.n; m++) {
        const struct supply *s = path.v[m];
        if (counts_tasks(s))
            row_end(row_find(s, RESOURCE_TASKS), tasks, at_s);
        for (uint32_t i = 0, at = 0; i < d->n && !counts_tasks(s); i++)
            row_end(row_next(s, d->parts[i].resource, &at), tasks * d->parts[i].amount, at_s);
    }
}

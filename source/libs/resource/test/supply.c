/* Tests of libs/resource/supply.c and demand.c: vectors of what there is, what is taken and what a
 * task asks for. */
#include "libs/resource/supply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/assert.h"

enum { MEMORY = 1, LICENCES = 2 };

/* a queue instance with 8 slots on a host with 10 of memory, in a cell with 3 licences */
struct world {
    struct supply queue, host, cell;
    struct supply *levels[3];
    struct path path;
    struct demands demands;
};

static void build_world(struct world *w)
{
    *w = (struct world){ 0 };
    w->queue.kind = SUPPLY_QUEUE;
    w->host.kind = SUPPLY_HOST;
    w->cell.kind = SUPPLY_CELL;
    w->levels[0] = &w->queue;
    w->levels[1] = &w->host;
    w->levels[2] = &w->cell;
    w->path = (struct path){ w->levels, 3 };
    supply_offer(&w->queue, RESOURCE_SLOTS, 8);
    supply_offer(&w->host, MEMORY, 10);
    supply_offer(&w->cell, LICENCES, 3);
}

static void tear_down(struct world *w)
{
    supply_free(&w->queue);
    supply_free(&w->host);
    supply_free(&w->cell);
    assert_null(w->demands.all);
}

/* a demand of one slot, and of memory and licences if they are not 0 */
static struct demand *make_demand(struct world *w, uint64_t memory, uint64_t licences)
{
    struct demand_part parts[3] = { { RESOURCE_SLOTS, 1 } };
    uint32_t n = 1;
    if (memory > 0)
        parts[n++] = (struct demand_part){ MEMORY, memory };
    if (licences > 0)
        parts[n++] = (struct demand_part){ LICENCES, licences };
    return demand_get(&w->demands, parts, n);
}

static void expect_room(struct world *w, uint64_t memory, uint64_t licences, uint64_t room)
{
    struct demand *d = make_demand(w, memory, licences);
    assert_int_equal(path_room(w->path, d, TIME_NOW), room);
    demand_drop(&w->demands, d);
}

static void the_scarcest_of_queue_host_and_cell_decides(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    expect_room(&w, 0, 0, 8);
    expect_room(&w, 2, 0, 5);
    expect_room(&w, 1, 1, 3);
    expect_room(&w, 11, 0, 0);
    supply_offer(&w.host, RESOURCE_SLOTS, 4); /* of all its queue instances together */
    expect_room(&w, 0, 0, 4);
    supply_offer(&w.host, RESOURCE_SLOTS, RESOURCE_UNLIMITED);
    expect_room(&w, 0, 0, 8);
    tear_down(&w);
}

static void what_nobody_limits_is_unlimited(void **state SGE_UNUSED)
{
    struct world w;
    struct supply nothing = { 0 };
    build_world(&w);
    struct demand *d = make_demand(&w, 5, 0);
    assert_int_equal(supply_room(&nothing, d, TIME_NOW), UINT64_MAX);
    assert_int_equal(supply_left(&nothing, MEMORY, TIME_NOW), RESOURCE_UNLIMITED);
    supply_offer(&w.host, MEMORY, RESOURCE_UNLIMITED);
    assert_int_equal(path_room(w.path, d, TIME_NOW), 8);
    demand_drop(&w.demands, d);
    tear_down(&w);
}

static void taking_and_giving_back_count_at_all_three(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *d = make_demand(&w, 2, 1);
    path_book(w.path, d, 3);
    assert_int_equal(supply_left(&w.queue, RESOURCE_SLOTS, TIME_NOW), 5);
    assert_int_equal(supply_left(&w.host, MEMORY, TIME_NOW), 4);
    assert_int_equal(supply_left(&w.cell, LICENCES, TIME_NOW), 0);
    assert_int_equal(path_room(w.path, d, TIME_NOW), 0);
    path_release(w.path, d, 2);
    assert_int_equal(path_room(w.path, d, TIME_NOW), 2);
    path_release(w.path, d, 1);
    assert_int_equal(path_room(w.path, d, TIME_NOW), 3);
    demand_drop(&w.demands, d);
    tear_down(&w);
}

static void a_limit_that_comes_later_finds_what_was_taken(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *d = make_demand(&w, 2, 0);
    path_book(w.path, d, 6); /* 12 of 10: whoever starts tasks decides */
    assert_int_equal(supply_left(&w.host, MEMORY, TIME_NOW), 0);
    supply_offer(&w.host, MEMORY, 14);
    assert_int_equal(supply_left(&w.host, MEMORY, TIME_NOW), 2);
    supply_offer(&w.host, RESOURCE_SLOTS, 7);
    assert_int_equal(path_room(w.path, d, TIME_NOW), 1);
    path_release(w.path, d, 6);
    demand_drop(&w.demands, d);
    tear_down(&w);
}

static void time_world(struct world *w)
{
    supply_time(&w->queue);
    supply_time(&w->host);
    supply_time(&w->cell);
}

static void an_untimed_supply_does_not_look_at_spans(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *d = make_demand(&w, 2, 1);
    path_book(w.path, d, 2);
    assert_int_equal(path_room(w.path, d, (struct time_span){ 500, 600 }), 1);
    path_note_end(w.path, d, 2, 100); /* of no effect */
    assert_int_equal(path_room(w.path, d, (struct time_span){ 500, 600 }), 1);
    assert_int_equal(path_room(w.path, d, TIME_UNUSED), 3);
    for (uint32_t i = 0; i < w.host.n; i++)
        assert_null(w.host.v[i].booked.steps);
    path_release(w.path, d, 2);
    demand_drop(&w.demands, d);
    tear_down(&w);
}

/* what is held is free from its end on, and held now, however late it is */
static void ends_are_noted_while_somebody_asks_about_the_future(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *d = make_demand(&w, 2, 1);
    path_book(w.path, d, 3);
    time_world(&w);
    assert_int_equal(path_room(w.path, d, (struct time_span){ 100, TIME_FOREVER }), 0);
    path_note_end(w.path, d, 1, 100);
    path_note_end(w.path, d, 1, 100);
    path_note_end(w.path, d, 1, 200);
    assert_int_equal(path_room(w.path, d, TIME_NOW), 0);
    assert_int_equal(path_room(w.path, d, (struct time_span){ 99, 150 }), 0);
    assert_int_equal(path_room(w.path, d, (struct time_span){ 100, TIME_FOREVER }), 2);
    assert_int_equal(path_room(w.path, d, (struct time_span){ 200, 201 }), 3);
    assert_int_equal(path_from(w.path, d, (struct time_span){ 0, 50 }), 100);
    supply_untime(&w.queue);
    supply_untime(&w.host);
    supply_untime(&w.cell);
    assert_int_equal(path_room(w.path, d, (struct time_span){ 200, 201 }), 0);
    path_release(w.path, d, 3);
    assert_int_equal(path_room(w.path, d, TIME_NOW), 3);
    demand_drop(&w.demands, d);
    tear_down(&w);
}

/* a resource that is first booked while a supply is timed */
static void a_row_that_comes_while_a_supply_is_timed_is_timed(void **state SGE_UNUSED)
{
    struct supply s = { 0 };
    struct supply *members[] = { &s };
    static const struct demand_part part = { MEMORY, 2 };
    const struct demand d = { .n = 1, .parts = &part };
    struct path path = { members, 1 };
    supply_time(&s);
    path_reserve(path, &d, 1, (struct time_span){ 10, 20 });
    supply_offer(&s, MEMORY, 2);
    assert_int_equal(path_room(path, &d, TIME_NOW), 1);
    assert_int_equal(path_room(path, &d, (struct time_span){ 5, 11 }), 0);
    path_unreserve(path, &d, 1, (struct time_span){ 10, 20 });
    supply_free(&s);
    assert_false(s.is_timed);
}

/* what reservations and backfill will ask: the same vectors, later */
static void room_is_asked_for_a_span_of_time(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *d = make_demand(&w, 2, 1);
    time_world(&w);
    path_reserve(w.path, d, 3, (struct time_span){ 100, 200 });
    assert_int_equal(path_room(w.path, d, (struct time_span){ 0, 100 }), 3);
    assert_int_equal(path_room(w.path, d, (struct time_span){ 50, 101 }), 0);
    assert_int_equal(path_room(w.path, d, (struct time_span){ 200, TIME_FOREVER }), 3);
    path_unreserve(w.path, d, 3, (struct time_span){ 100, 200 });
    assert_int_equal(path_room(w.path, d, TIME_NOW), 3);
    demand_drop(&w.demands, d);
    tear_down(&w);
}

static void equal_demands_are_one(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *a = make_demand(&w, 2, 0), *b = make_demand(&w, 2, 0),
                  *c = make_demand(&w, 3, 0);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    struct demand *four = demand_times(&w.demands, a, 4);
    assert_int_equal(demand_slots(four), 4);
    assert_int_equal(four->parts[1].amount, 8); /* each slot takes 2 of memory */
    assert_int_equal(path_room(w.path, four, TIME_NOW), 1);
    struct demand *again = demand_times(&w.demands, a, 1);
    assert_ptr_equal(again, a);
    struct demand *sum = demand_sum(&w.demands, a, c), *alone = demand_sum(&w.demands, NULL, c);
    assert_int_equal(sum->parts[1].amount, 5);
    assert_ptr_equal(alone, c);
    struct demand *all[] = { a, b, c, four, again, sum, alone };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        demand_drop(&w.demands, all[i]);
    tear_down(&w);
}

/* ---- members of other kinds ---- */
static void a_member_that_counts_tasks_takes_one_whatever_the_demand(void **state SGE_UNUSED)
{
    struct world w;
    struct supply owner = { .kind = SUPPLY_OWNER };
    build_world(&w);
    struct supply *members[] = { &w.queue, &owner };
    struct path path = { members, 2 };
    struct demand *d = make_demand(&w, 2, 0), *four = demand_times(&w.demands, d, 4);
    struct shortage lacking;
    path_book(path, four, 1); /* before there is a limit */
    supply_offer(&owner, RESOURCE_TASKS, 2);
    assert_int_equal(path_room(path, d, TIME_NOW), 1);
    path_book(path, d, 1);
    assert_int_equal(path_room(path, d, TIME_NOW), 0);
    assert_int_equal(supply_booked(&owner, RESOURCE_TASKS), 2);
    assert_true(path_explain(path, four, TIME_NOW, &lacking));
    assert_ptr_equal(lacking.supply, &owner);
    assert_int_equal(lacking.resource, RESOURCE_TASKS);
    assert_int_equal(lacking.asked, 1);
    assert_int_equal(lacking.capacity, 2);
    assert_int_equal(lacking.left, 0);
    path_release(path, four, 1);
    path_release(path, d, 1);
    demand_drop(&w.demands, d);
    demand_drop(&w.demands, four);
    supply_free(&owner);
    tear_down(&w);
}

static void what_a_counter_counts_can_be_asked_as_a_member(void **state SGE_UNUSED)
{
    struct counted_supply tasks, any;
    struct shortage lacking;
    const struct demand nothing_else = { 0 };
    counted_supply(&tasks, SUPPLY_CONCURRENCY, RESOURCE_TASKS, 3, 2);
    counted_supply(&any, SUPPLY_OWNER, RESOURCE_TASKS, RESOURCE_UNLIMITED, 7);
    struct supply *members[] = { &any.supply, &tasks.supply };
    struct path path = { members, 2 };
    assert_int_equal(path_room(path, &nothing_else, TIME_NOW), 1);
    counted_supply(&tasks, SUPPLY_CONCURRENCY, RESOURCE_TASKS, 3, 4);
    assert_true(path_explain(path, &nothing_else, TIME_NOW, &lacking));
    assert_int_equal(lacking.supply->kind, SUPPLY_CONCURRENCY);
    assert_int_equal(lacking.left, -1);
}

static void what_is_short_is_named_in_numbers(void **state SGE_UNUSED)
{
    struct world w;
    struct shortage lacking = { 0 };
    build_world(&w);
    struct demand *d = make_demand(&w, 4, 1), *big = make_demand(&w, 11, 0);
    assert_false(path_explain(w.path, d, TIME_NOW, &lacking));
    path_book(w.path, d, 3);
    assert_true(path_explain(w.path, d, TIME_NOW, &lacking));
    assert_ptr_equal(lacking.supply, &w.host);
    assert_int_equal(lacking.resource, MEMORY);
    assert_int_equal(lacking.asked, 4);
    assert_int_equal(lacking.capacity, 10);
    assert_int_equal(lacking.left, -2);
    assert_false(path_explain(w.path, d, TIME_UNUSED, &lacking));
    assert_true(path_explain(w.path, big, TIME_UNUSED, &lacking));
    assert_int_equal(lacking.left, 10);
    path_release(w.path, d, 3);
    demand_drop(&w.demands, d);
    demand_drop(&w.demands, big);
    tear_down(&w);
}

static void what_is_lifted_limits_nothing_and_is_still_booked(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *d = make_demand(&w, 2, 1);
    path_book(w.path, d, 3);
    supply_lift(&w.cell, true);
    supply_lift(&w.host, true);
    supply_lift(&w.queue, true);
    assert_int_equal(path_room(w.path, d, TIME_NOW), 5);
    supply_lift(&w.queue, false);
    assert_int_equal(path_room(w.path, d, TIME_NOW), UINT64_MAX);
    assert_int_equal(supply_booked(&w.host, MEMORY), 6);
    assert_int_equal(w.host.n, 3);
    path_release(w.path, d, 3);
    supply_lift(&w.host, false);
    assert_int_equal(w.host.n, 0); /* nothing is offered or booked */
    demand_drop(&w.demands, d);
    tear_down(&w);
}

/* ---- releases are exact ---- */
static bool has_failed;

static jmp_buf after_failure;

static void note_failure(const char *claim SGE_UNUSED, const char *file SGE_UNUSED,
                         int line SGE_UNUSED, const char *func SGE_UNUSED)
{
    has_failed = true;
    longjmp(after_failure, 1);
}

static bool release_fails(struct world *w, const struct demand *d, uint64_t tasks)
{
    has_failed = false;
    uti_assert_on_failure(note_failure);
    if (setjmp(after_failure) == 0)
        path_release(w->path, d, tasks);
    uti_assert_on_failure(NULL);
    return has_failed;
}

static void releasing_what_is_not_booked_is_an_error_of_the_program(void **state SGE_UNUSED)
{
    static const struct demand_part two[] = { { MEMORY, 2 } }, three[] = { { MEMORY, 3 } };
    const struct demand d = { .n = 1, .parts = two }, more = { .n = 1, .parts = three };
    struct world w;
    build_world(&w);
    assert_true(release_fails(&w, &d, 1));
    path_book(w.path, &d, 2);
    assert_true(release_fails(&w, &d, 3));
    assert_true(release_fails(&w, &more, 2));
    tear_down(&w);
    build_world(&w);
    path_book(w.path, &more, 1);
    assert_true(release_fails(&w, &d, 1)); /* 1 of memory would stay booked for no task */
    tear_down(&w);
}

static void bookings_that_exceed_all_numbers_are_released_as_exactly(void **state SGE_UNUSED)
{
    enum { MANY = 5000 };
    struct world w;
    build_world(&w);
    supply_lift(&w.queue, false);
    supply_lift(&w.host, false);
    struct demand *d = make_demand(&w, UINT64_C(1) << 53, 0);
    for (unsigned i = 0; i < MANY; i++)
        path_book(w.path, d, 1);
    for (unsigned i = 0; i < MANY; i++)
        path_release(w.path, d, 1);
    assert_int_equal(supply_booked(&w.host, MEMORY), 0);
    assert_true(release_fails(&w, d, 1));
    demand_drop(&w.demands, d);
    tear_down(&w);
}

/* ---- against the definition ---- */
/* Paths of random supplies and bookings; the definition counts each second by itself. */
enum { SECONDS = 24, MEMBERS = 5, RESOURCES = 3, BOOKINGS = 10, STEPS = 6000 };

struct random_world {
    struct supply supplies[MEMBERS];
    struct supply *members[MEMBERS];
    uint64_t capacities[MEMBERS][RESOURCES]; /* of one that counts tasks: the first */
    struct random_booking {
        uint32_t members; /* bits */
        uint64_t amounts[RESOURCES], tasks;
        struct time_span span;
    } bookings[BOOKINGS];
};

static uint64_t dice = 88172645463325252u;

static uint64_t roll_dice(uint64_t sides)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice % sides;
}

static bool counts_only_tasks(const struct supply *s)
{
    return s->kind == SUPPLY_OWNER || s->kind == SUPPLY_CONCURRENCY;
}

static struct time_span some_span(void)
{
    uint64_t from = roll_dice(4) == 0 ? 0 : roll_dice(SECONDS);
    uint64_t until = roll_dice(4) == 0 ? TIME_FOREVER : from + roll_dice(SECONDS - from + 1);
    return (struct time_span){ from, until };
}

/* those of MEMBERS */
static struct path path_of(const struct random_world *w, uint32_t members,
                           struct supply *at[MEMBERS])
{
    uint32_t n = 0;
    for (uint32_t m = 0; m < MEMBERS; m++)
        if ((members & (1U << m)) != 0)
            at[n++] = w->members[m];
    return (struct path){ at, n };
}

static struct demand demand_of(const uint64_t amounts[RESOURCES], struct demand_part *parts)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < RESOURCES; r++)
        if (amounts[r] > 0)
            parts[n++] = (struct demand_part){ r, amounts[r] };
    return (struct demand){ .n = n, .parts = parts };
}

static void change_booking(struct random_world *w, const struct random_booking *b, bool is_release)
{
    struct supply *at[MEMBERS];
    struct demand_part parts[RESOURCES];
    struct demand d = demand_of(b->amounts, parts);
    if (b->tasks == 0)
        return;
    if (is_release)
        path_unreserve(path_of(w, b->members, at), &d, b->tasks, b->span);
    else
        path_reserve(path_of(w, b->members, at), &d, b->tasks, b->span);
}

static uint64_t naive_booked(const struct random_world *w, uint32_t m, uint32_t r,
                             struct time_span span)
{
    uint64_t peak = 0;
    for (uint64_t at = span.from_s; at < span.until_s && (at <= SECONDS || at == span.from_s);
         at++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < BOOKINGS; i++) {
            const struct random_booking *b = &w->bookings[i];
            uint64_t each = counts_only_tasks(&w->supplies[m]) ? r == 0 : b->amounts[r];
            if ((b->members & (1U << m)) != 0 && b->span.from_s <= at && at < b->span.until_s)
                sum += b->tasks * each;
        }
        peak = sum > peak ? sum : peak;
    }
    return peak;
}

/* how many tasks with AMOUNTS fit */
static uint64_t naive_room(const struct random_world *w, uint32_t members,
                           const uint64_t amounts[RESOURCES], struct time_span span)
{
    uint64_t room = UINT64_MAX;
    for (uint32_t m = 0; m < MEMBERS; m++)
        for (uint32_t r = 0; r < RESOURCES && (members & (1U << m)) != 0; r++) {
            uint64_t each = counts_only_tasks(&w->supplies[m]) ? r == 0 : amounts[r];
            uint64_t capacity = w->capacities[m][r], booked = naive_booked(w, m, r, span);
            if (each == 0 || capacity == RESOURCE_UNLIMITED)
                continue;
            uint64_t fit = booked < capacity ? (capacity - booked) / each : 0;
            room = fit < room ? fit : room;
        }
    return room;
}

static uint64_t naive_from(const struct random_world *w, uint32_t members,
                           const uint64_t amounts[RESOURCES], struct time_span span)
{
    for (uint64_t at = span.from_s; at <= span.from_s + SECONDS + 1; at++) {
        uint64_t until =
            span.until_s == TIME_FOREVER ? TIME_FOREVER : span.until_s - span.from_s + at;
        if (naive_room(w, members, amounts, (struct time_span){ at, until }) > 0)
            return at;
    }
    return TIME_FOREVER;
}

/* of the first resource, in the members that do not count tasks */
static void expect_least(const struct random_world *w, uint32_t members, struct path path,
                         struct time_span span)
{
    struct shortage least;
    int64_t expected = INT64_MAX;
    for (uint32_t m = 0; m < MEMBERS; m++) {
        uint64_t capacity = w->capacities[m][0];
        int64_t left = (int64_t)(capacity - naive_booked(w, m, 0, span));
        if ((members & (1U << m)) != 0 && !counts_only_tasks(&w->supplies[m]) &&
            capacity != RESOURCE_UNLIMITED && left < expected)
            expected = left;
    }
    assert_int_equal(path_left(path, RESOURCE_SLOTS, span, &least), expected != INT64_MAX);
    if (expected != INT64_MAX)
        assert_int_equal(least.left, expected);
}

static void expect_as_defined(const struct random_world *w)
{
    uint32_t members = (uint32_t)roll_dice(1U << MEMBERS);
    uint64_t amounts[RESOURCES] = { 1 + roll_dice(2), roll_dice(3), roll_dice(3) };
    struct time_span span = some_span();
    struct supply *at[MEMBERS];
    struct demand_part parts[RESOURCES];
    struct path path = path_of(w, members, at);
    struct demand d = demand_of(amounts, parts);
    struct shortage lacking;
    uint64_t room = naive_room(w, members, amounts, span);
    assert_int_equal(path_room(path, &d, span), room);
    assert_int_equal(path_from(path, &d, span), naive_from(w, members, amounts, span));
    assert_int_equal(path_explain(path, &d, span, &lacking), room == 0);
    expect_least(w, members, path, span);
    if (room > 0)
        return;
    uint32_t m = (uint32_t)(lacking.supply - w->supplies);
    uint32_t r = lacking.resource == RESOURCE_TASKS ? 0 : lacking.resource;
    assert_true((members & (1U << m)) != 0);
    assert_int_equal(lacking.capacity, w->capacities[m][r]);
    assert_int_equal(lacking.left,
                     (int64_t)w->capacities[m][r] - (int64_t)naive_booked(w, m, r, span));
    assert_int_equal(lacking.asked, counts_only_tasks(lacking.supply) ? 1 : amounts[r]);
    assert_true(lacking.left < (int64_t)lacking.asked);
}

static void change_capacity(struct random_world *w)
{
    uint32_t m = (uint32_t)roll_dice(MEMBERS);
    uint32_t r = counts_only_tasks(&w->supplies[m]) ? 0 : (uint32_t)roll_dice(RESOURCES);
    w->capacities[m][r] = roll_dice(4) == 0 ? RESOURCE_UNLIMITED : roll_dice(8);
    supply_offer(&w->supplies[m], counts_only_tasks(&w->supplies[m]) ? RESOURCE_TASKS : r,
                 w->capacities[m][r]);
}

static void room_times_and_explanations_are_as_defined(void **state SGE_UNUSED)
{
    static const enum supply_kind kinds[MEMBERS] = { SUPPLY_QUEUE, SUPPLY_HOST, SUPPLY_CELL,
                                                     SUPPLY_OWNER, SUPPLY_QUOTA };
    struct random_world w = { 0 };
    memset(w.capacities, 0xff, sizeof w.capacities);
    for (uint32_t m = 0; m < MEMBERS; m++) {
        w.supplies[m].kind = kinds[m];
        w.members[m] = &w.supplies[m];
        supply_time(&w.supplies[m]);
        for (uint32_t r = 0; r < RESOURCES && kinds[m] == SUPPLY_QUOTA; r++)
            supply_offer(&w.supplies[m], r, RESOURCE_UNLIMITED);
    }
    for (unsigned step = 0; step < STEPS; step++) {
        struct random_booking *b = &w.bookings[roll_dice(BOOKINGS)];
        change_booking(&w, b, true);
        *b = (struct random_booking){ (uint32_t)roll_dice(1U << MEMBERS),
                                      { 1 + roll_dice(2), roll_dice(3), roll_dice(3) },
                                      roll_dice(3),
                                      some_span() };
        change_booking(&w, b, false);
        change_capacity(&w);
        expect_as_defined(&w);
    }
    for (unsigned i = 0; i < BOOKINGS; i++)
        change_booking(&w, &w.bookings[i], true);
    for (uint32_t m = 0; m < MEMBERS; m++) {
        for (uint32_t r = 0; r < RESOURCES; r++)
            assert_int_equal(supply_booked(&w.supplies[m], r), 0);
        supply_free(&w.supplies[m]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scarcest_of_queue_host_and_cell_decides),
        cmocka_unit_test(what_nobody_limits_is_unlimited),
        cmocka_unit_test(taking_and_giving_back_count_at_all_three),
        cmocka_unit_test(a_limit_that_comes_later_finds_what_was_taken),
        cmocka_unit_test(an_untimed_supply_does_not_look_at_spans),
        cmocka_unit_test(ends_are_noted_while_somebody_asks_about_the_future),
        cmocka_unit_test(a_row_that_comes_while_a_supply_is_timed_is_timed),
        cmocka_unit_test(room_is_asked_for_a_span_of_time),
        cmocka_unit_test(equal_demands_are_one),
        cmocka_unit_test(a_member_that_counts_tasks_takes_one_whatever_the_demand),
        cmocka_unit_test(what_a_counter_counts_can_be_asked_as_a_member),
        cmocka_unit_test(what_is_short_is_named_in_numbers),
        cmocka_unit_test(what_is_lifted_limits_nothing_and_is_still_booked),
        cmocka_unit_test(releasing_what_is_not_booked_is_an_error_of_the_program),
        cmocka_unit_test(bookings_that_exceed_all_numbers_are_released_as_exactly),
        cmocka_unit_test(room_times_and_explanations_are_as_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

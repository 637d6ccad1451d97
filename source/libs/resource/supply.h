#ifndef RESOURCE_SUPPLY_H
#define RESOURCE_SUPPLY_H

#include "libs/resource/demand.h"
#include "libs/resource/timeline.h"

/* Supplies and paths. A supply has a capacity of each resource, and the bookings of it over time. A
 * task books its demand in all supplies of its path: its queue instance, the host and the cell, and
 * what else limits it. A resource of which a supply has no capacity is unlimited there. Pure.
 *
 * A supply that counts tasks has a capacity of RESOURCE_TASKS alone, and a task takes 1 of it,
 * whatever its demand is. A quota, and an environment, books only the resources that it limits. */
enum supply_kind {
    SUPPLY_QUEUE,
    SUPPLY_HOST,
    SUPPLY_CELL,
    SUPPLY_PE,          /* a parallel environment */
    SUPPLY_CONCURRENCY, /* -tc of a job; counts tasks */
    SUPPLY_OWNER,       /* maxujobs; counts tasks */
    SUPPLY_QUOTA,       /* a rule of a resource quota set (quota_book.h) */
    SUPPLY_RESERVATION
};
#define RESOURCE_TASKS     UINT32_MAX
#define RESOURCE_UNLIMITED UINT64_MAX

struct named_devices;
struct supply {
    struct capacity {
        uint32_t resource, n_booked; /* tasks that have bookings */
        uint64_t amount;             /* RESOURCE_UNLIMITED: only what is booked is known */
        struct timeline booked;
    } * v;
    uint32_t n, cap;
    uint32_t n_limited; /* resources with a capacity */
    enum supply_kind kind : 16;
    bool is_timed;                 /* so are the timelines of all rows, also of those to come */
    struct named_devices *devices; /* named_devices.h; NULL: it names none */
};                                 /* all zero: a queue instance, unlimited */

/* what a task books its demand in; V is borrowed, and in the order in which path_explain looks */
struct path {
    struct supply *const *v;
    uint32_t n;
};

/* ---- supplies ---- */
/* supply_free - S is empty afterwards, whatever is booked */
void supply_free(struct supply *s);

/* supply_offer - S has so much of a resource from now on, more or less than is booked;
 * RESOURCE_UNLIMITED lifts the limit
 * supply_lift - it limits nothing any more, but for slots if KEEP_SLOTS; bookings stay */
void supply_offer(struct supply *s, uint32_t resource, uint64_t capacity);
void supply_lift(struct supply *s, bool keep_slots);

/* supply_read - S has OFFERS from now on, as far as CONSUMABLES, sorted by name, run out; what is
 * said of slots counts, but for those of queue instances, which are a setting of their own.
 * Bookings stay. O(offers x log) */
void supply_read(struct supply *s, const struct CE_Type_list *offers,
                 const struct CE_Type_list *consumables, struct resource_names *names);

/* supply_read_devices - the named devices of S are those of OFFERS from now on; those that tasks
 * have stay. O(offers x log + devices) */
void supply_read_devices(struct supply *s, const struct CE_Type_list *offers,
                         const struct CE_Type_list *consumables, struct resource_names *names);

/* supply_time - S is timed from now on: what is booked has no end, as far as is noted
 * supply_untime - it no longer is: what is held is known, and nothing of the future. What was
 * reserved must have been undone. O(resources) */
void supply_time(struct supply *s);
void supply_untime(struct supply *s);

/* supply_left - how much of a resource is free during all of SPAN; RESOURCE_UNLIMITED if S
 * does not limit it
 * supply_booked - how much of it is booked at most at any time */
uint64_t supply_left(const struct supply *s, uint32_t resource, struct time_span span);
uint64_t supply_booked(const struct supply *s, uint32_t resource);
/* supply_first - the first second, SPAN's first or later, from which no more than MOST of it is
 * booked for as long as SPAN is, whatever S limits; TIME_FOREVER: there is none */
uint64_t supply_first(const struct supply *s, uint32_t resource, uint64_t most,
                      struct time_span span);
/* supply_is_unused - is nothing booked of it at any time? */
bool supply_is_unused(const struct supply *s);

/* supply_room - how many tasks with demand D can be added in SPAN, as far as S alone decides */
uint64_t supply_room(const struct supply *s, const struct demand *d, struct time_span span);

/* A supply of what a counter elsewhere counts, for paths that ask and do not book. */
struct counted_supply {
    struct supply supply;
    struct capacity row;
};
/* counted_supply - OUT has CAPACITY of RESOURCE (RESOURCE_UNLIMITED: any), of which BOOKED is
 * booked; there is nothing to free, and it must not move */
void counted_supply(struct counted_supply *out, enum supply_kind kind, uint32_t resource,
                    uint64_t capacity, uint64_t booked);

/* ---- paths ---- */
/* a path in the making; all zero: empty. Free v. */
struct growing_path {
    struct supply **v; /* owned */
    uint32_t n, cap;
};
/* path_append - S, which is borrowed, is the last member from now on
 * path_grown - its members from FIRST on; valid until the next path_append */
void path_append(struct growing_path *to, struct supply *s);
struct path path_grown(const struct growing_path *from, uint32_t first);

/* supply_letter - by which a supply of that KIND is shown: q the queue instance, h the host, g the
 * cell; 0: it has none */
char supply_letter(enum supply_kind kind);

/* An empty span, TIME_UNUSED, gives the answer as if nothing were booked. */
#define TIME_UNUSED ((struct time_span){ 0, 0 })

/* path_room - how many tasks with demand D can be added in SPAN. O(members x resources), and the
 * steps of their timelines
 * path_from - the first second, SPAN's first or later, from which there is room for one of them for
 * as long as SPAN is; TIME_FOREVER: there is none */
uint64_t path_room(struct path path, const struct demand *d, struct time_span span);
uint64_t path_from(struct path path, const struct demand *d, struct time_span span);

/* what a path has too little of, or the least */
struct shortage {
    const struct supply *supply; /* the member */
    uint32_t resource;
    uint64_t asked, capacity;
    int64_t left; /* less than nothing where more is booked than there is */
};
/* path_explain - the first part of D, and of it the first member of PATH, that has no room for a
 * task in SPAN; members that count tasks are first. False: there is room, and OUT is unchanged. */
bool path_explain(struct path path, const struct demand *d, struct time_span span,
                  struct shortage *out);

/* path_left - OUT is the member of PATH that has the least of RESOURCE left in SPAN, the first of
 * equal ones, and how much; nothing is asked. False: no member limits it. */
bool path_left(struct path path, uint32_t resource, struct time_span span, struct shortage *out);

/* A booking is held from now on until it is released: a task that runs longer than foreseen still
 * has what it took. So its end is no part of it, but noted for questions about the future.
 *
 * path_book - TASKS tasks book their demand, whether there is room or not
 * path_release - undo exactly that: anything else trips an ASSERT
 * path_note_end - TASKS tasks that have booked D end AT_S, as far as is known: members that are
 * timed have that free from then on. Nothing may be released before they are untimed again, as what
 * is noted is no part of a booking. O(members x log steps) if ends are noted in their order
 * path_reserve - TASKS tasks have their demand in SPAN, in members that are timed
 * path_unreserve - undo exactly that */
void path_book(struct path path, const struct demand *d, uint64_t tasks);
void path_release(struct path path, const struct demand *d, uint64_t tasks);
void path_note_end(struct path path, const struct demand *d, uint64_t tasks, uint64_t at_s);
void path_reserve(struct path path, const struct demand *d, uint64_t tasks, struct time_span span);
void path_unreserve(struct path path, const struct demand *d, uint64_t tasks,
                    struct time_span span);

#endif

/* Where connections come from that have proved nothing yet. Invariants: an origin exists while it
 * has connections; it is in `turns` exactly when one of them waits and it has fewer threads than it
 * may; n and n_reserved count all connections, n_ready those that are not silent. */
#include "libs/comm/origins.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

struct origin_key {
    struct tcp_address address;
    uint8_t is_reserved; /* the address counts whole then */
};
struct origin {
    struct origin_key key;
    uint32_t n, n_served;
    struct origin_conns conns, waiting; /* oldest first; who has waited longest first */
    bool is_in_turn;
    TAILQ_ENTRY(origin) turn;
    UT_hash_handle hh;
};
struct known_host {
    struct tcp_address address;
    UT_hash_handle hh;
};

void origins_init(struct origins *o, uint32_t threads_of_origin)
{
    *o = (struct origins){ .threads_of_origin = threads_of_origin };
    TAILQ_INIT(&o->turns);
}

void origins_free(struct origins *o)
{
    struct known_host *k, *next;
    ASSERT(o->all == NULL);
    HASH_ITER(hh, o->hosts, k, next) {
        HASH_DEL(o->hosts, k);
        free(k);
    }
}

/* ---- hosts ---- */

static struct known_host *find_host(const struct origins *o, const struct tcp_address *address)
{
    struct known_host *k;
    HASH_FIND(hh, o->hosts, address, sizeof *address, k);
    return k;
}

void origins_know(struct origins *o, const struct tcp_address *address)
{
    struct known_host *k = find_host(o, address);
    if (k == NULL && HASH_COUNT(o->hosts) >= ORIGIN_HOSTS_MOST)
        k = o->hosts;
    if (k != NULL)
        HASH_DEL(o->hosts, k);
    else
        k = uti_calloc(1, sizeof *k);
    k->address = *address;
    HASH_ADD(hh, o->hosts, address, sizeof k->address, k);
}

/* ---- counting ---- */

static struct origin_key key_of(const struct tcp_address *address, bool is_reserved)
{
    struct origin_key key = { .is_reserved = is_reserved };
    key.address = is_reserved ? *address : tcp_network_of(address);
    return key;
}

static struct origin *find_origin(const struct origins *o, const struct origin_key *key)
{
    struct origin *one;
    HASH_FIND(hh, o->all, key, sizeof *key, one);
    return one;
}

bool origins_has_reserve(const struct origins *o, const struct tcp_address *address)
{
    struct origin_key key = key_of(address, true);
    const struct origin *one = find_origin(o, &key);
    return o->n_reserved < ORIGIN_RESERVE && find_host(o, address) != NULL &&
           (one == NULL || one->n < ORIGIN_RESERVE_EACH);
}

static struct origin *get_origin(struct origins *o, const struct origin_key *key)
{
    struct origin *one = find_origin(o, key);
    if (one != NULL)
        return one;
    one = uti_calloc(1, sizeof *one);
    one->key = *key;
    TAILQ_INIT(&one->conns);
    TAILQ_INIT(&one->waiting);
    HASH_ADD(hh, o->all, key, sizeof one->key, one);
    return one;
}

static uint32_t *count_of(struct origins *o, const struct origin *one)
{
    return one->key.is_reserved ? &o->n_reserved : &o->n;
}

void origins_join(struct origins *o, struct origin_conn *c, const struct tcp_address *address,
                  bool is_reserved, uint64_t now_us)
{
    struct origin_key key = key_of(address, is_reserved);
    struct origin *one = get_origin(o, &key);
    *c = (struct origin_conn){ .of = one, .state = ORIGIN_SILENT, .since_us = now_us };
    TAILQ_INSERT_TAIL(&one->conns, c, next);
    one->n++;
    (*count_of(o, one))++;
}

uint32_t origins_count(const struct origin_conn *c)
{
    return c->of->n;
}

static struct origin_conn *oldest_silent(const struct origin *one)
{
    struct origin_conn *c;
    TAILQ_FOREACH(c, &one->conns, next)
        if (c->state == ORIGIN_SILENT)
            return c;
    return NULL;
}

/* the origin with most connections; of several, one whose oldest silent connection is oldest */
static struct origin_conn *find_victim(const struct origins *o, uint32_t *most)
{
    struct origin *one, *next;
    struct origin_conn *victim = NULL;
    *most = 0;
    HASH_ITER(hh, o->all, one, next) {
        if (one->key.is_reserved || one->n < *most)
            continue;
        struct origin_conn *c = oldest_silent(one);
        bool is_better =
            one->n > *most || victim == NULL || (c != NULL && c->since_us < victim->since_us);
        if (is_better)
            victim = c;
        *most = one->n;
    }
    return victim;
}

enum origin_room origins_room(const struct origins *o, uint64_t now_us, struct origin_conn **victim)
{
    uint32_t most;
    *victim = NULL;
    if (o->n < ORIGIN_CONNS_MOST)
        return ORIGIN_ROOM;
    struct origin_conn *c = find_victim(o, &most);
    if (c != NULL && (most > 1 || c->since_us + ORIGIN_GRACE_US <= now_us)) {
        *victim = c;
        return ORIGIN_REPLACE;
    }
    return o->n_ready > 0 ? ORIGIN_LATER : ORIGIN_FULL;
}

/* ---- turns ---- */

static void look_at_turn(struct origins *o, struct origin *one)
{
    bool is_due = !TAILQ_EMPTY(&one->waiting) && one->n_served < o->threads_of_origin;
    if (is_due && !one->is_in_turn)
        TAILQ_INSERT_TAIL(&o->turns, one, turn);
    else if (!is_due && one->is_in_turn)
        TAILQ_REMOVE(&o->turns, one, turn);
    one->is_in_turn = is_due;
}

void origins_leave(struct origins *o, struct origin_conn *c)
{
    struct origin *one = c->of;
    ASSERT(c->state != ORIGIN_SERVED);
    if (c->state == ORIGIN_READY)
        TAILQ_REMOVE(&one->waiting, c, ready);
    o->n_ready -= c->state != ORIGIN_SILENT;
    TAILQ_REMOVE(&one->conns, c, next);
    (*count_of(o, one))--;
    one->n--;
    look_at_turn(o, one);
    if (one->n > 0)
        return;
    HASH_DEL(o->all, one);
    free(one);
}

void origins_await(struct origins *o, struct origin_conn *c)
{
    ASSERT(c->state == ORIGIN_SILENT);
    c->state = ORIGIN_READY;
    o->n_ready++;
    TAILQ_INSERT_TAIL(&c->of->waiting, c, ready);
    look_at_turn(o, c->of);
}

struct origin_conn *origins_next(struct origins *o)
{
    struct origin *one = TAILQ_FIRST(&o->turns);
    if (one == NULL)
        return NULL;
    struct origin_conn *c = TAILQ_FIRST(&one->waiting);
    TAILQ_REMOVE(&one->waiting, c, ready);
    TAILQ_REMOVE(&o->turns, one, turn);
    one->is_in_turn = false;
    one->n_served++;
    c->state = ORIGIN_SERVED;
    look_at_turn(o, one); /* behind the others */
    return c;
}

void origins_finish(struct origins *o, struct origin_conn *c)
{
    ASSERT(c->state == ORIGIN_SERVED);
    c->state = ORIGIN_DONE;
    c->of->n_served--;
    look_at_turn(o, c->of);
}

void origins_silence(struct origins *o, struct origin_conn *c)
{
    ASSERT(c->state == ORIGIN_DONE);
    c->state = ORIGIN_SILENT;
    o->n_ready--;
}

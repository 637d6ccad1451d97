/* Quotas as members of paths. Owns struct quota_book and its members, which exist while something
 * is booked of them: what is not used takes no memory, however many users, hosts and rules there
 * are. Questions about all other quotas get one member for each rule, of which nothing is ever
 * booked. */
#include "libs/resource/quota_book.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "libs/resource/consumption.h"

/* ---- limits ---- */
/* a resource may have several limits */
static void offer_limit(struct supply *s, const struct quota_rule *rule, uint32_t i,
                        const struct load_source *values)
{
    const struct quota_limit *limit = &rule->limits[i];
    uint64_t amount = quota_limit_amount(limit, values);
    for (uint32_t k = 0; k < i; k++) {
        const struct quota_limit *before = &rule->limits[k];
        uint64_t least = before->is_counted && before->number == limit->number
                             ? supply_left(s, limit->number, TIME_UNUSED)
                             : RESOURCE_UNLIMITED;
        amount = least < amount ? least : amount;
    }
    supply_offer(s, limit->number, amount);
}

static void offer_limits(struct quota_member *m, const struct load_source *values)
{
    for (uint32_t i = 0; i < m->rule->n_limits; i++)
        if (m->rule->limits[i].is_counted)
            offer_limit(&m->supply, m->rule, i, values);
}

static bool is_limited(const struct quota_rule *rule, uint64_t resource)
{
    for (uint32_t i = 0; i < rule->n_limits; i++)
        if (rule->limits[i].is_counted && rule->limits[i].number == resource)
            return true;
    return false;
}

static bool limits_some(const struct quota_rule *rule, const struct demand *d)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (is_limited(rule, d->parts[i].resource))
            return true;
    return false;
}

/* ---- books ---- */
static void number_limits(struct quota_rules *rules, struct resource_names *names)
{
    for (uint32_t i = 0; i < quota_rules_count(rules); i++) {
        const struct quota_rule *rule = quota_rule_at(rules, i);
        for (uint32_t k = 0; k < rule->n_limits; k++) {
            struct quota_limit *limit = &rule->limits[k];
            limit->number = limit->is_slots ? (uint32_t)RESOURCE_SLOTS
                                            : resource_name_get(names, limit->resource)->number;
        }
    }
}

static void member_init(struct quota_member *m, const struct quota_rule *rule)
{
    static const struct load_source nowhere = { 0 };
    *m = (struct quota_member){ .supply = { .kind = SUPPLY_QUOTA }, .rule = rule };
    if (!rule->is_dynamic)
        offer_limits(m, &nowhere);
}

struct quota_book *quota_book_new(struct quota_rules *rules, struct resource_names *names)
{
    uint32_t n = quota_rules_count(rules);
    struct quota_book *b = uti_calloc(1, sizeof *b);
    b->rules = rules;
    number_limits(rules, names);
    b->unused = uti_calloc(n, sizeof *b->unused);
    for (uint32_t i = 0; i < n; i++)
        member_init(&b->unused[i], quota_rule_at(rules, i));
    return b;
}

static void member_free(struct quota_book *b, struct quota_member *m)
{
    for (struct quota_walk *w = b->walks; w != NULL; w = w->others)
        if (w->next == m)
            w->next = m->hh.next;
    HASH_DEL(b->all, m);
    supply_free(&m->supply);
    free(m->key);
    free(m);
}

void quota_book_clear(struct quota_book *b)
{
    struct quota_member *m, *next;
    HASH_ITER(hh, b->all, m, next) {
        member_free(b, m);
    }
}

void quota_book_free(struct quota_book *b)
{
    if (b == NULL)
        return;
    while (b->walks != NULL)
        quota_walk_end(b->walks);
    quota_book_clear(b);
    for (uint32_t i = 0; i < quota_rules_count(b->rules); i++)
        supply_free(&b->unused[i].supply);
    free(b->unused);
    quota_rules_free(b->rules);
    dstr_free(&b->key);
    free(b);
}

/* ---- walks ---- */
void quota_walk_begin(struct quota_book *b, struct quota_walk *w)
{
    *w = (struct quota_walk){ b, b->all, b->walks };
    b->walks = w;
}

const struct quota_member *quota_walk_take(struct quota_walk *w)
{
    const struct quota_member *m = w->next;
    if (m != NULL)
        w->next = m->hh.next;
    return m;
}

void quota_walk_end(struct quota_walk *w)
{
    if (w->book == NULL)
        return;
    struct quota_walk **at = &w->book->walks;
    while (*at != w)
        at = &(*at)->others;
    *at = w->others;
    *w = (struct quota_walk){ 0 };
}

/* ---- members ---- */
/* the key: the number of the rule, and the values that it expands to, each with its end */
static void make_key(struct quota_book *b, const struct quota_rule *rule,
                     const struct quota_path *path)
{
    dstr_clear(&b->key);
    dstr_addn(&b->key, (const char *)&rule->number, sizeof rule->number);
    for (int i = 0; i < QUOTA_FILTERS; i++) {
        const char *value = quota_rule_value(rule, (enum quota_filter)i, path);
        if (value != NULL)
            dstr_addn(&b->key, value, strlen(value) + 1);
    }
}

static struct quota_member *member_find(struct quota_book *b, const struct quota_rule *rule,
                                        const struct quota_path *path)
{
    struct quota_member *m;
    make_key(b, rule, path);
    HASH_FIND(hh, b->all, b->key.s, b->key.len, m);
    return m;
}

static struct quota_member *member_get(struct quota_book *b, const struct quota_rule *rule,
                                       const struct quota_path *path)
{
    struct quota_member *m = member_find(b, rule, path);
    if (m != NULL)
        return m;
    m = uti_alloc(sizeof *m);
    member_init(m, rule);
    m->key_bytes = b->key.len;
    m->key = dstr_take(&b->key);
    const char *at = m->key + sizeof rule->number;
    for (int i = 0; i < QUOTA_FILTERS; i++)
        if (rule->expands[i]) {
            m->values[i] = at;
            at += strlen(at) + 1;
        }
    HASH_ADD_KEYPTR(hh, b->all, m->key, m->key_bytes, m);
    return m;
}

/* ---- members of paths ---- */
static void add_member(struct quota_book *b, const struct quota_rule *rule,
                       const struct quota_path *at, const struct demand *d, enum quota_use use,
                       struct growing_path *out)
{
    if (!limits_some(rule, d))
        return;
    struct quota_member *m = use == QUOTA_BOOK ? member_get(b, rule, at) : member_find(b, rule, at);
    if (m == NULL)
        m = &b->unused[rule->number];
    if (rule->is_dynamic)
        offer_limits(m, &at->values);
    path_append(out, &m->supply);
}

void quota_members(struct quota_book *b, const struct quota_path *at, const struct demand *d,
                   enum quota_use use, struct growing_path *out)
{
    for (uint32_t set = 0; set < quota_sets_count(b->rules); set++) {
        uint32_t number = quota_rule_find(b->rules, set, at);
        if (number != QUOTA_NO_RULE)
            add_member(b, quota_rule_at(b->rules, number), at, d, use, out);
    }
}

void quota_members_everywhere(struct quota_book *b, const struct quota_path *at,
                              const struct demand *d, struct growing_path *out)
{
    for (uint32_t set = 0; set < quota_sets_count(b->rules); set++) {
        uint32_t number = quota_rule_first(b->rules, set, at->who, at->pe);
        if (number != QUOTA_NO_RULE && quota_rule_at(b->rules, number)->is_everywhere)
            add_member(b, quota_rule_at(b->rules, number), at, d, QUOTA_LOOK, out);
    }
}

_Static_assert(offsetof(struct quota_member, supply) == 0, "a member of a path is the quota");

static struct quota_member *member_of(struct supply *s)
{
    return s->kind == SUPPLY_QUOTA ? (struct quota_member *)s : NULL;
}

const struct quota_member *quota_of(const struct supply *s)
{
    return s->kind == SUPPLY_QUOTA ? (const struct quota_member *)s : NULL;
}

void quota_note_short(struct path path, const struct demand *d, uint64_t wanted,
                      struct time_span span)
{
    for (uint32_t i = 0; i < path.n; i++) {
        struct quota_member *m = member_of(path.v[i]);
        if (m != NULL && m->key != NULL && supply_room(&m->supply, d, span) < wanted)
            m->is_short = true;
    }
}

static bool has_some(const struct quota_member *m, const struct demand *d)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (is_limited(m->rule, d->parts[i].resource) &&
            supply_left(&m->supply, (uint32_t)d->parts[i].resource, TIME_NOW) > 0)
            return true;
    return false;
}

void quota_settle(struct quota_book *b, struct path path, const struct demand *d, quota_gain_fn *fn,
                  void *ctx)
{
    for (uint32_t i = 0; i < path.n; i++) {
        struct quota_member *m = member_of(path.v[i]);
        if (m == NULL || m->key == NULL)
            continue;
        if (fn != NULL && m->is_short && has_some(m, d)) {
            m->is_short = false;
            fn(ctx, m);
        }
        if (supply_is_unused(&m->supply))
            member_free(b, m);
    }
}

const struct quota_limit *quota_limit_of(const struct quota_member *m, uint32_t resource)
{
    const struct quota_limit *limit = m->rule->limits;
    while (!limit->is_counted || limit->number != resource)
        limit++;
    return limit;
}

uint64_t quota_booked(const struct quota_member *m, const struct quota_limit *limit)
{
    return limit->is_counted ? supply_booked(&m->supply, limit->number) : 0;
}

void quota_key_text(const struct quota_rule *rule, const struct quota_path *path, struct dstr *out)
{
    for (int i = 0; i < QUOTA_FILTERS; i++) {
        const char *value = quota_rule_value(rule, (enum quota_filter)i, path);
        dstr_addf(out, "%s/", value != NULL ? value : "");
    }
}

/* What is taken of quotas. Owns struct quota_book and its members, which are there while something
 * is taken or reserved of them: what nobody has used takes no memory, however many users, hosts and
 * rules there are. */
#include "libs/resource/quota_book.h"

#include <stdlib.h>
#include <string.h>

#include "libs/resource/consumption.h"
#include "libs/uti/assert.h"

struct quota_book *quota_book_new(struct quota_rules *rules)
{
    struct quota_book *b = uti_calloc(1, sizeof *b);
    b->rules = rules;
    return b;
}

static void member_free(struct quota_book *b, struct quota_member *m)
{
    for (struct quota_walk *w = b->walks; w != NULL; w = w->others)
        if (w->next == m)
            w->next = m->hh.next;
    HASH_DEL(b->all, m);
    free(m->taken);
    free(m->key);
    free(m);
}

void quota_book_free(struct quota_book *b)
{
    if (b == NULL)
        return;
    struct quota_member *m, *next;
    while (b->walks != NULL)
        quota_walk_end(b->walks);
    HASH_ITER(hh, b->all, m, next) {
        member_free(b, m);
    }
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
    m = uti_calloc(1, sizeof *m);
    m->rule = rule;
    m->taken = uti_calloc(2 * (size_t)rule->n_limits + 1, sizeof *m->taken);
    m->reserved = m->taken + rule->n_limits;
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

static void member_tidy(struct quota_book *b, struct quota_member *m)
{
    for (uint32_t i = 0; i < 2 * m->rule->n_limits; i++)
        if (m->taken[i] > 0)
            return;
    member_free(b, m);
}

/* ---- rules on a path ---- */
/* each RULE that applies on PATH */
#define EACH_RULE(b, path, rule)                                                                   \
    for (uint32_t set_ = 0; set_ < quota_sets_count((b)->rules); set_++)                           \
        if (((rule) = rule_of((b), set_, (path))) != NULL)

static const struct quota_rule *rule_of(const struct quota_book *b, uint32_t set,
                                        const struct quota_path *path)
{
    uint32_t number = path->at != NULL ? quota_rule_find(b->rules, set, path)
                                       : quota_rule_first(b->rules, set, path->who, path->pe);
    return number != QUOTA_NO_RULE ? quota_rule_at(b->rules, number) : NULL;
}

static uint64_t amount_of(const struct quota_demand *demand, const struct quota_limit *limit)
{
    return limit->is_counted ? demand->amount(demand->of, limit) : 0;
}

static bool takes_some(const struct quota_rule *rule, const struct quota_demand *demand)
{
    for (uint32_t i = 0; i < rule->n_limits; i++)
        if (amount_of(demand, &rule->limits[i]) > 0)
            return true;
    return false;
}

/* ---- room ---- */
/* how often DEMAND fits into what RULE leaves; M may be NULL: nothing is taken */
static uint64_t rule_room(const struct quota_rule *rule, const struct quota_member *m,
                          const struct load_source *values, const struct quota_demand *demand)
{
    uint64_t room = UINT64_MAX;
    for (uint32_t i = 0; i < rule->n_limits; i++) {
        uint64_t each = amount_of(demand, &rule->limits[i]);
        uint64_t all = each > 0 ? quota_limit_amount(&rule->limits[i], values) : AMOUNT_UNLIMITED;
        if (all == AMOUNT_UNLIMITED)
            continue;
        uint64_t gone = m != NULL ? m->taken[i] + m->reserved[i] : 0;
        uint64_t fit = gone < all ? (all - gone) / each : 0;
        room = fit < room ? fit : room;
    }
    return room;
}

static uint64_t room_of(struct quota_book *b, const struct quota_rule *rule,
                        const struct quota_path *path, const struct quota_demand *demand,
                        uint64_t wanted)
{
    struct quota_member *m = member_find(b, rule, path);
    uint64_t room = rule_room(rule, m, &path->values, demand);
    if (room < wanted && m != NULL)
        m->is_short = true;
    return room;
}

uint64_t quota_room(struct quota_book *b, const struct quota_path *path,
                    const struct quota_demand *demand, uint64_t wanted)
{
    uint64_t room = UINT64_MAX;
    const struct quota_rule *rule;
    EACH_RULE(b, path, rule)
    {
        uint64_t fit = room_of(b, rule, path, demand, wanted);
        room = fit < room ? fit : room;
    }
    return room;
}

uint64_t quota_room_everywhere(struct quota_book *b, const struct quota_class *who,
                               const struct quota_pe *pe, const struct quota_demand *demand,
                               uint64_t wanted)
{
    const struct quota_path path = { .who = who, .pe = pe };
    uint64_t room = UINT64_MAX;
    const struct quota_rule *rule;
    EACH_RULE(b, &path, rule)
    {
        uint64_t fit = rule->is_everywhere ? room_of(b, rule, &path, demand, wanted) : UINT64_MAX;
        room = fit < room ? fit : room;
    }
    return room;
}

/* ---- taking and giving back ---- */
void quota_take(struct quota_book *b, const struct quota_path *path,
                const struct quota_demand *demand, uint64_t times)
{
    const struct quota_rule *rule;
    EACH_RULE(b, path, rule)
    {
        if (!takes_some(rule, demand))
            continue;
        struct quota_member *m = member_get(b, rule, path);
        for (uint32_t i = 0; i < rule->n_limits; i++)
            m->taken[i] += times * amount_of(demand, &rule->limits[i]);
    }
}

/* returns whether something is left now of what was given back */
static bool give_rule(struct quota_member *m, const struct quota_path *path,
                      const struct quota_demand *demand, uint64_t times)
{
    const struct quota_rule *rule = m->rule;
    bool is_left = false;
    for (uint32_t i = 0; i < rule->n_limits; i++) {
        uint64_t amount = times * amount_of(demand, &rule->limits[i]);
        ASSERT(m->taken[i] >= amount);
        m->taken[i] -= amount;
        is_left |= amount > 0 && m->is_short &&
                   m->taken[i] < quota_limit_amount(&rule->limits[i], &path->values);
    }
    return is_left;
}

void quota_give(struct quota_book *b, const struct quota_path *path,
                const struct quota_demand *demand, uint64_t times, quota_given_fn *fn, void *ctx)
{
    const struct quota_rule *rule;
    if (times == 0)
        return;
    EACH_RULE(b, path, rule)
    {
        if (!takes_some(rule, demand))
            continue;
        struct quota_member *m = member_find(b, rule, path);
        ASSERT(m != NULL);
        bool is_wanted = give_rule(m, path, demand, times);
        if (is_wanted && fn != NULL) {
            m->is_short = false;
            fn(ctx, m);
        }
        member_tidy(b, m);
    }
}

/* ---- reserving ---- */
uint64_t quota_reserve(struct quota_book *b, const struct quota_path *path,
                       const struct quota_demand *demand, uint64_t most)
{
    const struct quota_rule *rule;
    EACH_RULE(b, path, rule)
    {
        uint64_t fit = rule->is_everywhere ? UINT64_MAX : room_of(b, rule, path, demand, most);
        most = fit < most ? fit : most;
    }
    if (most == 0)
        return 0;
    EACH_RULE(b, path, rule)
    {
        if (rule->is_everywhere || !takes_some(rule, demand))
            continue;
        struct quota_member *m = member_get(b, rule, path);
        if (!m->is_reserved) {
            m->next_reserved = b->reserved;
            b->reserved = m;
        }
        m->is_reserved = true;
        for (uint32_t i = 0; i < rule->n_limits; i++)
            m->reserved[i] += most * amount_of(demand, &rule->limits[i]);
    }
    return most;
}

void quota_release(struct quota_book *b)
{
    while (b->reserved != NULL) {
        struct quota_member *m = b->reserved;
        b->reserved = m->next_reserved;
        m->is_reserved = false;
        memset(m->reserved, 0, m->rule->n_limits * sizeof *m->reserved);
        member_tidy(b, m);
    }
}

/* ---- reasons ---- */
bool quota_lacks(struct quota_book *b, const struct quota_path *path,
                 const struct quota_demand *demand, uint64_t times, bool as_if_unused,
                 struct quota_lack *out)
{
    const struct quota_rule *rule;
    EACH_RULE(b, path, rule)
    {
        const struct quota_member *m = as_if_unused ? NULL : member_find(b, rule, path);
        for (uint32_t i = 0; i < rule->n_limits; i++) {
            uint64_t wanted = times * amount_of(demand, &rule->limits[i]);
            uint64_t all =
                wanted > 0 ? quota_limit_amount(&rule->limits[i], &path->values) : AMOUNT_UNLIMITED;
            uint64_t taken = m != NULL ? m->taken[i] : 0;
            if (all == AMOUNT_UNLIMITED || (taken <= all && all - taken >= wanted))
                continue;
            *out = (struct quota_lack){ rule, &rule->limits[i], all, taken, wanted };
            return true;
        }
    }
    return false;
}

void quota_key_text(const struct quota_rule *rule, const struct quota_path *path, struct dstr *out)
{
    for (int i = 0; i < QUOTA_FILTERS; i++) {
        const char *value = quota_rule_value(rule, (enum quota_filter)i, path);
        dstr_addf(out, "%s/", value != NULL ? value : "");
    }
}

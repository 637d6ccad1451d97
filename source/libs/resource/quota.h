#ifndef RESOURCE_QUOTA_H
#define RESOURCE_QUOTA_H

#include "libs/config/load_values.h"
#include "libs/sgeobj/rows.h"

/* The rules of enabled resource quota sets, and which of them apply to a task in a queue instance:
 * of each set the first rule whose filters match. Pure.
 *
 * Filters are evaluated once for each owner, parallel environment and queue instance, into a set of
 * bits, one for each rule. The rule of a set is then the first bit that all three have, whatever
 * the filters say. Source: resource_quota(5) */
enum quota_filter { QUOTA_USERS, QUOTA_PROJECTS, QUOTA_PES, QUOTA_QUEUES, QUOTA_HOSTS };
enum { QUOTA_FILTERS = QUOTA_HOSTS + 1, QUOTA_NO_RULE = UINT32_MAX };
/* the words of the filters, in that order: "users" ... */
extern const char *const quota_filter_words[QUOTA_FILTERS];

struct quota_limit {
    const char *resource; /* the name in the complex */
    const char *text;     /* the amount as written */
    const struct CE_Type *ce;
    bool is_counted; /* false: the resource is not consumable, so that nothing is taken */
    bool is_slots, is_dynamic;
    uint64_t amount; /* as consumption.h counts; of a dynamic one see quota_limit_amount */
    uint32_t number; /* of the resource, in demands (demand.h); set by quota_book_new */
};
struct quota_rule {
    uint32_t number;                    /* its place among all rules */
    uint32_t set;                       /* the place of its set */
    const char *label;                  /* "max2/1", "max2/name" */
    const char *filters[QUOTA_FILTERS]; /* as written; NULL: matches all */
    bool expands[QUOTA_FILTERS];        /* in braces: a limit for each value */
    bool is_everywhere;                 /* it neither filters nor expands queues and hosts */
    bool is_dynamic;                    /* it has a dynamic limit, and expands hosts */
    struct quota_limit *limits;
    uint32_t n_limits;
};
struct quota_rules;
struct quota_class; /* of owners and projects: to equal ones the same rules and limits apply */
struct quota_pe;
struct quota_place;

/* quota_rules_new - compile the enabled sets of SETS (N pointers, in any order)
 *
 *   complex  the resources, sorted by name; copied
 *
 * NULL if no enabled set has a rule. O(bytes of the rules x log). End with quota_rules_free, NULL
 * is fine. */
struct quota_rules *quota_rules_new(const struct RQS_Type *const *sets, uint32_t n,
                                    const struct CE_Type_list *complex);
void quota_rules_free(struct quota_rules *rules);
/* quota_rules_count, quota_sets_count - how many there are
 * quota_rule_at - the rule NUMBER
 * quota_rules_are_dynamic - does any limit depend on the host?
 * quota_values_mixed - what such limits depend on at a host, as one number: another one most likely
 * if a value has changed. O(different resources in them) */
uint32_t quota_rules_count(const struct quota_rules *rules);
uint32_t quota_sets_count(const struct quota_rules *rules);
const struct quota_rule *quota_rule_at(const struct quota_rules *rules, uint32_t number);
bool quota_rules_are_dynamic(const struct quota_rules *rules);
uint64_t quota_values_mixed(const struct quota_rules *rules, const struct load_source *values);

/* quota_class_of - the class of an owner
 *
 *   sets     names of the user sets that the owner is in, with blanks between; NULL: none
 *   project  NULL: none
 *
 * NULL: no rule applies, wherever the tasks run. Kept as long as RULES. The first time O(words of
 * all filters), later O(1).
 * quota_pe_of - likewise of a parallel environment; NAME may be NULL
 * quota_place_of - likewise of the queue instance of QUEUE on HOST, which is in GROUPS ("@rack").
 * O(groups), the first time O(words of all filters) */
const struct quota_class *quota_class_of(struct quota_rules *rules, const char *user,
                                         const char *sets, const char *project);
const struct quota_pe *quota_pe_of(struct quota_rules *rules, const char *name);
const struct quota_place *quota_place_of(struct quota_rules *rules, const char *queue,
                                         const char *host, const struct ST_Type_list *groups);

/* a task of WHO in PE at AT */
struct quota_path {
    const struct quota_class *who;
    const struct quota_pe *pe;
    const struct quota_place *at;
    struct load_source values; /* of the host */
};
/* quota_rule_find - the rule of SET that applies; QUOTA_NO_RULE: none. O(rules of the set / 64)
 * quota_rule_value - what RULE's filter means for PATH if it expands; else NULL. "" where the task
 * has no project or environment */
uint32_t quota_rule_find(const struct quota_rules *rules, uint32_t set,
                         const struct quota_path *path);
const char *quota_rule_value(const struct quota_rule *rule, enum quota_filter filter,
                             const struct quota_path *path);
/* quota_rule_first - the first rule of SET that can apply to WHO in PE somewhere */
uint32_t quota_rule_first(const struct quota_rules *rules, uint32_t set,
                          const struct quota_class *who, const struct quota_pe *pe);
/* quota_class_has - can the rule NUMBER apply to WHO, by users and projects? */
bool quota_class_has(const struct quota_class *who, uint32_t number);
const char *quota_class_user(const struct quota_class *who);
const char *quota_class_project(const struct quota_class *who);

/* quota_limit_amount - how much there is; AMOUNT_UNLIMITED: any amount. A dynamic limit whose host
 * does not report what it depends on is 0. O(length) */
uint64_t quota_limit_amount(const struct quota_limit *limit, const struct load_source *values);
/* quota_filter_has - does the filter LIST ("{*,!@staff}") match NAME (NULL: none)?
 *
 *   sets  of QUOTA_USERS: user sets, with blanks between; of QUOTA_HOSTS: host groups likewise,
 *         with their "@"; NULL: none
 *
 * For a single question; O(words of LIST) */
bool quota_filter_has(enum quota_filter kind, const char *list, const char *name, const char *sets);

#endif

/* Rules of resource quota sets, and what is booked of them: resource_quota(5). */
#include "libs/resource/quota_book.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "libs/config/complex.h"
#include "libs/config/rqs.h"
#include "libs/resource/consumption.h"
#include "libs/uti/answer.h"
#include "libs/uti/pattern.h"

/* ---- fixture ---- */
static void add_resource(struct CE_Type_list *out, const char *name, uint32_t type,
                         uint32_t consumable)
{
    struct CE_Type *ce = cull_push(out);
    cull_set(ce, CE_name, name);
    cull_set(ce, CE_shortcut, name);
    cull_set(ce, CE_valtype, type);
    cull_set(ce, CE_consumable, consumable);
}

static void complex_of(struct CE_Type_list *out)
{
    add_resource(out, "big", COMPLEX_MEMORY, COMPLEX_CONSUMABLE_JOB);
    add_resource(out, "lic", COMPLEX_INT, COMPLEX_CONSUMABLE_YES);
    add_resource(out, "m_core", COMPLEX_INT, COMPLEX_CONSUMABLE_NO);
    add_resource(out, "mem_free", COMPLEX_MEMORY, COMPLEX_CONSUMABLE_NO);
    add_resource(out, "num_proc", COMPLEX_INT, COMPLEX_CONSUMABLE_NO);
    add_resource(out, "part", COMPLEX_DOUBLE, COMPLEX_CONSUMABLE_YES);
    add_resource(out, "slots", COMPLEX_INT, COMPLEX_CONSUMABLE_YES);
}

static void add_rule(struct RQS_Type *set, const char *rule)
{
    struct answer ans = ANSWER_INIT;
    if (rqs_read_limit(set, rule, &ans) != 0)
        fail_msg("%s: %s", rule, ans.n > 0 ? ans.v[0].text : "?");
    ans_free(&ans);
}

/* rules separated by "\n", sets by "\n--\n"; the set "r1", "r2" ... */
static struct quota_book *book_of(const char *text)
{
    struct CE_Type_list complex = { 0 };
    struct RQS_Type *sets[8] = { NULL };
    uint32_t n = 1;
    char *copy = strdup(text), *save = NULL;
    sets[0] = cull_new(&cull_RQS_Type);
    cull_set(sets[0], RQS_name, "r1");
    cull_set(sets[0], RQS_enabled, true);
    for (char *line = strtok_r(copy, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        if (strcmp(line, "--") == 0) {
            char name[] = { 'r', (char)('1' + n), '\0' };
            sets[n] = cull_new(&cull_RQS_Type);
            cull_set(sets[n], RQS_name, name);
            cull_set(sets[n], RQS_enabled, true);
            n++;
        } else {
            add_rule(sets[n - 1], line);
        }
    }
    complex_of(&complex);
    struct quota_rules *rules = quota_rules_new((const struct RQS_Type *const *)sets, n, &complex);
    complex_list_clear(&complex);
    for (uint32_t i = 0; i < n; i++)
        cull_delete(&cull_RQS_Type, sets[i]);
    free(copy);
    struct resource_names names = { 0 };
    (void)resource_name_get(&names, "lic"); /* LIC */
    struct quota_book *b = rules != NULL ? quota_book_new(rules, &names) : NULL;
    resource_names_free(&names);
    return b;
}

struct at {
    const char *user, *sets, *project, *pe, *queue, *host, *group;
};

/* false: no rule can apply to the owner */
static bool path_of(struct quota_book *b, const struct at *at, struct quota_path *out)
{
    struct ST_Type_list groups = { 0 };
    if (at->group != NULL)
        cull_set((struct ST_Type *)cull_push(&groups), ST_name, at->group);
    *out = (struct quota_path){
        .who = quota_class_of(b->rules, at->user, at->sets, at->project),
        .pe = quota_pe_of(b->rules, at->pe),
        .at = quota_place_of(b->rules, at->queue != NULL ? at->queue : "all.q",
                             at->host != NULL ? at->host : "h1", &groups),
    };
    cull_list_clear(&cull_ST_Type, &groups);
    return out->who != NULL;
}

/* what applies: "r1/1 alice/////; r2/x ..." */
static void expect_rules(const char *rules, const struct at *at, const char *expected)
{
    struct quota_book *b = book_of(rules);
    struct quota_path path;
    struct dstr text = DSTR_INIT;
    bool applies = path_of(b, at, &path);
    for (uint32_t set = 0; applies && set < quota_sets_count(b->rules); set++) {
        uint32_t number = quota_rule_find(b->rules, set, &path);
        if (number == QUOTA_NO_RULE)
            continue;
        const struct quota_rule *rule = quota_rule_at(b->rules, number);
        dstr_addf(&text, "%s%s ", text.len > 0 ? "; " : "", rule->label);
        quota_key_text(rule, &path, &text);
    }
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
    quota_book_free(b);
}

enum { LIC = 1 };
static const struct demand slot = { .n = 1,
                                    .parts =
                                        (const struct demand_part[]){ { RESOURCE_SLOTS, 1 } } };

/* slots, and of LIC what is more than nothing */
struct wants {
    struct demand_part parts[2];
    struct demand d;
};
static const struct demand *wants_of(struct wants *w, uint64_t slots, uint64_t lic)
{
    *w = (struct wants){ .parts = { { RESOURCE_SLOTS, slots }, { LIC, lic } } };
    w->d = (struct demand){ .n = lic > 0 ? 2 : 1, .parts = w->parts };
    return &w->d;
}

static uint64_t room_at(struct quota_book *b, const struct quota_path *at, const struct demand *d)
{
    struct growing_path path = { 0 };
    quota_members(b, at, d, QUOTA_LOOK, &path);
    uint64_t n = path_room(path_grown(&path, 0), d, TIME_NOW);
    if (n == 0)
        quota_note_short(path_grown(&path, 0), d, 1, TIME_NOW);
    free(path.v);
    return n;
}

static void book_at(struct quota_book *b, const struct quota_path *at, const struct demand *d,
                    uint64_t times)
{
    struct growing_path path = { 0 };
    quota_members(b, at, d, QUOTA_BOOK, &path);
    path_book(path_grown(&path, 0), d, times);
    quota_settle(b, path_grown(&path, 0), d, NULL, NULL);
    free(path.v);
}

static void release_at(struct quota_book *b, const struct quota_path *at, const struct demand *d,
                       uint64_t times, quota_gain_fn *fn, void *ctx)
{
    struct growing_path path = { 0 };
    quota_members(b, at, d, QUOTA_BOOK, &path);
    path_release(path_grown(&path, 0), d, times);
    quota_settle(b, path_grown(&path, 0), d, fn, ctx);
    free(path.v);
}

/* ---- which rule applies ---- */
static void captured_filters_match_as_captured(void **state SGE_UNUSED)
{
    static const struct {
        const char *rules;
        struct at at;
        const char *expected;
    } rows[] = {
        { "users {*} to slots=2", { .user = "alice" }, "r1/1 alice/////" },
        { "users * to slots=3", { .user = "alice" }, "r1/1 /////" },
        { "users {alice,bob} to slots=2\nusers olga to slots=1\nto slots=100",
          { .user = "bob" },
          "r1/1 bob/////" },
        { "users {alice,bob} to slots=2\nusers olga to slots=1\nto slots=100",
          { .user = "olga" },
          "r1/2 /////" },
        { "users {alice,bob} to slots=2\nusers olga to slots=1\nto slots=100",
          { .user = "eve" },
          "r1/3 /////" },
        { "users @ul to slots=3", { .user = "alice", .sets = "a ul" }, "r1/1 /////" },
        { "users @ul to slots=3", { .user = "alice", .sets = "a ulx" }, "" },
        { "users {@ul} to slots=2", { .user = "alice", .sets = "ul" }, "r1/1 alice/////" },
        { "users !alice to slots=3", { .user = "alice" }, "" },
        { "users !alice to slots=3", { .user = "bob" }, "r1/1 /////" },
        { "users {*,!@staff} to slots=3", { .user = "bob", .sets = "staff" }, "" },
        { "name np projects !* to slots=1\nname p1 projects {*} to slots=2",
          { .user = "bob" },
          "r1/np /////" },
        { "name np projects !* to slots=1\nname p1 projects {*} to slots=2",
          { .user = "bob", .project = "P1" },
          "r1/p1 /P1////" },
        { "projects - to slots=1", { .user = "bob" }, "r1/1 /////" },
        { "projects * to slots=1", { .user = "bob" }, "" },
        { "name x users {*} projects {*} queues all.q hosts {@allhosts} pes !* to slots=2",
          { .user = "alice", .project = "P1", .host = "h1", .group = "@allhosts" },
          "r1/x alice/P1///h1/" },
        { "name x users {*} projects {*} queues all.q hosts {@allhosts} pes !* to slots=2",
          { .user = "alice", .project = "P1", .host = "h1", .group = "@allhosts", .pe = "smp" },
          "" },
        { "pes smp to slots=1\n--\nusers {*} to slots=4",
          { .user = "alice", .pe = "smp" },
          "r1/1 /////; r2/1 alice/////" },
        { "pes smp to slots=1\n--\nusers {*} to slots=4", { .user = "alice" }, "r2/1 alice/////" },
        { "pes {*} to slots=1", { .user = "alice", .pe = "smp" }, "r1/1 //smp///" },
        { "users {*} to lic=3\nusers {*} queues all.q to big=3G", { .user = "a" }, "r1/1 a/////" },
        { "queues {*} to slots=6", { .user = "a", .queue = "b.q" }, "r1/1 ///b.q//" },
        { "queues a*,!all.q to slots=6", { .user = "a", .queue = "all.q" }, "" },
        { "queues a*,!all.q to slots=6", { .user = "a", .queue = "a.q" }, "r1/1 /////" },
        { "hosts H1.example to slots=6", { .user = "a", .host = "h1" }, "r1/1 /////" },
        { "hosts h* to slots=6", { .user = "a", .host = "h1" }, "r1/1 /////" },
        { "hosts @r* to slots=6", { .user = "a", .host = "x", .group = "@rack" }, "r1/1 /////" },
        { "hosts {*,!@rack} to slots=6", { .user = "a", .host = "x", .group = "@rack" }, "" },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        expect_rules(rows[i].rules, &rows[i].at, rows[i].expected);
}

static void a_set_that_is_not_enabled_does_not_count(void **state SGE_UNUSED)
{
    struct CE_Type_list complex = { 0 };
    struct RQS_Type *set = cull_new(&cull_RQS_Type);
    cull_set(set, RQS_name, "r1");
    add_rule(set, "users {*} to slots=1");
    complex_of(&complex);
    assert_null(quota_rules_new((const struct RQS_Type *const *)&set, 1, &complex));
    complex_list_clear(&complex);
    cull_delete(&cull_RQS_Type, set);
}

static void owners_of_the_same_rules_are_one_class(void **state SGE_UNUSED)
{
    struct quota_book *b = book_of("users alice,bob to slots=1\nusers {eve} to slots=2");
    const struct quota_class *alice = quota_class_of(b->rules, "alice", NULL, NULL);
    assert_ptr_equal(alice, quota_class_of(b->rules, "bob", "x", NULL));
    assert_ptr_not_equal(alice, quota_class_of(b->rules, "eve", NULL, NULL));
    assert_null(quota_class_of(b->rules, "carol", NULL, "P"));
    quota_book_free(b);
    b = book_of("users {*} to slots=1");
    assert_ptr_not_equal(quota_class_of(b->rules, "a", NULL, NULL),
                         quota_class_of(b->rules, "b", NULL, NULL));
    assert_ptr_equal(quota_class_of(b->rules, "a", NULL, "P"),
                     quota_class_of(b->rules, "a", NULL, NULL));
    quota_book_free(b);
}

/* ---- the same by brute force ---- */
static const char *pick_one(unsigned *seed, const char *const *of, unsigned n)
{
    return of[(unsigned)rand_r(seed) % n];
}

static bool naive_word(const char *word, int kind, const char *name, const char *list)
{
    if (strcmp(word, "-") == 0)
        return name == NULL;
    if (name == NULL)
        return false;
    if (*word == '@' && (kind == QUOTA_USERS || kind == QUOTA_HOSTS))
        return list != NULL && pattern_match(word + 1, *list == '@' ? list + 1 : list);
    return pattern_match(word, name);
}

static bool naive_filter(const char *filter, int kind, const char *name, const char *list)
{
    char copy[256], *save = NULL;
    bool is_in = false, has_in = false;
    if (filter == NULL)
        return true;
    (void)snprintf(copy, sizeof copy, "%s", filter);
    for (char *w = strtok_r(copy, "{},", &save); w != NULL; w = strtok_r(NULL, "{},", &save)) {
        if (*w == '!' && naive_word(w + 1, kind, name, list))
            return false;
        if (*w == '!')
            continue;
        has_in = true;
        is_in |= naive_word(w, kind, name, list);
    }
    return is_in || !has_in;
}

static void add_filter(unsigned *seed, int kind, struct dstr *rule)
{
    static const char *const words[QUOTA_FILTERS][6] = {
        { "alice", "bob", "*", "@s1", "@*", "a*" },  { "P1", "P2", "*", "-", "P*", "P3" },
        { "smp", "mpi", "*", "-", "m*", "x" },       { "all.q", "b.q", "*", "?.q", "a*", "c.q" },
        { "h1", "h2", "*", "@rack", "@*", "h[12]" },
    };
    bool is_expanded = rand_r(seed) % 2 == 0;
    int n = 1 + rand_r(seed) % 3;
    if (rand_r(seed) % 2 == 0)
        return;
    dstr_addf(rule, "%s %s", quota_filter_words[kind], is_expanded ? "{" : "");
    for (int i = 0; i < n; i++)
        dstr_addf(rule, "%s%s%s", i > 0 ? "," : "", rand_r(seed) % 4 == 0 ? "!" : "",
                  pick_one(seed, words[kind], 6));
    dstr_add(rule, is_expanded ? "} " : " ");
}

static uint32_t naive_find(const struct quota_rules *rules, uint32_t set, const struct at *at)
{
    const char *names[] = { at->user, at->project, at->pe, at->queue, at->host };
    const char *lists[] = { at->sets, NULL, NULL, NULL, at->group };
    for (uint32_t i = 0; i < quota_rules_count(rules); i++) {
        const struct quota_rule *rule = quota_rule_at(rules, i);
        bool matches = rule->set == set;
        for (int k = 0; matches && k < QUOTA_FILTERS; k++)
            matches = naive_filter(rule->filters[k], k, names[k], lists[k]);
        if (matches)
            return i;
    }
    return QUOTA_NO_RULE;
}

static void the_first_rule_is_that_of_a_search_by_hand(void **state SGE_UNUSED)
{
    static const char *const users[] = { "alice", "bob", "eve" }, *const sets[] = { NULL, "s1" },
                             *const projects[] = { NULL, "P1", "P2" },
                             *const pes[] = { NULL, "smp", "m" },
                             *const queues[] = { "all.q", "b.q" }, *const hosts[] = { "h1", "h3" },
                             *const groups[] = { NULL, "@rack", "@x" };
    unsigned seed = 4711;
    for (int round = 0; round < 300; round++) {
        struct dstr text = DSTR_INIT;
        for (int i = rand_r(&seed) % 150; i >= 0; i--) {
            for (int k = 0; k < QUOTA_FILTERS; k++)
                add_filter(&seed, k, &text);
            dstr_addf(&text, "to slots=1\n%s", i % 50 == 49 ? "--\n" : "");
        }
        dstr_add(&text, "to slots=9");
        struct quota_book *b = book_of(dstr_get(&text));
        for (int i = 0; i < 20; i++) {
            struct at at = { pick_one(&seed, users, 3),    pick_one(&seed, sets, 2),
                             pick_one(&seed, projects, 3), pick_one(&seed, pes, 3),
                             pick_one(&seed, queues, 2),   pick_one(&seed, hosts, 2),
                             pick_one(&seed, groups, 3) };
            struct quota_path path;
            bool applies = path_of(b, &at, &path);
            for (uint32_t set = 0; set < quota_sets_count(b->rules); set++)
                assert_int_equal(applies ? quota_rule_find(b->rules, set, &path) : QUOTA_NO_RULE,
                                 naive_find(b->rules, set, &at));
        }
        quota_book_free(b);
        dstr_free(&text);
    }
}

/* ---- amounts ---- */
static void a_limit_may_depend_on_the_host(void **state SGE_UNUSED)
{
    struct CE_Type_list complex = { 0 };
    struct EH_Type host = { 0 };
    struct quota_book *b = book_of("hosts {*} to slots=$num_proc*2\n--\n"
                                   "hosts {*} to slots=$num_proc+$m_core-1,part=$num_proc/4\n--\n"
                                   "hosts {*} to big=$mem_free*2-1G,lic=-$num_proc");
    complex_of(&complex);
    static const struct {
        const char *name, *value;
    } load[] = { { "num_proc", "2" }, { "m_core", "2" }, { "mem_free", "1.5G" } };
    for (size_t i = 0; i < ARRAY_LEN(load); i++) {
        struct VA_Type *va = cull_append(&host, EH_load_list);
        cull_set(va, VA_variable, load[i].name);
        cull_set(va, VA_value, load[i].value);
    }
    struct load_source values = { &host, NULL, &complex }, none = { NULL, NULL, &complex };
    assert_true(quota_rules_are_dynamic(b->rules));
    const struct quota_limit *limits = quota_rule_at(b->rules, 0)->limits;
    assert_int_equal(quota_limit_amount(&limits[0], &values), 4);
    assert_int_equal(quota_limit_amount(&limits[0], &none), 0);
    limits = quota_rule_at(b->rules, 1)->limits;
    assert_int_equal(quota_limit_amount(&limits[0], &values), 3);
    assert_int_equal(quota_limit_amount(&limits[1], &values), 500000);
    limits = quota_rule_at(b->rules, 2)->limits;
    assert_int_equal(quota_limit_amount(&limits[0], &values), 2147483648);
    assert_int_equal(quota_limit_amount(&limits[1], &values), 0);
    quota_book_free(b);
    cull_clear(&cull_EH_Type, &host);
    complex_list_clear(&complex);
}

/* ---- what is booked ---- */
static void each_user_has_a_quota_of_his_own(void **state SGE_UNUSED)
{
    struct quota_book *b = book_of("users {*} to slots=2");
    struct quota_path alice, bob;
    struct growing_path everywhere = { 0 };
    path_of(b, &(struct at){ .user = "alice" }, &alice);
    path_of(b, &(struct at){ .user = "bob" }, &bob);
    book_at(b, &alice, &slot, 2);
    assert_int_equal(room_at(b, &alice, &slot), 0);
    assert_int_equal(room_at(b, &bob, &slot), 2);
    alice.at = NULL;
    quota_members_everywhere(b, &alice, &slot, &everywhere);
    assert_int_equal(everywhere.n, 1);
    assert_int_equal(path_room(path_grown(&everywhere, 0), &slot, TIME_NOW), 0);
    free(everywhere.v);
    path_of(b, &(struct at){ .user = "alice" }, &alice);
    release_at(b, &alice, &slot, 1, NULL, NULL);
    assert_int_equal(room_at(b, &alice, &slot), 1);
    release_at(b, &alice, &slot, 1, NULL, NULL);
    assert_null(b->all); /* nothing is kept of what is not used */
    quota_book_free(b);
}

/* the first quota that D finds short: "r1/1 lic=LEFT/ALL asks AMOUNT" */
static void expect_short(struct quota_book *b, const struct quota_path *at, const struct demand *d,
                         struct time_span span, const char *expected)
{
    struct growing_path path = { 0 };
    struct shortage lacking;
    struct dstr text = DSTR_INIT;
    quota_members(b, at, d, QUOTA_LOOK, &path);
    if (path_explain(path_grown(&path, 0), d, span, &lacking))
        dstr_addf(&text, "%s %s=%lld/%llu asks %llu", quota_of(lacking.supply)->rule->label,
                  quota_limit_of(quota_of(lacking.supply), lacking.resource)->resource,
                  (long long)lacking.left, (unsigned long long)lacking.capacity,
                  (unsigned long long)lacking.asked);
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
    free(path.v);
}

static void the_least_of_all_limits_counts(void **state SGE_UNUSED)
{
    struct quota_book *b = book_of("to slots=10,lic=7,slots=9\n--\nhosts {*} to slots=4");
    struct wants w;
    const struct demand *d = wants_of(&w, 2, 3);
    struct quota_path path;
    path_of(b, &(struct at){ .user = "alice" }, &path);
    assert_int_equal(room_at(b, &path, d), 2);
    book_at(b, &path, d, 2);
    wants_of(&w, 1, 3);
    w.d = (struct demand){ .n = 1, .parts = &w.parts[1] };
    expect_short(b, &path, &w.d, TIME_NOW, "r1/1 lic=1/7 asks 3");
    expect_short(b, &path, wants_of(&w, 4, 6), TIME_UNUSED, "");
    expect_short(b, &path, wants_of(&w, 6, 9), TIME_UNUSED, "r2/1 slots=4/4 asks 6");
    expect_short(b, &path, wants_of(&w, 10, 9), TIME_UNUSED, "r1/1 slots=9/9 asks 10");
    quota_book_free(b);
}

/* a rule limits lic alone: its quota knows of nothing else, and does without jobs that take none */
static void a_quota_books_what_it_limits(void **state SGE_UNUSED)
{
    struct quota_book *b = book_of("users {*} to lic=3,m_core=1");
    struct wants w;
    struct quota_path path;
    path_of(b, &(struct at){ .user = "alice" }, &path);
    book_at(b, &path, &slot, 5);
    assert_null(b->all);
    book_at(b, &path, wants_of(&w, 2, 1), 1);
    assert_int_equal(b->all->supply.n, 1);
    assert_int_equal(quota_booked(b->all, &b->all->rule->limits[0]), 1);
    assert_int_equal(quota_booked(b->all, &b->all->rule->limits[1]), 0);
    assert_int_equal(room_at(b, &path, &w.d), 2);
    quota_book_clear(b);
    assert_null(b->all);
    assert_int_equal(room_at(b, &path, &w.d), 3);
    quota_book_free(b);
}

static void a_dynamic_limit_is_that_of_its_host_now(void **state SGE_UNUSED)
{
    struct CE_Type_list complex = { 0 };
    struct EH_Type host = { 0 };
    struct quota_book *b = book_of("hosts {*} to slots=$num_proc*2");
    struct quota_path path;
    complex_of(&complex);
    struct VA_Type *va = cull_append(&host, EH_load_list);
    cull_set(va, VA_variable, "num_proc");
    cull_set(va, VA_value, "2");
    path_of(b, &(struct at){ .user = "alice" }, &path);
    path.values = (struct load_source){ &host, NULL, &complex };
    assert_int_equal(room_at(b, &path, &slot), 4);
    book_at(b, &path, &slot, 3);
    assert_int_equal(room_at(b, &path, &slot), 1);
    cull_set(va, VA_value, "3");
    assert_int_equal(room_at(b, &path, &slot), 3);
    path_of(b, &(struct at){ .user = "alice", .host = "h2" }, &path);
    path.values = (struct load_source){ NULL, NULL, &complex };
    assert_int_equal(room_at(b, &path, &slot), 0); /* it reports nothing */
    quota_book_free(b);
    cull_clear(&cull_EH_Type, &host);
    complex_list_clear(&complex);
}

/* a limit below what is booked keeps more from starting, and nothing else */
static void more_may_be_booked_than_there_is(void **state SGE_UNUSED)
{
    struct quota_book *b = book_of("to slots=1");
    struct quota_path path;
    path_of(b, &(struct at){ .user = "alice" }, &path);
    book_at(b, &path, &slot, 4);
    assert_int_equal(room_at(b, &path, &slot), 0);
    release_at(b, &path, &slot, 3, NULL, NULL);
    assert_int_equal(room_at(b, &path, &slot), 0);
    release_at(b, &path, &slot, 1, NULL, NULL);
    assert_int_equal(room_at(b, &path, &slot), 1);
    quota_book_free(b);
}

static void count_gain(void *ctx, const struct quota_member *member)
{
    assert_string_equal(member->values[QUOTA_USERS], "alice");
    ++*(int *)ctx;
}

static void a_quota_that_was_short_says_so_once(void **state SGE_UNUSED)
{
    struct quota_book *b = book_of("users {*} to slots=3");
    struct quota_path path;
    int n = 0;
    path_of(b, &(struct at){ .user = "alice" }, &path);
    book_at(b, &path, &slot, 3);
    release_at(b, &path, &slot, 1, count_gain, &n);
    assert_int_equal(n, 0); /* no look found it short */
    book_at(b, &path, &slot, 1);
    assert_int_equal(room_at(b, &path, &slot), 0);
    release_at(b, &path, &slot, 1, count_gain, &n);
    release_at(b, &path, &slot, 1, count_gain, &n);
    assert_int_equal(n, 1);
    quota_book_free(b);
}

static void all_that_is_booked_is_released_exactly(void **state SGE_UNUSED)
{
    static const char *const users[] = { "alice", "bob", "eve" };
    static const char *const hosts[] = { "h1", "h2", "h3" };
    struct quota_book *b = book_of("users {*} hosts {*} to slots=5,lic=3\n--\nusers !eve to "
                                   "slots=9\n--\nhosts {h1} to lic=1\nto slots=20");
    struct {
        struct quota_path path;
        struct wants w;
        uint64_t times;
    } booked[64];
    unsigned seed = 12;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 64; i++) {
            struct at at = { .user = pick_one(&seed, users, 3), .host = pick_one(&seed, hosts, 3) };
            (void)path_of(b, &at, &booked[i].path);
            booked[i].times = 1 + (unsigned)rand_r(&seed) % 4;
            book_at(b, &booked[i].path,
                    wants_of(&booked[i].w, 1 + (unsigned)rand_r(&seed) % 3,
                             (unsigned)rand_r(&seed) % 3),
                    booked[i].times);
        }
        assert_non_null(b->all);
        for (int i = 0, k = 17; i < 64; i++, k = (k + 5) % 64)
            release_at(b, &booked[k].path, &booked[k].w.d, booked[k].times, NULL, NULL);
        assert_null(b->all);
    }
    quota_book_free(b);
}

/* ---- hostile rules ---- */
static double cpu_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* 10,000 rules with long lists: a look at an instance costs no more than a word for 64 rules */
static void ten_thousand_rules_cost_little_at_each_look(void **state SGE_UNUSED)
{
    struct dstr text = DSTR_INIT;
    for (int i = 0; i < 9999; i++) {
        dstr_addf(&text, "users {u%d", i);
        for (int k = 0; i % 100 == 0 && k < 500; k++)
            dstr_addf(&text, ",name_of_twenty_bytes%d", k);
        dstr_addf(&text, "} hosts {h%d,x*} to slots=1\n", i);
    }
    dstr_add(&text, "users {*} hosts {*} projects {*,!*} queues {*} pes {*,!*} to slots=1");
    struct quota_book *b = book_of(dstr_get(&text));
    assert_int_equal(quota_rules_count(b->rules), 10000);
    struct quota_path path;
    double begin = cpu_seconds();
    for (int i = 0; i < 20; i++) {
        char user[16], host[16];
        (void)snprintf(user, sizeof user, "u%d", i);
        (void)snprintf(host, sizeof host, "h%d", i);
        (void)path_of(b, &(struct at){ .user = user, .host = host }, &path);
        assert_int_equal(quota_rule_find(b->rules, 0, &path), (uint32_t)i);
    }
    assert_true(cpu_seconds() - begin < 5);
    begin = cpu_seconds();
    uint64_t sum = 0;
    for (int i = 0; i < 100000; i++)
        sum += room_at(b, &path, &slot);
    assert_int_equal(sum, 100000);
    assert_true(cpu_seconds() - begin < 5);
    assert_null(b->all);
    quota_book_free(b);
    dstr_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captured_filters_match_as_captured),
        cmocka_unit_test(a_set_that_is_not_enabled_does_not_count),
        cmocka_unit_test(owners_of_the_same_rules_are_one_class),
        cmocka_unit_test(the_first_rule_is_that_of_a_search_by_hand),
        cmocka_unit_test(a_limit_may_depend_on_the_host),
        cmocka_unit_test(each_user_has_a_quota_of_his_own),
        cmocka_unit_test(the_least_of_all_limits_counts),
        cmocka_unit_test(a_quota_books_what_it_limits),
        cmocka_unit_test(a_dynamic_limit_is_that_of_its_host_now),
        cmocka_unit_test(more_may_be_booked_than_there_is),
        cmocka_unit_test(a_quota_that_was_short_says_so_once),
        cmocka_unit_test(all_that_is_booked_is_released_exactly),
        cmocka_unit_test(ten_thousand_rules_cost_little_at_each_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

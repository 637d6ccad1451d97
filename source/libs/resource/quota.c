/* Rules of resource quota sets. Owns struct quota_rules, and the bits of owners, parallel
 * environments and queue instances.
 *
 * The words of a filter are sorted names and patterns, apart for what is included and what is
 * excluded ("!"), and for names and lists ("@"). A word is looked up, a pattern is tried. An owner
 * has the bits of the rules whose users and projects match; equal bits, with equal values where a
 * rule expands, are one class. Everything made for a name is kept until the rules go. */
#include "libs/resource/quota.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/complex.h"
#include "libs/config/rqs.h"
#include "libs/resource/consumption.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/host_name.h"
#include "libs/uti/pattern.h"

const char *const quota_filter_words[QUOTA_FILTERS] = { "users", "projects", "pes", "queues",
                                                        "hosts" };

/* ---- filters ---- */
struct words {
    char **names, **patterns; /* owned; names sorted */
    uint32_t n_names, n_patterns, names_cap, patterns_cap;
};
struct filter {
    bool is_there, has_included;
    bool has_none[2];      /* "-" */
    struct words names[2]; /* included, excluded */
    struct words lists[2]; /* the same of "@list", without the sign */
};
/* what a filter is asked about */
struct subject {
    const char *name; /* NULL: none */
    char **lists;     /* the user sets or host groups, without "@" */
    uint32_t n_lists, cap;
};

static int name_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void words_add(struct words *w, enum quota_filter kind, const char *word, bool is_list)
{
    char unique[HOST_NAME_BYTES];
    if (pattern_is_wild(word)) {
        w->patterns =
            uti_vec_grow(w->patterns, &w->patterns_cap, w->n_patterns + 1, sizeof *w->patterns);
        w->patterns[w->n_patterns++] = uti_strdup(word);
        return;
    }
    if (kind == QUOTA_HOSTS && !is_list) {
        host_name_unique(word, unique);
        word = unique;
    }
    w->names = uti_vec_grow(w->names, &w->names_cap, w->n_names + 1, sizeof *w->names);
    w->names[w->n_names++] = uti_strdup(word);
}

static void words_clear(struct words *w)
{
    for (uint32_t i = 0; i < w->n_names; i++)
        free(w->names[i]);
    for (uint32_t i = 0; i < w->n_patterns; i++)
        free(w->patterns[i]);
    free(w->names);
    free(w->patterns);
}

static bool words_have(const struct words *w, enum quota_filter kind, const char *name,
                       bool is_list)
{
    bool is_host = kind == QUOTA_HOSTS && !is_list;
    if (w->n_names > 0 &&
        bsearch(&name, w->names, w->n_names, sizeof *w->names, name_order) != NULL)
        return true;
    for (uint32_t i = 0; i < w->n_patterns; i++)
        if (is_host ? host_name_matches(w->patterns[i], name) : pattern_match(w->patterns[i], name))
            return true;
    return false;
}

static void filter_add(struct filter *f, enum quota_filter kind, const char *word)
{
    bool is_excluded = *word == '!';
    word += is_excluded;
    bool is_list = *word == '@' && (kind == QUOTA_USERS || kind == QUOTA_HOSTS);
    word += is_list;
    f->has_included |= !is_excluded;
    if (strcmp(word, "-") == 0)
        f->has_none[is_excluded] = true;
    else
        words_add(is_list ? &f->lists[is_excluded] : &f->names[is_excluded], kind, word, is_list);
}

static bool has_braces(const char *list)
{
    size_t len = strlen(list);
    return len >= 2 && list[0] == '{' && list[len - 1] == '}';
}

/* LIST as a rule has it; NULL: there is no filter */
static void filter_read(struct filter *f, enum quota_filter kind, const char *list)
{
    struct dstr word = DSTR_INIT;
    *f = (struct filter){ .is_there = list != NULL };
    for (const char *at = list; at != NULL && attr_next_word(&at, ",{}", &word);)
        filter_add(f, kind, dstr_get(&word));
    for (int i = 0; i < 2; i++) {
        if (f->names[i].n_names > 1)
            qsort(f->names[i].names, f->names[i].n_names, sizeof(char *), name_order);
        if (f->lists[i].n_names > 1)
            qsort(f->lists[i].names, f->lists[i].n_names, sizeof(char *), name_order);
    }
    dstr_free(&word);
}

static void filter_clear(struct filter *f)
{
    for (int i = 0; i < 2; i++) {
        words_clear(&f->names[i]);
        words_clear(&f->lists[i]);
    }
}

static bool side_has(const struct filter *f, int side, enum quota_filter kind,
                     const struct subject *of)
{
    if (of->name == NULL)
        return f->has_none[side];
    if (words_have(&f->names[side], kind, of->name, false))
        return true;
    const struct words *lists = &f->lists[side];
    for (uint32_t i = 0; lists->n_names + lists->n_patterns > 0 && i < of->n_lists; i++)
        if (words_have(lists, kind, of->lists[i], true))
            return true;
    return false;
}

/* What is excluded never matches; a filter that only excludes matches all else, also what has no
 * name ("projects !*": jobs without a project). */
static bool filter_has(const struct filter *f, enum quota_filter kind, const struct subject *of)
{
    return !f->is_there ||
           (!side_has(f, 1, kind, of) && (!f->has_included || side_has(f, 0, kind, of)));
}

static void subject_add(struct subject *of, const char *name)
{
    of->lists = uti_vec_grow(of->lists, &of->cap, of->n_lists + 1, sizeof *of->lists);
    of->lists[of->n_lists++] = uti_strdup(*name == '@' ? name + 1 : name);
}

static struct subject subject_of(const char *name, const char *lists)
{
    struct subject of = { .name = name };
    struct dstr word = DSTR_INIT;
    for (const char *at = lists; at != NULL && attr_next_word(&at, " ", &word);)
        subject_add(&of, dstr_get(&word));
    dstr_free(&word);
    return of;
}

static void subject_clear(struct subject *of)
{
    for (uint32_t i = 0; i < of->n_lists; i++)
        free(of->lists[i]);
    free(of->lists);
}

bool quota_filter_has(enum quota_filter kind, const char *list, const char *name, const char *sets)
{
    struct filter f;
    struct subject of = subject_of(name, sets);
    filter_read(&f, kind, list);
    bool has = filter_has(&f, kind, &of);
    filter_clear(&f);
    subject_clear(&of);
    return has;
}

/* ---- limits ---- */
/* what the host says of NAME: complex_values, else the load */
static double host_number(const void *ctx, const char *name)
{
    const struct load_source *values = ctx;
    const struct CE_Type *ce = complex_find(values->complex, name);
    struct load_value load;
    double number = 0;
    if (ce == NULL || values->host == NULL)
        return 0;
    const struct CE_Type *own =
        cull_find(&cull_CE_Type, &values->host->EH_consumable_config_list, ce->CE_name);
    if (own != NULL && own->CE_stringval != NULL &&
        complex_value_parse(ce, own->CE_stringval, &number, NULL) == 0)
        return number;
    return load_value_find(values, ce, &load) ? load.number : 0;
}

uint64_t quota_limit_amount(const struct quota_limit *limit, const struct load_source *values)
{
    enum { DOUBLE_UNITS = 1000000 };
    if (!limit->is_dynamic)
        return limit->amount;
    double number = 0;
    bool is_valid = rqs_amount_read(limit->text, host_number, values, &number);
    if (limit->ce != NULL && limit->ce->CE_valtype == COMPLEX_DOUBLE)
        number = number * DOUBLE_UNITS + 0.5;
    if (!is_valid || !(number > 0))
        return 0;
    return number < (double)AMOUNT_MOST ? (uint64_t)number : AMOUNT_UNLIMITED;
}

static void limit_read(struct quota_limit *limit, const struct CE_Type_list *complex,
                       const struct VA_Type *va)
{
    const struct CE_Type *ce = complex_find(complex, va->VA_variable);
    *limit = (struct quota_limit){ .resource = ce != NULL ? ce->CE_name : va->VA_variable,
                                   .text = va->VA_value,
                                   .ce = ce,
                                   .is_dynamic = strchr(va->VA_value, '$') != NULL };
    limit->is_slots = strcmp(limit->resource, "slots") == 0;
    limit->is_counted = ce != NULL && (limit->is_slots || consumable_counts(ce));
    if (!limit->is_dynamic && ce != NULL)
        limit->amount = amount_offered(ce->CE_valtype, va->VA_value);
}

/* ---- rules ---- */
struct rule {
    struct quota_rule shown;
    struct filter filters[QUOTA_FILTERS];
    struct quota_limit *limits;
    char *label;
};
struct set {
    uint32_t first, n; /* rules */
};
/* a name for which bits are kept, or that has a class */
struct quota_class {
    const char *user, *project; /* in the key; "" unless a rule expands them */
    uint64_t *bits;             /* behind the names */
    size_t key_bytes;
    UT_hash_handle hh;
    char key[];
};
struct named {
    struct quota_class *who; /* NULL: no rule applies */
    UT_hash_handle hh;
    char key[];
};
struct quota_pe {
    const char *name; /* NULL: none */
    uint64_t *bits;
    UT_hash_handle hh;
    char key[];
};
struct quota_place {
    const char *queue, *host;
    uint64_t *bits;
    UT_hash_handle hh;
    char key[];
};
struct quota_rules {
    struct RQS_Type_list sets; /* copied: names and texts are borrowed from it */
    struct CE_Type_list complex;
    struct set *of_set;
    struct rule *v;
    uint32_t n, n_sets, n_words; /* n_words: of bits */
    bool has_groups;
    char **variables; /* that dynamic limits depend on, each once; owned */
    uint32_t n_variables, variables_cap;
    struct quota_class *classes;
    struct named *names;
    struct quota_pe *pes;
    struct quota_place *places;
};

static void note_variable(struct quota_rules *q, const char *name)
{
    for (uint32_t i = 0; i < q->n_variables; i++)
        if (strcmp(q->variables[i], name) == 0)
            return;
    q->variables =
        uti_vec_grow(q->variables, &q->variables_cap, q->n_variables + 1, sizeof *q->variables);
    q->variables[q->n_variables++] = uti_strdup(name);
}

static double note_and_count(const void *ctx, const char *name)
{
    note_variable(*(struct quota_rules *const *)ctx, name);
    return 1;
}

/* the reader of amounts asks for each variable */
static void note_variables(struct quota_rules *q, const char *text)
{
    double number;
    (void)rqs_amount_read(text, note_and_count, &q, &number);
}

static void rule_read(struct quota_rules *q, const struct RQS_Type *set, uint32_t number,
                      const struct RQR_Type *from)
{
    struct rule *rule = &q->v[q->n];
    struct dstr label = DSTR_INIT;
    const char *texts[QUOTA_FILTERS] = { from->RQR_users, from->RQR_projects, from->RQR_pes,
                                         from->RQR_queues, from->RQR_hosts };
    if (from->RQR_name != NULL)
        dstr_addf(&label, "%s/%s", set->RQS_name, from->RQR_name);
    else
        dstr_addf(&label, "%s/%u", set->RQS_name, number);
    rule->label = dstr_take(&label);
    rule->limits = uti_calloc(from->RQR_limit.n + 1, sizeof *rule->limits);
    rule->shown = (struct quota_rule){ .number = q->n,
                                       .set = q->n_sets,
                                       .label = rule->label,
                                       .limits = rule->limits,
                                       .n_limits = from->RQR_limit.n };
    for (uint32_t i = 0; i < from->RQR_limit.n; i++) {
        limit_read(&rule->limits[i], &q->complex, &from->RQR_limit.v[i]);
        if (!rule->limits[i].is_dynamic)
            continue;
        rule->shown.is_dynamic = true;
        note_variables(q, rule->limits[i].text);
    }
    for (int i = 0; i < QUOTA_FILTERS; i++) {
        rule->shown.filters[i] = texts[i];
        rule->shown.expands[i] = texts[i] != NULL && has_braces(texts[i]);
        filter_read(&rule->filters[i], (enum quota_filter)i, texts[i]);
    }
    rule->shown.is_everywhere = texts[QUOTA_QUEUES] == NULL && texts[QUOTA_HOSTS] == NULL;
    q->has_groups |= texts[QUOTA_HOSTS] != NULL && strchr(texts[QUOTA_HOSTS], '@') != NULL;
    q->n++;
}

static int set_order(const void *a, const void *b)
{
    return strcmp(((const struct RQS_Type *)a)->RQS_name, ((const struct RQS_Type *)b)->RQS_name);
}

struct quota_rules *quota_rules_new(const struct RQS_Type *const *sets, uint32_t n,
                                    const struct CE_Type_list *complex)
{
    struct quota_rules *q = uti_calloc(1, sizeof *q);
    uint32_t n_rules = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!sets[i]->RQS_enabled || sets[i]->RQS_rule.n == 0)
            continue;
        cull_copy(&cull_RQS_Type, cull_push(&q->sets), sets[i]);
        n_rules += sets[i]->RQS_rule.n;
    }
    if (q->sets.n > 1)
        qsort(q->sets.v, q->sets.n, sizeof *q->sets.v, set_order);
    for (uint32_t i = 0; i < complex->n; i++)
        cull_copy(&cull_CE_Type, cull_push(&q->complex), &complex->v[i]);
    q->v = uti_calloc(n_rules + 1, sizeof *q->v);
    q->of_set = uti_calloc(q->sets.n + 1, sizeof *q->of_set);
    q->n_words = (n_rules + 63) / 64;
    for (; q->n_sets < q->sets.n; q->n_sets++) {
        const struct RQS_Type *set = &q->sets.v[q->n_sets];
        q->of_set[q->n_sets] = (struct set){ q->n, set->RQS_rule.n };
        for (uint32_t k = 0; k < set->RQS_rule.n; k++)
            rule_read(q, set, k + 1, &set->RQS_rule.v[k]);
    }
    if (q->n > 0)
        return q;
    quota_rules_free(q);
    return NULL;
}

void quota_rules_free(struct quota_rules *q)
{
    if (q == NULL)
        return;
    struct quota_class *who, *next_who;
    HASH_ITER(hh, q->classes, who, next_who) {
        HASH_DEL(q->classes, who);
        free(who);
    }
    struct named *named, *next_named;
    HASH_ITER(hh, q->names, named, next_named) {
        HASH_DEL(q->names, named);
        free(named);
    }
    struct quota_pe *pe, *next_pe;
    HASH_ITER(hh, q->pes, pe, next_pe) {
        HASH_DEL(q->pes, pe);
        free(pe->bits);
        free(pe);
    }
    struct quota_place *place, *next_place;
    HASH_ITER(hh, q->places, place, next_place) {
        HASH_DEL(q->places, place);
        free(place->bits);
        free(place);
    }
    for (uint32_t i = 0; i < q->n; i++) {
        for (int k = 0; k < QUOTA_FILTERS; k++)
            filter_clear(&q->v[i].filters[k]);
        free(q->v[i].limits);
        free(q->v[i].label);
    }
    for (uint32_t i = 0; i < q->n_variables; i++)
        free(q->variables[i]);
    free(q->variables);
    free(q->v);
    free(q->of_set);
    cull_list_clear(&cull_RQS_Type, &q->sets);
    complex_list_clear(&q->complex);
    free(q);
}

uint32_t quota_rules_count(const struct quota_rules *q)
{
    return q->n;
}

uint32_t quota_sets_count(const struct quota_rules *q)
{
    return q->n_sets;
}

const struct quota_rule *quota_rule_at(const struct quota_rules *q, uint32_t number)
{
    return &q->v[number].shown;
}

bool quota_rules_are_dynamic(const struct quota_rules *q)
{
    return q->n_variables > 0;
}

uint64_t quota_values_mixed(const struct quota_rules *q, const struct load_source *values)
{
    enum { PRIME = 31 };
    uint64_t mixed = 1;
    for (uint32_t i = 0; i < q->n_variables; i++) {
        double number = host_number(values, q->variables[i]);
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        mixed = mixed * PRIME + bits;
    }
    return mixed;
}

/* ---- bits ---- */
static bool bit_of(const uint64_t *bits, uint32_t i)
{
    return (bits[i / 64] >> (i % 64) & 1) != 0;
}

/* the rules that FILTERS from FIRST to LAST, each asked about its subject, all match; new */
static uint64_t *bits_of(const struct quota_rules *q, int first, int last,
                         const struct subject *subjects)
{
    uint64_t *bits = uti_calloc(q->n_words, sizeof *bits);
    for (uint32_t i = 0; i < q->n; i++) {
        bool has = true;
        for (int k = first; has && k <= last; k++)
            has = filter_has(&q->v[i].filters[k], (enum quota_filter)k, &subjects[k - first]);
        if (has)
            bits[i / 64] |= UINT64_C(1) << (i % 64);
    }
    return bits;
}

/* does a rule of BITS expand the filter? */
static bool some_expand(const struct quota_rules *q, const uint64_t *bits, enum quota_filter filter)
{
    for (uint32_t i = 0; i < q->n; i++)
        if (bit_of(bits, i) && q->v[i].shown.expands[filter])
            return true;
    return false;
}

static bool some_bit(const struct quota_rules *q, const uint64_t *bits)
{
    for (uint32_t i = 0; i < q->n_words; i++)
        if (bits[i] != 0)
            return true;
    return false;
}

/* ---- owners ---- */
static void add_bytes(struct dstr *key, const void *bytes, size_t n)
{
    dstr_addn(key, bytes, n);
}

static void add_name(struct dstr *key, const char *name)
{
    add_bytes(key, name != NULL ? name : "", name != NULL ? strlen(name) + 1 : 1);
}

/* the class of the content KEY: user, project, and then the bits */
static struct quota_class *class_get(struct quota_rules *q, const struct dstr *key)
{
    struct quota_class *who;
    size_t bit_bytes = q->n_words * sizeof *who->bits;
    HASH_FIND(hh, q->classes, key->s, key->len, who);
    if (who != NULL)
        return who;
    who = uti_calloc(1, sizeof *who + key->len + bit_bytes + sizeof(uint64_t));
    memcpy(who->key, key->s, key->len);
    who->key_bytes = key->len;
    who->user = who->key;
    who->project = who->key + strlen(who->key) + 1;
    size_t at = (offsetof(struct quota_class, key) + key->len + sizeof(uint64_t) - 1) /
                sizeof(uint64_t) * sizeof(uint64_t);
    who->bits = (uint64_t *)(void *)((char *)who + at);
    memcpy(who->bits, key->s + key->len - bit_bytes, bit_bytes);
    HASH_ADD_KEYPTR(hh, q->classes, who->key, who->key_bytes, who);
    return who;
}

static struct quota_class *class_new(struct quota_rules *q, const char *user, const char *sets,
                                     const char *project)
{
    struct subject subjects[] = { subject_of(user, sets), subject_of(project, NULL) };
    struct quota_class *who = NULL;
    struct dstr key = DSTR_INIT;
    uint64_t *bits = bits_of(q, QUOTA_USERS, QUOTA_PROJECTS, subjects);
    if (some_bit(q, bits)) {
        add_name(&key, some_expand(q, bits, QUOTA_USERS) ? user : NULL);
        add_name(&key, some_expand(q, bits, QUOTA_PROJECTS) ? project : NULL);
        add_bytes(&key, bits, q->n_words * sizeof *bits);
        who = class_get(q, &key);
    }
    dstr_free(&key);
    free(bits);
    subject_clear(&subjects[0]);
    subject_clear(&subjects[1]);
    return who;
}

const struct quota_class *quota_class_of(struct quota_rules *q, const char *user, const char *sets,
                                         const char *project)
{
    struct dstr key = DSTR_INIT;
    struct named *named;
    add_name(&key, user);
    add_name(&key, sets);
    add_name(&key, project);
    HASH_FIND(hh, q->names, key.s, key.len, named);
    if (named == NULL) {
        named = uti_calloc(1, sizeof *named + key.len);
        memcpy(named->key, key.s, key.len);
        named->who = class_new(q, user, sets, project);
        HASH_ADD_KEYPTR(hh, q->names, named->key, key.len, named);
    }
    dstr_free(&key);
    return named->who;
}

bool quota_class_has(const struct quota_class *who, uint32_t number)
{
    return bit_of(who->bits, number);
}

const char *quota_class_user(const struct quota_class *who)
{
    return who->user;
}

const char *quota_class_project(const struct quota_class *who)
{
    return who->project;
}

/* ---- environments and places ---- */
const struct quota_pe *quota_pe_of(struct quota_rules *q, const char *name)
{
    struct quota_pe *pe;
    const char *key = name != NULL ? name : "";
    struct subject of = { .name = name };
    HASH_FIND_STR(q->pes, key, pe);
    if (pe != NULL)
        return pe;
    size_t bytes = strlen(key) + 1;
    pe = uti_calloc(1, sizeof *pe + bytes);
    memcpy(pe->key, key, bytes);
    pe->name = name != NULL ? pe->key : NULL;
    pe->bits = bits_of(q, QUOTA_PES, QUOTA_PES, &of);
    HASH_ADD_KEYPTR(hh, q->pes, pe->key, bytes - 1, pe);
    return pe;
}

static void key_of_place(struct dstr *key, const char *queue, const char *host,
                         const struct ST_Type_list *groups)
{
    add_name(key, queue);
    add_name(key, host);
    for (uint32_t i = 0; groups != NULL && i < groups->n; i++)
        add_name(key, groups->v[i].ST_name);
}

static struct quota_place *place_new(struct quota_rules *q, const struct dstr *key,
                                     const struct ST_Type_list *groups)
{
    struct quota_place *place = uti_calloc(1, sizeof *place + key->len);
    memcpy(place->key, key->s, key->len);
    place->queue = place->key;
    place->host = place->key + strlen(place->key) + 1;
    char unique[HOST_NAME_BYTES];
    host_name_unique(place->host, unique);
    struct subject subjects[] = { { .name = place->queue }, { .name = unique } };
    for (uint32_t i = 0; groups != NULL && i < groups->n; i++)
        if (groups->v[i].ST_name != NULL)
            subject_add(&subjects[1], groups->v[i].ST_name);
    place->bits = bits_of(q, QUOTA_QUEUES, QUOTA_HOSTS, subjects);
    subject_clear(&subjects[1]);
    HASH_ADD_KEYPTR(hh, q->places, place->key, key->len, place);
    return place;
}

const struct quota_place *quota_place_of(struct quota_rules *q, const char *queue, const char *host,
                                         const struct ST_Type_list *groups)
{
    struct dstr key = DSTR_INIT;
    struct quota_place *place;
    key_of_place(&key, queue, host, q->has_groups ? groups : NULL);
    HASH_FIND(hh, q->places, key.s, key.len, place);
    if (place == NULL)
        place = place_new(q, &key, groups);
    dstr_free(&key);
    return place;
}

/* ---- matching ---- */
/* the first rule of SET that all of MASKS have; NULL: has all */
static uint32_t first_rule(const struct quota_rules *q, uint32_t set, const uint64_t *const *masks,
                           int n_masks)
{
    uint32_t first = q->of_set[set].first, last = first + q->of_set[set].n - 1;
    for (uint32_t word = first / 64; word <= last / 64; word++) {
        uint64_t bits = UINT64_MAX;
        for (int i = 0; i < n_masks; i++)
            bits &= masks[i][word];
        if (word == first / 64)
            bits &= UINT64_MAX << (first % 64);
        if (word == last / 64)
            bits &= UINT64_MAX >> (63 - last % 64);
        if (bits != 0)
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return QUOTA_NO_RULE;
}

uint32_t quota_rule_find(const struct quota_rules *q, uint32_t set, const struct quota_path *path)
{
    const uint64_t *const masks[] = { path->who->bits, path->pe->bits, path->at->bits };
    return first_rule(q, set, masks, 3);
}

uint32_t quota_rule_first(const struct quota_rules *q, uint32_t set, const struct quota_class *who,
                          const struct quota_pe *pe)
{
    const uint64_t *const masks[] = { who->bits, pe->bits };
    return first_rule(q, set, masks, 2);
}

const char *quota_rule_value(const struct quota_rule *rule, enum quota_filter filter,
                             const struct quota_path *path)
{
    if (!rule->expands[filter])
        return NULL;
    switch (filter) {
    case QUOTA_USERS:
        return path->who->user;
    case QUOTA_PROJECTS:
        return path->who->project;
    case QUOTA_PES:
        return path->pe->name != NULL ? path->pe->name : "";
    case QUOTA_QUEUES:
        return path->at->queue;
    case QUOTA_HOSTS:
        return path->at->host;
    }
    return NULL;
}

/* Facts for policies. Owns both tables. Invariant: a task is in one set of its job at most, and a
 * job without suspended tasks is not in the table. */
#include "libs/sched/policy/facts.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/conf.h"
#include "libs/config/usage_params.h"
#include "libs/cull/pack.h"
#include "libs/sgeobj/object_kind.h"
#include "libs/sgeobj/task_state.h"
#include "libs/uti/hash.h"
#include "libs/uti/parse.h"

/* ---- objects ---- */
struct kept_object {
    struct TX_Type rec;
    UT_hash_handle hh;
    char key[]; /* the kind, then the name */
};

static bool is_kept(uint32_t kind)
{
    return kind == OBJECT_USER || kind == OBJECT_PROJECT || kind == OBJECT_USERSET ||
           kind == OBJECT_SHARETREE || kind == OBJECT_CALENDAR;
}

static void object_key(struct packer *key, uint32_t kind, const char *name)
{
    pack_bytes(key, &kind, sizeof kind);
    pack_bytes(key, name, strlen(name));
}

static struct kept_object *find_object(const struct sched_facts *f, const struct packer *key)
{
    struct kept_object *found;
    HASH_FIND(hh, f->objects, key->data, key->len, found);
    return found;
}

uint32_t facts_number(const struct TX_Type *object, const char *attr)
{
    uint32_t number;
    for (uint32_t i = 0; object != NULL && i < object->TX_entries.n; i++) {
        const struct VA_Type *va = &object->TX_entries.v[i];
        if (va->VA_variable != NULL && va->VA_value != NULL && strcmp(va->VA_variable, attr) == 0)
            return parse_u32(va->VA_value, &number) ? number : 0;
    }
    return 0;
}

static bool is_overriding(const struct TX_Type *object)
{
    return object->TX_kind != OBJECT_SHARETREE && facts_number(object, "oticket") > 0;
}

static void drop_object(struct sched_facts *f, struct kept_object *object)
{
    f->n_overriding -= is_overriding(&object->rec);
    HASH_DEL(f->objects, object);
    cull_clear(&cull_TX_Type, &object->rec);
    free(object);
}

void facts_put_object(struct sched_facts *f, const struct TX_Type *object)
{
    struct packer key = { 0 };
    if (!is_kept(object->TX_kind))
        return;
    object_key(&key, object->TX_kind, object->TX_name);
    struct kept_object *kept = find_object(f, &key);
    if (kept == NULL) {
        kept = uti_calloc(1, sizeof *kept + key.len);
        memcpy(kept->key, key.data, key.len);
        HASH_ADD_KEYPTR(hh, f->objects, kept->key, key.len, kept);
    }
    f->n_overriding -= is_overriding(&kept->rec);
    cull_clear(&cull_TX_Type, &kept->rec);
    cull_copy(&cull_TX_Type, &kept->rec, object);
    f->n_overriding += is_overriding(&kept->rec);
    packer_free(&key);
}

void facts_drop_object(struct sched_facts *f, const struct TX_Type *object)
{
    struct packer key = { 0 };
    object_key(&key, object->TX_kind, object->TX_name);
    struct kept_object *kept = find_object(f, &key);
    if (kept != NULL)
        drop_object(f, kept);
    packer_free(&key);
}

const struct TX_Type *facts_object(const struct sched_facts *f, uint32_t kind, const char *name)
{
    struct packer key = { 0 };
    object_key(&key, kind, name);
    const struct kept_object *kept = find_object(f, &key);
    packer_free(&key);
    return kept != NULL ? &kept->rec : NULL;
}

/* ---- suspended tasks ---- */
struct suspended_set {
    uint32_t reasons;
    struct range_set ids;
};
struct suspended_tasks {
    uint32_t job;
    struct suspended_set *sets; /* one for each combination of reasons that occurs */
    uint32_t n, cap;
    UT_hash_handle hh;
};

static struct suspended_tasks *find_job(const struct sched_facts *f, uint32_t job)
{
    struct suspended_tasks *found;
    HASH_FIND_U32(f->suspensions, &job, found);
    return found;
}

static void drop_job(struct sched_facts *f, struct suspended_tasks *tasks)
{
    HASH_DEL(f->suspensions, tasks);
    for (uint32_t i = 0; i < tasks->n; i++)
        range_set_free(&tasks->sets[i].ids);
    free(tasks->sets);
    free(tasks);
}

static struct suspended_set *set_with(struct suspended_tasks *tasks, uint32_t reasons)
{
    for (uint32_t i = 0; i < tasks->n; i++)
        if (tasks->sets[i].reasons == reasons)
            return &tasks->sets[i];
    tasks->sets = uti_vec_grow(tasks->sets, &tasks->cap, tasks->n + 1, sizeof *tasks->sets);
    struct suspended_set *set = &tasks->sets[tasks->n++];
    *set = (struct suspended_set){ .reasons = reasons };
    return set;
}

void facts_end_tasks(struct sched_facts *f, uint32_t job, const struct range_set *ids)
{
    struct suspended_tasks *tasks = f->suspensions != NULL ? find_job(f, job) : NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; tasks != NULL && i < tasks->n; i++) {
        struct suspended_set *set = &tasks->sets[i];
        range_set_subtract(&set->ids, ids);
        if (range_set_is_empty(&set->ids))
            range_set_free(&set->ids);
        else
            tasks->sets[kept++] = *set;
    }
    if (tasks == NULL)
        return;
    tasks->n = kept;
    if (kept == 0)
        drop_job(f, tasks);
}

void facts_set_state(struct sched_facts *f, uint32_t job, const struct range_set *ids,
                     uint32_t state)
{
    uint32_t reasons = state & TASK_SUSPENSIONS;
    facts_end_tasks(f, job, ids);
    if (reasons == 0 || range_set_is_empty(ids))
        return;
    struct suspended_tasks *tasks = find_job(f, job);
    if (tasks == NULL) {
        tasks = uti_calloc(1, sizeof *tasks);
        tasks->job = job;
        HASH_ADD_U32(f->suspensions, job, tasks);
    }
    range_set_unite(&set_with(tasks, reasons)->ids, ids);
}

void facts_end_job(struct sched_facts *f, uint32_t job)
{
    struct suspended_tasks *tasks = f->suspensions != NULL ? find_job(f, job) : NULL;
    if (tasks != NULL)
        drop_job(f, tasks);
}

uint32_t facts_suspension(const struct sched_facts *f, uint32_t job, uint32_t ordinal)
{
    const struct suspended_tasks *tasks = f->suspensions != NULL ? find_job(f, job) : NULL;
    for (uint32_t i = 0; tasks != NULL && i < tasks->n; i++)
        if (range_set_has(&tasks->sets[i].ids, ordinal))
            return tasks->sets[i].reasons;
    return 0;
}

/* ---- usage ---- */
struct used_pair {
    struct UA_Type_list usage;
    uint64_t at_s;       /* when it was that */
    const char *project; /* in the key */
    UT_hash_handle hh;
    char key[]; /* the user, 0, the project, 0 */
};

static void pair_key(struct packer *key, const char *user, const char *project)
{
    pack_bytes(key, user, strlen(user) + 1);
    pack_bytes(key, project != NULL ? project : "", project != NULL ? strlen(project) + 1 : 1);
}

static struct used_pair *find_pair(const struct sched_facts *f, const struct packer *key)
{
    struct used_pair *found;
    HASH_FIND(hh, f->usage, key->data, key->len, found);
    return found;
}

static void drop_pair(struct sched_facts *f, struct used_pair *pair)
{
    HASH_DEL(f->usage, pair);
    cull_list_clear(&cull_UA_Type, &pair->usage);
    free(pair);
}

static struct used_pair *add_pair(struct sched_facts *f, const struct packer *key, const char *user)
{
    struct used_pair *pair = uti_calloc(1, sizeof *pair + key->len);
    memcpy(pair->key, key->data, key->len);
    pair->project = pair->key + strlen(user) + 1;
    HASH_ADD_KEYPTR(hh, f->usage, pair->key, key->len, pair);
    return pair;
}

void facts_set_usage(struct sched_facts *f, const struct EV_Type *event)
{
    struct packer key = { 0 };
    pair_key(&key, event->EV_owner, event->EV_project);
    struct used_pair *pair = find_pair(f, &key);
    if (event->EV_usage.n == 0 && pair != NULL)
        drop_pair(f, pair);
    if (event->EV_usage.n > 0) {
        pair = pair != NULL ? pair : add_pair(f, &key, event->EV_owner);
        cull_list_clear(&cull_UA_Type, &pair->usage);
        for (uint32_t i = 0; i < event->EV_usage.n; i++)
            cull_copy(&cull_UA_Type, cull_push(&pair->usage), &event->EV_usage.v[i]);
        pair->at_s = event->EV_start_time;
    }
    packer_free(&key);
}

void facts_set_decays(struct sched_facts *f, const struct CONF_Type *conf)
{
    static const char *const read[] = { "halftime", "halflife_decay_list", "usage_weight_list" };
    cull_clear(&cull_CONF_Type, &f->decays);
    cull_set(&f->decays, CONF_name, conf->CONF_name);
    for (size_t i = 0; i < ARRAY_LEN(read); i++) {
        struct VA_Type *va = cull_append(&f->decays, CONF_entries);
        cull_set(va, VA_variable, read[i]);
        cull_set(va, VA_value, conf_get(NULL, conf, read[i]));
    }
}

/* how usage decays, as configured; borrowed until the configuration changes */
static struct usage_params params_of(const struct sched_facts *f)
{
    return (struct usage_params){ conf_get(NULL, &f->decays, "usage_weight_list"),
                                  conf_get(NULL, &f->decays, "halflife_decay_list"),
                                  (double)conf_get_number(NULL, &f->decays, "halftime") };
}

/* less than 0: that of running tasks alone counts, which does not decay */
static double pair_value(const struct used_pair *pair, double value, double halftime_s,
                         uint64_t now_s)
{
    double seconds = now_s > pair->at_s ? (double)(now_s - pair->at_s) : 0;
    return halftime_s < 0 ? value : usage_decayed(value, halftime_s, seconds);
}

double facts_usage(const struct sched_facts *f, const char *user, const char *project,
                   const char *name, uint64_t now_s)
{
    struct packer key = { 0 };
    pair_key(&key, user, project);
    const struct used_pair *pair = find_pair(f, &key);
    packer_free(&key);
    const struct usage_params params = params_of(f);
    for (uint32_t i = 0; pair != NULL && i < pair->usage.n; i++)
        if (strcmp(pair->usage.v[i].UA_name, name) == 0)
            return pair_value(pair, pair->usage.v[i].UA_value, usage_halftime_s(&params, name),
                              now_s);
    return 0;
}

void facts_each_usage(const struct sched_facts *f,
                      void (*fn)(void *ctx, const char *user, const char *project), void *ctx)
{
    struct used_pair *pair, *next;
    HASH_ITER(hh, f->usage, pair, next)
        fn(ctx, pair->key, pair->project);
}

/* a name with a weight */
struct weighed {
    const char *name;
    double weight, halftime_s;
};

static double weighted_usage(const struct used_pair *pair, const struct weighed *names, uint32_t n,
                             uint64_t now_s)
{
    double sum = 0;
    for (uint32_t i = 0; i < pair->usage.n; i++)
        for (uint32_t k = 0; k < n; k++)
            if (strcmp(pair->usage.v[i].UA_name, names[k].name) == 0)
                sum += names[k].weight *
                       pair_value(pair, pair->usage.v[i].UA_value, names[k].halftime_s, now_s);
    return sum;
}

void facts_each_weighted(const struct sched_facts *f, uint64_t now_s,
                         void (*fn)(void *ctx, const char *user, const char *project, double usage),
                         void *ctx)
{
    struct weighed names[USAGE_NAMES_ALWAYS + 2 * USAGE_NAMES_MOST];
    const struct usage_params params = params_of(f);
    struct UA_Type_list weights = { 0 };
    uint32_t n = 0;
    usage_weights_read(&params, &weights);
    for (uint32_t i = 0; i < weights.n && n < ARRAY_LEN(names); i++)
        if (weights.v[i].UA_value > 0)
            names[n++] = (struct weighed){ weights.v[i].UA_name, weights.v[i].UA_value,
                                           usage_halftime_s(&params, weights.v[i].UA_name) };
    for (const struct used_pair *pair = f->usage; pair != NULL; pair = pair->hh.next)
        fn(ctx, pair->key, pair->project, weighted_usage(pair, names, n, now_s));
    cull_list_clear(&cull_UA_Type, &weights);
}

void facts_free(struct sched_facts *f)
{
    struct kept_object *object, *next_object;
    struct suspended_tasks *tasks, *next_tasks;
    HASH_ITER(hh, f->objects, object, next_object)
        drop_object(f, object);
    struct used_pair *pair, *next_pair;
    HASH_ITER(hh, f->usage, pair, next_pair)
        drop_pair(f, pair);
    cull_clear(&cull_CONF_Type, &f->decays);
    HASH_ITER(hh, f->suspensions, tasks, next_tasks)
        drop_job(f, tasks);
}

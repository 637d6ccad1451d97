/* Usage of users in projects. Invariants: a pair is in exactly one of `unsent` and `sent`, in
 * `sent` if its round is that of the table; in `marked` if it is_marked; the halves of a kind never
 * become fewer, so that nothing grows by decay. Source: sched_conf(5), sge_share_tree(5) */
#include "daemons/qmaster/tables/usage.h"

#include <math.h>
#include <stdlib.h>

#include "libs/uti/alloc.h"

void usage_init(struct usage *u)
{
    *u = (struct usage){ .round = 1 };
    TAILQ_INIT(&u->unsent);
    TAILQ_INIT(&u->sent);
    TAILQ_INIT(&u->marked);
}

void usage_clear(struct usage *u)
{
    struct usage_pair *p, *next;
    walk_end(&u->expiring);
    HASH_ITER(hh, u->pairs, p, next)
        usage_pair_drop(u, p);
    for (uint32_t k = 0; k < u->n_kinds; k++)
        free(u->kinds[k].name);
    u->n_kinds = 0;
}

/* ---- kinds ---- */
static double halves_at(const struct usage_kind *kind, uint64_t now_s)
{
    bool passes = kind->halftime_s > 0 && now_s > kind->since_s;
    return kind->halves + (passes ? (double)(now_s - kind->since_s) / kind->halftime_s : 0);
}

static struct usage_kind *kind_named(struct usage *u, const char *name)
{
    for (uint32_t k = 0; k < u->n_kinds; k++)
        if (strcmp(u->kinds[k].name, name) == 0)
            return &u->kinds[k];
    return NULL;
}

static struct usage_kind *kind_add(struct usage *u, const char *name)
{
    if (u->n_kinds == USAGE_KINDS_MOST)
        return NULL;
    struct usage_kind *kind = &u->kinds[u->n_kinds++];
    *kind = (struct usage_kind){ .name = uti_strdup(name) };
    u->is_clock_marked = true;
    return kind;
}

static void kind_set(struct usage *u, struct usage_kind *kind, double halftime_s, uint64_t now_s)
{
    if (kind->since_s != 0 && kind->halftime_s == halftime_s)
        return;
    kind->halves = halves_at(kind, now_s);
    kind->since_s = now_s;
    kind->halftime_s = halftime_s;
    u->is_clock_marked = true;
}

bool usage_configure(struct usage *u, const struct usage_params *params, uint64_t now_s)
{
    struct UA_Type_list names = { 0 };
    bool have_place = true;
    usage_weights_read(params, &names);
    for (uint32_t i = 0; i < names.n; i++) {
        struct usage_kind *kind = kind_named(u, names.v[i].UA_name);
        kind = kind != NULL ? kind : kind_add(u, names.v[i].UA_name);
        have_place = have_place && kind != NULL;
    }
    for (uint32_t k = 0; k < u->n_kinds; k++)
        kind_set(u, &u->kinds[k], usage_halftime_s(params, u->kinds[k].name), now_s);
    cull_list_clear(&cull_UA_Type, &names);
    usage_send_all(u); /* receivers decay as the new configuration says */
    return have_place;
}

/* ---- pairs ---- */
static struct usage_user *user_named(struct usage *u, const char *name)
{
    struct usage_user *user;
    HASH_FIND_STR(u->users, name, user);
    if (user == NULL) {
        size_t bytes = strlen(name) + 1;
        user = uti_calloc(1, sizeof *user + bytes);
        memcpy(user->name, name, bytes);
        HASH_ADD_STR(u->users, name, user);
    }
    return user;
}

static struct usage_pair *pair_keyed(const struct usage *u, const char *key, size_t len)
{
    struct usage_pair *p;
    HASH_FIND(hh, u->pairs, key, len, p);
    return p;
}

static struct usage_pair *pair_add(struct usage *u, const char *user, const char *project)
{
    size_t of_user = strlen(user), of_project = strlen(project);
    struct usage_pair *p = uti_calloc(1, sizeof *p + 2 * (of_user + of_project + 2));
    char *names = p->key + of_user + of_project + 2;
    memcpy(p->key, user, of_user);
    p->key[of_user] = '/';
    memcpy(p->key + of_user + 1, project, of_project);
    memcpy(names, user, of_user);
    memcpy(names + of_user + 1, project, of_project);
    p->user = names;
    p->project = names + of_user + 1;
    p->of = user_named(u, user);
    p->of->n++;
    HASH_ADD_KEYPTR(hh, u->pairs, p->key, of_user + of_project + 1, p);
    TAILQ_INSERT_TAIL(&u->unsent, p, in_order);
    return p;
}

static struct usage_pair *pair_find(const struct usage *u, const char *user, const char *project)
{
    size_t of_user = strlen(user), of_project = strlen(project);
    char small[128], *key = small;
    if (of_user + of_project + 1 > sizeof small)
        key = uti_alloc(of_user + of_project + 1);
    memcpy(key, user, of_user);
    key[of_user] = '/';
    memcpy(key + of_user + 1, project, of_project);
    struct usage_pair *p = pair_keyed(u, key, of_user + of_project + 1);
    if (key != small)
        free(key);
    return p;
}

struct usage_pair *usage_pair(struct usage *u, const char *user, const char *project)
{
    const char *of = project != NULL ? project : "";
    struct usage_pair *p = pair_find(u, user, of);
    if (p != NULL)
        return p;
    struct usage_user *own;
    HASH_FIND_STR(u->users, user, own);
    if (own != NULL && own->n >= USAGE_PAIRS_OF_USER && *of != '\0')
        return usage_pair(u, user, NULL);
    return HASH_COUNT(u->pairs) < USAGE_PAIRS_MOST ? pair_add(u, user, of) : NULL;
}

void usage_pair_drop(struct usage *u, struct usage_pair *p)
{
    TAILQ_REMOVE(p->round == u->round ? &u->sent : &u->unsent, p, in_order);
    if (p->is_marked)
        TAILQ_REMOVE(&u->marked, p, in_marked);
    walks_pass(&u->walks, p, p->hh.next);
    HASH_DEL(u->pairs, p);
    if (--p->of->n == 0) {
        HASH_DEL(u->users, p->of);
        free(p->of);
    }
    free(p->values);
    free(p);
}

static void note_changed(struct usage *u, struct usage_pair *p)
{
    if (p->round != u->round)
        return;
    TAILQ_REMOVE(&u->sent, p, in_order);
    TAILQ_INSERT_TAIL(&u->unsent, p, in_order);
    p->round = 0;
}

static void note_to_store(struct usage *u, struct usage_pair *p)
{
    note_changed(u, p);
    if (p->is_marked)
        return;
    p->is_marked = true;
    TAILQ_INSERT_TAIL(&u->marked, p, in_marked);
}

/* ---- values ---- */
static struct usage_value *value_of(struct usage *u, struct usage_pair *p, uint32_t k)
{
    if (k >= p->n) {
        p->values = uti_realloc(p->values, u->n_kinds * sizeof *p->values);
        memset(p->values + p->n, 0, (u->n_kinds - p->n) * sizeof *p->values);
        p->n = u->n_kinds;
    }
    return &p->values[k];
}

static double value_at(const struct usage_kind *kind, const struct usage_value *v, uint64_t now_s)
{
    double passed = halves_at(kind, now_s) - v->halves;
    if (kind->halftime_s < 0 || v->used == 0)
        return 0;
    return passed > 0 ? v->used * exp2(-passed) : v->used;
}

void usage_add(struct usage *u, struct usage_pair *p, uint32_t k, double decayed, double total,
               uint64_t now_s)
{
    struct usage_value *v = value_of(u, p, k);
    v->used = value_at(&u->kinds[k], v, now_s) + decayed;
    v->halves = halves_at(&u->kinds[k], now_s);
    v->total += total;
    note_to_store(u, p);
}

void usage_reset(struct usage *u, struct usage_pair *p)
{
    for (uint32_t k = 0; k < p->n; k++)
        p->values[k].used = 0;
    note_to_store(u, p);
}

double usage_worth(const struct usage *u, const struct usage_pair *p, uint32_t k, uint64_t now_s)
{
    if (k >= p->n)
        return 0;
    const struct usage_value *v = &p->values[k];
    return value_at(&u->kinds[k], v, now_s) + (p->n_parts > 0 && v->running > 0 ? v->running : 0);
}

double usage_total(const struct usage_pair *p, uint32_t k)
{
    return k < p->n ? p->values[k].total : 0;
}

/* ---- tasks that run ---- */
static void count_part(struct usage *u, struct usage_part *part, double sign)
{
    for (uint32_t k = 0; k < part->n; k++) {
        struct usage_value *v = value_of(u, part->pair, k);
        v->running += sign * part->counted[k];
        if (part->pair->n_parts == 0)
            v->running = 0; /* what rounding has left */
    }
    note_changed(u, part->pair);
}

void usage_part_free(struct usage *u, struct usage_part *part)
{
    if (part == NULL)
        return;
    part->pair->n_parts--;
    count_part(u, part, -1);
    free(part);
}

struct usage_part *usage_part_set(struct usage *u, struct usage_part *part, struct usage_pair *p,
                                  const double *values, uint32_t n)
{
    usage_part_free(u, part);
    part = uti_calloc(1, sizeof *part + n * sizeof *part->counted);
    part->pair = p;
    part->n = n;
    memcpy(part->counted, values, n * sizeof *values);
    p->n_parts++;
    count_part(u, part, 1);
    return part;
}

/* ---- the scheduler ---- */
void usage_send_all(struct usage *u)
{
    TAILQ_CONCAT(&u->unsent, &u->sent, in_order);
    u->round++;
}

void usage_note_sent(struct usage *u, struct usage_pair *p)
{
    TAILQ_REMOVE(&u->unsent, p, in_order);
    TAILQ_INSERT_TAIL(&u->sent, p, in_order);
    p->round = u->round;
}

/* ---- the spool ---- */
void usage_record(const struct usage *u, const struct usage_pair *p, struct UP_Type *out)
{
    cull_set(out, UP_user, p->user);
    cull_set(out, UP_project, p->project);
    for (uint32_t k = 0; k < p->n; k++) {
        struct UV_Type *v = cull_append(out, UP_values);
        cull_set(v, UV_name, u->kinds[k].name);
        cull_set(v, UV_used, p->values[k].used);
        cull_set(v, UV_halves, p->values[k].halves);
        cull_set(v, UV_total, p->values[k].total);
    }
}

void usage_clock_record(const struct usage *u, const struct usage_pair *p SGE_UNUSED,
                        struct UP_Type *out)
{
    cull_set(out, UP_user, "");
    for (uint32_t k = 0; k < u->n_kinds; k++) {
        struct UV_Type *v = cull_append(out, UP_values);
        cull_set(v, UV_name, u->kinds[k].name);
        cull_set(v, UV_used, u->kinds[k].halftime_s);
        cull_set(v, UV_halves, u->kinds[k].halves);
        cull_set(v, UV_since, u->kinds[k].since_s);
    }
}

static void restore_kind(struct usage *u, const struct UV_Type *v)
{
    struct usage_kind *kind = kind_named(u, v->UV_name);
    kind = kind != NULL ? kind : kind_add(u, v->UV_name);
    if (kind == NULL)
        return;
    kind->halftime_s = v->UV_used;
    kind->halves = v->UV_halves;
    kind->since_s = v->UV_since;
}

static void restore_value(struct usage *u, struct usage_pair *p, const struct UV_Type *v)
{
    struct usage_kind *kind = kind_named(u, v->UV_name);
    kind = kind != NULL ? kind : kind_add(u, v->UV_name);
    if (kind == NULL)
        return;
    *value_of(u, p, (uint32_t)(kind - u->kinds)) =
        (struct usage_value){ .used = v->UV_used, .halves = v->UV_halves, .total = v->UV_total };
}

bool usage_restore(struct usage *u, const struct UP_Type *record)
{
    struct usage_pair *p = NULL;
    if (record->UP_user == NULL)
        return false;
    if (*record->UP_user != '\0') {
        const char *project = record->UP_project != NULL ? record->UP_project : "";
        p = pair_find(u, record->UP_user, project);
        p = p != NULL ? p : pair_add(u, record->UP_user, project);
        p->is_stored = true;
    }
    for (uint32_t i = 0; i < record->UP_values.n; i++) {
        const struct UV_Type *v = &record->UP_values.v[i];
        if (v->UV_name == NULL)
            return false;
        if (p != NULL)
            restore_value(u, p, v);
        else
            restore_kind(u, v);
    }
    if (p == NULL)
        u->is_clock_marked = false;
    return true;
}

/* Sayings, and the values that they come to. Invariant: a value is in the table as long as a saying
 * of it counts; its sayings are in the order in which they were said. */
#include "daemons/qmaster/tables/cell_values.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"

struct cell_value {
    char *name;
    TAILQ_HEAD(, saying) sayings;
    UT_hash_handle hh;
};
TAILQ_HEAD(all_sayings, saying);

size_t saying_bytes(const char *name, const char *value)
{
    return strlen(name) + strlen(value);
}

struct saying *saying_find(const struct sayings *sayings, const char *name)
{
    struct saying *s;
    LIST_FOREACH(s, &sayings->all, in_host)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

static struct cell_value *value_find(const struct cell_values *values, const char *name)
{
    struct cell_value *v;
    HASH_FIND_STR(values->by_name, name, v);
    return v;
}

static struct cell_value *value_get(struct cell_values *values, const char *name)
{
    struct cell_value *v = value_find(values, name);
    if (v != NULL)
        return v;
    v = uti_calloc(1, sizeof *v);
    v->name = uti_strdup(name);
    TAILQ_INIT(&v->sayings);
    HASH_ADD_KEYPTR(hh, values->by_name, v->name, strlen(v->name), v);
    return v;
}

static void value_settle(struct cell_values *values, struct cell_value *v)
{
    if (!TAILQ_EMPTY(&v->sayings))
        return;
    HASH_DEL(values->by_name, v);
    free(v->name);
    free(v);
}

void saying_count(struct cell_values *values, struct saying *s, bool is_on)
{
    struct cell_value *before = s->of;
    s->of = is_on ? value_get(values, s->name) : NULL;
    if (before != NULL)
        TAILQ_REMOVE(&before->sayings, s, in_value);
    if (is_on)
        TAILQ_INSERT_TAIL(&s->of->sayings, s, in_value);
    if (before != NULL)
        value_settle(values, before);
}

struct saying *saying_put(struct cell_values *values, struct sayings *sayings, const char *name,
                          const char *value)
{
    struct saying *s = saying_find(sayings, name);
    if (s != NULL)
        saying_drop(values, sayings, s);
    s = uti_calloc(1, sizeof *s);
    s->name = uti_strdup(name);
    s->value = uti_strdup(value);
    sayings->n++;
    sayings->bytes += saying_bytes(name, value);
    LIST_INSERT_HEAD(&sayings->all, s, in_host);
    return s;
}

void saying_drop(struct cell_values *values, struct sayings *sayings, struct saying *s)
{
    saying_count(values, s, false);
    LIST_REMOVE(s, in_host);
    sayings->n--;
    sayings->bytes -= saying_bytes(s->name, s->value);
    free(s->name);
    free(s->value);
    free(s);
}

void sayings_clear(struct cell_values *values, struct sayings *sayings)
{
    struct saying *s;
    while ((s = LIST_FIRST(&sayings->all)) != NULL)
        saying_drop(values, sayings, s);
}

const char *cell_value_now(const struct cell_values *values, const char *name)
{
    const struct cell_value *v = value_find(values, name);
    return v != NULL ? TAILQ_LAST(&v->sayings, all_sayings)->value : NULL;
}

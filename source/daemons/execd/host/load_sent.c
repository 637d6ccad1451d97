/* Values are compared as texts. A name is put once in a report, so that what comes first replaces
 * what comes later: sensors before the execd's own values. */
#include "daemons/execd/host/load_sent.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

struct sent_value {
    char *name, *value; /* owned */
    uint32_t turn;      /* of the report that put it last */
};

void load_sent_begin(struct load_sent *s, bool is_all)
{
    s->turn++;
    s->is_all = is_all;
}

static struct sent_value *find_value(struct load_sent *s, const char *name)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (strcmp(s->v[i].name, name) == 0)
            return &s->v[i];
    return NULL;
}

static struct sent_value *add_value(struct load_sent *s, const char *name)
{
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    struct sent_value *v = &s->v[s->n++];
    *v = (struct sent_value){ .name = uti_strdup(name) };
    return v;
}

static void say_value(struct EH_Type *host, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(host, EH_load_list);
    cull_set(va, VA_variable, name);
    if (value != NULL)
        cull_set(va, VA_value, value);
}

void load_sent_put(struct load_sent *s, struct EH_Type *host, const char *name, const char *value)
{
    struct sent_value *v = find_value(s, name);
    if (v == NULL)
        v = add_value(s, name);
    else if (v->turn == s->turn)
        return;
    v->turn = s->turn;
    bool is_news = v->value == NULL || strcmp(v->value, value) != 0;
    if (is_news) {
        free(v->value);
        v->value = uti_strdup(value);
    }
    if (is_news || s->is_all)
        say_value(host, name, value);
}

static void free_value(struct sent_value *v)
{
    free(v->name);
    free(v->value);
}

uint32_t load_sent_end(struct load_sent *s, struct EH_Type *host)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->v[i].turn == s->turn) {
            s->v[kept++] = s->v[i];
        } else {
            say_value(host, s->v[i].name, NULL);
            free_value(&s->v[i]);
        }
    }
    s->n = kept;
    return host->EH_load_list.n;
}

void load_sent_free(struct load_sent *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        free_value(&s->v[i]);
    free(s->v);
    *s = (struct load_sent){ 0 };
}

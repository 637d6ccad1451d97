/* A record that a program wrote whose tables lack some of our fields, and an earlier state that has
 * them: together they are the record. So a field survives a release that does not know it. Source:
 * cull_fill_gaps in pack.h */
#include "libs/cull/map.h"

/* the sender's form of FIELD; NULL if the sender has none, or one that we cannot read */
static const struct map_field *their_field(const struct map_type *theirs, unsigned field)
{
    for (uint32_t i = 0; i < theirs->n_fields; i++) {
        if (theirs->fields[i].ours == (int)field)
            return &theirs->fields[i];
    }
    return NULL;
}

/* have both elements the same keys, or the same of everything that the sender knows? */
static bool is_alike(const struct map_type *theirs, const void *a, const void *b, bool only_keys)
{
    const struct cull_type *t = theirs->ours;

    for (unsigned f = 0; f < t->n_fields; f++) {
        bool counts = only_keys ? (t->fields[f].flags & CULL_PRIMARY_KEY) != 0
                                : their_field(theirs, f) != NULL;
        if (counts && !cull_field_equal(t, a, b, f))
            return false;
    }
    return true;
}

/* what element O, which is or was number AT, was in FROM; NULL if it is new */
static const void *earlier_element(const struct map_type *theirs, const struct cull_list *from,
                                   const void *o, uint32_t at)
{
    if (at < from->n && is_alike(theirs, cull_list_at(theirs->ours, from, at), o, false))
        return cull_list_at(theirs->ours, from, at);
    for (int only_keys = 0; only_keys <= 1; only_keys++) {
        for (uint32_t i = 0; i < from->n; i++) {
            const void *e = cull_list_at(theirs->ours, from, i);
            if (is_alike(theirs, e, o, only_keys))
                return e;
        }
    }
    return NULL;
}

static void fill_record(const struct cull_map *m, const struct map_type *theirs, void *to,
                        const void *from);

static void fill_list(const struct cull_map *m, const struct map_type *theirs, struct cull_list *to,
                      const struct cull_list *from)
{
    for (uint32_t i = 0; i < to->n; i++) {
        void *o = (char *)to->v + (size_t)i * theirs->ours->bytes;
        const void *earlier = earlier_element(theirs, from, o, i);
        if (earlier != NULL)
            fill_record(m, theirs, o, earlier);
    }
}

static void fill_record(const struct cull_map *m, const struct map_type *theirs, void *to,
                        const void *from)
{
    const struct cull_type *t = theirs->ours;

    for (unsigned f = 0; f < t->n_fields; f++) {
        const struct map_field *known = their_field(theirs, f);
        if (known == NULL && cull_is_present(from, f))
            cull_copy_field(t, to, from, f);
        else if (known != NULL && t->fields[f].kind == CULL_LIST)
            fill_list(m, &m->types[known->element],
                      (struct cull_list *)(void *)((char *)to + t->fields[f].offset),
                      cull_member(t, from, f));
    }
}

void cull_fill_gaps(const struct cull_map *map, const struct cull_type *t, void *to,
                    const void *from)
{
    const struct map_type *theirs = cull_map_find(map, t);

    if (theirs != NULL)
        fill_record(map, theirs, to, from);
}

/* Open addressing with linear steps. Invariant: at most half of the slots are taken, so that every
 * search ends at a free one. Names may be chosen by somebody who wants them to collide; whoever
 * fills a set from outside bounds how many there are. */
#include "libs/uti/name_set.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"

enum { LEAST_ROOM = 16 };

/* the slot of NAME, or the free one where it would be */
static const char **slot_of(const struct name_set *s, const char *name)
{
    size_t i = uti_fnv1a(name, strlen(name)) & (s->room - 1);
    while (s->slots[i] != NULL && strcmp(s->slots[i], name) != 0)
        i = (i + 1) & (s->room - 1);
    return &s->slots[i];
}

static void make_room(struct name_set *s)
{
    struct name_set next = { .n = s->n, .room = s->room > 0 ? 2 * s->room : LEAST_ROOM };
    next.slots = uti_calloc(next.room, sizeof *next.slots);
    for (size_t i = 0; i < s->room; i++)
        if (s->slots[i] != NULL)
            *slot_of(&next, s->slots[i]) = s->slots[i];
    free(s->slots);
    *s = next;
}

bool name_set_add(struct name_set *s, const char *name)
{
    if (2 * (s->n + 1) > s->room)
        make_room(s);
    const char **slot = slot_of(s, name);
    if (*slot != NULL)
        return false;
    *slot = name;
    s->n++;
    return true;
}

bool name_set_has(const struct name_set *s, const char *name)
{
    return s->n > 0 && *slot_of(s, name) != NULL;
}

void name_set_free(struct name_set *s)
{
    free(s->slots);
    *s = (struct name_set){ 0 };
}

/* Walks over tables. Invariant: a walk that has begun is in the list of its table, and is at an
 * element that is there: whatever takes one out tells the walks before. */
#include "daemons/qmaster/tables/walk.h"

void walk_begin(struct walks *walks, struct walk *w, void *first)
{
    walk_end(w);
    w->next = first;
    LIST_INSERT_HEAD(walks, w, in_walks);
}

void walk_end(struct walk *w)
{
    if (w->in_walks.le_prev != NULL)
        LIST_REMOVE(w, in_walks);
    *w = (struct walk){ 0 };
}

void *walk_take(struct walk *w, size_t hh_offset)
{
    void *element = w->next;
    if (element != NULL)
        w->next = ((const UT_hash_handle *)((char *)element + hh_offset))->next;
    return element;
}

void walks_pass(struct walks *walks, const void *leaving, void *next)
{
    struct walk *w;
    LIST_FOREACH(w, walks, in_walks)
        if (w->next == leaving)
            w->next = next;
}

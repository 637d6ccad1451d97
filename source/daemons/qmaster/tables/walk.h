#ifndef QMASTER_TABLES_WALK_H
#define QMASTER_TABLES_WALK_H

#include "libs/uti/hash.h"

#include <sys/queue.h>

/* A walk over a table of the configuration that can stop anywhere and go on in another slice,
 * whatever comes and goes meanwhile: what goes is passed over, what is new comes last. The tables
 * are uthash's, in the order in which things came; what changes keeps its place. */
struct walk {
    void *next; /* the element that it comes to next; NULL: it is done */
    LIST_ENTRY(walk) in_walks;
};
LIST_HEAD(walks, walk); /* those over one or several tables; all zero: empty */

/* walk_begin - at FIRST, the head of a table. End it with walk_end, also when it is done; one that
 * is all zero has not begun, and may be ended. */
void walk_begin(struct walks *walks, struct walk *w, void *first);
void walk_end(struct walk *w);
/* walk_take - the next element, whose handle is HH_OFFSET bytes behind its beginning; NULL at the
 * end */
void *walk_take(struct walk *w, size_t hh_offset);
/* walks_pass - element LEAVING is about to go; NEXT follows it. O(walks) */
void walks_pass(struct walks *walks, const void *leaving, void *next);

#endif

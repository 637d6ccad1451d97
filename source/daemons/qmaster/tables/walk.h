#ifndef QMASTER_TABLES_WALK_H
#define QMASTER_TABLES_WALK_H

#include <sys/queue.h>

#include "daemons/qmaster/tables/jobs.h"
#include "libs/uti/hash.h"

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

/* A walk over the jobs of one owner, name by name, that can stop anywhere and go on in another
 * slice, whatever jobs come and go meanwhile: a job that goes is passed over, names that are new
 * come last. */
struct name_walk {
    struct jobs_watcher watcher; /* first */
    struct jobs *jobs;
    struct named_jobs *named; /* the name that it is at; NULL: it is done */
    struct job *job;          /* the next job of that name; NULL: the name has just been reached */
    bool is_of_one;           /* there are no other names to come */
};
/* name_walk_begin - at the first name of OWNER, or at NAME alone. End it with name_walk_end, also
 * when it is done.
 * name_walk_into - the jobs of this name follow, by submission
 * name_walk_job - the next of them; NULL: the walk has moved on to the next name, or is done */
void name_walk_begin(struct name_walk *w, struct jobs *jobs, const char *owner, const char *name);
void name_walk_into(struct name_walk *w);
struct job *name_walk_job(struct name_walk *w);
/* name_walk_pass - on to the next name */
void name_walk_pass(struct name_walk *w);
/* name_walk_end - W is not notified any more */
void name_walk_end(struct name_walk *w);

#endif

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

/* ---- walks over the names of jobs ---- */
/* Walks over names. Invariant: a walk that has begun is in the list of its job table, and is at a
 * name and a job that are in the table: whatever takes one out tells the walks before. Where nobody
 * walks that costs nothing. */
void name_walk_pass(struct name_walk *w)
{
    w->named = w->is_of_one ? NULL : w->named->hh.next;
    w->job = NULL;
}

void name_walk_into(struct name_walk *w)
{
    w->job = TAILQ_FIRST(&w->named->jobs);
}

static void step_over(struct name_walk *w)
{
    w->job = TAILQ_NEXT(w->job, in_named);
    if (w->job == NULL)
        name_walk_pass(w);
}

/* JOB is about to go from the list of its name: no walk stays there */
static void on_leaving(struct jobs_watcher *watcher, const struct job *job)
{
    struct name_walk *w = (struct name_walk *)watcher;
    if (w->job == job)
        step_over(w);
    else if (w->named == job->named && job->named->n == 1)
        name_walk_pass(w);
}

void name_walk_begin(struct name_walk *w, struct jobs *jobs, const char *owner, const char *name)
{
    struct owner *o = jobs_owner(jobs, owner);
    *w = (struct name_walk){ .watcher.on_leaving = on_leaving,
                             .jobs = jobs,
                             .is_of_one = name != NULL };
    if (o != NULL && name != NULL)
        HASH_FIND_STR(o->names, name, w->named);
    else if (o != NULL)
        w->named = o->names;
    LIST_INSERT_HEAD(&jobs->watchers, &w->watcher, in_jobs);
}

struct job *name_walk_job(struct name_walk *w)
{
    struct job *job = w->job;
    if (job != NULL)
        step_over(w);
    return job;
}

void name_walk_end(struct name_walk *w)
{
    if (w->jobs != NULL)
        LIST_REMOVE(&w->watcher, in_jobs);
    *w = (struct name_walk){ 0 };
}

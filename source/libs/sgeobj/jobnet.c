/* The search for cycles among jobs that wait for each other.
 *
 * A job would wait for itself when a path of predecessors leads back to it. All jobs on such paths
 * are visited, each once, the one with the highest number first. The jobs seen and those to do are
 * sets of numbers, so that a search takes little memory while it waits for its next turn. */
#include "libs/sgeobj/jobnet.h"

void jobnet_search_begin(struct jobnet_search *s, uint32_t job)
{
    *s = (struct jobnet_search){ .job = job, .at = job };
}

void jobnet_search_put(struct jobnet_search *s, uint32_t predecessor)
{
    if (predecessor == s->job)
        s->with = s->at;
    if (range_set_has(&s->seen, predecessor))
        return;
    range_set_add(&s->seen, predecessor, predecessor);
    range_set_add(&s->todo, predecessor, predecessor);
}

bool jobnet_search_next(struct jobnet_search *s)
{
    if (s->with != 0 || !range_set_max(&s->todo, &s->at))
        return false;
    range_set_remove(&s->todo, s->at, s->at);
    return true;
}

void jobnet_search_again(struct jobnet_search *s, uint32_t job)
{
    if (range_set_has(&s->seen, job))
        range_set_add(&s->todo, job, job);
}

void jobnet_search_free(struct jobnet_search *s)
{
    range_set_free(&s->todo);
    range_set_free(&s->seen);
    *s = (struct jobnet_search){ 0 };
}

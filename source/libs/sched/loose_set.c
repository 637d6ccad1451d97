/* Sets of queue instances without places of their own. Owns their bits, and the sweep.
 *
 * A loose set is one request's. A bit for each instance says which are in it, and that is found out
 * when the turn of a job that asks so has come. It is read through the set of all instances, so
 * that choosing costs a look at each; but an instance that changes need not be moved in it, and a
 * set of 1,000 instances takes 125 bytes instead of 100,000. What waits in loose sets is looked for
 * by the sweep, in slices: it goes over all of them once with the instances that have gained
 * something before it began. So what loose sets cost others does not depend on how many there are.
 */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

enum { BITS_OF_WORD = 64 };

static uint32_t words_of(const struct sched *s)
{
    return s->n_indices / BITS_OF_WORD + 1;
}

static void bit_set(uint64_t *bits, uint32_t index)
{
    bits[index / BITS_OF_WORD] |= UINT64_C(1) << (index % BITS_OF_WORD);
}

struct queue_set *loose_set_new(struct sched *s)
{
    struct queue_set *set = uti_calloc(1, sizeof *set);
    set->sched = s;
    set->is_loose = true;
    RB_INIT(&set->usable);
    LIST_INIT(&set->places);
    LIST_INIT(&set->requests);
    LIST_INIT(&set->blocked);
    return queue_set_use(set);
}

bool loose_set_has(const struct queue_set *set, const struct sched_queue *q)
{
    return set->bits == NULL ||
           ((set->bits[q->index / BITS_OF_WORD] >> (q->index % BITS_OF_WORD)) & 1) != 0;
}

/* the set of all instances, which loose ones are read through; it goes when the last loose set
 * with bits does */
static void all_get(struct sched *s)
{
    uint64_t members = 0, stamp = ++s->stamps;
    for (struct sched_queue *q = s->queues; q != NULL; q = q->hh.next) {
        q->stamp = stamp;
        members += q->mark;
    }
    s->all = queue_set_get(s, stamp, members, HASH_COUNT(s->queues), NULL);
}

void loose_set_fill(struct sched *s, struct queue_set *set, uint64_t stamp)
{
    size_t bytes = words_of(s) * sizeof *set->bits;
    set->bits = uti_calloc(1, bytes);
    for (struct sched_queue *q = s->queues; q != NULL; q = q->hh.next)
        if (q->stamp == stamp)
            bit_set(set->bits, q->index);
    TAILQ_INSERT_TAIL(&s->loose, set, of_loose);
    if (s->all != NULL)
        return;
    all_get(s);
    s->gained = uti_realloc(s->gained, bytes);
    s->sweeping = uti_realloc(s->sweeping, bytes);
    memset(s->gained, 0, bytes);
}

/* SET has no bits any more */
static void clear_bits(struct sched *s, struct queue_set *set)
{
    if (set->bits == NULL)
        return;
    if (s->sweep_at == set)
        s->sweep_at = TAILQ_NEXT(set, of_loose);
    TAILQ_REMOVE(&s->loose, set, of_loose);
    free(set->bits);
    set->bits = NULL;
    if (!TAILQ_EMPTY(&s->loose))
        return;
    struct queue_set *all = s->all;
    s->all = NULL;
    s->has_gained = false;
    queue_set_drop(s, all);
}

void loose_set_free(struct sched *s, struct queue_set *set)
{
    clear_bits(s, set);
    free(set);
}

void loose_sets_forget(struct sched *s)
{
    struct queue_set *set;
    while ((set = TAILQ_FIRST(&s->loose)) != NULL) {
        while (!LIST_EMPTY(&set->blocked))
            need_unblock(LIST_FIRST(&set->blocked));
        clear_bits(s, set);
    }
}

/* ---- the sweep ---- */
void loose_sets_note_gain(struct sched *s, const struct sched_queue *q)
{
    if (s->all == NULL)
        return;
    bit_set(s->gained, q->index);
    s->has_gained = true;
}

bool loose_sets_are_swept(const struct sched *s)
{
    return s->sweep_at == NULL && !s->has_gained;
}

/* who waits in SET is tried again if a task fits in an instance that has gained something */
static void sweep_set(struct sched *s, struct queue_set *set)
{
    for (uint32_t word = 0; word < words_of(s) && !LIST_EMPTY(&set->blocked); word++)
        for (uint64_t bits = set->bits[word] & s->sweeping[word]; bits != 0; bits &= bits - 1) {
            struct sched_queue *q =
                s->by_index[word * BITS_OF_WORD + (uint32_t)__builtin_ctzll(bits)];
            s->work.looks++;
            if (q != NULL && queue_takes_tasks(q))
                needs_wake(s, &set->blocked, q);
        }
}

static void sweep_begin(struct sched *s)
{
    uint64_t *gained = s->gained;
    s->gained = s->sweeping;
    s->sweeping = gained;
    memset(s->gained, 0, words_of(s) * sizeof *s->gained);
    s->has_gained = false;
    s->sweep_at = TAILQ_FIRST(&s->loose);
}

bool loose_sets_sweep(struct sched *s, uint64_t most)
{
    uint64_t looks = s->work.looks;
    if (s->sweep_at == NULL && s->has_gained)
        sweep_begin(s);
    while (s->sweep_at != NULL && (most == 0 || s->work.looks - looks < most)) {
        struct queue_set *set = s->sweep_at;
        s->sweep_at = TAILQ_NEXT(set, of_loose);
        s->work.looks++;
        sweep_set(s, set);
    }
    return loose_sets_are_swept(s);
}

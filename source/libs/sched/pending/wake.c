/* Which blocked needs may fit now. Owns the sweep over loose sets.
 *
 * The cell reports what was given back; the needs in the lists that it concerns are checked, and
 * those of which one task would fit are open again. So an end costs what it unblocks.
 *
 * Needs in loose sets are found by the sweep, in slices: it goes over all loose sets once with the
 * instances that have gained something before it began. So what loose sets cost others does not
 * depend on how many there are. */
#include "libs/sched/pending/wake.h"

#include <stdlib.h>
#include <string.h>

#include "libs/resource/quota_book.h"
#include "libs/sched/pending/category.h"
#include "libs/sched/pending/job_group.h"
#include "libs/sched/pending/need.h"
#include "libs/sched/place/parallel.h"
#include "libs/sched/place/place.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/pe.h"
#include "libs/sched/supply/queue_set.h"

enum { BITS_OF_WORD = 64 };

/* ---- something was given back ---- */
/* open those of BLOCKED of which a task fits in Q; Q NULL: as far as the cell decides
 * O(BLOCKED): as many as there are demands in the same queue instances */
static void wake_list(struct sched_pending *pending, struct need_list *blocked,
                      struct sched_queue *q)
{
    struct need *need, *next;
    LIST_FOREACH_SAFE(need, blocked, of_blocked, next) {
        pending->cell->work.woken++;
        if (place_may_fit(pending->finder, &need->key, q))
            need_unblock(need);
    }
}

/* O(those blocked by the cell, and parallel ones that take something of each of several hosts, or
 * for which the cell had too little for some number of slots): how many slots or hosts will do is
 * not known before a look */
static void wake_after_cell(struct sched_pending *pending)
{
    struct need *need, *next;
    wake_list(pending, &pending->blocked_by_cell, NULL);
    LIST_FOREACH_SAFE(need, &pending->blocked_parallel, of_parallel, next) {
        pending->cell->work.woken++;
        if ((need->key.on_host != NULL || need->is_short_in_cell) &&
            place_may_fit(pending->finder, &need->key, NULL))
            need_unblock(need);
    }
}

/* ---- reports ---- */
enum { CONDITIONAL_LOOKS = 1000 };

static bool fits_at_host(struct sched_pending *pending, const struct need *need,
                         struct sched_host *h)
{
    struct sched_queue *q;
    LIST_FOREACH(q, &h->queues, of_host)
        if (queue_takes_tasks(q) && queue_is_in(q, need->key.set) &&
            place_may_fit(pending->finder, &need->key, q))
            return true;
    return false;
}

/* looks at CONDITIONAL_LOOKS needs at most; the others have their turn at the next report */
static void wake_after_report(struct sched_pending *pending, struct sched_host *h)
{
    struct conditional_list *list = &pending->blocked_conditional;
    struct need *last = TAILQ_LAST(list, conditional_list), *need = NULL;
    for (int n = 0; n < CONDITIONAL_LOOKS && need != last; n++) {
        need = TAILQ_FIRST(list);
        pending->cell->work.woken++;
        TAILQ_REMOVE(list, need, of_conditional);
        TAILQ_INSERT_TAIL(list, need, of_conditional);
        if (fits_at_host(pending, need, h))
            need_unblock(need);
    }
}

static void wake_conditional(struct sched_pending *pending)
{
    struct need *need, *next;
    TAILQ_FOREACH_SAFE(need, &pending->blocked_conditional, of_conditional, next)
    need_unblock(need);
}

/* ---- parallel environments ---- */
/* those that PE would do for and that ask for more slots than BEFORE */
static void wake_after_pe(struct sched_pending *pending, const struct pe *pe, uint64_t before)
{
    struct need *need, *next;
    uint64_t left = pe_left(pe);
    LIST_FOREACH_SAFE(need, &pending->blocked_parallel, of_parallel, next) {
        const struct parallel *parallel = need->key.parallel;
        pending->cell->work.woken++;
        if (left >= parallel->least && before < parallel->greatest && parallel_means(parallel, pe))
            need_unblock(need);
    }
}

/* ---- resource quotas ---- */
static bool values_equal(const char *own, const char *value)
{
    return value == NULL || strcmp(own, value) == 0;
}

/* can QUOTA be one of WHO? */
static bool is_of_class(const struct quota_class *who, const struct quota_member *quota)
{
    return quota_class_has(who, quota->rule->number) &&
           values_equal(quota_class_user(who), quota->values[QUOTA_USERS]) &&
           values_equal(quota_class_project(who), quota->values[QUOTA_PROJECTS]);
}

/* the needs that are blocked now are to be opened; a user may have tens of thousands */
static void wake_class(struct sched_pending *pending, struct quota_blocked *b)
{
    if (b->wake_last == NULL)
        TAILQ_INSERT_TAIL(&pending->waking, b, of_waking);
    b->wake_last = TAILQ_LAST(&b->needs, quota_needs);
}

/* a look at each class; those that QUOTA, or any if it is NULL, may concern are opened by the next
 * runs, in slices */
static void wake_after_quota(struct sched_pending *pending, const struct quota_member *quota)
{
    struct quota_blocked *b, *next;
    HASH_ITER(hh, pending->blocked_by_class, b, next) {
        pending->cell->work.woken += quota != NULL;
        if (quota == NULL || is_of_class(b->who, quota))
            wake_class(pending, b);
    }
}

bool needs_are_woken(const struct sched_pending *pending)
{
    return TAILQ_EMPTY(&pending->waking);
}

bool needs_wake(struct sched_pending *pending, uint64_t most)
{
    enum { LOOKS_OF_OPENING = 8 }; /* it takes about as long */
    for (uint64_t n = 0; !needs_are_woken(pending) && (most == 0 || n < most);
         n += LOOKS_OF_OPENING) {
        struct quota_blocked *b = TAILQ_FIRST(&pending->waking);
        TAILQ_REMOVE(&pending->waking, b, of_waking);
        TAILQ_INSERT_TAIL(&pending->waking, b, of_waking);
        pending->cell->work.woken++;
        need_unblock(TAILQ_FIRST(&b->needs));
    }
    return needs_are_woken(pending);
}

/* ---- the sweep over loose sets ---- */
static uint32_t words_of(const struct sched_pending *pending)
{
    return pending->cell->n_indices / BITS_OF_WORD + 1;
}

/* Q, in which needs of loose sets may be blocked, has gained something */
static void note_gain(struct sched_pending *pending, const struct sched_queue *q)
{
    size_t bytes = words_of(pending) * sizeof *pending->gained;
    if (pending->cell->all == NULL)
        return;
    if (!pending->has_gained) {
        pending->gained = uti_realloc(pending->gained, bytes);
        memset(pending->gained, 0, bytes);
    }
    pending->gained[q->index / BITS_OF_WORD] |= UINT64_C(1) << (q->index % BITS_OF_WORD);
    pending->has_gained = true;
}

/* SET, which is about to lose its bits, is in no sweep; its needs are checked by a run */
static void forget_set(struct sched_pending *pending, struct queue_set *set)
{
    if (pending->sweep_at == set)
        pending->sweep_at = TAILQ_NEXT(set, of_loose);
    if (TAILQ_FIRST(&pending->cell->loose) == set && TAILQ_NEXT(set, of_loose) == NULL)
        pending->has_gained = false;
    while (!LIST_EMPTY(&set->blocked))
        need_unblock(LIST_FIRST(&set->blocked));
}

bool needs_are_swept(const struct sched_pending *pending)
{
    return pending->sweep_at == NULL && !pending->has_gained;
}

/* the needs of SET are checked in the instances that have gained something */
static void sweep_set(struct sched_pending *pending, struct queue_set *set)
{
    for (uint32_t word = 0; word < words_of(pending) && !LIST_EMPTY(&set->blocked); word++)
        for (uint64_t bits = set->bits[word] & pending->sweeping[word]; bits != 0;
             bits &= bits - 1) {
            struct sched_queue *q =
                pending->cell->by_index[word * BITS_OF_WORD + (uint32_t)__builtin_ctzll(bits)];
            pending->cell->work.looks++;
            if (q != NULL && queue_takes_tasks(q))
                wake_list(pending, &set->blocked, q);
        }
}

static void sweep_begin(struct sched_pending *pending)
{
    uint64_t *gained = pending->gained;
    pending->gained = pending->sweeping;
    pending->sweeping = gained;
    pending->has_gained = false;
    pending->sweep_at = TAILQ_FIRST(&pending->cell->loose);
}

bool needs_sweep(struct sched_pending *pending, uint64_t most)
{
    uint64_t looks = pending->cell->work.looks;
    if (pending->sweep_at == NULL && pending->has_gained)
        sweep_begin(pending);
    while (pending->sweep_at != NULL && (most == 0 || pending->cell->work.looks - looks < most)) {
        struct queue_set *set = pending->sweep_at;
        pending->sweep_at = TAILQ_NEXT(set, of_loose);
        pending->cell->work.looks++;
        sweep_set(pending, set);
    }
    return needs_are_swept(pending);
}

/* ---- changes ---- */
static void wake_after_queue(struct sched_pending *pending, struct sched_queue *q)
{
    struct queue_place *p;
    LIST_FOREACH(p, &q->places, of_queue)
        wake_list(pending, &p->set->blocked, q);
    note_gain(pending, q);
}

void pending_take_change(struct sched_pending *pending, const struct cell_change *change)
{
    switch (change->kind) {
    case QUEUE_GAINED:
        wake_after_queue(pending, change->queue);
        return;
    case CELL_GAINED:
        wake_after_cell(pending);
        return;
    case HOST_REPORTED:
        wake_after_report(pending, change->host);
        return;
    case CELL_REPORTED:
        wake_conditional(pending);
        return;
    case PE_GAINED:
        wake_after_pe(pending, change->pe, change->before);
        return;
    case QUOTA_GAINED:
        wake_after_quota(pending, change->quota);
        return;
    case SET_CLEARED:
        forget_set(pending, change->set);
        return;
    case REQUEST_MOVED:
        categories_move(change->request);
        return;
    case CONDITIONS_CHANGED:
        categories_renew(pending);
        return;
    case QUOTA_CLASSES_CHANGED:
        job_groups_move(pending);
        return;
    case QUOTA_BOOK_EMPTIED:
        return;
    }
}

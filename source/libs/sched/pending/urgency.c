/* Classes of jobs with equal urgency. Owns struct urgency_class. */
#include "libs/sched/pending/urgency.h"

#include <stdlib.h>

static int age_order(struct sched_job *a, struct sched_job *b)
{
    (*a->group->compared)++;
    if (a->submitted_s != b->submitted_s)
        return a->submitted_s < b->submitted_s ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}
TREE_GENERATE(age_tree, sched_job, by_age, age_order)

/* ---- classes ---- */
/* the key: its two parts lie side by side */
_Static_assert(offsetof(struct urgency_class, deadline_s) ==
                   offsetof(struct urgency_class, rrcontr) + sizeof(double),
               "no gap");
enum { KEY_BYTES = sizeof(double) + sizeof(uint64_t) };

struct urgency_class *urgency_class_get(struct sched_pending *pending, double rrcontr,
                                        uint64_t deadline_s)
{
    const struct urgency_class key = { .rrcontr = rrcontr, .deadline_s = deadline_s };
    struct urgency_class *c = NULL;
    if (pending->urgency_classes != NULL)
        HASH_FIND(hh, pending->urgency_classes, &key.rrcontr, KEY_BYTES, c);
    if (c == NULL) {
        c = uti_calloc(1, sizeof *c);
        c->rrcontr = rrcontr;
        c->deadline_s = deadline_s;
        RB_INIT(&c->active);
        HASH_ADD(hh, pending->urgency_classes, rrcontr, KEY_BYTES, c);
    }
    c->users++;
    return c;
}

void urgency_class_drop(struct sched_pending *pending, struct urgency_class *c)
{
    if (--c->users > 0)
        return;
    HASH_DEL(pending->urgency_classes, c);
    free(c);
}

void urgency_add_job(struct urgency_class *c, struct sched_job *job)
{
    RB_INSERT(age_tree, &c->active, job);
}

void urgency_remove_job(struct urgency_class *c, struct sched_job *job)
{
    RB_REMOVE(age_tree, &c->active, job);
}

/* ---- urgencies ---- */
double deadline_urgency(double weight, uint64_t deadline_s, uint64_t now_s)
{
    if (deadline_s == 0)
        return 0;
    return deadline_s > now_s ? weight / (double)(deadline_s - now_s) : weight;
}

struct urgency_span urgency_span(const struct sched_pending *pending, double weight_waiting_time,
                                 double weight_deadline, uint64_t now_s)
{
    struct urgency_span span = { 0, 0, false };
    bool is_first = true;
    for (struct urgency_class *c = pending->urgency_classes; c != NULL; c = c->hh.next) {
        const struct sched_job *oldest = RB_MIN(age_tree, &c->active),
                               *newest = RB_MAX(age_tree, &c->active);
        if (oldest == NULL)
            continue;
        double beside = c->rrcontr + deadline_urgency(weight_deadline, c->deadline_s, now_s),
               lowest = beside - weight_waiting_time * (double)newest->submitted_s,
               highest = beside - weight_waiting_time * (double)oldest->submitted_s;
        span.lowest = is_first || lowest < span.lowest ? lowest : span.lowest;
        span.highest = is_first || highest > span.highest ? highest : span.highest;
        span.has_deadline |= c->deadline_s != 0;
        is_first = false;
    }
    return span;
}

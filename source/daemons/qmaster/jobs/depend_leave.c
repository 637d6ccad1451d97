/* Jobs and tasks that end: what waited for them is released, and a job that has gone leaves the
 * lists of others. Few links are done at once, many in steps, which are the turns of the job's
 * owner. Meanwhile those that were not reached yet still wait, and an entry for the job means
 * nobody. Nothing of it is on disk: a restart finds the same holds. */
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/array_holds.h"
#include "daemons/qmaster/jobs/depend.h"
#include "daemons/qmaster/jobs/successors.h"
#include "daemons/qmaster/tables/slice.h"
#include "libs/uti/alloc.h"

/* ---- tasks that ended ---- */
/* One walk over the array successors of a job tells each what has ended. What ends during a walk is
 * told in the next one. */
struct telling {
    struct piece piece;
    struct qmaster *q;
    struct JRE_Type job;   /* whose tasks */
    uint32_t after;        /* successors up to this number have heard of NOW */
    struct range_set now;  /* what is being told */
    struct range_set next; /* what has ended since this walk began */
};

/* one slice of the walk; true: all have heard of it */
static bool tell_some(struct qmaster *q, struct job *job, const struct range_set *ended,
                      uint32_t *after)
{
    const struct JRE_Type_list *l = &job->rec.JB_ja_ad_sucessor_list;
    struct ja_shape a = ja_shape_of(&job->rec);
    uint32_t at = links_after(l, *after);
    for (uint32_t work = 0; at < l->n; at++) {
        if (work++ == STEP_WORK || (work > 1 && slice_is_over(q)))
            return false;
        struct job *succ = links_job(q, &l->v[at]);
        *after = l->v[at].JRE_job_number;
        if (succ != NULL)
            array_holds_lift(q, succ, &a, ended);
    }
    return true;
}

static bool tell_more(struct qmaster *q, struct piece *piece)
{
    struct telling *t = (struct telling *)piece;
    struct job *job = links_job(q, &t->job);
    if (job == NULL)
        return true; /* its successors hear of the rest as it leaves their lists */
    if (!tell_some(q, job, &t->now, &t->after))
        return false;
    range_set_move(&t->now, &t->next);
    t->after = 0;
    return range_set_is_empty(&t->now);
}

static void telling_free(struct piece *piece)
{
    struct telling *t = (struct telling *)piece;
    struct job *job = links_job(t->q, &t->job);
    if (job != NULL)
        job_rare(job)->telling = NULL;
    range_set_free(&t->now);
    range_set_free(&t->next);
    free(t);
}

static const struct piece_kind telling_kind = { "releasing tasks that waited for others", tell_more,
                                                telling_free };

void depend_ended(struct qmaster *q, struct job *job, const struct range_set *ended)
{
    uint32_t after = 0;
    if (job->rare->telling != NULL) {
        range_set_unite(&job->rare->telling->next, ended);
        return;
    }
    if (job->rec.JB_ja_ad_sucessor_list.n == 0 || tell_some(q, job, ended, &after))
        return;
    struct telling *t = uti_calloc(1, sizeof *t);
    t->piece.kind = &telling_kind;
    t->q = q;
    t->job = links_entry(job);
    t->after = after;
    range_set_copy(&t->now, ended);
    job_rare(job)->telling = t;
    work_put_piece(q->work, job->rec.JB_uid, &t->piece);
}

/* ---- jobs that have gone ---- */
struct leaving {
    struct piece piece;
    struct JRE_Type job; /* who it was */
    struct ja_shape shape;
    struct range_set ended; /* tasks that not all of its successors have heard of */
    struct JRE_Type_list ad_successors, jid_successors, ad_predecessors, jid_predecessors;
    uint32_t done; /* entries of all lists, in this order */
};

static uint32_t links_of(const struct leaving *l)
{
    return l->ad_successors.n + l->jid_successors.n + l->ad_predecessors.n + l->jid_predecessors.n;
}

static void leave_successor(struct qmaster *q, const struct leaving *l,
                            const struct JRE_Type *entry, bool is_ad)
{
    struct job *succ = links_job(q, entry);
    if (succ == NULL)
        return;
    predecessor_forget(q, succ, &l->job, is_ad);
    if (is_ad && !range_set_is_empty(&l->ended))
        array_holds_lift(q, succ, &l->shape, &l->ended);
}

/* link AT of a job that has gone, counted through all its lists */
static void leave_one(struct qmaster *q, const struct leaving *l, uint32_t at)
{
    const struct JRE_Type_list *lists[] = { &l->ad_successors, &l->jid_successors,
                                            &l->ad_predecessors, &l->jid_predecessors };
    unsigned i = 0;
    while (at >= lists[i]->n)
        at -= lists[i++]->n;
    const struct JRE_Type *entry = &lists[i]->v[at];
    bool is_ad = i % 2 == 0;
    if (i < 2)
        leave_successor(q, l, entry, is_ad);
    else
        successor_remove(q, entry, &l->job, is_ad);
}

static bool leave_some(struct qmaster *q, struct piece *piece)
{
    struct leaving *l = (struct leaving *)piece;
    uint32_t n = links_of(l), until = n - l->done > STEP_WORK ? l->done + STEP_WORK : n;
    while (l->done < until) {
        leave_one(q, l, l->done++);
        if (slice_is_over(q))
            break;
    }
    return l->done == n;
}

static void leaving_clear(struct leaving *l)
{
    range_set_free(&l->ended);
    links_clear(&l->ad_successors);
    links_clear(&l->jid_successors);
    links_clear(&l->ad_predecessors);
    links_clear(&l->jid_predecessors);
}

static void leaving_free(struct piece *piece)
{
    leaving_clear((struct leaving *)piece);
    free(piece);
}

static const struct piece_kind leaving_kind = { "releasing jobs that waited for another",
                                                leave_some, leaving_free };

static void move_list(struct JRE_Type_list *to, struct JRE_Type_list *from)
{
    *to = *from;
    *from = (struct JRE_Type_list){ 0 };
}

/* what JOB takes along of its links: its lists are empty afterwards */
static struct leaving take_links(struct job *job)
{
    struct JB_Type *rec = &job->rec;
    struct leaving l = { .job = links_entry(job), .shape = ja_shape_of(rec) };
    move_list(&l.ad_successors, &rec->JB_ja_ad_sucessor_list);
    move_list(&l.jid_successors, &rec->JB_jid_sucessor_list);
    move_list(&l.ad_predecessors, &rec->JB_ja_ad_predecessor_list);
    move_list(&l.jid_predecessors, &rec->JB_jid_predecessor_list);
    if (job->rare->telling != NULL) {
        range_set_copy(&l.ended, &job->rare->telling->now);
        range_set_unite(&l.ended, &job->rare->telling->next);
    }
    return l;
}

void depend_job_gone(struct qmaster *q, struct job *job)
{
    links_tidy(job);
    struct leaving l = take_links(job);
    uint32_t n = links_of(&l);
    if (n > LINKS_FEW) {
        struct leaving *later = uti_alloc(sizeof *later);
        *later = l;
        later->piece.kind = &leaving_kind;
        work_put_piece(q->work, job->rec.JB_uid, &later->piece);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        leave_one(q, &l, i);
    leaving_clear(&l);
}

/* Jobs and tasks that end: what waited for them is released, and a job that has gone leaves the lists of others. While one leaves long lists
 * in steps, it may still be in a predecessor list for a while, and is in no successor list that anybody asks; nothing of it is on disk, as a
 * restart finds the same holds. */
#include <stdlib.h>

#include "daemons/qmaster/array_holds.h"
#include "daemons/qmaster/change.h"
#include "daemons/qmaster/depend.h"
#include "daemons/qmaster/events.h"
#include "daemons/qmaster/links.h"
#include "daemons/qmaster/parked.h"
#include "daemons/qmaster/work.h"

void depend_ended(struct qmaster *q, struct job *job, const struct range_set *ended)
{
    struct ja_shape a = ja_shape_of(&job->rec);
    for (uint32_t i = 0; i < job->rec.JB_ja_ad_sucessor_list.n; i++) {
        struct job *succ = links_job(q, &job->rec.JB_ja_ad_sucessor_list.v[i]);
        if (succ != NULL)
            array_holds_lift(q, succ, &a, ended);
    }
}

static void forget_predecessor(struct qmaster *q, struct job *succ, const struct JB_Type *pred,
                               bool is_ad)
{
    struct JB_Type *rec = &succ->rec;
    succ->changed = change_number(q);
    if (is_ad)
        links_remove(&rec->JB_ja_ad_predecessor_list, &succ->gone.ad_predecessors, pred);
    else if (links_remove(&rec->JB_jid_predecessor_list, &succ->gone.jid_predecessors, pred) &&
             rec->JB_jid_predecessor_list.n == 0)
        events_tasks_startable(q, succ, &succ->unfinished);
}

/* A job that has gone while many jobs wait for it, or it waited for many: it leaves their lists in steps. Nothing of it is on disk, as a
 * restart finds the same holds; until then the others wait for it, and an entry for it means nobody. */
struct leaving {
    struct piece piece;
    struct JB_Type rec; /* its number, its round and its lists */
    uint32_t done;      /* entries of all lists, in this order */
};

static uint32_t links_of(const struct JB_Type *rec)
{
    return rec->JB_ja_ad_sucessor_list.n + rec->JB_jid_sucessor_list.n +
           rec->JB_ja_ad_predecessor_list.n + rec->JB_jid_predecessor_list.n;
}

/* link AT of a job that has gone, counted through all its lists */
static void leave_one(struct qmaster *q, const struct JB_Type *rec, uint32_t at)
{
    const struct JRE_Type_list *lists[] = { &rec->JB_ja_ad_sucessor_list,
                                            &rec->JB_jid_sucessor_list,
                                            &rec->JB_ja_ad_predecessor_list,
                                            &rec->JB_jid_predecessor_list };
    unsigned i = 0;
    while (at >= lists[i]->n)
        at -= lists[i++]->n;
    const struct JRE_Type *entry = &lists[i]->v[at];
    struct job *succ = i < 2 ? links_job(q, entry) : NULL;
    if (succ != NULL)
        forget_predecessor(q, succ, rec, i == 0);
    else if (i >= 2)
        links_unlink(q, entry, rec, i == 2);
}

static bool leave_some(struct qmaster *q, struct piece *piece)
{
    struct leaving *l = (struct leaving *)piece;
    uint32_t n = links_of(&l->rec), until = n - l->done > STEP_WORK ? l->done + STEP_WORK : n;
    while (l->done < until) {
        leave_one(q, &l->rec, l->done++);
        if (slice_is_over(q))
            break;
    }
    return l->done == n;
}

static void leaving_free(struct piece *piece)
{
    cull_clear(&cull_JB_Type, &((struct leaving *)piece)->rec);
    free(piece);
}

static const struct piece_kind leaving_kind = { "releasing jobs that waited for another",
                                                leave_some, leaving_free };

static void move_list(struct JRE_Type_list *to, struct JRE_Type_list *from)
{
    *to = *from;
    *from = (struct JRE_Type_list){ 0 };
}

static void leave_in_steps(struct qmaster *q, struct JB_Type *rec)
{
    struct leaving *l = uti_calloc(1, sizeof *l);
    l->piece.kind = &leaving_kind;
    l->rec.JB_job_number = rec->JB_job_number;
    l->rec.JB_round = rec->JB_round;
    move_list(&l->rec.JB_ja_ad_sucessor_list, &rec->JB_ja_ad_sucessor_list);
    move_list(&l->rec.JB_jid_sucessor_list, &rec->JB_jid_sucessor_list);
    move_list(&l->rec.JB_ja_ad_predecessor_list, &rec->JB_ja_ad_predecessor_list);
    move_list(&l->rec.JB_jid_predecessor_list, &rec->JB_jid_predecessor_list);
    lane_put_piece(q->releases, &l->piece);
}

void depend_tidy(struct job *job)
{
    links_compact(&job->rec.JB_jid_predecessor_list, &job->gone.jid_predecessors);
    links_compact(&job->rec.JB_jid_sucessor_list, &job->gone.jid_successors);
    links_compact(&job->rec.JB_ja_ad_predecessor_list, &job->gone.ad_predecessors);
    links_compact(&job->rec.JB_ja_ad_sucessor_list, &job->gone.ad_successors);
}

void depend_job_gone(struct qmaster *q, struct job *job)
{
    depend_tidy(job);
    uint32_t n = links_of(&job->rec);
    if (n > LINKS_FEW) {
        leave_in_steps(q, &job->rec);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        leave_one(q, &job->rec, i);
}

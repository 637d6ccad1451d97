/* Lists of jobs by number. Invariants: entries ascend by number, so that one is found in O(log n); an entry whose job has gone and that is
 * still there has a round that no job has, and the counter of its list says how many of these there are: no more than half.
 * An entry means the job that had its number in its round: a number that is used again binds to no older entry, neither here nor on disk. */
#include "daemons/qmaster/links.h"

#include <stdlib.h>

#include "daemons/qmaster/change.h"
#include "libs/uti/alloc.h"

/* where NUMBER is, or where it would be inserted */
static uint32_t place_of(const struct JRE_Type_list *l, uint32_t number)
{
    uint32_t low = 0, high = l->n;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (l->v[mid].JRE_job_number < number)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool has_at(const struct JRE_Type_list *l, uint32_t at, uint32_t number)
{
    return at < l->n && l->v[at].JRE_job_number == number;
}

void links_clear(struct JRE_Type_list *l)
{
    while (l->n > 0)
        cull_remove_at(&cull_JRE_Type, (struct cull_list *)l, l->n - 1);
    free(l->v);
    *l = (struct JRE_Type_list){ 0 };
}

void links_compact(struct JRE_Type_list *l, uint32_t *n_gone)
{
    uint32_t n = 0;
    if (*n_gone == 0)
        return;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->v[i].JRE_round != LINKS_ROUND_OF_NONE)
            l->v[n++] = l->v[i]; /* entries of these lists have no texts */
    l->n = n;
    *n_gone = 0;
    if (n == 0)
        links_clear(l);
}

bool links_remove(struct JRE_Type_list *l, uint32_t *n_gone, const struct JB_Type *job)
{
    uint32_t at = place_of(l, job->JB_job_number);
    if (!has_at(l, at, job->JB_job_number) || l->v[at].JRE_round != job->JB_round)
        return false;
    if (l->n <= LINKS_FEW && *n_gone == 0) {
        cull_remove_at(&cull_JRE_Type, (struct cull_list *)l, at);
        return true;
    }
    l->v[at].JRE_round = LINKS_ROUND_OF_NONE;
    if (++*n_gone > l->n / 2)
        links_compact(l, n_gone);
    return true;
}

void links_add(struct JRE_Type_list *l, uint32_t *n_gone, const struct JB_Type *job)
{
    uint32_t at = place_of(l, job->JB_job_number);
    if (!has_at(l, at, job->JB_job_number)) {
        l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
        memmove(&l->v[at + 1], &l->v[at], (l->n - at) * sizeof *l->v);
        l->n++;
    } else if (l->v[at].JRE_round == LINKS_ROUND_OF_NONE) {
        --*n_gone;
    }
    l->v[at] = (struct JRE_Type){ 0 };
    cull_set(&l->v[at], JRE_job_number, job->JB_job_number);
    if (job->JB_round > 0)
        cull_set(&l->v[at], JRE_round, job->JB_round);
}

struct job *links_job(struct qmaster *q, const struct JRE_Type *entry)
{
    struct job *job = jobs_find(&q->jobs, entry->JRE_job_number);
    return job != NULL && job->rec.JB_round == entry->JRE_round ? job : NULL;
}

void links_unlink(struct qmaster *q, const struct JRE_Type *predecessor, const struct JB_Type *rec,
                  bool is_ad)
{
    struct job *pred = links_job(q, predecessor);
    if (pred == NULL)
        return;
    if (is_ad)
        links_remove(&pred->rec.JB_ja_ad_sucessor_list, &pred->gone.ad_successors, rec);
    else
        links_remove(&pred->rec.JB_jid_sucessor_list, &pred->gone.jid_successors, rec);
    pred->changed = change_number(q);
}

void links_link(struct qmaster *q, const struct JRE_Type *predecessor, const struct job *job,
                bool is_ad)
{
    struct job *pred = links_job(q, predecessor);
    if (pred == NULL)
        return;
    cull_mark(&pred->rec, is_ad ? JB_ja_ad_sucessor_list : JB_jid_sucessor_list);
    if (is_ad)
        links_add(&pred->rec.JB_ja_ad_sucessor_list, &pred->gone.ad_successors, &job->rec);
    else
        links_add(&pred->rec.JB_jid_sucessor_list, &pred->gone.jid_successors, &job->rec);
    pred->changed = change_number(q);
}

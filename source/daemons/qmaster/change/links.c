/* Lists of jobs by number. Invariants: entries ascend by number, so that one is found in O(log n);
 * but a list of up to LINKS_FEW predecessors has the order in which they were asked for. An entry
 * whose job has gone and that is still there has a round that no job has, and the counter of its
 * list says how many of these there are: no more than half. An entry means the job that had its
 * number in its round: a number that is used again binds to no older entry, neither here nor on
 * disk. */
#include "daemons/qmaster/change/links.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"

struct JRE_Type links_entry(const struct job *job)
{
    struct JRE_Type entry = { 0 };
    cull_set(&entry, JRE_job_number, job->rec.JB_job_number);
    if (job->rec.JB_round > 0)
        cull_set(&entry, JRE_round, job->rec.JB_round);
    return entry;
}

struct job *links_job(struct qmaster *q, const struct JRE_Type *entry)
{
    struct job *job = jobs_find(&q->jobs, entry->JRE_job_number);
    return job != NULL && job->rec.JB_round == entry->JRE_round ? job : NULL;
}

/* where NUMBER is, or where it would be inserted into L, which ascends */
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

/* where ENTRY is in a list in any order that it may have; l->n: nowhere */
static uint32_t find_link(const struct JRE_Type_list *l, const struct JRE_Type *entry)
{
    uint32_t at = 0, number = entry->JRE_job_number;
    if (l->n > LINKS_FEW)
        at = place_of(l, number);
    else
        while (at < l->n && l->v[at].JRE_job_number != number)
            at++;
    return has_at(l, at, number) && l->v[at].JRE_round == entry->JRE_round ? at : l->n;
}

uint32_t links_after(const struct JRE_Type_list *l, uint32_t number)
{
    return place_of(l, number + 1);
}

bool links_has(const struct JRE_Type_list *l, const struct JRE_Type *entry)
{
    return find_link(l, entry) < l->n;
}

void links_clear(struct JRE_Type_list *l)
{
    free(l->v); /* entries of these lists have no texts */
    *l = (struct JRE_Type_list){ 0 };
}

void links_compact(struct JRE_Type_list *l, uint32_t *n_gone)
{
    uint32_t n = 0;
    if (*n_gone == 0)
        return;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->v[i].JRE_round != LINKS_ROUND_OF_NONE)
            l->v[n++] = l->v[i];
    l->n = n;
    *n_gone = 0;
    if (n == 0)
        links_clear(l);
}

void links_drop_gone(struct qmaster *q, struct JRE_Type_list *l)
{
    uint32_t n_gone = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (links_job(q, &l->v[i]) == NULL) {
            l->v[i].JRE_round = LINKS_ROUND_OF_NONE;
            n_gone++;
        }
    links_compact(l, &n_gone);
}

bool links_remove(struct JRE_Type_list *l, uint32_t *n_gone, const struct JRE_Type *entry)
{
    uint32_t at = find_link(l, entry);
    if (at == l->n)
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

void links_add(struct JRE_Type_list *l, uint32_t *n_gone, const struct JRE_Type *entry)
{
    uint32_t at = place_of(l, entry->JRE_job_number);
    if (!has_at(l, at, entry->JRE_job_number)) {
        l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
        memmove(&l->v[at + 1], &l->v[at], (l->n - at) * sizeof *l->v);
        l->n++;
    } else if (l->v[at].JRE_round == LINKS_ROUND_OF_NONE) {
        --*n_gone;
    }
    l->v[at] = *entry;
}

void links_tidy(struct job *job)
{
    if (!job_has_rare(job))
        return;
    struct gone_links *gone = &job_rare(job)->gone;
    links_compact(&job->rec.JB_jid_predecessor_list, &gone->jid_predecessors);
    links_compact(&job->rec.JB_jid_sucessor_list, &gone->jid_successors);
    links_compact(&job->rec.JB_ja_ad_predecessor_list, &gone->ad_predecessors);
    links_compact(&job->rec.JB_ja_ad_sucessor_list, &gone->ad_successors);
}

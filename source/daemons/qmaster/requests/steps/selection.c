/* Lists of picked jobs; who wants to complain about task ids that an array does not have finds them
 * in `asked`. */
#include "daemons/qmaster/requests/steps/selection.h"

#include <stdlib.h>

#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "libs/uti/alloc.h"

enum { BYTES_OF_WORK = 4096 }; /* of a job's records: they go through the log as well */

static int by_entry(const void *a, const void *b)
{
    const struct picked *x = a, *y = b;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

/* One word or user, numbers that ascend, all jobs: what is picked comes in order. To sort a million
 * would take 0.3 s, and the core may stand still for 50 ms; to look takes a few. */
static bool is_sorted(const struct selection *s)
{
    for (uint32_t i = 1; i < s->n; i++)
        if (by_entry(&s->v[i - 1], &s->v[i]) > 0)
            return false;
    return true;
}

void selection_sort(struct selection *s)
{
    if (!is_sorted(s))
        qsort(s->v, s->n, sizeof *s->v, by_entry);
}

void selection_add_unmatched(struct selection *s, uint32_t n_entries)
{
    for (uint32_t i = 0; i < n_entries; i++) {
        if (s->is_matched != NULL && s->is_matched[i])
            continue;
        s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
        s->v[s->n++] = (struct picked){ .entry = i };
    }
    selection_sort(s);
}

const char *picked_word(const struct request *r, const struct picked *p)
{
    const struct GR_Type *gr = &r->gr;
    const char *word =
        gr->GR_select.n > 0 ? gr->GR_select.v[p->entry].ID_str : gr->GR_users.v[p->entry].ST_name;
    return word != NULL ? word : "";
}

bool picked_has_tasks(struct request *r, const struct job *job, const struct picked *p)
{
    bool has_some = p->is_whole || range_set_meets(&p->ordinals, &job->unfinished);
    for (uint32_t i = 0; !has_some && i < p->asked.n; i++)
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_TASK_UNKNOWN_UU, p->job,
                p->asked.v[i].TR_min);
    return has_some;
}

uint32_t picked_work(struct qmaster *q, const struct picked *p)
{
    const struct job *job = jobs_find(&q->jobs, p->job);
    if (job == NULL)
        return 1;
    size_t bytes = job_record_bytes(job);
    return 1 + job->rare->n_records + (uint32_t)(bytes / BYTES_OF_WORK);
}

void selection_free(struct selection *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        range_set_free(&s->v[i].ordinals);
        range_set_free(&s->v[i].done);
    }
    if (s->scan != NULL)
        s->scan_free(s->scan);
    if (s->kept != NULL)
        s->kept->free(s->kept);
    free(s->is_matched);
    free(s->v);
    *s = (struct selection){ 0 };
}

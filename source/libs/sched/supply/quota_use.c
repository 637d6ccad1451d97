/* Resource quotas in the scheduler. Owns the book, and which rule sets there are.
 *
 * Quotas are members of the paths of tasks (task_path.c), which get them here, by class and place.
 *
 * The book is made anew when a set, or a resource, changes: then job groups go to the categories of
 * their new classes, and what is ordered or runs is taken again. */
#include "libs/sched/supply/quota_use.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/object.h"
#include "libs/sched/supply/pe.h"
#include "libs/uti/assert.h"

/* ---- members of paths ---- */
static const struct quota_place *place_of(struct sched_cell *cell, struct sched_queue *q)
{
    if (q->quota_round != cell->quota_round || q->quota_place == NULL) {
        const char *at = strchr(q->name, '@');
        struct dstr cluster_queue = DSTR_INIT;
        dstr_addn(&cluster_queue, q->name, at != NULL ? (size_t)(at - q->name) : strlen(q->name));
        q->quota_place = quota_place_of(cell->quotas->rules, dstr_get(&cluster_queue),
                                        q->host->name, &q->known.QU_hostgroups);
        dstr_free(&cluster_queue);
    }
    q->quota_round = cell->quota_round;
    return q->quota_place;
}

void quotas_append(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                   const struct demand *d, enum quota_use use, struct growing_path *out)
{
    const struct quota_path at = { .who = kind->who,
                                   .pe = quota_pe_of(cell->quotas->rules,
                                                     kind->pe != NULL ? kind->pe->name : NULL),
                                   .at = place_of(cell, q),
                                   .values = { &q->host->known, &cell->known, &cell->complex } };
    quota_members(cell->quotas, &at, d, use, out);
}

void quotas_append_everywhere(struct sched_cell *cell, const struct task_kind *kind,
                              const struct demand *d, struct growing_path *out)
{
    const struct quota_path at = { .who = kind->who,
                                   .pe = quota_pe_of(cell->quotas->rules,
                                                     kind->pe != NULL ? kind->pe->name : NULL) };
    quota_members_everywhere(cell->quotas, &at, d, out);
}

uint32_t quotas_sets(const struct sched_cell *cell)
{
    return quota_sets_count(cell->quotas->rules);
}

void quota_gained(void *cell_of, const struct quota_member *quota)
{
    struct sched_cell *cell = cell_of;
    cell_report(cell, &(struct cell_change){ .kind = QUOTA_GAINED, .quota = quota });
}

/* ---- rules ---- */
static struct quota_book *book_of(struct sched_cell *cell)
{
    const struct RQS_Type **sets = uti_alloc((cell->rqs.n + 1) * sizeof *sets);
    for (uint32_t i = 0; i < cell->rqs.n; i++)
        sets[i] = &cell->rqs.v[i];
    struct quota_rules *rules = quota_rules_new(sets, cell->rqs.n, &cell->complex);
    free(sets);
    return rules != NULL ? quota_book_new(rules, &cell->names) : NULL;
}

/* The needs of the old classes go with their categories. */
static void quotas_make(struct sched_cell *cell)
{
    struct quota_book *old = cell->quotas;
    ASSERT(cell->task_paths.timed.n == 0);
    cell->quotas = book_of(cell);
    cell->quota_round++;
    if (old == NULL && cell->quotas == NULL)
        return;
    cell_report(cell, &(struct cell_change){ .kind = QUOTA_CLASSES_CHANGED });
    quota_book_free(old);
}

void quotas_put(struct sched_cell *cell, const struct TX_Type *object)
{
    const struct object_rules *rules = object_rules_of(OBJECT_RQS);
    struct RQS_Type *record = object_record(rules, object);
    struct RQS_Type *old = cull_find(&cull_RQS_Type, &cell->rqs, object->TX_name);
    if (old != NULL)
        cull_clear(&cull_RQS_Type, old);
    cull_copy(&cull_RQS_Type, old != NULL ? old : cull_push(&cell->rqs), record);
    cull_delete(rules->type, record);
    quotas_make(cell);
}

void quotas_drop(struct sched_cell *cell, const char *name)
{
    struct RQS_Type *old = cull_find(&cull_RQS_Type, &cell->rqs, name);
    if (old == NULL)
        return;
    cull_remove_at(&cull_RQS_Type, (struct cull_list *)&cell->rqs, (uint32_t)(old - cell->rqs.v));
    quotas_make(cell);
}

void quotas_renew(struct sched_cell *cell)
{
    if (cell->rqs.n > 0)
        quotas_make(cell);
}

void quotas_free(struct sched_cell *cell)
{
    quota_book_free(cell->quotas);
    cull_list_clear(&cull_RQS_Type, &cell->rqs);
}

const struct quota_class *quotas_class(struct sched_cell *cell, const struct JB_Type *request,
                                       const struct sched_owner *by)
{
    return cell->quotas == NULL ? NULL
                                : quota_class_of(cell->quotas->rules, by != NULL ? by->name : "",
                                                 request->JB_user_sets, request->JB_project);
}

/* ---- what changes around them ---- */
void quotas_queue_changed(struct sched_cell *cell, struct sched_queue *q)
{
    if (cell->quotas == NULL)
        return;
    const struct quota_place *before = q->quota_round == cell->quota_round ? q->quota_place : NULL;
    q->quota_place = NULL;
    if (before == NULL || place_of(cell, q) == before)
        return;
    if (q->n_stays > 0) {
        ASSERT(cell->task_paths.timed.n == 0);
        quota_book_clear(cell->quotas);
        cell_report(cell, &(struct cell_change){ .kind = QUOTA_BOOK_EMPTIED });
    }
    quota_gained(cell, NULL);
}

static bool has_dynamic_limits(const struct sched_cell *cell)
{
    return cell->quotas != NULL && quota_rules_are_dynamic(cell->quotas->rules);
}

/* returns whether limits at H may be others than before */
static bool values_moved(const struct sched_cell *cell, struct sched_host *h)
{
    const struct load_source source = { &h->known, &cell->known, &cell->complex };
    uint64_t before = h->quota_values;
    h->quota_values = quota_values_mixed(cell->quotas->rules, &source);
    return h->quota_values != before;
}

void quotas_host_changed(struct sched_cell *cell, struct sched_host *h)
{
    if (has_dynamic_limits(cell) && values_moved(cell, h))
        quota_gained(cell, NULL);
}

void quotas_cell_changed(struct sched_cell *cell)
{
    bool have_moved = false;
    if (!has_dynamic_limits(cell))
        return;
    for (struct sched_host *h = cell->hosts; h != NULL; h = h->hh.next)
        have_moved |= values_moved(cell, h);
    if (have_moved)
        quota_gained(cell, NULL);
}

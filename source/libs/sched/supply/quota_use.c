/* Resource quotas in the scheduler. Owns the book, and which rule sets there are.
 *
 * The book is made anew when a set, or a resource, changes: then job groups go to the categories of
 * their new classes, and what is ordered or runs is taken again. */
#include "libs/sched/supply/quota_use.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/object.h"

/* ---- paths and demands ---- */
static uint64_t amount_in(const void *of, const struct quota_limit *limit)
{
    const struct demand *d = of;
    for (uint32_t i = 0; i < d->n; i++)
        if (d->parts[i].resource == limit->tag)
            return d->parts[i].amount;
    return 0;
}

static struct quota_demand demand_of(const struct demand *d)
{
    return (struct quota_demand){ amount_in, d };
}

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

static struct quota_path path_of(struct sched_cell *cell, const struct quota_class *who,
                                 const struct pe *pe, struct sched_queue *q)
{
    return (struct quota_path){ .who = who,
                                .pe =
                                    quota_pe_of(cell->quotas->rules, pe != NULL ? pe->name : NULL),
                                .at = place_of(cell, q),
                                .values = { &q->host->known, &cell->known, &cell->complex } };
}

/* ---- room ---- */
bool quotas_allow(struct sched_cell *cell, const struct quota_class *who, const struct demand *d)
{
    struct quota_demand demand = demand_of(d);
    if (who == NULL)
        return true;
    cell->work.looks++;
    return quota_room_everywhere(cell->quotas, who, quota_pe_of(cell->quotas->rules, NULL), &demand,
                                 1) > 0;
}

uint64_t quotas_room(struct sched_cell *cell, const struct quota_class *who, const struct demand *d,
                     struct sched_queue *q)
{
    struct quota_demand demand = demand_of(d);
    if (who == NULL)
        return UINT64_MAX;
    cell->work.looks += quota_sets_count(cell->quotas->rules);
    struct quota_path path = path_of(cell, who, NULL, q);
    return quota_room(cell->quotas, &path, &demand, 1);
}

uint64_t quotas_pe_room(struct sched_cell *cell, const struct quota_class *who,
                        const struct demand *d, const struct pe *pe, uint64_t wanted)
{
    struct quota_demand demand = demand_of(d);
    if (who == NULL)
        return UINT64_MAX;
    return quota_room_everywhere(cell->quotas, who, quota_pe_of(cell->quotas->rules, pe->name),
                                 &demand, wanted);
}

uint64_t quotas_reserve(struct sched_cell *cell, const struct quota_class *who,
                        const struct demand *d, const struct pe *pe, struct sched_queue *q,
                        uint64_t most)
{
    struct quota_demand demand = demand_of(d);
    if (who == NULL || most == 0)
        return most;
    cell->work.looks += quota_sets_count(cell->quotas->rules);
    struct quota_path path = path_of(cell, who, pe, q);
    return quota_reserve(cell->quotas, &path, &demand, most);
}

void quotas_release(struct sched_cell *cell)
{
    if (cell->quotas != NULL)
        quota_release(cell->quotas);
}

bool quotas_fit(struct sched_cell *cell, const struct quota_class *who, const struct pe *pe,
                const struct placed_demand *places, uint32_t n)
{
    uint32_t i = 0;
    bool fits = true;
    if (who == NULL)
        return true;
    for (; fits && i < n; i++) {
        struct quota_path path = path_of(cell, who, pe, places[i].queue);
        struct quota_demand demand = demand_of(places[i].demand);
        fits = quota_room(cell->quotas, &path, &demand, 1) > 0;
        quota_take(cell->quotas, &path, &demand, 1);
    }
    while (i-- > 0) {
        struct quota_path path = path_of(cell, who, pe, places[i].queue);
        struct quota_demand demand = demand_of(places[i].demand);
        quota_give(cell->quotas, &path, &demand, 1, NULL, NULL);
    }
    return fits;
}

/* ---- books ---- */
void quotas_take(struct sched_cell *cell, const struct quota_class *who, const struct pe *pe,
                 struct sched_queue *q, const struct demand *d, uint64_t tasks)
{
    if (who == NULL || tasks == 0)
        return;
    struct quota_path path = path_of(cell, who, pe, q);
    struct quota_demand demand = demand_of(d);
    quota_take(cell->quotas, &path, &demand, tasks);
}

/* something of QUOTA, which a look found short, was given back */
static void quota_gained(void *ctx, const struct quota_member *quota)
{
    struct sched_cell *cell = ctx;
    cell_report(cell, &(struct cell_change){ .kind = QUOTA_GAINED, .quota = quota });
}

void quotas_give(struct sched_cell *cell, const struct quota_class *who, const struct pe *pe,
                 struct sched_queue *q, const struct demand *d, uint64_t tasks)
{
    if (who == NULL || tasks == 0)
        return;
    struct quota_path path = path_of(cell, who, pe, q);
    struct quota_demand demand = demand_of(d);
    quota_give(cell->quotas, &path, &demand, tasks, quota_gained, cell);
}

/* ---- rules ---- */
static struct quota_book *book_of(struct sched_cell *cell)
{
    const struct RQS_Type **sets = uti_alloc((cell->rqs.n + 1) * sizeof *sets);
    for (uint32_t i = 0; i < cell->rqs.n; i++)
        sets[i] = &cell->rqs.v[i];
    struct quota_rules *rules = quota_rules_new(sets, cell->rqs.n, &cell->complex);
    free(sets);
    if (rules == NULL)
        return NULL;
    for (uint32_t i = 0; i < quota_rules_count(rules); i++) {
        const struct quota_rule *rule = quota_rule_at(rules, i);
        for (uint32_t k = 0; k < rule->n_limits; k++)
            rule->limits[k].tag =
                rule->limits[k].is_slots
                    ? (uint32_t)RESOURCE_SLOTS
                    : resource_name_get(&cell->names, rule->limits[k].resource)->number;
    }
    return quota_book_new(rules);
}

/* The needs of the old classes go with their categories. */
static void quotas_make(struct sched_cell *cell)
{
    struct quota_book *old = cell->quotas;
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
        struct quota_book *old = cell->quotas;
        cell->quotas = quota_book_new(old->rules);
        old->rules = NULL;
        quota_book_free(old);
        cell_report(cell, &(struct cell_change){ .kind = QUOTA_BOOK_EMPTIED });
    }
    quota_gained(cell, NULL);
}

void quotas_host_changed(struct sched_cell *cell, struct sched_host *h)
{
    if (cell->quotas == NULL || !quota_rules_are_dynamic(cell->quotas->rules))
        return;
    const struct load_source source = { &h->known, &cell->known, &cell->complex };
    uint64_t values = quota_values_mixed(cell->quotas->rules, &source);
    if (values != h->quota_values)
        quota_gained(cell, NULL);
    h->quota_values = values;
}

/* Queue instances and their hosts: what is there, and what is taken. Owns struct sched_queue and
 * struct sched_host.
 *
 * A queue instance is in the trees of its sets only while nothing changes that their order depends
 * on: it leaves them before and comes back after (queue_unlist, queue_list). One that the qmaster
 * no longer knows stays while tasks are in it, so that their ends find it. */
#include "libs/sched/supply/queue.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/load.h"
#include "libs/sched/supply/offer.h"
#include "libs/sched/supply/queue_request.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/sched/supply/quota_use.h"
#include "libs/sched/supply/resource.h"
#include "libs/uti/dstr.h"

/* ---- hosts ---- */
struct sched_host *host_get(struct sched_cell *cell, const char *name)
{
    struct sched_host *h;
    HASH_FIND_STR(cell->hosts, name, h);
    if (h != NULL)
        return h;
    h = uti_calloc(1, sizeof *h);
    h->name = uti_strdup(name);
    h->supply.kind = SUPPLY_HOST;
    cull_set(&h->known, EH_name, name);
    LIST_INIT(&h->queues);
    TAILQ_INIT(&h->starts);
    HASH_ADD_KEYPTR(hh, cell->hosts, h->name, strlen(h->name), h);
    return h;
}

static struct sched_host *host_of_queue(struct sched_cell *cell, const char *queue_name)
{
    const char *at = strchr(queue_name, '@');
    return host_get(cell, at != NULL ? at + 1 : "");
}

void host_drop(struct sched_cell *cell, struct sched_host *h)
{
    if (h->is_known || !LIST_EMPTY(&h->queues))
        return;
    load_forget_host(cell, h);
    HASH_DEL(cell->hosts, h);
    supply_free(&h->supply);
    cull_clear(&cull_EH_Type, &h->known);
    free(h->name);
    free(h);
}

/* ---- what was given back ---- */
void queue_gained(struct sched_cell *cell, struct sched_queue *q)
{
    if (queue_takes_tasks(q))
        cell_report(cell, &(struct cell_change){ .kind = QUEUE_GAINED, .queue = q });
}

void cell_gained(struct sched_cell *cell)
{
    cell_report(cell, &(struct cell_change){ .kind = CELL_GAINED });
}

static void host_gained(struct sched_cell *cell, struct sched_host *h)
{
    struct sched_queue *q;
    LIST_FOREACH(q, &h->queues, of_host)
        queue_gained(cell, q);
}

/* where the host limits something, its other queue instances have gained, too */
static void gained_at(struct sched_cell *cell, struct sched_queue *q)
{
    if (cell->supply.n_limited > 0)
        cell_gained(cell);
    if (q->host->supply.n_limited > 0)
        host_gained(cell, q->host);
    else
        queue_gained(cell, q);
}

/* ---- life ---- */
/* numbers so mixed (splitmix64) that sums of different ones are hardly ever equal; if they are, the
 * sets are compared */
static uint64_t mark_of(uint64_t number)
{
    uint64_t mark = number * UINT64_C(0x9e3779b97f4a7c15);
    mark = (mark ^ (mark >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mark = (mark ^ (mark >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mark ^ (mark >> 31);
}

/* the first index that is free: the number of instances if none below is */
static void index_take(struct sched_cell *cell, struct sched_queue *q)
{
    uint32_t i = HASH_COUNT(cell->queues);
    if (i < cell->n_indices)
        for (i = 0; cell->by_index[i] != NULL; i++)
            ;
    cell->by_index =
        uti_vec_grow(cell->by_index, &cell->indices_cap, i + 1, sizeof *cell->by_index);
    cell->n_indices = i < cell->n_indices ? cell->n_indices : i + 1;
    cell->by_index[i] = q;
    q->index = i;
}

/* KEY is taken; BASE NULL: it is a queue instance of its own */
static struct sched_queue *queue_new(struct sched_cell *cell, const char *name, char *key,
                                     struct sched_queue *base, uint32_t ar)
{
    struct sched_queue *q = uti_calloc(1, sizeof *q);
    q->name = uti_strdup(name);
    q->key = key;
    q->base = base;
    q->ar = ar;
    q->unlimited.kind = SUPPLY_RESERVATION;
    LIST_INIT(&q->parts);
    q->mark = mark_of(++cell->marks);
    index_take(cell, q);
    q->host = host_of_queue(cell, name);
    q->levels[LEVEL_QUEUE] = &q->supply;
    q->levels[LEVEL_HOST] = &q->host->supply;
    q->levels[LEVEL_CELL] = &cell->supply;
    if (base != NULL) {
        q->levels[LEVEL_HOST] = q->levels[LEVEL_CELL] = &q->unlimited;
        LIST_INSERT_HEAD(&base->parts, q, of_base);
        queue_enter(base);
    }
    supply_offer(&q->supply, RESOURCE_SLOTS, 0);
    q->run_s = cell->default_run_s;
    LIST_INIT(&q->places);
    LIST_INSERT_HEAD(&q->host->queues, q, of_host);
    HASH_ADD_KEYPTR(hh, cell->queues, q->key, strlen(q->key), q);
    queue_join_sets(cell, q);
    return q;
}

struct sched_queue *queue_get(struct sched_cell *cell, const char *name)
{
    struct sched_queue *q = queue_find(cell, name);
    return q != NULL ? q : queue_new(cell, name, uti_strdup(name), NULL, 0);
}

/* no name of a queue instance has a blank */
static char *part_key(const char *name, uint32_t ar)
{
    struct dstr key = DSTR_INIT;
    dstr_addf(&key, "%" PRIu32 " %s", ar, name);
    return dstr_take(&key);
}

struct sched_queue *queue_part_find(struct sched_cell *cell, const char *name, uint32_t ar)
{
    char *key = part_key(name, ar);
    struct sched_queue *q = queue_find(cell, key);
    free(key);
    return q;
}

struct sched_queue *queue_part_get(struct sched_cell *cell, const char *name, uint32_t ar)
{
    struct sched_queue *q = queue_part_find(cell, name, ar);
    return q != NULL ? q : queue_new(cell, name, part_key(name, ar), queue_get(cell, name), ar);
}

static void queue_free(struct sched_cell *cell, struct sched_queue *q)
{
    struct sched_queue *base = q->base;
    queue_leave_sets(q);
    cell->by_index[q->index] = NULL;
    HASH_DEL(cell->queues, q);
    if (base != NULL)
        LIST_REMOVE(q, of_base);
    LIST_REMOVE(q, of_host);
    host_drop(cell, q->host);
    supply_free(&q->supply);
    cull_clear(&cull_QU_Type, &q->known);
    supply_free(&q->unlimited);
    free(q->values);
    free(q->name);
    free(q->key);
    free(q);
    if (base != NULL)
        queue_leave(cell, base);
}

/* its h_rt comes if it is a limit */
static void queue_run_renew(struct sched_cell *cell, struct sched_queue *q)
{
    const struct VA_Type *h_rt = cull_find(&cull_VA_Type, &q->known.QU_settings, "h_rt");
    cell_untime(cell);
    uint64_t most_s = h_rt != NULL ? run_time_read(h_rt->VA_value) : TIME_FOREVER;
    q->run_s = most_s < TIME_FOREVER ? most_s : cell->default_run_s;
}

void queues_run_renew(struct sched_cell *cell, uint64_t default_run_s)
{
    if (cell->default_run_s == default_run_s)
        return;
    cell->default_run_s = default_run_s;
    for (struct sched_queue *q = cell->queues; q != NULL; q = q->hh.next)
        queue_run_renew(cell, q);
}

static bool is_news(const struct sched_queue *q, const struct QU_Type *record, unsigned field)
{
    return cull_is_present(record, field) &&
           !cull_field_equal(&cull_QU_Type, &q->known, record, field);
}

/* what decides which sets it is in */
static void update_known(struct sched_cell *cell, struct sched_queue *q,
                         const struct QU_Type *record)
{
    static const unsigned fields[] = {
        QU_hostgroups, QU_access, QU_pe_list,  QU_consumable_config_list, QU_qname, QU_qhostname,
        QU_settings,   QU_qtype,  QU_ckpt_list
    };
    bool has_news = false;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        has_news |= is_news(q, record, fields[i]);
    if (!has_news)
        return;
    queue_leave_sets(q);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (is_news(q, record, fields[i]))
            cull_copy_field(&cull_QU_Type, &q->known, record, fields[i]);
    values_change(cell, &q->round);
    queue_limits_renew(cell, q);
    queue_run_renew(cell, q);
    queue_join_sets(cell, q);
}

/* then no task can start that could not before */
bool queue_says_load_alone(const struct QU_Type *record)
{
    for (unsigned field = 0; field < cull_QU_Type.n_fields; field++)
        if (cull_is_present(record, field) && field != QU_full_name && field != QU_load &&
            field != QU_load_step)
            return false;
    return cull_has(record, QU_load);
}

static void update_load(struct sched_cell *cell, struct sched_queue *q,
                        const struct QU_Type *record)
{
    if (cull_has(record, QU_load))
        q->load = record->QU_load;
    if (cull_has(record, QU_load_step))
        q->load_step = record->QU_load_step;
    load_settle(cell, q);
}

static void count_free(struct sched_queue *q)
{
    q->free_slots = supply_left(&q->supply, RESOURCE_SLOTS, TIME_NOW);
}

static void update_one(struct sched_cell *cell, struct sched_queue *q, const struct QU_Type *record)
{
    update_known(cell, q, record);
    queue_unlist(q);
    q->is_known = true;
    if (cull_has(record, QU_job_slots) && q->ar == 0)
        supply_offer(&q->supply, RESOURCE_SLOTS, record->QU_job_slots);
    if (cull_has(record, QU_seq_no))
        q->seq_no = record->QU_seq_no;
    if (cull_has(record, QU_state))
        q->state = record->QU_state | (q->is_blocked ? (uint32_t)QI_DISABLED : 0);
    update_load(cell, q, record);
    count_free(q);
    queue_list(q);
    if (cull_has(record, QU_hostgroups))
        quotas_queue_changed(cell, q);
    if (!queue_says_load_alone(record))
        queue_gained(cell, q);
}

void queue_update(struct sched_cell *cell, const struct QU_Type *record)
{
    struct sched_queue *part, *q = queue_get(cell, record->QU_full_name);
    update_one(cell, q, record);
    LIST_FOREACH(part, &q->parts, of_base)
        update_one(cell, part, record);
}

void queue_part_open(struct sched_cell *cell, struct sched_queue *part, const struct demand *has)
{
    const struct sched_queue *base = part->base;
    struct QU_Type record = { 0 };
    cull_copy(&cull_QU_Type, &record, &base->known);
    cull_set(&record, QU_full_name, base->name);
    cull_set(&record, QU_state, base->state);
    cull_set(&record, QU_seq_no, base->seq_no);
    cull_set(&record, QU_load, base->load);
    cull_set(&record, QU_load_step, base->load_step);
    for (uint32_t i = 0; i < has->n; i++)
        supply_offer(&part->supply, (uint32_t)has->parts[i].resource, has->parts[i].amount);
    queue_limits_renew(cell, part);
    update_one(cell, part, &record);
    part->is_known = base->is_known;
    cull_clear(&cull_QU_Type, &record);
}

void queue_part_block(struct sched_cell *cell, struct sched_queue *part, bool is_blocked)
{
    struct QU_Type record = { 0 };
    if (part->is_blocked == is_blocked || !part->is_known)
        return;
    part->is_blocked = is_blocked;
    cull_set(&record, QU_state, part->base->state);
    update_one(cell, part, &record);
    cull_clear(&cull_QU_Type, &record);
}

void queue_part_close(struct sched_cell *cell, struct sched_queue *part)
{
    queue_unlist(part);
    part->is_known = false;
    if (part->n_stays == 0)
        queue_free(cell, part);
}

void queue_forget(struct sched_cell *cell, const char *name)
{
    struct sched_queue *q = queue_find(cell, name);
    if (q == NULL)
        return;
    struct sched_queue *part;
    LIST_FOREACH(part, &q->parts, of_base) {
        queue_unlist(part);
        part->is_known = false;
    }
    queue_unlist(q);
    q->is_known = false;
    if (q->n_stays == 0)
        queue_free(cell, q);
}

/* ---- taking and giving ---- */
void queue_enter(struct sched_queue *q)
{
    q->n_stays++;
}

void queue_leave(struct sched_cell *cell, struct sched_queue *q)
{
    if (--q->n_stays == 0 && !q->is_known)
        queue_free(cell, q);
}

void queue_take(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                const struct demand *d, uint64_t tasks)
{
    cell_disturb(cell);
    queue_unlist(q);
    path_book(task_path_to_book(cell, kind, q, d), d, tasks);
    count_free(q);
    queue_list(q);
}

void queue_give(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                const struct demand *d, uint64_t tasks)
{
    cell_untime(cell);
    struct path path = task_path_to_book(cell, kind, q, d);
    queue_unlist(q);
    path_release(path, d, tasks);
    count_free(q);
    queue_list(q);
    task_settle(cell, kind, path, d);
    gained_at(cell, q);
}

void queues_free(struct sched_cell *cell)
{
    struct sched_queue *q, *next;
    struct sched_host *h, *next_host;
    HASH_ITER(hh, cell->queues, q, next) {
        if (q->ar == 0)
            continue;
        q->base->n_stays++; /* it goes below */
        queue_free(cell, q);
    }
    HASH_ITER(hh, cell->queues, q, next) {
        queue_free(cell, q);
    }
    HASH_ITER(hh, cell->hosts, h, next_host) {
        h->is_known = false;
        host_drop(cell, h);
    }
    free(cell->by_index);
    supply_free(&cell->supply);
    cull_clear(&cull_EH_Type, &cell->known);
}

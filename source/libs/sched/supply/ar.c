/* Advance reservations. Owns struct sched_ar. */
#include "libs/sched/supply/ar.h"

#include <stdlib.h>

#include "libs/sched/supply/pe.h"
#include "libs/sched/supply/queue.h"
#include "libs/sched/supply/resource.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/ar.h"
#include "libs/uti/alloc.h"

static struct sched_ar *ar_find(const struct sched_cell *cell, uint32_t id)
{
    struct sched_ar *ar;
    HASH_FIND(hh, cell->ars, &id, sizeof id, ar);
    return ar;
}

static struct task_kind ar_kind(const struct sched_ar *ar)
{
    return (struct task_kind){ .pe = ar->pe };
}

static struct sched_ar *ar_new(struct sched_cell *cell, const struct AR_Type *record)
{
    const struct JG_Type_list *granted = &record->AR_granted;
    const char *pe = allocation_pe(granted);
    struct sched_ar *ar = uti_calloc(1, sizeof *ar);
    ar->id = record->AR_id;
    ar->pe = pe != NULL ? pe_get(cell, pe) : NULL;
    if (ar->pe != NULL)
        pe_enter(ar->pe);
    ar->at = uti_calloc((size_t)granted->n + 1, sizeof *ar->at);
    for (uint32_t i = 0; i < granted->n; i++) {
        if (granted->v[i].JG_qname == NULL)
            continue;
        struct sched_queue *q = queue_get(cell, granted->v[i].JG_qname);
        queue_enter(q);
        ar->at[ar->n++] = (struct placed_demand){ q, granted_demand(cell, &granted->v[i]) };
    }
    HASH_ADD(hh, cell->ars, id, sizeof ar->id, ar);
    cell->n_coming++;
    return ar;
}

static void begin_ar(struct sched_cell *cell, struct sched_ar *ar)
{
    const struct task_kind kind = ar_kind(ar);
    ar->has_begun = true;
    cell->n_coming--;
    for (uint32_t i = 0; i < ar->n; i++) {
        queue_take(cell, &kind, ar->at[i].queue, ar->at[i].demand, 1);
        queue_part_open(cell, queue_part_get(cell, ar->at[i].queue->name, ar->id),
                        ar->at[i].demand);
    }
}

void ar_update(struct sched_cell *cell, const struct AR_Type *record)
{
    struct sched_ar *ar = ar_find(cell, record->AR_id);
    if (ar == NULL)
        ar = ar_new(cell, record);
    ar->start_s = record->AR_start_time;
    ar->end_s = record->AR_end_time;
    if (!ar->has_begun && record->AR_state != AR_WAITING)
        begin_ar(cell, ar);
    for (uint32_t i = 0; i < ar->n && ar->has_begun; i++)
        queue_part_block(cell, queue_part_get(cell, ar->at[i].queue->name, ar->id),
                         record->AR_is_blocked);
}

static void end_at(struct sched_cell *cell, const struct sched_ar *ar, uint32_t i)
{
    const struct task_kind kind = ar_kind(ar);
    struct sched_queue *part = queue_part_find(cell, ar->at[i].queue->name, ar->id);
    if (part != NULL)
        queue_part_close(cell, part);
    queue_give(cell, &kind, ar->at[i].queue, ar->at[i].demand, 1);
}

static void ar_free(struct sched_cell *cell, struct sched_ar *ar)
{
    uint64_t before = ar->pe != NULL ? pe_left(ar->pe) : 0;
    cell->n_coming -= !ar->has_begun;
    for (uint32_t i = 0; i < ar->n; i++) {
        if (ar->has_begun)
            end_at(cell, ar, i);
        queue_leave(cell, ar->at[i].queue);
        demand_drop(&cell->demands, ar->at[i].demand);
    }
    if (ar->pe != NULL) {
        pe_gained(cell, ar->pe, before);
        pe_leave(cell, ar->pe);
    }
    HASH_DEL(cell->ars, ar);
    free(ar->at);
    free(ar);
}

void ar_forget(struct sched_cell *cell, uint32_t id)
{
    struct sched_ar *ar = ar_find(cell, id);
    if (ar != NULL)
        ar_free(cell, ar);
}

void ars_free(struct sched_cell *cell)
{
    while (cell->ars != NULL)
        ar_free(cell, cell->ars);
}

uint64_t ar_end_s(const struct sched_cell *cell, const struct sched_ar *ar)
{
    return ar->end_s > cell->now_s ? ar->end_s : cell->now_s + 1;
}

void ar_foresee(struct sched_cell *cell, const struct sched_ar *ar)
{
    const struct task_kind kind = ar_kind(ar);
    const struct time_span span = { ar->start_s, ar_end_s(cell, ar) };
    for (uint32_t i = 0; i < ar->n; i++) {
        struct sched_queue *q = ar->at[i].queue;
        if (ar->has_begun)
            task_note_end(cell, &kind, q, ar->at[i].demand, 1, span.until_s);
        else
            task_hold(cell, &kind, q, ar->at[i].demand, span);
    }
}

uint64_t ars_window_end(const struct sched_cell *cell, uint64_t at_s, uint64_t run_s)
{
    uint64_t end_s = TIME_FOREVER;
    for (const struct sched_ar *ar = cell->ars; ar != NULL && cell->n_coming > 0;
         ar = ar->hh.next) {
        uint64_t last_s = ar->start_s > run_s ? ar->start_s - run_s : 0;
        if (!ar->has_begun && last_s >= at_s && last_s < end_s)
            end_s = last_s;
    }
    return end_s;
}

/* Soft requests (-soft -l, -soft -q): where a job would rather run. Owns struct soft.
 *
 * They keep no task waiting: among the places that have room the one that misses the fewest goes
 * first. That costs a look at each of them, for jobs that ask so alone. Equal ones are one, so that
 * who has the same pointer has the same need. */
#include "libs/sched/place/soft.h"

#include <stdlib.h>

#include "libs/config/complex.h"
#include "libs/cull/pack.h"
#include "libs/resource/availability.h"
#include "libs/resource/consumption.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/offer.h"
#include "libs/sgeobj/queue_match.h"

struct soft {
    struct JB_Type asked; /* JB_soft_resource_list, JB_soft_queue_list */
    uint32_t users;
    void *key;
    size_t key_bytes;
    UT_hash_handle hh;
};

/* takes ASKED and KEY */
static struct soft *soft_new(struct place_finder *finder, struct JB_Type *asked, struct packer *key)
{
    struct soft *soft = uti_calloc(1, sizeof *soft);
    soft->asked = *asked;
    soft->key = key->data;
    soft->key_bytes = key->len;
    *asked = (struct JB_Type){ 0 };
    *key = (struct packer){ 0 };
    HASH_ADD_KEYPTR(hh, finder->softs, soft->key, soft->key_bytes, soft);
    return soft;
}

static bool is_asked(const struct JB_Type *request)
{
    return request->JB_soft_resource_list.n > 0 || request->JB_soft_queue_list.n > 0;
}

static void copy_asked(struct JB_Type *asked, const struct JB_Type *request)
{
    static const unsigned fields[] = { JB_soft_resource_list, JB_soft_queue_list };
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (cull_is_present(request, fields[i]))
            cull_copy_field(&cull_JB_Type, asked, request, fields[i]);
}

struct soft *soft_get(struct place_finder *finder, const struct JB_Type *request)
{
    struct JB_Type asked = { 0 };
    struct packer key = { 0 };
    struct soft *soft;
    if (!is_asked(request))
        return NULL;
    copy_asked(&asked, request);
    cull_pack(&key, &cull_JB_Type, &asked, NULL);
    HASH_FIND(hh, finder->softs, key.data, key.len, soft);
    if (soft == NULL)
        soft = soft_new(finder, &asked, &key);
    soft->users++;
    packer_free(&key);
    cull_clear(&cull_JB_Type, &asked);
    return soft;
}

void soft_drop(struct place_finder *finder, struct soft *soft)
{
    if (soft == NULL || --soft->users > 0)
        return;
    HASH_DEL(finder->softs, soft);
    cull_clear(&cull_JB_Type, &soft->asked);
    free(soft->key);
    free(soft);
}

/* ---- what a place misses ---- */
static bool is_left(const struct place_finder *finder, const struct sched_queue *q,
                    const struct CE_Type *row, const char *wanted)
{
    const struct resource_name *of = resource_name_find(&finder->cell->names, row->CE_name);
    struct shortage least;
    if (of == NULL || !path_left(queue_path(q), of->number, TIME_NOW, &least))
        return false;
    return (least.left > 0 ? (uint64_t)least.left : 0) >= amount_asked(row->CE_valtype, wanted);
}

static bool has_resource(const struct place_finder *finder, const struct sched_queue *q,
                         const struct CE_Type *wanted)
{
    const struct CE_Type *row =
        wanted->CE_name != NULL ? consumables_find(&finder->cell->complex, wanted->CE_name) : NULL;
    struct offering what = queue_offering(finder->cell, q);
    struct available found;
    if (row == NULL || wanted->CE_stringval == NULL)
        return false;
    if (row->CE_consumable == COMPLEX_CONSUMABLE_NO)
        return available_meets(&what, row, wanted->CE_stringval, &found);
    return is_left(finder, q, row, wanted->CE_stringval);
}

uint32_t soft_missed(struct place_finder *finder, const struct soft *soft,
                     const struct sched_queue *q)
{
    const struct JB_Type *asked = &soft->asked;
    uint32_t n = !queue_match_any(&asked->JB_soft_queue_list, q->name, &q->known.QU_hostgroups);
    finder->cell->work.spots++;
    finder->cell->work.looks +=
        1 + asked->JB_soft_queue_list.n + (uint64_t)asked->JB_soft_resource_list.n * 2;
    for (uint32_t i = 0; i < asked->JB_soft_resource_list.n; i++)
        n += !has_resource(finder, q, &asked->JB_soft_resource_list.v[i]);
    return n;
}

uint32_t soft_most(const struct soft *soft)
{
    return soft == NULL ? 0 : soft->asked.JB_soft_resource_list.n + 1;
}

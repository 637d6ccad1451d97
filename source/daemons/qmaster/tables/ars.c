/* The table of advance reservations. Owns their records. */
#include "daemons/qmaster/tables/ars.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"

void ars_init(struct ars *ars)
{
    *ars = (struct ars){ .due_s = UINT64_MAX };
    TAILQ_INIT(&ars->wide);
}

static void places_free(struct ar *ar)
{
    for (uint32_t i = 0; i < ar->n_places; i++) {
        supply_free(&ar->places[i].has);
        free(ar->places[i].parts);
    }
    free(ar->places);
}

void ars_remove(struct ars *ars, struct ar *ar)
{
    HASH_DEL(ars->all, ar);
    ars->n--;
    places_free(ar);
    range_set_free(&ar->jobs);
    cull_clear(&cull_AR_Type, &ar->rec);
    free(ar);
}

void ars_clear(struct ars *ars)
{
    while (ars->all != NULL)
        ars_remove(ars, ars->all);
    supply_free(&ars->unlimited);
}

struct ar *ars_find(const struct ars *ars, uint32_t id)
{
    struct ar *ar;
    HASH_FIND(hh, ars->all, &id, sizeof id, ar);
    return ar;
}

uint64_t ars_submission_time(const struct ars *ars, uint32_t id)
{
    const struct ar *ar = id != 0 ? ars_find(ars, id) : NULL;
    return ar != NULL ? ar->rec.AR_submission_time : 0;
}

static int id_order(const struct ar *a, const struct ar *b)
{
    return a->rec.AR_id < b->rec.AR_id ? -1 : a->rec.AR_id > b->rec.AR_id;
}

struct ar *ars_add(struct ars *ars, struct AR_Type *rec)
{
    struct ar *ar = uti_calloc(1, sizeof *ar);
    ar->rec = *rec;
    *rec = (struct AR_Type){ 0 };
    HASH_ADD_INORDER(hh, ars->all, rec.AR_id, sizeof ar->rec.AR_id, ar, id_order);
    ars->n++;
    return ar;
}

const struct JB_Type *ar_request(const struct ar *ar)
{
    return &ar->rec.AR_request.v[0];
}

struct ar_place *ar_place_of(struct ar *ar, const struct qinstance *qi)
{
    for (uint32_t i = 0; i < ar->n_places; i++)
        if (ar->places[i].qi == qi)
            return &ar->places[i];
    return NULL;
}

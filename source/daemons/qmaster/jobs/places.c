/* Where a task is to have its slots. Owns the memory of struct places. */
#include "daemons/qmaster/jobs/places.h"

#include <stdlib.h>

void places_clear(struct places *places)
{
    for (uint32_t i = 0; i < places->n; i++) {
        cull_list_clear(&cull_TK_Type, &places->v[i].taken);
        free(places->v[i].parts);
    }
    free(places->v);
    *places = (struct places){ 0 };
}

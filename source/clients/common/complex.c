/* The complex, from the objects that the qmaster sends. Older qmasters send none. */
#include "clients/common/complex.h"

#include "libs/config/complex.h"
#include "libs/config/object.h"

void complex_of_objects(const struct GA_Type *all, struct CE_Type_list *list)
{
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    for (uint32_t i = 0; i < all->GA_texts.n; i++) {
        struct CE_Type *ce = object_record(rules, &all->GA_texts.v[i]);
        cull_copy(&cull_CE_Type, cull_push(list), ce);
        cull_delete(&cull_CE_Type, ce);
    }
    complex_sort(list);
}

int complex_get(const struct source *from, struct CE_Type_list *list, struct answer *ans)
{
    struct GA_Type *all = source_get_target(from, GDI_COMPLEX, ans);
    if (all == NULL)
        return -1;
    complex_of_objects(all, list);
    if (list->n == 0)
        complex_template(list);
    cull_delete(&cull_GA_Type, all);
    return 0;
}

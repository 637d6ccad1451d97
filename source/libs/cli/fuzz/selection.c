/* Hostile text as a range of tasks and as operands. What is accepted is a range that has tasks, and
 * names that are not empty; what is refused leaves what was there. */
#include <stdlib.h>

#include "libs/cli/selection.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check_entries(const struct ID_Type_list *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        ASSERT(l->v[i].ID_str != NULL && l->v[i].ID_str[0] != '\0');
        for (uint32_t k = 0; k < l->v[i].ID_tasks.n; k++) {
            const struct TR_Type *tr = &l->v[i].ID_tasks.v[k];
            ASSERT(tr->TR_min <= tr->TR_max && tr->TR_step > 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = uti_strndup((const char *)data, len);
    struct answer ans = ANSWER_INIT;
    struct task_range r = { 7, 3, 0 };
    struct ID_Type_list l = { 0 };
    if (task_range_parse(text, "qsub", &r, &ans) == 0)
        ASSERT(r.first <= r.last && r.step > 0);
    else
        ASSERT(r.first == 7 && r.last == 3 && r.step == 0);
    ans_free(&ans);
    if (selection_add(&l, text, NULL, "qdel", &ans) == 0)
        check_entries(&l);
    else
        ASSERT(l.n == 0);
    cull_list_clear(&cull_ID_Type, &l);
    ans_free(&ans);
    free(text);
    return 0;
}

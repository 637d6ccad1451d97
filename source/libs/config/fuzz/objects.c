/* Fuzz target of the objects of administrators: the first byte chooses a kind, the rest is a
 * file. What is taken must settle, print as a text that reads back to the same, and make a
 * record. */
#include <stdlib.h>

#include "libs/config/object.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_one(const struct object_rules *rules, struct TX_Type *tx)
{
    struct TX_Type_list again = { 0 };
    struct dstr out = DSTR_INIT;
    if (object_settle(rules, tx, NULL) != 0)
        return;
    object_text(rules, tx, false, &out);
    ASSERT(object_parse_all(rules, dstr_get(&out), &again, NULL) == 0);
    ASSERT(again.n == 1 && cull_equal(&cull_TX_Type, tx, &again.v[0]));
    cull_delete(rules->type, object_record(rules, tx));
    cull_list_clear(&cull_TX_Type, &again);
    dstr_free(&out);
}

/* attributes that are there and take any text: the fuzzer need not find their names */
static void try_values(const struct object_rules *rules, const char *text)
{
    struct TX_Type tx = { 0 };
    const char *name = rules->kind == OBJECT_HOSTGROUP ? "@x" : "x";
    object_template(rules, rules->own->only != NULL ? rules->own->only : name, &tx);
    for (unsigned i = 0; i < rules->attrs_n; i++)
        if (object_set(rules, &tx, rules->attrs[i].rule.name, text, NULL) == 0)
            try_one(rules, &tx);
    cull_clear(&cull_TX_Type, &tx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned n = 0;
    if (size == 0)
        return 0;
    while (object_rules_at(n) != NULL)
        n++;
    const struct object_rules *rules = object_rules_at(data[0] % n);
    char *text = uti_strndup((const char *)data + 1, size - 1);
    struct TX_Type_list list = { 0 };
    if (object_parse_all(rules, text, &list, NULL) == 0)
        for (uint32_t i = 0; i < list.n; i++)
            try_one(rules, &list.v[i]);
    try_values(rules, text);
    cull_list_clear(&cull_TX_Type, &list);
    free(text);
    return 0;
}

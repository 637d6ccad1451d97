/* Hostile bytes as a table of types followed by a record, or as a record alone. What is accepted
 * must survive a round trip, and may have taken no more memory than its bytes allow. */
#include <stdlib.h>

#include "libs/cull/pack.h"
#include "libs/cull/test/record_bytes.h"
#include "libs/cull/test/types.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static const struct cull_type *const types[] = { &cull_E_Type, &cull_T_Type };

static void check_round_trip(const struct T_Type *t)
{
    struct packer p = { NULL, 0, 0 };
    struct T_Type again = { 0 };

    cull_pack(&p, &cull_T_Type, t, NULL);
    struct unpacker u = unpacker_over_own(p.data, p.len);
    ASSERT(cull_unpack(&u, &cull_T_Type, NULL, NULL, &again, NULL) == 0);
    ASSERT(cull_equal(&cull_T_Type, t, &again));
    cull_clear(&cull_T_Type, &again);
    packer_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct cull_schema ours = { types, ARRAY_LEN(types) };
    struct unpacker u = unpacker_over(data, len);
    struct cull_map *map = NULL;
    struct answer ans = ANSWER_INIT;
    struct T_Type t = { 0 };

    if (unpack_u8(&u) % 2 == 1)
        map = cull_map_new(&u, &ours, &ans);
    size_t budget = unpack_budget(unpack_left(&u));
    u = unpacker_over(u.at, unpack_left(&u));
    if (cull_unpack(&u, &cull_T_Type, map, NULL, &t, &ans) == 0) {
        ASSERT(record_bytes(&cull_T_Type, &t) <= budget);
        check_round_trip(&t);
    }
    cull_clear(&cull_T_Type, &t);
    cull_map_free(map);
    ans_free(&ans);
    return 0;
}

/* Hostile bytes as a record of any type of the cluster; the first byte chooses the type. What is
 * accepted must survive a round trip, and must not have taken more memory than its bytes allow. */
#include "libs/cull/pack.h"
#include "libs/cull/test/record_bytes.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct unpacker u = unpacker_over(data, len);
    const struct cull_type *t = sgeobj_types[unpack_u8(&u) % sgeobj_types_n];
    size_t budget = unpack_budget(len);
    void *o = cull_new(t), *again = cull_new(t);
    struct answer ans = ANSWER_INIT;
    struct packer p = { NULL, 0, 0 };

    if (cull_unpack(&u, t, NULL, NULL, o, &ans) == 0) {
        ASSERT(record_bytes(t, o) <= budget);
        cull_pack(&p, t, o, NULL);
        u = unpacker_over_own(p.data, p.len);
        ASSERT(cull_unpack(&u, t, NULL, NULL, again, NULL) == 0 && cull_equal(t, o, again));
    }
    packer_free(&p);
    cull_delete(t, o);
    cull_delete(t, again);
    ans_free(&ans);
    return 0;
}

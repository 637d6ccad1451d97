/* Packages of events from bytes: whatever comes, the model refuses or takes it, runs, and frees
 * all. The first byte of the input picks a run after every how many events. */
#include <stdlib.h>

#include "libs/cull/pack.h"
#include "libs/sched/sched.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void run_once(struct sched *s, uint64_t now_s)
{
    struct OR_Type_list orders = { 0 };

    sched_run(s, now_s, 50, &orders);
    for (uint32_t i = 0; i < orders.n; i++) {
        if (i % 3 == 0)
            sched_refused(s, &orders.v[i]);
        cull_clear(&cull_OR_Type, &orders.v[i]);
    }
    free(orders.v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len == 0)
        return 0;
    struct unpacker u = unpacker_over(data + 1, len - 1);
    struct sched *s = sched_new();
    for (unsigned n = 1; unpack_left(&u) > 0; n++) {
        struct EV_Type event = { 0 };
        if (cull_unpack(&u, &cull_EV_Type, NULL, NULL, &event, NULL) < 0)
            break;
        sched_apply(s, &event, NULL);
        if (n % (data[0] % 8u + 1) == 0)
            run_once(s, n);
        cull_clear(&cull_EV_Type, &event);
    }
    run_once(s, 1000);
    sched_free(s);
    return 0;
}

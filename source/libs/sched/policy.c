/* The table of schedulers: `algorithm` of sched_conf(5) names one. Constant data. */
#include "libs/sched/policy.h"

#include <string.h>

static const struct sched_policy policies[] = {
    { "default", sched_default_apply, sched_default_run },
#ifdef SCHEDULER_SAMPLES
    { "ext_mysched", sched_default_apply, sample_run },
    { "ext_mysched2", sample_apply, sample_run },
#endif
};

const struct sched_policy *sched_policy_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(policies); i++)
        if (strcmp(policies[i].name, name) == 0)
            return &policies[i];
    return NULL;
}

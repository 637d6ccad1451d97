/* The table of schedulers: `algorithm` of sched_conf(5) names one. Constant data. */
#include "libs/sched/policy.h"

#include <string.h>

/* Job groups by their first jobs, everything as the model has it. */
const struct sched_policy sched_default = { .name = "default" };

static const struct sched_policy *const policies[] = {
    &sched_default,
#ifdef SCHEDULER_SAMPLES
    &ext_mysched,
    &ext_mysched2,
#endif
};

const struct sched_policy *sched_policy_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(policies); i++)
        if (strcmp(policies[i]->name, name) == 0)
            return policies[i];
    return NULL;
}

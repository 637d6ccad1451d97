#ifndef SHEPHERD_LIMITS_H
#define SHEPHERD_LIMITS_H

#include <sys/resource.h>

#include "common/basis.h"

/* Resource limits of the job. Values come as bytes, seconds or counts (execd has done the units) or
 * as INFINITY; a limit that is UNDEFINED or missing is left as it is. */
struct answer;
struct config;
enum { LIMITS_MAX = 12 };
struct limit {
    int resource;
    const char *name; /* borrowed for ever: "s_cpu" */
    struct rlimit value;
};
struct limits {
    struct limit v[LIMITS_MAX];
    uint32_t n;
    uint64_t s_rt_s,
        h_rt_s; /* seconds of wall clock; UINT64_MAX = no limit. The shepherd itself keeps these */
};
/* limits_from - read them all, cpu, data, stack and vmem times the slots that the task has here
 * ("host_slots"); a soft limit never exceeds its hard limit. Returns 0, or -1 with ans
 * naming the key. Pure. */
int limits_from(struct limits *out, const struct config *conf, struct answer *ans);
/* limits_read_sum - one limit on what all processes of the task use together: its value for each
 * slot that the task has here; UINT64_MAX if there is none. Returns 0, or -1 with ans naming the
 * key. Pure. */
int limits_read_sum(const struct config *conf, const char *key, uint64_t *out, struct answer *ans);
/* limits_apply - in the job's process, before it becomes its owner. Makes system calls alone.
 * Returns NULL, or the name of the limit that could not be set, with *err. */
const char *limits_apply(const struct limits *l, int *err);

#endif

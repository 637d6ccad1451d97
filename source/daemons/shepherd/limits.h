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
/* limits_apply - in the job's process, before it becomes its owner. Makes system calls alone.
 * Returns NULL, or the name of the limit that could not be set, with *err. */
const char *limits_apply(const struct limits *l, int *err);

/* Limits that hold for all processes of the task together: cpu, vmem, rss. setrlimit(2) keeps them
 * for each process alone, so the shepherd measures, as often as is useful and at a bounded cost.
 * Pure but for sums_measure. */
struct dstr;
struct job_cgroup;
enum sum { SUM_CPU, SUM_VMEM, SUM_RSS, SUMS };
struct sums {
    uint64_t soft[SUMS], hard[SUMS]; /* milliseconds, bytes, bytes; UINT64_MAX: none */
    bool is_soft_told[SUMS];
    unsigned samples_over
        [SUMS]; /* in a row; a process that is just being forked is counted twice for a moment */
    unsigned processors;
};
struct sums_used {
    uint64_t v[SUMS];
};

/* sums_from - read s_cpu, h_cpu, s_vmem, h_vmem, s_rss, h_rss. Returns 0, or -1 with ans naming the
 * key. */
int sums_from(struct sums *s, const struct config *conf, struct answer *ans);
/* sums_are_any - is there anything to measure? */
bool sums_are_any(const struct sums *s);
/* sums_measure - what the job uses of what is limited: as CGROUP counts it, else what all processes
 * below this one use, and
 * ENDED_CPU_MS of those that it has waited for */
void sums_measure(const struct sums *s, const struct job_cgroup *cgroup, uint64_t ended_cpu_ms,
                  struct sums_used *used);
/* sums_judge - compare: which limits are reached, HARD ones with WORDS that name limit and figures
 * SOFT_HIT is true once for each soft limit. Returns true if a hard limit is reached for
 * certain. */
bool sums_judge(struct sums *s, const struct sums_used *used, bool *soft_hit, struct dstr *words);
/* sums_pause_us - when to take the next sample after USED, which took COST_US: never before a limit
 * of time can be reached, and so seldom that samples take 2 % of a processor at most */
uint64_t sums_pause_us(const struct sums *s, const struct sums_used *used, uint64_t cost_us);

#endif

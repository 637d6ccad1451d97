#ifndef SHEPHERD_SUMS_H
#define SHEPHERD_SUMS_H

#include "common/basis.h"

/* Limits that hold for all processes of the task together: cpu, vmem, rss. setrlimit(2) keeps them
 * for each process alone, so the shepherd measures, as often as is useful and at a bounded cost.
 * Pure but for sums_measure. */
struct answer;
struct config;
struct dstr;
struct job_cgroup;
enum sum { SUM_CPU, SUM_VMEM, SUM_RSS, SUMS };
struct sums {
    uint64_t soft[SUMS], hard[SUMS]; /* milliseconds, bytes, bytes; UINT64_MAX: none */
    bool is_soft_told[SUMS];
    unsigned looks_over
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
/* sums_pause_us - when to look again after USED, when the look took COST_US: never before a limit
 * of time can be reached, and so seldom that looking takes 2 % of a processor at most */
uint64_t sums_pause_us(const struct sums *s, const struct sums_used *used, uint64_t cost_us);

#endif

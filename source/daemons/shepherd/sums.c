/* Sums over the task's processes. A limit of memory counts as reached when two looks in a row find
 * more. Source: queue_conf(5). */
#include "daemons/shepherd/sums.h"

#include <string.h>
#include <unistd.h>

#include "daemons/shepherd/job_cgroup.h"
#include "daemons/shepherd/limits.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "libs/uti/dstr.h"
#include "libs/uti/process.h"

enum {
    LOOK_US = 1000000,       /* as long as memory is limited */
    LOOK_MOST_US = 60000000, /* processors may come */
    LOOK_AGAIN_US = 100000,  /* to be certain */
    COST_SHARE = 50,
    MS = 1000
};

static const struct {
    const char *soft, *hard;
    uint64_t unit;
    unsigned looks; /* over the limit, for certain */
} rows[SUMS] = {
    [SUM_CPU] = { "s_cpu", "h_cpu", MS, 1 },
    [SUM_VMEM] = { "s_vmem", "h_vmem", 1, 2 },
    [SUM_RSS] = { "s_rss", "h_rss", 1, 2 },
};

static uint64_t in_units(uint64_t limit, uint64_t unit)
{
    return limit > UINT64_MAX / unit ? UINT64_MAX : limit * unit;
}

int sums_from(struct sums *s, const struct config *conf, struct answer *ans)
{
    *s = (struct sums){ .processors = 1 };
    for (unsigned i = 0; i < SUMS; i++) {
        uint64_t soft, hard;
        if (limits_read_sum(conf, rows[i].soft, &soft, ans) != 0 ||
            limits_read_sum(conf, rows[i].hard, &hard, ans) != 0)
            return -1;
        s->soft[i] = in_units(soft, rows[i].unit);
        s->hard[i] = in_units(hard, rows[i].unit);
    }
    long processors = sums_are_any(s) ? sysconf(_SC_NPROCESSORS_ONLN) : 0; /* it reads files */
    if (processors > 0)
        s->processors = (unsigned)processors;
    return 0;
}

static bool is_limited(const struct sums *s, enum sum i)
{
    return s->soft[i] != UINT64_MAX || s->hard[i] != UINT64_MAX;
}

bool sums_are_any(const struct sums *s)
{
    return is_limited(s, SUM_CPU) || is_limited(s, SUM_VMEM) || is_limited(s, SUM_RSS);
}

/* walk over all processes below this one */
static void measure_processes(uint64_t ended_cpu_ms, struct sums_used *used)
{
    struct process_list below = { 0 };
    struct process_usage sum = { 0 };
    process_descendants(getpid(), &below);
    for (uint32_t i = 0; i < below.n; i++)
        (void)os_process_size(below.v[i], &sum);
    process_list_free(&below);
    used->v[SUM_CPU] = ended_cpu_ms + (uint64_t)(sum.cpu_s * MS);
    used->v[SUM_VMEM] = sum.vmem_bytes;
    used->v[SUM_RSS] = sum.rss_bytes;
}

void sums_measure(const struct sums *s, const struct job_cgroup *cgroup, uint64_t ended_cpu_ms,
                  struct sums_used *used)
{
    uint64_t cpu_us = 0, rss_bytes = 0;
    bool has_cpu = job_cgroup_cpu_us(cgroup, &cpu_us);
    bool has_rss = is_limited(s, SUM_RSS) && job_cgroup_rss_bytes(cgroup, &rss_bytes);
    *used = (struct sums_used){ 0 };
    if (is_limited(s, SUM_VMEM) || (is_limited(s, SUM_CPU) && !has_cpu) ||
        (is_limited(s, SUM_RSS) && !has_rss))
        measure_processes(ended_cpu_ms, used);
    if (has_cpu)
        used->v[SUM_CPU] = cpu_us / MS;
    if (has_rss)
        used->v[SUM_RSS] = rss_bytes;
}

bool sums_judge(struct sums *s, const struct sums_used *used, bool *soft_hit, struct dstr *words)
{
    bool is_over = false;
    *soft_hit = false;
    for (unsigned i = 0; i < SUMS; i++) {
        if (used->v[i] > s->soft[i] && !s->is_soft_told[i])
            *soft_hit = s->is_soft_told[i] = true;
        s->looks_over[i] = used->v[i] > s->hard[i] ? s->looks_over[i] + 1 : 0;
        if (s->looks_over[i] < rows[i].looks)
            continue;
        if (!is_over)
            dstr_addf(words, MSG_SUM_LIMIT_SUU, rows[i].hard,
                      (unsigned long long)(s->hard[i] / rows[i].unit),
                      (unsigned long long)(used->v[i] / rows[i].unit));
        is_over = true;
    }
    return is_over;
}

/* the processors cannot use up what is left sooner */
static uint64_t cpu_pause_us(const struct sums *s, const struct sums_used *used)
{
    uint64_t next = s->hard[SUM_CPU], now = used->v[SUM_CPU];
    if (!s->is_soft_told[SUM_CPU] && s->soft[SUM_CPU] < next)
        next = s->soft[SUM_CPU];
    uint64_t left_ms = next > now ? (next - now) / s->processors : 0;
    return left_ms > LOOK_MOST_US / MS ? LOOK_MOST_US : left_ms * MS;
}

uint64_t sums_pause_us(const struct sums *s, const struct sums_used *used, uint64_t cost_us)
{
    bool has_memory = false, is_doubtful = false;
    for (enum sum i = SUM_VMEM; i < SUMS; i++) {
        has_memory = has_memory || is_limited(s, i);
        is_doubtful = is_doubtful || s->looks_over[i] > 0;
    }
    uint64_t pause_us = cpu_pause_us(s, used);
    if (has_memory && pause_us > LOOK_US)
        pause_us = LOOK_US;
    if (pause_us < LOOK_AGAIN_US || is_doubtful)
        pause_us = LOOK_AGAIN_US;
    return pause_us > cost_us * COST_SHARE ? pause_us : cost_us * COST_SHARE;
}

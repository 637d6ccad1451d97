/* Limits of the job: from the configuration to setrlimit, and sums over all processes of the task.
 * The table of limits is their only list, and says which of them are for each slot: a task may use
 * as much as all its slots on this host together. A sum of memory counts as reached when two
 * samples in a row are above it. Source: queue_conf(5), captured config, captured limits of
 * parallel jobs. */
#include "daemons/shepherd/limits.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "daemons/shepherd/children.h"
#include "daemons/shepherd/config.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/privilege.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/uti/process.h"

enum limit_row { ROW_CPU, ROW_VMEM = 5, ROW_RSS, ROW_RT = 11, ROWS };
static const struct {
    int resource;
    const char *soft, *hard;
    bool is_per_slot;
} table[ROWS] = {
    { RLIMIT_CPU, "s_cpu", "h_cpu", true },
    { RLIMIT_FSIZE, "s_fsize", "h_fsize", false },
    { RLIMIT_DATA, "s_data", "h_data", true },
    { RLIMIT_STACK, "s_stack", "h_stack", true },
    { RLIMIT_CORE, "s_core", "h_core", false },
    { RLIMIT_AS, "s_vmem", "h_vmem", true },
    { RLIMIT_RSS, "s_rss", "h_rss", false },
    { RLIMIT_NOFILE, "s_descriptors", "h_descriptors", false },
    { RLIMIT_NPROC, "s_maxproc", "h_maxproc", false },
    { RLIMIT_MEMLOCK, "s_memorylocked", "h_memorylocked", false },
    { RLIMIT_LOCKS, "s_locks", "h_locks", false },
    { -1, "s_rt", "h_rt", false }, /* of time, which the shepherd keeps */
};
_Static_assert((int)ROW_RT <= (int)LIMITS_MAX, "struct limits holds the whole table");

struct limit_texts {
    const char *soft[ROWS], *hard[ROWS]; /* borrowed; NULL: not there */
};

/* one walk over all lines */
static void find_texts(const struct config *conf, struct limit_texts *out)
{
    *out = (struct limit_texts){ 0 };
    for (uint32_t i = 0; i < conf->n; i++) {
        const char *key = conf->v[i].key;
        if ((key[0] != 's' && key[0] != 'h') || key[1] != '_')
            continue;
        for (unsigned row = 0; row < ROWS; row++) {
            const char **text = key[0] == 's' ? &out->soft[row] : &out->hard[row];
            if (*text == NULL && strcmp(key + 2, table[row].soft + 2) == 0)
                *text = conf->v[i].value;
        }
    }
}

/* 1 with *OUT, 0 if the limit is not set, -1 if it is no limit */
static int read_value(const char *text, uint64_t *out)
{
    if (text == NULL || strcasecmp(text, "UNDEFINED") == 0)
        return 0;
    if (strcasecmp(text, "INFINITY") == 0) {
        *out = UINT64_MAX;
        return 1;
    }
    return parse_u64(text, out) ? 1 : -1;
}

/* VALUE of limit KEY for all slots that the task has here; what the job is charged for once,
 * however many slots it has, is for all of them as it is */
static uint64_t for_all_slots(const struct config *conf, const char *key, uint64_t value)
{
    uint64_t slots;
    char of_job[48];
    if (value == UINT64_MAX || !parse_u64(config_get(conf, "host_slots", "1"), &slots) ||
        slots <= 1)
        return value; /* nearly always */
    (void)snprintf(of_job, sizeof of_job, "%s_is_consumable_job", key);
    if (strcmp(config_get(conf, of_job, "0"), "1") == 0)
        return value;
    return value > UINT64_MAX / slots ? UINT64_MAX : value * slots;
}

static int bad_value(const char *key, const char *text, struct answer *ans)
{
    return ans_fail(ans, STATUS_ESYNTAX, MSG_CONFIG_BAD_VALUE_SS, key, text);
}

/* both limits of a row, as read_value has them. Returns 0, or -1 with ans */
static int read_row(const struct limit_texts *texts, unsigned row, uint64_t value[2], int is_set[2],
                    struct answer *ans)
{
    if ((is_set[0] = read_value(texts->soft[row], &value[0])) < 0)
        return bad_value(table[row].soft, texts->soft[row], ans);
    if ((is_set[1] = read_value(texts->hard[row], &value[1])) < 0)
        return bad_value(table[row].hard, texts->hard[row], ans);
    return 0;
}

/* add ROW if one of its two limits is set; the other is then taken to be equal */
static int add_row(struct limits *out, const struct config *conf, const struct limit_texts *texts,
                   unsigned row, struct answer *ans)
{
    uint64_t value[2] = { 0, 0 };
    int is_set[2];
    if (read_row(texts, row, value, is_set, ans) != 0)
        return -1;
    if (!is_set[0] && !is_set[1])
        return 0;
    if (table[row].is_per_slot) {
        value[0] = for_all_slots(conf, table[row].soft, value[0]);
        value[1] = for_all_slots(conf, table[row].hard, value[1]);
    }
    uint64_t hard = is_set[1] ? value[1] : UINT64_MAX;
    uint64_t soft = is_set[0] && value[0] < hard ? value[0] : hard;
    /* UINT64_MAX is RLIM_INFINITY */
    out->v[out->n++] = (struct limit){ table[row].resource,
                                       table[row].soft,
                                       { .rlim_cur = soft, .rlim_max = hard } };
    return 0;
}

int limits_from(struct limits *out, const struct config *conf, struct answer *ans)
{
    struct limit_texts texts;
    uint64_t time_s[2] = { UINT64_MAX, UINT64_MAX };
    int is_set[2];
    *out = (struct limits){ .s_rt_s = UINT64_MAX, .h_rt_s = UINT64_MAX };
    find_texts(conf, &texts);
    if (read_row(&texts, ROW_RT, time_s, is_set, ans) != 0)
        return -1;
    out->s_rt_s = time_s[0];
    out->h_rt_s = time_s[1];
    for (unsigned row = 0; row < ROW_RT; row++)
        if (add_row(out, conf, &texts, row, ans) != 0)
            return -1;
    return 0;
}

const char *limits_apply(const struct limits *l, int *err)
{
    for (uint32_t i = 0; i < l->n; i++)
        if ((*err = privilege_limit(l->v[i].resource, &l->v[i].value)) != 0)
            return l->v[i].name;
    return NULL;
}

/* ---- sums over all processes ---- */

enum {
    SAMPLE_US = 1000000,       /* as long as memory is limited */
    SAMPLE_MOST_US = 60000000, /* processors may come */
    SAMPLE_AGAIN_US = 100000,  /* to be certain */
    COST_SHARE = 50,
    MS = 1000
};

static const struct {
    enum limit_row row;
    uint64_t unit;
    unsigned samples; /* over the limit in a row: it is exceeded */
} sums_rows[SUMS] = {
    [SUM_CPU] = { ROW_CPU, MS, 1 },
    [SUM_VMEM] = { ROW_VMEM, 1, 2 },
    [SUM_RSS] = { ROW_RSS, 1, 2 },
};

static uint64_t in_units(uint64_t limit, uint64_t unit)
{
    return limit > UINT64_MAX / unit ? UINT64_MAX : limit * unit;
}

int sums_from(struct sums *s, const struct config *conf, struct answer *ans)
{
    struct limit_texts texts;
    *s = (struct sums){ .processors = 1 };
    find_texts(conf, &texts);
    for (unsigned i = 0; i < SUMS; i++) {
        unsigned row = sums_rows[i].row;
        uint64_t value[2] = { UINT64_MAX, UINT64_MAX };
        int is_set[2];
        if (read_row(&texts, row, value, is_set, ans) != 0)
            return -1;
        s->soft[i] = in_units(for_all_slots(conf, table[row].soft, value[0]), sums_rows[i].unit);
        s->hard[i] = in_units(for_all_slots(conf, table[row].hard, value[1]), sums_rows[i].unit);
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
        s->samples_over[i] = used->v[i] > s->hard[i] ? s->samples_over[i] + 1 : 0;
        if (s->samples_over[i] < sums_rows[i].samples)
            continue;
        if (!is_over)
            dstr_addf(words, MSG_SUM_LIMIT_SUU, table[sums_rows[i].row].hard,
                      (unsigned long long)(s->hard[i] / sums_rows[i].unit),
                      (unsigned long long)(used->v[i] / sums_rows[i].unit));
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
    return left_ms > SAMPLE_MOST_US / MS ? SAMPLE_MOST_US : left_ms * MS;
}

uint64_t sums_pause_us(const struct sums *s, const struct sums_used *used, uint64_t cost_us)
{
    bool has_memory = false, is_doubtful = false;
    for (enum sum i = SUM_VMEM; i < SUMS; i++) {
        has_memory = has_memory || is_limited(s, i);
        is_doubtful = is_doubtful || s->samples_over[i] > 0;
    }
    uint64_t pause_us = cpu_pause_us(s, used);
    if (has_memory && pause_us > SAMPLE_US)
        pause_us = SAMPLE_US;
    if (pause_us < SAMPLE_AGAIN_US || is_doubtful)
        pause_us = SAMPLE_AGAIN_US;
    return pause_us > cost_us * COST_SHARE ? pause_us : cost_us * COST_SHARE;
}

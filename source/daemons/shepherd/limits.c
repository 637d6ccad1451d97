/* From the configuration to setrlimit. The table is the only list of limits, and says which of them
 * are for each slot: a task may use as much as all its slots on this host together. Source:
 * queue_conf(5), captured config, captured limits of parallel jobs. */
#include "daemons/shepherd/limits.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "daemons/shepherd/config.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/privilege.h"
#include "libs/uti/answer.h"
#include "libs/uti/parse.h"

static const struct {
    int resource;
    const char *soft, *hard;
    bool is_per_slot;
} table[] = {
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
};
_Static_assert(ARRAY_LEN(table) <= LIMITS_MAX, "struct limits holds the whole table");

/* 1 with *out, 0 if the limit is not set, -1 if it is no limit */
static int read_value(const struct config *conf, const char *key, uint64_t *out)
{
    const char *value = config_get(conf, key, "UNDEFINED");
    if (strcasecmp(value, "UNDEFINED") == 0)
        return 0;
    if (strcasecmp(value, "INFINITY") == 0) {
        *out = UINT64_MAX;
        return 1;
    }
    return parse_u64(value, out) ? 1 : -1;
}

/* VALUE of limit KEY for all slots that the task has here; what the job is charged for once,
 * however many slots it has, is for all of them as it is */
static uint64_t for_all_slots(const struct config *conf, const char *key, uint64_t value)
{
    uint64_t slots;
    char of_job[48];
    if (value == UINT64_MAX || !config_u64(conf, "host_slots", &slots) || slots <= 1)
        return value; /* nearly always */
    (void)snprintf(of_job, sizeof of_job, "%s_is_consumable_job", key);
    if (config_is_true(conf, of_job))
        return value;
    return value > UINT64_MAX / slots ? UINT64_MAX : value * slots;
}

static int bad_value(const struct config *conf, const char *key, struct answer *ans)
{
    return ans_fail(ans, STATUS_ESYNTAX, MSG_CONFIG_BAD_VALUE_SS, key, config_get(conf, key, ""));
}

/* add row AT if one of its two limits is set; the other is then taken to be equal */
static int add_row(struct limits *out, const struct config *conf, size_t at, struct answer *ans)
{
    uint64_t soft = 0, hard = 0;
    int has_soft = read_value(conf, table[at].soft, &soft),
        has_hard = read_value(conf, table[at].hard, &hard);
    if (has_soft < 0)
        return bad_value(conf, table[at].soft, ans);
    if (has_hard < 0)
        return bad_value(conf, table[at].hard, ans);
    if (!has_soft && !has_hard)
        return 0;
    if (table[at].is_per_slot) {
        soft = for_all_slots(conf, table[at].soft, soft);
        hard = for_all_slots(conf, table[at].hard, hard);
    }
    hard = has_hard ? hard : UINT64_MAX;
    soft = has_soft && soft < hard ? soft : hard;
    /* UINT64_MAX is RLIM_INFINITY */
    out->v[out->n++] = (struct limit){ table[at].resource,
                                       table[at].soft,
                                       { .rlim_cur = soft, .rlim_max = hard } };
    return 0;
}

int limits_read_sum(const struct config *conf, const char *key, uint64_t *out, struct answer *ans)
{
    *out = UINT64_MAX;
    if (read_value(conf, key, out) < 0)
        return bad_value(conf, key, ans);
    *out = for_all_slots(conf, key, *out);
    return 0;
}

int limits_from(struct limits *out, const struct config *conf, struct answer *ans)
{
    *out = (struct limits){ .s_rt_s = UINT64_MAX, .h_rt_s = UINT64_MAX };
    if (read_value(conf, "s_rt", &out->s_rt_s) < 0)
        return bad_value(conf, "s_rt", ans);
    if (read_value(conf, "h_rt", &out->h_rt_s) < 0)
        return bad_value(conf, "h_rt", ans);
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (add_row(out, conf, i, ans) != 0)
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

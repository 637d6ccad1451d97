/* What of sched_conf(5) scheduling reads, and the schedulers that `algorithm` names. The tables
 * below are the only lists of either; each setting has a reader that changes the configuration only
 * if the whole value makes sense. */
#include "libs/sched/policy/conf.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/config/attr_syntax.h"
#include "libs/config/conf.h"
#include "libs/config/quantity.h"
#include "libs/resource/timeline.h"
#include "libs/sched/policy/msg_policy.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/answer.h"
#include "libs/uti/parse.h"

enum { PAUSE_MOST_S = 7 * 24 * 3600 }; /* longer ones, INFINITY too, are cut to this */

/* ---- schedulers ---- */
/* Job groups by their first jobs, everything as the model has it. */
const struct sched_policy sched_default = { .name = "default" };
const struct sched_policy sched_plugin = { .name = "plug-in" };

static const struct sched_policy *const policies[] = {
    &sched_default, &sched_depth_first,
#ifdef SCHEDULER_SAMPLES
    &ext_deadline,  &ext_mysched,       &ext_mysched2,
#endif
};

const struct sched_policy *sched_policy_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(policies); i++)
        if (strcmp(policies[i]->name, name) == 0)
            return policies[i];
    return NULL;
}

/* ---- settings ---- */
typedef bool (*read_fn)(const char *value, void *at);

static bool read_seconds(const char *value, void *at)
{
    uint32_t seconds;

    if (!parse_u32(value, &seconds))
        return false;
    *(uint32_t *)at = seconds < PAUSE_MOST_S ? seconds : PAUSE_MOST_S;
    return true;
}

static bool read_interval(const char *value, void *at)
{
    uint64_t seconds;

    if (!quantity_time_parse(value, &seconds) || seconds == 0)
        return false;
    *(uint32_t *)at = seconds < PAUSE_MOST_S ? (uint32_t)seconds : PAUSE_MOST_S;
    return true;
}

static bool read_time(const char *value, void *at)
{
    uint64_t seconds;

    if (!quantity_time_parse(value, &seconds))
        return false;
    *(uint32_t *)at = seconds < PAUSE_MOST_S ? (uint32_t)seconds : PAUSE_MOST_S;
    return true;
}

static bool read_duration(const char *value, void *at)
{
    uint64_t seconds;

    if (!quantity_time_parse(value, &seconds) || seconds == 0)
        return false;
    *(uint64_t *)at = seconds;
    return true;
}

static bool read_count(const char *value, void *at)
{
    return parse_u32(value, at);
}

/* qconf(1) refuses more; what a cell had before is cut */
static bool read_reservations(const char *value, void *at)
{
    uint32_t *most = at;
    if (!parse_u32(value, most))
        return false;
    if (*most > RESERVATIONS_MOST)
        *most = RESERVATIONS_MOST;
    return true;
}

static bool read_sort_method(const char *value, void *at)
{
    bool is_by_seq_no = strcasecmp(value, "seqno") == 0;

    if (!is_by_seq_no && strcasecmp(value, "load") != 0)
        return false;
    *(bool *)at = is_by_seq_no;
    return true;
}

static bool is_param(const char *word, const char *name)
{
    size_t len = strcspn(word, "=");
    return word[len] == '=' && strlen(name) == len && strncasecmp(word, name, len) == 0;
}

static bool read_record_mib(const char *value, uint32_t *mib)
{
    return parse_u32(value, mib) && *mib <= RECORD_MIB_MOST;
}

/* NAME=VALUE; the other words have no effect */
static bool read_param(const char *word, struct sched_params *params)
{
    if (is_param(word, "MONITOR"))
        return attr_bool_parse(strchr(word, '=') + 1, &params->is_monitored);
    if (is_param(word, "RECORD"))
        return read_record_mib(strchr(word, '=') + 1, &params->record_mib);
    if (is_param(word, "DEPTH_FIRST_FRAMES"))
        return parse_u32(strchr(word, '=') + 1, &params->frames_most);
    return true;
}

static bool read_params(const char *value, void *at)
{
    struct sched_params params = { 0 };
    char *words = uti_strdup(value), *rest = NULL;
    bool is_good = true;
    for (char *word = strtok_r(words, ", \t", &rest); word != NULL && is_good;
         word = strtok_r(NULL, ", \t", &rest))
        is_good = read_param(word, &params);
    free(words);
    if (is_good)
        *(struct sched_params *)at = params;
    return is_good;
}

static bool read_weight(const char *value, void *at)
{
    double weight;

    if (!parse_double(value, &weight) || !(weight >= 0 && weight <= CONF_WEIGHT_MOST))
        return false;
    *(double *)at = weight;
    return true;
}

static bool read_tickets(const char *value, void *at)
{
    uint32_t tickets;
    if (!parse_u32(value, &tickets))
        return false;
    *(double *)at = tickets;
    return true;
}

static bool read_truth(const char *value, void *at)
{
    bool is_true = strcasecmp(value, "true") == 0 || strcmp(value, "1") == 0;
    if (!is_true && strcasecmp(value, "false") != 0 && strcmp(value, "0") != 0)
        return false;
    *(bool *)at = is_true;
    return true;
}

/* letters of O, F and S, each once, or NONE */
static bool read_hierarchy(const char *value, void *at)
{
    char *letters = at;
    size_t n = strcasecmp(value, "NONE") == 0 ? 0 : strlen(value);
    if (n > TICKET_POLICIES || strspn(value, "OFS") < n)
        return false;
    memcpy(letters, value, n);
    letters[n] = '\0';
    return true;
}

static bool read_algorithm(const char *value, void *at)
{
    struct sched_conf *conf = at;
    bool is_plugin = sched_plugin_is_name(value);
    const struct sched_policy *policy = is_plugin ? &sched_plugin : sched_policy_find(value);

    if (policy == NULL)
        return false;
    conf->policy = policy;
    conf->plugin[0] = '\0';
    if (is_plugin)
        memcpy(conf->plugin, value, strlen(value) + 1);
    return true;
}

static const struct setting {
    const char *name;
    read_fn read;
    size_t offset;
} settings[] = {
    { "algorithm", read_algorithm, 0 },
    { "schedule_interval", read_interval, offsetof(struct sched_conf, interval_s) },
    { "flush_submit_sec", read_seconds, offsetof(struct sched_conf, flush_submit_s) },
    { "flush_finish_sec", read_seconds, offsetof(struct sched_conf, flush_finish_s) },
    { "maxujobs", read_count, offsetof(struct sched_conf, tasks_of_user) },
    { "queue_sort_method", read_sort_method, offsetof(struct sched_conf, is_by_seq_no) },
    { "load_adjustment_decay_time", read_time, offsetof(struct sched_conf, load_decay_s) },
    { "max_reservation", read_reservations, offsetof(struct sched_conf, reservations_most) },
    { "default_duration", read_duration, offsetof(struct sched_conf, default_run_s) },
    { "params", read_params, offsetof(struct sched_conf, params) },
    { "weight_ticket", read_weight, offsetof(struct sched_conf, weights.ticket) },
    { "weight_urgency", read_weight, offsetof(struct sched_conf, weights.urgency) },
    { "weight_priority", read_weight, offsetof(struct sched_conf, weights.priority) },
    { "weight_waiting_time", read_weight, offsetof(struct sched_conf, weights.waiting_time) },
    { "weight_deadline", read_weight, offsetof(struct sched_conf, weights.deadline) },
    { "weight_user", read_weight, offsetof(struct sched_conf, tickets.weights[TICKETS_OF_USER]) },
    { "weight_project", read_weight,
      offsetof(struct sched_conf, tickets.weights[TICKETS_OF_PROJECT]) },
    { "weight_department", read_weight,
      offsetof(struct sched_conf, tickets.weights[TICKETS_OF_DEPARTMENT]) },
    { "weight_job", read_weight, offsetof(struct sched_conf, tickets.weight_job) },
    { "weight_tickets_functional", read_tickets, offsetof(struct sched_conf, tickets.functional) },
    { "weight_tickets_share", read_tickets, offsetof(struct sched_conf, tickets.share) },
    { "compensation_factor", read_weight, offsetof(struct sched_conf, tickets.compensation) },
    { "share_override_tickets", read_truth, offsetof(struct sched_conf, tickets.shares_override) },
    { "share_functional_shares", read_truth,
      offsetof(struct sched_conf, tickets.shares_functional) },
    { "max_functional_jobs_to_schedule", read_count,
      offsetof(struct sched_conf, tickets.functional_most) },
    { "policy_hierarchy", read_hierarchy, offsetof(struct sched_conf, tickets.hierarchy) },
    { "max_pending_tasks_per_job", read_count, offsetof(struct sched_conf, pending_tasks_most) },
    { "report_pjob_tickets", read_truth, offsetof(struct sched_conf, reports_pending_tickets) },
};

struct sched_conf sched_conf_default(void)
{
    return (struct sched_conf){
        .policy = &sched_default,
        .weights = { .ticket = 0.01,
                     .urgency = 0.1,
                     .priority = 1,
                     .waiting_time = 0.278,
                     .deadline = 3600000 },
        .tickets = { .weights = { 0.25, 0.25, 0.25 },
                     .weight_job = 0.25,
                     .compensation = 5,
                     .shares_override = true,
                     .shares_functional = true,
                     .functional_most = 200,
                     .hierarchy = "OFS" },
        .pending_tasks_most = 50,
        .reports_pending_tickets = true,
        .interval_s = 15,
        .default_run_s = TIME_FOREVER,
    };
}

static void setting_read(struct sched_conf *conf, const struct VA_Type *entry, struct answer *ans)
{
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        if (strcmp(settings[i].name, entry->VA_variable) != 0)
            continue;
        const char *value = entry->VA_value != NULL ? entry->VA_value : "";
        if (!settings[i].read(value, (char *)conf + settings[i].offset))
            ans_add(ans, STATUS_ESEMANTIC, ANSWER_QUALITY_WARNING, MSG_SCHED_CONF_VALUE_SS, value,
                    settings[i].name);
    }
}

void sched_conf_read(struct sched_conf *conf, const struct CONF_Type *record, struct answer *ans)
{
    for (uint32_t i = 0; i < record->CONF_entries.n; i++)
        if (record->CONF_entries.v[i].VA_variable != NULL)
            setting_read(conf, &record->CONF_entries.v[i], ans);
}

/* Usage of tasks, summed. A task counts as if it had used everything evenly while it ran: so what
 * it is worth follows from its end alone, and not from when its host reported. Source:
 * sched_conf(5), host_conf(5) */
#include "daemons/qmaster/jobs/usage_count.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/complex.h"
#include "libs/config/conf.h"
#include "libs/resource/consumption.h"
#include "libs/sgeobj/accounting.h"
#include "libs/sgeobj/task_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"
#include "libs/uti/parse.h"

static bool is_counted(const struct qmaster *q)
{
    return q->settings.texts[GDI_SHARETREE] != NULL;
}

/* ---- what one task has used ---- */
static double reported_figure(const struct UA_Type_list *usage, const char *name)
{
    for (uint32_t i = 0; i < usage->n; i++)
        if (usage->v[i].UA_name != NULL && strcmp(usage->v[i].UA_name, name) == 0)
            return accounting_figure(name, usage->v[i].UA_value);
    return 0;
}

/* how much of the consumable NAME the allocation of T has */
static double taken_of(struct qmaster *q, const struct task *t, const char *name)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    const struct CE_Type *ce = consumables_find(settings_consumables(&q->settings), name);
    double sum = 0;
    for (uint32_t i = 0; i < granted->n; i++)
        for (uint32_t k = 0; k < granted->v[i].JG_taken.n; k++)
            if (strcmp(granted->v[i].JG_taken.v[k].TK_name, name) == 0)
                sum += (double)granted->v[i].JG_taken.v[k].TK_amount;
    return ce != NULL && ce->CE_valtype == COMPLEX_DOUBLE ? sum / 1e6 : sum;
}

static double slots_of(const struct task *t)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    double sum = 0;
    for (uint32_t i = 0; i < granted->n; i++)
        sum += granted->v[i].JG_slots;
    return sum;
}

static double figure_of(struct qmaster *q, const struct task *t, const struct UA_Type_list *usage,
                        const char *name, double run_s)
{
    if (strcmp(name, "wallclock") == 0)
        return run_s;
    if (strcmp(name, "slots") == 0)
        return slots_of(t) * run_s;
    if (usage_is_of_hosts(name, strlen(name)))
        return reported_figure(usage, name);
    return taken_of(q, t, name) * run_s;
}

/* the factor of NAME in usage_scaling of the host of T, which was checked: "cpu=1.5,mem=0.5" */
static double scale_of(const struct task *t, const char *name)
{
    const char *list = t->host != NULL ? t->host->rec.EH_text_usage_scaling : NULL;
    size_t len = strlen(name);
    for (const char *at = list; at != NULL && *at != '\0'; at += strspn(at, ", ")) {
        size_t n = strcspn(at, ", ");
        if (n > len + 1 && strncmp(at, name, len) == 0 && at[len] == '=') {
            char *text = uti_strndup(at + len + 1, n - len - 1);
            double factor = 1;
            bool is_one = parse_double(text, &factor) && factor >= 0;
            free(text);
            return is_one ? factor : 1;
        }
        at += n;
    }
    return 1;
}

static void fill_figures(struct qmaster *q, const struct task *t, const struct UA_Type_list *usage,
                         double run_s, double *out)
{
    const struct usage *u = &q->usage;
    for (uint32_t k = 0; k < u->n_kinds; k++)
        out[k] = figure_of(q, t, usage, u->kinds[k].name, run_s) * scale_of(t, u->kinds[k].name);
}

static struct usage_pair *pair_of(struct qmaster *q, const struct task *t)
{
    struct usage *u = &q->usage;
    struct usage_pair *p = usage_pair(u, t->job->rec.JB_owner, t->job->rec.JB_project);
    if (p == NULL && !u->has_said_full)
        log_msg(LOG_LEVEL_WARNING, MSG_USAGE_FULL_SSU, t->job->rec.JB_owner,
                t->job->rec.JB_project != NULL ? t->job->rec.JB_project : "",
                (unsigned)USAGE_PAIRS_MOST);
    u->has_said_full = u->has_said_full || p == NULL;
    return p;
}

static double seconds_between(uint64_t from_s, uint64_t to_s)
{
    return from_s != 0 && to_s > from_s ? (double)(to_s - from_s) : 0;
}

/* ---- events in the life of a task ---- */
void usage_count_running(struct qmaster *q, struct task *t)
{
    double figures[USAGE_KINDS_MOST];
    struct usage *u = &q->usage;
    struct usage_pair *p = is_counted(q) ? pair_of(q, t) : NULL;
    if (p == NULL || (t->rec.JAT_state & TASK_IS_CLEANING) != 0)
        return;
    double run_s = seconds_between(t->rec.JAT_start_time, q->now_s);
    fill_figures(q, t, &t->rec.JAT_scaled_usage_list, run_s, figures);
    for (uint32_t k = 0; k < u->n_kinds; k++)
        figures[k] = usage_spread(figures[k], u->kinds[k].halftime_s, run_s);
    t->usage = usage_part_set(u, t->usage, p, figures, u->n_kinds);
}

void usage_count_gone(struct qmaster *q, struct task *t)
{
    usage_part_free(&q->usage, t->usage);
    t->usage = NULL;
}

void usage_count_ended(struct qmaster *q, struct task *t, const struct JR_Type *report)
{
    double figures[USAGE_KINDS_MOST];
    struct usage *u = &q->usage;
    usage_count_gone(q, t);
    struct usage_pair *p = is_counted(q) ? pair_of(q, t) : NULL;
    if (p == NULL)
        return;
    double run_s = seconds_between(report->JR_start_time, report->JR_end_time);
    double past_s = seconds_between(report->JR_end_time, q->now_s);
    fill_figures(q, t, &report->JR_usage, run_s, figures);
    for (uint32_t k = 0; k < u->n_kinds; k++) {
        double halftime_s = u->kinds[k].halftime_s;
        double worth = usage_spread(figures[k], halftime_s, run_s);
        if (figures[k] > 0)
            usage_add(u, p, k, usage_decayed(worth, halftime_s, past_s), figures[k], q->now_s);
    }
}

/* ---- configuration ---- */
void usage_configured(struct qmaster *q)
{
    const struct conf *conf = settings_conf(&q->settings, CONF_SCHEDULER);
    if (conf == NULL)
        return;
    const struct usage_params params = { conf_get(NULL, &conf->rec, "usage_weight_list"),
                                         conf_get(NULL, &conf->rec, "halflife_decay_list"),
                                         (double)conf_get_number(NULL, &conf->rec, "halftime") };
    if (!usage_configure(&q->usage, &params, q->now_s))
        log_msg(LOG_LEVEL_WARNING, MSG_USAGE_KINDS_U, (unsigned)USAGE_KINDS_MOST);
}

/* ---- what is forgotten ---- */
static bool has_any(const struct qmaster *q, const struct usage_pair *p)
{
    for (uint32_t k = 0; k < q->usage.n_kinds; k++)
        if (usage_worth(&q->usage, p, k, q->now_s) >= 1)
            return true;
    return false;
}

static bool is_over(const struct qmaster *q, const struct usage_pair *p)
{
    if (p->n_parts > 0)
        return false;
    if (*p->project != '\0' && settings_text(&q->settings, GDI_PROJECT, p->project) == NULL)
        return true;
    return settings_text(&q->settings, GDI_USER, p->user) == NULL && !has_any(q, p);
}

static void forget_pair(struct qmaster *q, struct usage_pair *p)
{
    events_share_usage_gone(q, p);
    change_usage_gone(q, p);
    usage_pair_drop(&q->usage, p);
}

void usage_expire(struct qmaster *q)
{
    struct usage *u = &q->usage;
    u->has_said_full = u->has_said_full && HASH_COUNT(u->pairs) >= USAGE_PAIRS_MOST;
    for (int i = 0; i < USAGE_LOOKED_AT; i++) {
        struct usage_pair *p = walk_take(&u->expiring, offsetof(struct usage_pair, hh));
        if (p == NULL) {
            walk_begin(&u->walks, &u->expiring, u->pairs);
            break;
        }
        if (is_over(q, p))
            forget_pair(q, p);
    }
}

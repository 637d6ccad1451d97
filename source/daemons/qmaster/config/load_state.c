/* From the load of hosts to the states of queue instances. What is decided here follows from the
 * settings of the instance and the values that its host reports, and from nothing else; so it is in
 * no record, and a restart finds it again when the hosts report. */
#include "daemons/qmaster/config/load_state.h"

#include "daemons/qmaster/sched/events.h"
#include "libs/config/qinstance.h"
#include "libs/config/threshold.h"

static struct load_source source_of(struct qmaster *q, const struct host *h)
{
    return (struct load_source){ .host = h->conn != 0 ? &h->rec : NULL,
                                 .complex = settings_complex(&q->settings) };
}

/* true if the scheduler should hear of it */
static bool measure_host(struct qmaster *q, struct host *h)
{
    const struct settings *s = &q->settings;
    struct load_source load = source_of(q, h);
    double was = h->load, step_was = h->load_step;
    h->load = load_formula_value(&s->load_formula, &load);
    h->load_step = load_formula_step(&s->load_formula, s->load_adjustments, &load);
    return h->load != was || h->load_step != step_was;
}

static const char *load_thresholds(const struct qinstance *qi)
{
    return qinstance_setting(&qi->rec, "load_thresholds");
}

static const char *suspend_thresholds(const struct qinstance *qi)
{
    return qinstance_setting(&qi->rec, "suspend_thresholds");
}

bool load_state_settle(struct qmaster *q, struct qinstance *qi)
{
    struct load_source load = source_of(q, qi->host);
    uint32_t before = qi->load_state;
    qi->load_state = thresholds_exceeded(load_thresholds(qi), &load, NULL, NULL) ? QI_ALARM : 0;
    if (suspend_thresholds_exceeded(suspend_thresholds(qi), &load))
        qi->load_state |= QI_SUSPEND_ALARM;
    if ((qi->load_state & QI_SUSPEND_ALARM) != 0)
        queues_note_uneasy(&q->queues, qi);
    return qi->load_state != before;
}

void load_state_say(struct qmaster *q, struct host *h)
{
    if (h->has_other_load)
        events_host_load(q, h);
    h->has_other_load = false;
}

static void settle_host(struct qmaster *q, struct host *h)
{
    struct qinstance *qi;
    bool is_other = measure_host(q, h);
    h->load_settled_s = q->now_s;
    load_state_say(q, h);
    LIST_FOREACH(qi, &h->instances, in_host) {
        if (!qinstance_is_there(qi))
            continue;
        if (load_state_settle(q, qi))
            events_queue_mod(q, qi);
        else if (is_other)
            events_queue_load(q, qi);
    }
}

void load_state_renew(struct qmaster *q, struct host *h)
{
    struct qinstance *qi;
    (void)measure_host(q, h);
    LIST_FOREACH(qi, &h->instances, in_host)
        (void)load_state_settle(q, qi);
}

void load_state_heard(struct qmaster *q, struct host *h)
{
    if (h->load_settled_s != q->now_s) {
        settle_host(q, h);
        return;
    }
    if (!h->is_unsettled)
        TAILQ_INSERT_TAIL(&q->hosts.unsettled, h, in_unsettled);
    h->is_unsettled = true;
}

void load_state_step(struct qmaster *q)
{
    struct host *h;
    while ((h = TAILQ_FIRST(&q->hosts.unsettled)) != NULL) {
        host_forget_unsettled(&q->hosts, h);
        settle_host(q, h);
    }
}

void load_state_explain(struct qmaster *q, const struct qinstance *qi, struct dstr *out)
{
    struct load_source load = source_of(q, qi->host);
    load_thresholds_explain(load_thresholds(qi), &load, out);
}

void load_state_explain_suspend(struct qmaster *q, const struct qinstance *qi, struct dstr *out)
{
    struct load_source load = source_of(q, qi->host);
    suspend_thresholds_explain(suspend_thresholds(qi), &load, out);
}

void load_state_why(struct qmaster *q, const struct qinstance *qi, struct dstr *out)
{
    struct load_source load = source_of(q, qi->host);
    load_thresholds_why(load_thresholds(qi), &load, out);
}

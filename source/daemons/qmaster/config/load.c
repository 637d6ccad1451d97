/* Load values that hosts report: those of the cell, those of the host, and the states of queue
 * instances that follow from them. Invariant: the load values of the host "global" are those that
 * count of what hosts say (tables/hosts.h). Those of a host count as long as `speaks_for_cell`. */
#include "daemons/qmaster/config/load.h"

#include <stdio.h>
#include <string.h>

#include "daemons/qmaster/config/msg_config.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/hosts.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/config/load_values.h"
#include "libs/config/qinstance.h"
#include "libs/resource/consumption.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

static struct host *host_of_cell(struct hosts *hosts)
{
    struct host *cell = hosts_find(hosts, HOST_OF_CELL);
    if (cell != NULL)
        return cell;
    struct EH_Type *plain = host_template(HOST_OF_CELL);
    cell = hosts_put(hosts, HOST_OF_CELL, plain);
    cull_delete(&cull_EH_Type, plain);
    return cell;
}

/* what counts of NAME may be another */
static void renew_value(struct qmaster *q, const char *name)
{
    struct EH_Type said = { 0 };
    struct VA_Type *va = cull_append(&said, EH_load_list);
    const char *value = cell_value_now(&q->hosts.cell_values, name);
    cull_set(va, VA_variable, name);
    if (value != NULL)
        cull_set(va, VA_value, value);
    host_load_update(q, host_of_cell(&q->hosts), &said);
    cull_clear(&cull_EH_Type, &said);
}

static void say_renewed(struct qmaster *q)
{
    load_state_update(q, host_of_cell(&q->hosts));
    q->hosts.is_cell_other = true;
}

/* false: it is beyond the limits */
static bool take_value(struct qmaster *q, struct host *h, const struct VA_Type *va)
{
    struct cell_values *values = &q->hosts.cell_values;
    const char *name = va->VA_variable, *value = va->VA_value;
    struct cell_report *old = cell_report_find(&h->reports, name);
    size_t left =
        old != NULL ? h->reports.bytes - cell_report_bytes(name, old->value) : h->reports.bytes;
    if (value == NULL && old == NULL)
        return true;
    if (value == NULL)
        cell_report_drop(values, &h->reports, old);
    else if (strlen(name) > LOAD_NAME_MOST || strlen(value) > LOAD_VALUE_MOST ||
             left + cell_report_bytes(name, value) > CELL_BYTES_MOST ||
             (old == NULL && h->reports.n >= CELL_VALUES_MOST))
        return false;
    else
        cell_report_count(values, cell_report_put(values, &h->reports, name, value),
                          h->speaks_for_cell);
    if (h->speaks_for_cell)
        renew_value(q, name);
    return true;
}

static void take_values(struct qmaster *q, struct host *h, const struct EH_Type *said)
{
    bool are_all = true;
    for (uint32_t i = 0; i < said->EH_load_list.n && i < CELL_SAID_MOST; i++)
        if (said->EH_load_list.v[i].VA_variable != NULL)
            are_all = take_value(q, h, &said->EH_load_list.v[i]) && are_all;
    if ((!are_all || said->EH_load_list.n > CELL_SAID_MOST) && !h->is_load_cut) {
        log_msg(LOG_LEVEL_WARNING, MSG_CELL_LOAD_CUT_SUU, h->rec.EH_name,
                (unsigned)CELL_VALUES_MOST, (unsigned)CELL_BYTES_MOST);
        h->is_load_cut = true;
    }
}

/* what H says counts from now on, or no longer */
static void let_speak(struct qmaster *q, struct host *h, bool may_speak)
{
    struct cell_report *s;
    h->speaks_for_cell = may_speak;
    LIST_FOREACH(s, &h->reports.all, in_host) {
        cell_report_count(&q->hosts.cell_values, s, may_speak);
        renew_value(q, s->name);
    }
}

/* The log says once why it does not count. */
static bool may_speak(struct qmaster *q, const struct identity *who, struct host *h)
{
    if (h->reports.n == 0)
        return h->speaks_for_cell;
    bool may = right_to_speak_for_cell(q, who);
    if (!may && !h->is_cell_refused)
        log_msg(LOG_LEVEL_WARNING, MSG_CELL_LOAD_S, h->rec.EH_name);
    h->is_cell_refused = !may;
    return may;
}

void cell_load_update(struct qmaster *q, const struct identity *who, struct host *h,
                      const struct EH_Type *said)
{
    if (said != NULL)
        take_values(q, h, said);
    bool may = may_speak(q, who, h), is_new = may != h->speaks_for_cell;
    if (is_new)
        let_speak(q, h, may);
    if (is_new || (said != NULL && may))
        say_renewed(q);
}

void cell_load_end(struct qmaster *q, struct host *h)
{
    bool has_spoken = h->speaks_for_cell && h->reports.n > 0;
    if (has_spoken)
        let_speak(q, h, false);
    cell_reports_clear(&q->hosts.cell_values, &h->reports);
    h->speaks_for_cell = h->is_cell_refused = false;
    if (has_spoken)
        say_renewed(q);
}

/* ---- the load of one host ---- */
/* Values are kept in the order in which they came first, as qhost -F shows them. A report says them
 * in that order, so that the place behind the last one is where the next is looked for first. */
static size_t cost_of(const struct VA_Type *va)
{
    return strlen(va->VA_variable) + (va->VA_value != NULL ? strlen(va->VA_value) : 0);
}

/* the index of NAME, looked for from FROM on, and then before it; n if it is not there */
static uint32_t find_value(const struct VA_Type_list *l, const char *name, uint32_t from)
{
    for (uint32_t i = from; i < l->n; i++)
        if (strcmp(l->v[i].VA_variable, name) == 0)
            return i;
    for (uint32_t i = 0; i < from && i < l->n; i++)
        if (strcmp(l->v[i].VA_variable, name) == 0)
            return i;
    return l->n;
}

static bool is_allowed(const struct host *h, const struct VA_Type *va, bool is_known, size_t freed)
{
    return (is_known || h->rec.EH_load_list.n < LOAD_VALUES_MOST) &&
           strlen(va->VA_variable) <= LOAD_NAME_MOST && strlen(va->VA_value) <= LOAD_VALUE_MOST &&
           h->load_bytes - freed + cost_of(va) <= LOAD_BYTES_MOST;
}

/* the place of the value VA, or where it was; returns false if it is beyond a limit */
static bool take_load_value(struct host *h, const struct VA_Type *va, uint32_t *at)
{
    struct VA_Type_list *l = &h->rec.EH_load_list;
    *at = find_value(l, va->VA_variable, *at);
    bool is_known = *at < l->n;
    size_t freed = is_known ? cost_of(&l->v[*at]) : 0;
    if (va->VA_value == NULL) {
        if (is_known)
            cull_remove_at(&cull_VA_Type, (struct cull_list *)l, *at);
        h->load_bytes -= freed;
        h->has_other_load |= is_known;
        return true;
    }
    if (!is_allowed(h, va, is_known, freed))
        return false;
    h->has_other_load |= !is_known || strcmp(l->v[*at].VA_value, va->VA_value) != 0;
    struct VA_Type *mine = is_known ? &l->v[*at] : cull_append(&h->rec, EH_load_list);
    cull_copy(&cull_VA_Type, mine, va);
    h->load_bytes += cost_of(va) - freed;
    ++*at;
    return true;
}

void host_load_update(struct qmaster *q, struct host *h, const struct EH_Type *said)
{
    uint32_t at = 0;
    bool is_all = said->EH_load_list.n <= LOAD_SAID_MOST;
    for (uint32_t i = 0; i < said->EH_load_list.n && i < LOAD_SAID_MOST; i++)
        if (said->EH_load_list.v[i].VA_variable != NULL)
            is_all = take_load_value(h, &said->EH_load_list.v[i], &at) && is_all;
    if (!is_all && !h->is_load_cut)
        log_msg(LOG_LEVEL_WARNING, MSG_LOAD_CUT_SUU, h->rec.EH_name, (unsigned)LOAD_VALUES_MOST,
                (unsigned)LOAD_BYTES_MOST);
    h->is_load_cut = h->is_load_cut || !is_all;
    if (cull_has(said, EH_processors))
        cull_set(&h->rec, EH_processors, said->EH_processors);
    cull_set(&h->rec, EH_lt_heard_from, q->now_s);
}

void host_load_anew(struct host *h)
{
    cull_list_clear(&cull_VA_Type, &h->rec.EH_load_list);
    h->load_bytes = 0;
    h->has_other_load = true;
    h->is_load_cut = false;
}

/* ---- states from load ---- */
/* From the load of hosts to the states of queue instances. What is decided here follows from the
 * settings of the instance and the values that its host reports, and from nothing else; so it is in
 * no record, and a restart finds it again when the hosts report. */
static struct load_source source_of(struct qmaster *q, const struct host *h)
{
    const struct host *cell = hosts_find(&q->hosts, HOST_OF_CELL);
    return (struct load_source){ .host = h->conn != 0 ? &h->rec : NULL,
                                 .global = cell != NULL ? &cell->rec : NULL,
                                 .complex = settings_complex(&q->settings) };
}

/* ---- what is left ---- */
static const char slots_name[] = "slots";

/* what is booked of the resource NAME in SUPPLY */
static int64_t booked_of(struct qmaster *q, const struct supply *supply, const char *name)
{
    if (strcmp(name, slots_name) == 0)
        return (int64_t)supply_booked(supply, RESOURCE_SLOTS);
    const struct resource_name *resource = resource_name_find(&q->resources, name);
    return resource != NULL ? (int64_t)supply_booked(supply, resource->number) : 0;
}

/* what SUPPLY has left of CE where it has OFFERS; false: it does not limit it */
static bool left_at(struct qmaster *q, const struct CE_Type_list *offers,
                    const struct supply *supply, const struct CE_Type *ce, int64_t *left)
{
    const struct CE_Type *offer = cull_find(&cull_CE_Type, offers, ce->CE_name);
    if (offer == NULL || offer->CE_stringval == NULL)
        return false;
    uint64_t offered = amount_offered(ce->CE_valtype, offer->CE_stringval);
    if (offered == AMOUNT_UNLIMITED)
        return false;
    *left = (int64_t)offered - booked_of(q, supply, ce->CE_name);
    return true;
}

static void left_put(const struct CE_Type *ce, int64_t left, char place, struct load_left *out)
{
    struct dstr text = DSTR_INIT;
    bool is_double = ce->CE_valtype == COMPLEX_DOUBLE;
    *out = (struct load_left){ .place = place };
    out->number = is_double ? (double)left / AMOUNT_PARTS_OF_DOUBLE : (double)left;
    amount_add_text(ce->CE_valtype, left, &text);
    (void)snprintf(out->shown, sizeof out->shown, "%s", dstr_get(&text));
    dstr_clear(&text);
    dstr_add_decimal(&text, out->number > 0 ? out->number : 0, is_double ? 6 : 0);
    (void)snprintf(out->exact, sizeof out->exact, "%s", dstr_get(&text));
    dstr_free(&text);
}

struct left_source {
    struct qmaster *q;
    const struct qinstance *qi;
    bool is_asked; /* a threshold is on a resource that runs out */
};

static bool find_left(void *of, const struct CE_Type *ce, struct load_left *out)
{
    struct left_source *s = of;
    struct qmaster *q = s->q;
    const struct qinstance *qi = s->qi;
    const struct host *cell = hosts_find(&q->hosts, HOST_OF_CELL);
    const struct {
        const struct CE_Type_list *offers;
        const struct supply *supply;
        char place;
    } levels[] = {
        { &qi->rec.QU_consumable_config_list, &qi->supply, 'q' },
        { &qi->host->rec.EH_consumable_config_list, &qi->host->supply, 'h' },
        { cell != NULL ? &cell->rec.EH_consumable_config_list : NULL, &q->hosts.cell, 'g' },
    };
    int64_t least = 0, left;
    char place = 0;
    s->is_asked = true;
    if (strcmp(ce->CE_name, slots_name) == 0) { /* a setting of its own */
        least = (int64_t)qi->rec.QU_job_slots - (int64_t)qi->rec.QU_slots_used;
        place = 'q';
    }
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (levels[i].offers != NULL && left_at(q, levels[i].offers, levels[i].supply, ce, &left) &&
            (place == 0 || left < least)) {
            least = left;
            place = levels[i].place;
        }
    if (place != 0)
        left_put(ce, least, place, out);
    return place != 0;
}

/* ---- what started lately ---- */
/* of the slots that were taken on H lately those that count yet: each less and less, in a line */
static double slots_lately(const struct qmaster *q, const struct host *h)
{
    const struct fresh_slots *start;
    double decay_s = q->settings.load_decay_s, sum = 0;
    TAILQ_FOREACH(start, &h->starts_lately, in_host) {
        uint64_t age_s = q->now_s > start->at_s ? q->now_s - start->at_s : 0;
        if ((double)age_s < decay_s)
            sum += (double)start->slots * (1 - (double)age_s / decay_s);
    }
    return sum;
}

void load_note_start(struct qmaster *q, struct host *h, uint64_t at_s, uint64_t slots)
{
    if (at_s + q->settings.load_decay_s <= q->now_s)
        return;
    host_note_start(&q->hosts, h, at_s, slots);
    host_note_unbalanced(&q->hosts, h);
}

/* once a second: where slots count less now, thresholds may be exceeded no longer */
static void forget_starts(struct qmaster *q)
{
    uint64_t decay_s = q->settings.load_decay_s;
    struct host *h, *next;
    LIST_FOREACH_SAFE(h, &q->hosts.fresh, in_fresh, next) {
        bool is_set_back = TAILQ_FIRST(&h->starts_lately)->at_s > q->now_s; /* the clock */
        uint64_t before_s = q->now_s >= decay_s ? q->now_s - decay_s + 1 : 0;
        host_forget_starts(h, is_set_back ? UINT64_MAX : before_s);
        host_note_unbalanced(&q->hosts, h);
    }
}

static struct threshold_source source_at(struct qmaster *q, struct left_source *left)
{
    const struct host *h = left->qi->host;
    return (struct threshold_source){ .load = source_of(q, h),
                                      .left = find_left,
                                      .of = left,
                                      .adjustments = q->settings.load_adjustments,
                                      .slots = h->n_fresh > 0 ? slots_lately(q, h) : 0 };
}

static void set_watching(struct qmaster *q, struct qinstance *qi, bool is_on)
{
    struct host *h = qi->host;
    h->n_watching = h->n_watching + is_on - qi->watches_left;
    q->hosts.n_watching = q->hosts.n_watching + is_on - qi->watches_left;
    qi->watches_left = is_on;
}

void load_state_leave(struct qmaster *q, struct qinstance *qi)
{
    set_watching(q, qi, false);
}

/* true if the scheduler needs it */
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
    struct left_source left = { .q = q, .qi = qi };
    struct threshold_source load = source_at(q, &left);
    uint32_t before = qi->load_state;
    qi->load_state = thresholds_exceeded(load_thresholds(qi), &load, NULL, NULL) ? QI_ALARM : 0;
    if (suspend_thresholds_exceeded(suspend_thresholds(qi), &load))
        qi->load_state |= QI_SUSPEND_ALARM;
    if ((qi->load_state & QI_SUSPEND_ALARM) != 0)
        queues_note_uneasy(&q->queues, qi);
    set_watching(q, qi, left.is_asked);
    return qi->load_state != before;
}

void load_state_send(struct qmaster *q, struct host *h)
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
    load_state_send(q, h);
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

void load_state_update(struct qmaster *q, struct host *h)
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
    forget_starts(q);
    while ((h = TAILQ_FIRST(&q->hosts.unsettled)) != NULL) {
        host_forget_unsettled(&q->hosts, h);
        settle_host(q, h);
    }
}

void load_left_update(struct qmaster *q, struct host *h)
{
    struct qinstance *qi;
    LIST_FOREACH(qi, &h->instances, in_host)
        if (qinstance_is_there(qi) && load_state_settle(q, qi))
            events_queue_mod(q, qi);
}

bool load_cell_is_due(const struct qmaster *q)
{
    return q->hosts.is_cell_other || q->hosts.cell_walk.next != NULL;
}

bool load_cell_step(struct qmaster *q)
{
    struct hosts *hosts = &q->hosts;
    struct host *h;
    if (hosts->cell_walk.next == NULL && hosts->is_cell_other) {
        hosts->is_cell_other = false;
        walk_begin(&hosts->walks, &hosts->cell_walk, hosts->all);
    }
    while ((h = walk_take(&hosts->cell_walk, offsetof(struct host, hh))) != NULL) {
        settle_host(q, h);
        if (slice_is_over(q))
            return true;
    }
    walk_end(&hosts->cell_walk);
    return hosts->is_cell_other;
}

void load_state_explain(struct qmaster *q, const struct qinstance *qi, struct dstr *out)
{
    struct left_source left = { .q = q, .qi = qi };
    struct threshold_source load = source_at(q, &left);
    load_thresholds_explain(load_thresholds(qi), &load, out);
}

void load_state_explain_suspend(struct qmaster *q, const struct qinstance *qi, struct dstr *out)
{
    struct left_source left = { .q = q, .qi = qi };
    struct threshold_source load = source_at(q, &left);
    suspend_thresholds_explain(suspend_thresholds(qi), &load, out);
}

void load_state_why(struct qmaster *q, const struct qinstance *qi, struct dstr *out)
{
    struct left_source left = { .q = q, .qi = qi };
    struct threshold_source load = source_at(q, &left);
    load_thresholds_why(load_thresholds(qi), &load, out);
}

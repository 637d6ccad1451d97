/* The table of execution hosts, the values that they report for the whole cell, and how the cell
 * spells their names. */
#include "daemons/qmaster/tables/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/tables/settings.h"
#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"
#include "libs/uti/host_name.h"

/* ---- values of the whole cell ---- */
/* Sayings, and the values that they come to. Invariant: a value is in the table as long as a report
 * of it counts; its reports are in the order in which they were said. */
struct cell_value {
    char *name;
    TAILQ_HEAD(, cell_report) reports;
    UT_hash_handle hh;
};
TAILQ_HEAD(all_cell_reports, cell_report);

size_t cell_report_bytes(const char *name, const char *value)
{
    return strlen(name) + strlen(value);
}

struct cell_report *cell_report_find(const struct cell_reports *reports, const char *name)
{
    struct cell_report *s;
    LIST_FOREACH(s, &reports->all, in_host)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

static struct cell_value *value_find(const struct cell_values *values, const char *name)
{
    struct cell_value *v;
    HASH_FIND_STR(values->by_name, name, v);
    return v;
}

static struct cell_value *value_get(struct cell_values *values, const char *name)
{
    struct cell_value *v = value_find(values, name);
    if (v != NULL)
        return v;
    v = uti_calloc(1, sizeof *v);
    v->name = uti_strdup(name);
    TAILQ_INIT(&v->reports);
    HASH_ADD_KEYPTR(hh, values->by_name, v->name, strlen(v->name), v);
    return v;
}

static void value_settle(struct cell_values *values, struct cell_value *v)
{
    if (!TAILQ_EMPTY(&v->reports))
        return;
    HASH_DEL(values->by_name, v);
    free(v->name);
    free(v);
}

void cell_report_count(struct cell_values *values, struct cell_report *s, bool is_on)
{
    struct cell_value *before = s->of;
    s->of = is_on ? value_get(values, s->name) : NULL;
    if (before != NULL)
        TAILQ_REMOVE(&before->reports, s, in_value);
    if (is_on)
        TAILQ_INSERT_TAIL(&s->of->reports, s, in_value);
    if (before != NULL)
        value_settle(values, before);
}

struct cell_report *cell_report_put(struct cell_values *values, struct cell_reports *reports,
                                    const char *name, const char *value)
{
    struct cell_report *s = cell_report_find(reports, name);
    if (s != NULL)
        cell_report_drop(values, reports, s);
    s = uti_calloc(1, sizeof *s);
    s->name = uti_strdup(name);
    s->value = uti_strdup(value);
    reports->n++;
    reports->bytes += cell_report_bytes(name, value);
    LIST_INSERT_HEAD(&reports->all, s, in_host);
    return s;
}

void cell_report_drop(struct cell_values *values, struct cell_reports *reports,
                      struct cell_report *s)
{
    cell_report_count(values, s, false);
    LIST_REMOVE(s, in_host);
    reports->n--;
    reports->bytes -= cell_report_bytes(s->name, s->value);
    free(s->name);
    free(s->value);
    free(s);
}

void cell_reports_clear(struct cell_values *values, struct cell_reports *reports)
{
    struct cell_report *s;
    while ((s = LIST_FIRST(&reports->all)) != NULL)
        cell_report_drop(values, reports, s);
}

const char *cell_value_now(const struct cell_values *values, const char *name)
{
    const struct cell_value *v = value_find(values, name);
    return v != NULL ? TAILQ_LAST(&v->reports, all_cell_reports)->value : NULL;
}

/* ---- hosts ---- */
struct host *hosts_find(struct hosts *hosts, const char *name)
{
    struct host *h;
    HASH_FIND_STR(hosts->all, name, h);
    return h;
}

struct host *hosts_add(struct hosts *hosts, const char *name)
{
    struct host *h = hosts_find(hosts, name);
    if (h != NULL)
        return h;
    h = uti_calloc(1, sizeof *h);
    cull_set(&h->rec, EH_name, name);
    h->supply.kind = SUPPLY_HOST;
    TAILQ_INIT(&h->tasks);
    TAILQ_INIT(&h->starts_lately);
    LIST_INIT(&h->instances);
    LIST_INIT(&h->slaves);
    TAILQ_INSERT_TAIL(&hosts->away, h, in_seen);
    HASH_ADD_KEYPTR(hh, hosts->all, h->rec.EH_name, strlen(h->rec.EH_name), h);
    return h;
}

struct host *hosts_put(struct hosts *hosts, const char *name, const struct EH_Type *rec)
{
    struct host *h = hosts_add(hosts, name);
    const char *key = cull_string_hold(h->rec.EH_name); /* it must not move */
    cull_merge(&cull_EH_Type, &h->rec, rec);
    cull_string_drop(h->rec.EH_name);
    h->rec.EH_name = key;
    h->offers_round = 0;
    hosts->cell_offers_round = 0;
    return h;
}

static struct host_list *seen_list(struct hosts *hosts, const struct host *h)
{
    return h->is_here ? &hosts->here : &hosts->away;
}

void host_note_seen(struct hosts *hosts, struct host *h, bool is_here, uint64_t now_us)
{
    TAILQ_REMOVE(seen_list(hosts, h), h, in_seen);
    h->is_here = is_here;
    h->seen_us = now_us;
    TAILQ_INSERT_TAIL(seen_list(hosts, h), h, in_seen);
}

void host_forget_unsettled(struct hosts *hosts, struct host *h)
{
    if (h->is_unsettled)
        TAILQ_REMOVE(&hosts->unsettled, h, in_unsettled);
    h->is_unsettled = false;
}

void host_note_unbalanced(struct hosts *hosts, struct host *h)
{
    if (!h->is_unbalanced)
        TAILQ_INSERT_TAIL(&hosts->unbalanced, h, in_unbalanced);
    h->is_unbalanced = true;
}

void host_note_crowded(struct hosts *hosts, struct host *h)
{
    if (!h->is_crowded)
        TAILQ_INSERT_TAIL(&hosts->crowded, h, in_crowded);
    h->is_crowded = true;
}

void host_forget_unbalanced(struct hosts *hosts, struct host *h)
{
    if (h->is_unbalanced)
        TAILQ_REMOVE(&hosts->unbalanced, h, in_unbalanced);
    h->is_unbalanced = false;
}

void host_forget_crowded(struct hosts *hosts, struct host *h)
{
    if (h->is_crowded)
        TAILQ_REMOVE(&hosts->crowded, h, in_crowded);
    h->is_crowded = false;
}

void host_note_start(struct hosts *hosts, struct host *h, uint64_t at_s, uint64_t slots)
{
    struct fresh_slots *last = TAILQ_LAST(&h->starts_lately, fresh_slots_list);
    if (h->n_fresh == 0)
        LIST_INSERT_HEAD(&hosts->fresh, h, in_fresh);
    h->n_fresh += slots;
    if (last != NULL && last->at_s >= at_s) { /* after a restart they come in any order */
        last->slots += slots;
        return;
    }
    last = uti_calloc(1, sizeof *last);
    *last = (struct fresh_slots){ .at_s = at_s, .slots = slots };
    TAILQ_INSERT_TAIL(&h->starts_lately, last, in_host);
}

void host_forget_starts(struct host *h, uint64_t before_s)
{
    struct fresh_slots *first;
    bool had_any = h->n_fresh > 0;
    while ((first = TAILQ_FIRST(&h->starts_lately)) != NULL && first->at_s < before_s) {
        TAILQ_REMOVE(&h->starts_lately, first, in_host);
        h->n_fresh -= first->slots;
        free(first);
    }
    if (had_any && h->n_fresh == 0)
        LIST_REMOVE(h, in_fresh);
}

bool host_is_closed(const struct host *h)
{
    return h->rec.EH_closed_until != 0;
}

void host_note_shut(struct hosts *hosts, struct host *h)
{
    bool is_shut = host_is_closed(h) || h->shut_for != NULL;
    if (is_shut && !h->is_shut)
        LIST_INSERT_HEAD(&hosts->shut, h, in_shut);
    else if (!is_shut && h->is_shut)
        LIST_REMOVE(h, in_shut);
    h->is_shut = is_shut;
}

void hosts_remove(struct hosts *hosts, struct host *h)
{
    walks_pass(&hosts->walks, h, h->hh.next);
    HASH_DEL(hosts->all, h);
    TAILQ_REMOVE(seen_list(hosts, h), h, in_seen);
    host_forget_sent(h);
    if (h->has_mail)
        TAILQ_REMOVE(&hosts->with_mail, h, in_mail);
    host_forget_unsettled(hosts, h);
    host_forget_unbalanced(hosts, h);
    host_forget_crowded(hosts, h);
    host_forget_starts(h, UINT64_MAX);
    if (h->is_shut)
        LIST_REMOVE(h, in_shut);
    free(h->shut_for);
    free(h->failures.owner);
    cell_reports_clear(&hosts->cell_values, &h->reports);
    cull_clear(&cull_XM_Type, &h->starts);
    cull_clear(&cull_XM_Type, &h->signals);
    cull_clear(&cull_XM_Type, &h->acks);
    cull_clear(&cull_XM_Type, &h->forgets);
    cull_clear(&cull_EH_Type, &h->rec);
    supply_free(&h->supply);
    free(h->turns);
    hosts->cell_offers_round = 0;
    free(h);
}

void hosts_clear(struct hosts *hosts)
{
    struct host *h, *next;
    HASH_ITER(hh, hosts->all, h, next) {
        hosts_remove(hosts, h);
    }
    supply_free(&hosts->cell);
}

void hosts_init(struct hosts *hosts)
{
    *hosts = (struct hosts){ .cell = { .kind = SUPPLY_CELL } };
    TAILQ_INIT(&hosts->here);
    TAILQ_INIT(&hosts->away);
    TAILQ_INIT(&hosts->with_mail);
    TAILQ_INIT(&hosts->unsettled);
    TAILQ_INIT(&hosts->unbalanced);
    TAILQ_INIT(&hosts->crowded);
}

void host_unmark_sent(struct sent_job *s)
{
    LIST_REMOVE(s, in_job);
    HASH_DEL(s->host->sent, s);
    free(s);
}

void host_forget_sent(struct host *h)
{
    struct sent_job *s, *next;
    HASH_ITER(hh, h->sent, s, next) {
        host_unmark_sent(s);
    }
}

struct sent_job *host_mark_sent(struct host *h, struct job *job, bool with_script)
{
    uint32_t number = job->rec.JB_job_number;
    struct sent_job *s;
    HASH_FIND_U32(h->sent, &number, s);
    if (s == NULL) {
        s = uti_calloc(1, sizeof *s);
        s->number = number;
        s->host = h;
        s->is_outdated = true;
        HASH_ADD_U32(h->sent, number, s);
        LIST_INSERT_HEAD(&job_rare(job)->sent_to, s, in_job);
    }
    if (!s->is_outdated && (s->has_script || !with_script))
        return NULL;
    s->has_script = with_script || (s->has_script && !s->is_outdated);
    s->is_outdated = false;
    return s;
}

/* ---- names of hosts ---- */
/* How the cell spells the names of hosts. */
static bool is_stored(struct hosts *hosts, struct settings *settings, const char *said)
{
    return hosts_find(hosts, said) != NULL || settings_has_name(settings, NAMES_ADMIN_HOST, said) ||
           settings_has_name(settings, NAMES_SUBMIT_HOST, said);
}

const char *host_name_known(struct hosts *hosts, struct settings *settings, const char *said,
                            char *out)
{
    if (is_stored(hosts, settings, said))
        return said;
    host_name_unique(said, out);
    return out;
}

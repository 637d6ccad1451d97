/* Lines for the reporting file. Values come from hosts and users: what could end a field or a line
 * is an underscore there. Source: reporting(5) */
#include "daemons/qmaster/change/reporting.h"

#include <inttypes.h>

#include "daemons/qmaster/change/change.h"
#include "libs/config/attr_names.h"
#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/resource/consumption.h"
#include "libs/resource/supply.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

void reporting_end(struct qmaster *q, const char *line)
{
    if (!q->settings.has_reporting)
        return;
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%" PRIu64 ":acct:%s", q->now_s, line);
    change_reporting(q, dstr_get(&text));
    dstr_free(&text);
}

static void add_value(const char *value, struct dstr *out)
{
    for (; *value != '\0'; value++) {
        bool is_plain = (unsigned char)*value > ' ' && *value != ':' && *value != ',';
        dstr_addc(out, is_plain ? *value : '_');
    }
}

/* does LIST, which may be NULL, have NAME? */
static bool has_name(const char *list, const char *name)
{
    struct dstr word = DSTR_INIT;
    bool has = false;
    for (const char *at = list; list != NULL && !has && attr_next_word(&at, " ,", &word);)
        has = strcmp(dstr_get(&word), name) == 0;
    dstr_free(&word);
    return has;
}

/* "name=value" of those of NAMES, a list or NULL, that H has reported and BUT does not have, with
 * commas between */
static void add_values(const struct host *h, const char *names, const char *but, struct dstr *out)
{
    struct dstr name = DSTR_INIT;
    for (const char *at = names; names != NULL && attr_next_word(&at, " ,", &name);) {
        const char *value = host_load_value(&h->rec, dstr_get(&name));
        if (value == NULL || has_name(but, dstr_get(&name)))
            continue;
        dstr_addf(out, "%s%s=", out->len > 0 ? "," : "", dstr_get(&name));
        add_value(value, out);
    }
    dstr_free(&name);
}

void reporting_host(struct qmaster *q, struct host *h)
{
    if (!q->settings.has_reporting || h->reported_s == q->now_s)
        return;
    const struct host *cell = hosts_find(&q->hosts, HOST_OF_CELL);
    const char *of_all = cell != NULL ? cell->rec.EH_text_report_variables : NULL;
    struct dstr values = DSTR_INIT, line = DSTR_INIT;
    h->reported_s = q->now_s;
    add_values(h, of_all, NULL, &values);
    add_values(h, h->rec.EH_text_report_variables, of_all, &values);
    if (values.len > 0) {
        dstr_addf(&line, "%" PRIu64 ":host:%s:%" PRIu64 ":X:%s\n", q->now_s, h->rec.EH_name,
                  q->now_s, dstr_get(&values));
        change_reporting(q, dstr_get(&line));
    }
    dstr_free(&values);
    dstr_free(&line);
}

/* ---- jobs ---- */
enum { DELETED_LINES = 1000 };

/* a field, which goes on with a colon */
static void add_text(const char *text, struct dstr *out)
{
    for (; text != NULL && *text != '\0'; text++)
        dstr_addc(out, (unsigned char)*text >= ' ' && *text != ':' ? *text : '_');
    dstr_addc(out, ':');
}

static void add_names(const struct JB_Type *rec, struct dstr *out)
{
    add_text(rec->JB_job_name, out);
    add_text(rec->JB_owner, out);
    add_text(rec->JB_group, out);
    add_text(rec->JB_project, out);
    add_text(rec->JB_department != NULL ? rec->JB_department : "defaultdepartment", out);
}

static const char *account_of(const struct JB_Type *rec)
{
    return rec->JB_account != NULL ? rec->JB_account : "sge";
}

/* TASK as the file has it: -1 the job, 0 its only task */
static void add_event(struct qmaster *q, const struct JB_Type *rec, int64_t task,
                      const struct job_event *event)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "%" PRIu64 ":job_log:%" PRIu64 ":%s:%" PRIu32 ":%" PRId64 ":NONE:", q->now_s,
              q->now_s, event->event, rec->JB_job_number, task);
    add_text(event->state, &line);
    add_text(event->user, &line);
    add_text(event->host, &line);
    dstr_addf(&line, "0:%" PRIu32 ":%" PRIu64 ":", rec->JB_priority, rec->JB_submission_time);
    add_names(rec, &line);
    add_text(account_of(rec), &line);
    dstr_addf(&line, "%s\n", event->text);
    change_reporting(q, dstr_get(&line));
    dstr_free(&line);
}

void reporting_job(struct qmaster *q, const struct job *job, const char *user, const char *host)
{
    const struct JB_Type *rec = &job->rec;
    struct dstr line = DSTR_INIT;
    if (!q->settings.has_joblog)
        return;
    dstr_addf(&line, "%" PRIu64 ":new_job:%" PRIu64 ":%" PRIu32 ":-1:NONE:", q->now_s,
              rec->JB_submission_time, rec->JB_job_number);
    add_names(rec, &line);
    add_text(account_of(rec), &line);
    dstr_addf(&line, "%" PRIu32 "\n", rec->JB_priority);
    change_reporting(q, dstr_get(&line));
    dstr_free(&line);
    add_event(q, rec, -1, &(struct job_event){ "pending", "", user, host, "new job" });
}

void reporting_event(struct qmaster *q, const struct job *job, uint32_t task,
                     const struct job_event *event)
{
    if (!q->settings.has_joblog)
        return;
    add_event(q, &job->rec, task == 0 ? -1 : job_is_array(&job->rec) ? (int64_t)task : 0, event);
}

static void add_deleted(struct qmaster *q, const struct job *job, int64_t task, const char *user,
                        const char *host)
{
    add_event(q, &job->rec, task, &(struct job_event){ "deleted", "", user, host, "job deleted" });
    add_event(q, &job->rec, task,
              &(struct job_event){ "finished", "", "master", q->host, "job exited" });
}

void reporting_deleted(struct qmaster *q, const struct job *job, const struct range_set *pending,
                       const char *user, const char *host)
{
    struct range run;
    if (!q->settings.has_joblog || range_set_is_empty(pending))
        return;
    if (!job_is_array(&job->rec) || range_set_count(pending) > DELETED_LINES) {
        add_deleted(q, job, job_is_array(&job->rec) ? -1 : 0, user, host);
        return;
    }
    for (uint64_t at = 0; range_set_next_run(pending, at, &run); at = (uint64_t)run.last + 1)
        for (uint64_t i = run.first; i <= run.last; i++)
            add_deleted(q, job, job_task_id(&job->rec, (uint32_t)i), user, host);
}

/* ---- queues, and what runs out ---- */
/* "all.q:node1:" */
static void add_queue(const struct qinstance *qi, struct dstr *out)
{
    dstr_addf(out, "%s:%s:", qi->rec.QU_qname, qi->rec.QU_qhostname);
}

void reporting_queue(struct qmaster *q, struct qinstance *qi)
{
    uint32_t state = qinstance_state(qi);
    struct dstr line = DSTR_INIT;
    if (!q->settings.has_reporting || state == qi->reported_state)
        return;
    qi->reported_state = state;
    dstr_addf(&line, "%" PRIu64 ":queue:", q->now_s);
    add_queue(qi, &line);
    dstr_addf(&line, "%" PRIu64 ":", q->now_s);
    qinstance_state_text(state, &line);
    dstr_addc(&line, '\n');
    change_reporting(q, dstr_get(&line));
    dstr_free(&line);
}

static void add_amount(uint32_t type, uint64_t amount, struct dstr *out)
{
    dstr_add_decimal(out, type == COMPLEX_DOUBLE ? (double)amount / 1e6 : (double)amount, 6);
}

/* "NAME=booked=capacity" if S limits it */
static void add_consumable(struct qmaster *q, const struct supply *s, const char *name,
                           struct dstr *out)
{
    const struct resource_name *known = resource_name_find(&q->resources, name);
    const struct CE_Type *ce = consumables_find(settings_consumables(&q->settings), name);
    uint32_t resource = strcmp(name, "slots") == 0 ? RESOURCE_SLOTS
                        : known != NULL            ? known->number
                                                   : RESOURCE_TASKS;
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->v[i].resource != resource || s->v[i].amount == RESOURCE_UNLIMITED)
            continue;
        uint32_t type = ce != NULL ? ce->CE_valtype : COMPLEX_INT;
        dstr_addf(out, "%s%s=", out->len > 0 ? "," : "", name);
        add_amount(type, supply_booked(s, resource), out);
        dstr_addc(out, '=');
        add_amount(type, s->v[i].amount, out);
    }
}

static bool is_logged(struct qmaster *q, const struct host *h, const char *name)
{
    const struct host *cell = hosts_find(&q->hosts, HOST_OF_CELL);
    return q->settings.logs_consumables || has_name(h->rec.EH_text_report_variables, name) ||
           (cell != NULL && has_name(cell->rec.EH_text_report_variables, name));
}

/* what ENTRY takes of S, a place on H; empty: nothing that is limited and logged */
static void add_consumables(struct qmaster *q, const struct host *h, const struct supply *s,
                            const struct JG_Type *entry, struct dstr *out)
{
    if (is_logged(q, h, "slots"))
        add_consumable(q, s, "slots", out);
    for (uint32_t i = 0; i < entry->JG_taken.n; i++)
        if (is_logged(q, h, entry->JG_taken.v[i].TK_name))
            add_consumable(q, s, entry->JG_taken.v[i].TK_name, out);
}

static void log_host(struct qmaster *q, const struct host *h, const char *name,
                     const struct supply *s, const struct JG_Type *entry)
{
    struct dstr values = DSTR_INIT, line = DSTR_INIT;
    add_consumables(q, h, s, entry, &values);
    if (values.len > 0) {
        dstr_addf(&line, "%" PRIu64 ":host_consumable:%s:%" PRIu64 ":X:%s\n", q->now_s, name,
                  q->now_s, dstr_get(&values));
        change_reporting(q, dstr_get(&line));
    }
    dstr_free(&values);
    dstr_free(&line);
}

static void log_queue(struct qmaster *q, const struct qinstance *qi, const struct JG_Type *entry)
{
    struct dstr values = DSTR_INIT, line = DSTR_INIT;
    add_consumables(q, qi->host, &qi->supply, entry, &values);
    if (values.len > 0) {
        dstr_addf(&line, "%" PRIu64 ":queue_consumable:", q->now_s);
        add_queue(qi, &line);
        dstr_addf(&line, "%" PRIu64 "::%s\n", q->now_s, dstr_get(&values));
        change_reporting(q, dstr_get(&line));
    }
    dstr_free(&values);
    dstr_free(&line);
}

void reporting_consumables(struct qmaster *q, struct qinstance *qi, const struct JG_Type *entry)
{
    if (!q->settings.has_reporting)
        return;
    log_host(q, qi->host, qi->rec.QU_qhostname, &qi->host->supply, entry);
    log_host(q, qi->host, HOST_OF_CELL, &q->hosts.cell, entry);
    log_queue(q, qi, entry);
}

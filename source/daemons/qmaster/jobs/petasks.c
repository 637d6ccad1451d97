/* Petasks as their hosts report them. Invariant: a number is in JAT_petasks_done once its end has
 * been accounted for, and its end has no effect then: reports may come twice. */
#include "daemons/qmaster/jobs/petasks.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/reporting.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "libs/sgeobj/accounting.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/task_key.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/log.h"

/* ---- what has ended ---- */

static struct range_set *numbers_done(struct task *t, const struct host *h)
{
    for (uint32_t i = 0; i < t->rec.JAT_petasks_done.n; i++)
        if (strcmp(t->rec.JAT_petasks_done.v[i].PD_host, h->rec.EH_name) == 0)
            return &t->rec.JAT_petasks_done.v[i].PD_numbers;
    return NULL;
}

static bool is_done(struct task *t, const struct host *h, uint32_t number)
{
    const struct range_set *done = numbers_done(t, h);
    return done != NULL && range_set_has(done, number);
}

static uint64_t most_on(const struct task *t, const struct host *h)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    return 2 * (uint64_t)allocation_slots_on(granted, h->rec.EH_name) + PETASKS_MORE;
}

/* those between them that have not ended run, or their ends are on the way */
static bool note_done(struct task *t, const struct host *h, uint32_t number)
{
    struct range_set *done = numbers_done(t, h);
    if (done == NULL) {
        struct PD_Type *entry = cull_append(&t->rec, JAT_petasks_done);
        cull_set(entry, PD_host, h->rec.EH_name);
        done = cull_ranges(entry, PD_numbers);
    }
    range_set_add(done, number, number);
    if (range_set_runs_most(done) <= most_on(t, h))
        return true;
    range_set_remove(done, number, number);
    return false;
}

/* ---- accounting ---- */

/* the queue of T on H, without its host; "" if it has no slots there */
static const char *queue_on(const struct task *t, const struct host *h)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    for (uint32_t i = 0; i < granted->n; i++)
        if (strcmp(granted->v[i].JG_qhostname, h->rec.EH_name) == 0)
            return granted->v[i].JG_qname;
    return "";
}

static void write_record(struct qmaster *q, const struct task *t, const struct host *h,
                         const struct JR_Type *end)
{
    struct dstr line = DSTR_INIT, scratch = DSTR_INIT, queue = DSTR_INIT;
    struct accounting a;
    const char *name = queue_on(t, h);
    dstr_addn(&queue, name, strcspn(name, "@"));
    accounting_fill(&a, &t->job->rec, &t->rec, end, &scratch);
    a.ar_submission_time = ars_submission_time(&q->ars, t->job->rec.JB_ar);
    a.qname = dstr_get(&queue);
    a.hostname = h->rec.EH_name;
    a.devices = NULL; /* those of the task are in its own record */
    accounting_line(&a, &line);
    change_accounting(q, dstr_get(&line));
    reporting_end(q, dstr_get(&line));
    dstr_free(&line);
    dstr_free(&scratch);
    dstr_free(&queue);
}

/* it did not end by itself, well or badly, nor was there a reason to */
static bool ends_its_task(const struct JR_Type *end)
{
    return end->JR_failed != TASK_FAILED_NOT && end->JR_failed != TASK_FAILED_RESCHEDULE &&
           end->JR_failed != TASK_FAILED_APPERROR && end->JR_failed != TASK_FAILED_RECOGNIZING;
}

/* true: its task is to end because of it */
static bool end_petask(struct qmaster *q, struct task *t, struct host *h, uint32_t number,
                       const struct JR_Type *end)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    struct petask *p = petask_find(t->tight, h, number);
    if (p != NULL)
        petask_remove(t->tight, p);
    if (!note_done(t, h, number)) {
        log_msg_of(0, LOG_LEVEL_ERROR, MSG_PETASK_REFUSED_SSUUU, h->rec.EH_name, end->JR_pe_task_id,
                   t->rec.JAT_job_number, t->rec.JAT_task_number, (unsigned)most_on(t, h));
        return false;
    }
    if (!granted->v[0].JG_accounting_summary)
        write_record(q, t, h, end);
    cull_mark(&t->rec, JAT_petask_usage);
    accounting_add_usage(&t->rec.JAT_petask_usage, &end->JR_usage);
    petasks_show(t);
    change_task(q, t);
    bool is_ending = task_has_ended(t) || (t->rec.JAT_state & TASK_IS_DELETED) != 0 ||
                     (t->rec.JAT_state & TASK_IS_RESCHEDULED) != 0;
    if (!ends_its_task(end) || is_ending)
        return false;
    log_msg(LOG_LEVEL_ERROR, MSG_PETASK_FAILED_UUS, t->rec.JAT_job_number, t->rec.JAT_task_number,
            end->JR_pe_task_id);
    return true;
}

/* ---- what runs ---- */

static void take_usage(struct task *t, struct petask *p, const struct UA_Type_list *reported)
{
    double usage[USAGE_SHOWN] = { 0 };
    for (uint32_t i = 0; i < reported->n; i++)
        for (int f = 0; f < USAGE_SHOWN; f++)
            if (reported->v[i].UA_name != NULL &&
                strcmp(reported->v[i].UA_name, usage_shown[f]) == 0)
                usage[f] = accounting_figure(usage_shown[f], reported->v[i].UA_value);
    petask_use(t->tight, p, usage);
    petasks_show(t);
}

static bool on_running(struct task *t, struct host *h, uint32_t number,
                       const struct JR_Type *report)
{
    struct petask *p = petask_find(t->tight, h, number);
    if (p == NULL) {
        if (petasks_on(t->tight, h) >= most_on(t, h))
            return false;
        p = petask_add(t->tight, h, number);
    }
    p->conn = h->conn;
    if (cull_has(report, JR_start_time))
        p->start_s = report->JR_start_time;
    if (cull_has(report, JR_usage))
        take_usage(t, p, &report->JR_usage);
    return true;
}

/* the number of the petask of H that REPORT is about; 0: it has another name */
static uint32_t number_on(struct qmaster *q, const struct host *h, const struct JR_Type *report)
{
    char spelled[HOST_NAME_BYTES];
    const char *said = NULL;
    uint32_t number = task_petask_number(report->JR_pe_task_id, &said);
    if (number == 0)
        return 0;
    said = host_name_known(&q->hosts, &q->settings, said, spelled);
    return hosts_find(&q->hosts, said) == h ? number : 0;
}

enum petask_result petasks_report(struct qmaster *q, struct task *t, struct host *h,
                                  const struct JR_Type *report)
{
    uint32_t number = number_on(q, h, report);
    bool is_over = number != 0 && is_done(t, h, number); /* it ended, or was lost for us */
    bool is_end = report->JR_state == REPORT_ENDED;
    if (is_over || report->JR_state == REPORT_UNKNOWN)
        return PETASK_REFUSED;
    if (number != 0 && is_end)
        return end_petask(q, t, h, number, report) ? PETASK_ENDS_TASK : PETASK_TAKEN;
    bool has_place = number != 0 && !(task_has_ended(t) && h == t->host);
    if (has_place && on_running(t, h, number, report))
        return PETASK_TAKEN;
    log_msg_of(0, LOG_LEVEL_ERROR, MSG_PETASK_REFUSED_SSUUU, h->rec.EH_name, report->JR_pe_task_id,
               t->rec.JAT_job_number, t->rec.JAT_task_number, (unsigned)most_on(t, h));
    return PETASK_REFUSED;
}

/* its usage as it was reported last */
static void lose_petask(struct qmaster *q, struct task *t, const struct petask *p)
{
    struct dstr name = DSTR_INIT;
    struct JR_Type end = { 0 };
    struct host *h = p->key.host;
    dstr_addf(&name, "%u.%s", (unsigned)p->key.number, h->rec.EH_name);
    struct task_key key = { t->rec.JAT_job_number, t->rec.JAT_task_number, dstr_get(&name) };
    task_key_report(&key, t->rec.JAT_attempt, &end);
    cull_set(&end, JR_state, (uint32_t)REPORT_ENDED);
    cull_set(&end, JR_failed, (uint32_t)TASK_FAILED_RECOGNIZING);
    cull_set(&end, JR_start_time, p->start_s);
    cull_set(&end, JR_end_time, q->now_s);
    for (int f = 0; f < USAGE_SHOWN; f++) {
        struct UA_Type *figure = cull_append(&end, JR_usage);
        cull_set(figure, UA_name, usage_shown[f]);
        cull_set(figure, UA_value, p->usage[f]);
    }
    (void)end_petask(q, t, h, (uint32_t)p->key.number, &end);
    cull_clear(&cull_JR_Type, &end);
    dstr_free(&name);
}

void petasks_lost(struct qmaster *q, struct task *t, struct host *h, bool only_missed)
{
    struct petask *p, *next;
    HASH_ITER(hh, t->tight->running, p, next) {
        bool is_there = only_missed && p->conn == h->conn;
        if (p->key.host == h && !is_there)
            lose_petask(q, t, p);
    }
}

void petasks_show(struct task *t)
{
    const struct UA_Type_list *ended = &t->rec.JAT_petask_usage;
    cull_clear_field(&cull_JAT_Type, &t->rec, JAT_scaled_usage_list);
    for (int f = 0; f < USAGE_SHOWN; f++) {
        double sum = t->tight->own[f] + t->tight->of_petasks[f];
        for (uint32_t i = 0; i < ended->n; i++)
            if (strcmp(ended->v[i].UA_name, usage_shown[f]) == 0)
                sum += ended->v[i].UA_value;
        struct UA_Type *figure = cull_append(&t->rec, JAT_scaled_usage_list);
        cull_set(figure, UA_name, usage_shown[f]);
        cull_set(figure, UA_value, sum);
    }
}

/* ---- a list of them ---- */

static int compare_petasks(const void *a, const void *b)
{
    const struct petask *x = *(const struct petask *const *)a;
    const struct petask *y = *(const struct petask *const *)b;
    int by_host = strcmp(x->key.host->rec.EH_name, y->key.host->rec.EH_name);
    return by_host != 0 ? by_host
                        : (x->key.number > y->key.number) - (x->key.number < y->key.number);
}

static void list_one(struct PS_Type_list *out, const char *id, const char *host,
                     const double *usage)
{
    struct PS_Type *entry = cull_push(out);
    cull_set(entry, PS_id, id);
    cull_set(entry, PS_host, host);
    for (int f = 0; f < USAGE_SHOWN; f++) {
        struct UA_Type *figure = cull_append(entry, PS_usage);
        cull_set(figure, UA_name, usage_shown[f]);
        cull_set(figure, UA_value, usage[f]);
    }
}

void petasks_list(const struct task *t, struct PS_Type_list *out)
{
    struct dstr id = DSTR_INIT;
    struct petask *p, *next;
    uint32_t n = 0, n_all = HASH_COUNT(t->tight->running);
    struct petask **all = uti_calloc((size_t)n_all + 1, sizeof *all);
    HASH_ITER(hh, t->tight->running, p, next)
        all[n++] = p;
    qsort(all, n, sizeof *all, compare_petasks);
    list_one(out, "", task_host(t), t->tight->own);
    for (uint32_t i = 0; i < n && i < PETASKS_LISTED; i++) {
        const char *host = all[i]->key.host->rec.EH_name;
        dstr_clear(&id);
        dstr_addf(&id, "%u.%s", (unsigned)all[i]->key.number, host);
        list_one(out, dstr_get(&id), host, all[i]->usage);
    }
    dstr_free(&id);
    free(all);
}

/* qstat -j: everything about the jobs that are meant. They are printed as they arrive, by number;
 * an identifier that meant no job is remembered. */
#include "libs/show/job_detail.h"

#include <stdlib.h>

#include "clients/common/msg_clients.h"
#include "clients/common/source.h"
#include "clients/qstat/qstat.h"
#include "libs/doc/doc.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"

struct detailing {
    const struct qstat_world *w;
    const struct qstat_options *o;
    struct doc *d;  /* NULL: nothing is shown yet */
    bool *is_found; /* of each identifier */
    struct job_stream stream;
    struct ST_Type_list reasons; /* of a document: why any of the jobs wait, each text once */
};

/* XML names what is not known in a document of its own, so this one begins with the first job. */
static int start_document(struct detailing *d, struct answer *ans)
{
    static const struct doc_kind root = { .name = "detailed_job_info",
                                          .xml = { .has_blank = true } };
    static const struct doc_kind jobs = { .name = "djob_info", .json = "jobs" };
    static const struct doc_field schema = { .name = "xmlns:xsd",
                                             .only = DOC_XML,
                                             .xml = { .place = DOC_ATTRIBUTE } };
    if (d->d != NULL)
        return 0;
    d->d = doc_open(d->o->form, d->w->out, "  ", ans);
    if (d->d == NULL)
        return -1;
    doc_begin(d->d, &root);
    doc_field(d->d, &schema, doc_string(DETAIL_SCHEMA));
    doc_list(d->d, &jobs);
    return 0;
}

static int end_document(struct detailing *d, struct answer *ans)
{
    int result = d->d != NULL ? doc_close(d->d, ans) : 0;
    d->d = NULL;
    return result;
}

/* Tasks that JOB.TASK leaves: those named, or all when an identifier means the whole job. */
static uint32_t select_tasks(struct detailing *d, const struct JB_Type *job,
                             const struct JAT_Type *const *tasks, uint32_t n,
                             const struct JAT_Type **out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool is_wanted = false;
        for (uint32_t k = 0; k < d->o->jobs.n && !is_wanted; k++) {
            uint32_t number, task = 0;
            is_wanted = job_is_meant(job, d->o->jobs.v[k]) &&
                        (!job_identifier_split(d->o->jobs.v[k], &number, &task) || task == 0 ||
                         task == tasks[i]->JAT_task_number);
        }
        if (is_wanted)
            out[kept++] = tasks[i];
    }
    return kept;
}

static void add_reasons(struct ST_Type_list *all, const struct ST_Type_list *more)
{
    for (uint32_t i = 0; i < more->n; i++) {
        uint32_t at = 0;
        while (at < all->n && strcmp(all->v[at].ST_name, more->v[i].ST_name) != 0)
            at++;
        if (at < all->n)
            continue;
        all->v = uti_vec_grow(all->v, &all->cap, all->n + 1, sizeof *all->v);
        all->v[all->n] = (struct ST_Type){ 0 };
        cull_copy(&cull_ST_Type, &all->v[all->n++], &more->v[i]);
    }
}

static int show_job(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                    uint32_t n_tasks, struct answer *ans)
{
    struct detailing *d = ctx;
    bool is_meant = false;
    for (uint32_t i = 0; i < d->o->jobs.n; i++) {
        if (job_is_meant(job, d->o->jobs.v[i]))
            is_meant = d->is_found[i] = true;
    }
    if (!is_meant)
        return 0;
    if (start_document(d, ans) < 0)
        return -1;
    const struct JAT_Type **selected = uti_calloc(n_tasks > 0 ? n_tasks : 1, sizeof *selected);
    struct job_detail detail = { .job = job, .tasks = selected };
    detail.n_tasks = select_tasks(d, job, tasks, n_tasks, selected);
    if (doc_page(d->d) != NULL) {
        job_detail_text(doc_page(d->d), &detail);
        scheduling_info_text(doc_page(d->d), d->stream.has_reasons ? &d->stream.reasons : NULL);
    } else {
        job_detail_data(d->d, &detail);
        add_reasons(&d->reasons, &d->stream.reasons);
    }
    free(selected);
    return 0;
}

static void ask_jobs(struct GR_Type *request, const struct name_list *jobs)
{
    cull_set(request, GR_verb, (uint32_t)GDI_GET);
    cull_set(request, GR_target, (uint32_t)GDI_JOB);
    cull_set(request, GR_options, (uint32_t)(GDI_WITH_TASKS | GDI_WITH_ENV | GDI_WITH_REASONS));
    request_user(request, "*");
    for (uint32_t i = 0; i < jobs->n; i++) {
        struct ID_Type *id = cull_append(request, GR_select);
        uint32_t number, task;
        if (job_identifier_split(jobs->v[i], &number, &task) && task != 0) {
            char *whole = uti_strndup(jobs->v[i], strcspn(jobs->v[i], "."));
            cull_set(id, ID_str, whole);
            free(whole);
        } else {
            cull_set(id, ID_str, jobs->v[i]);
        }
    }
}

static void put_unknown_text(const struct qstat_world *w, const struct detailing *d)
{
    const char *separator = MSG_JOBS_UNKNOWN "\n";
    for (uint32_t i = 0; i < d->o->jobs.n; i++) {
        if (d->is_found[i])
            continue;
        fprintf(w->err, "%s%s", separator, d->o->jobs.v[i]);
        separator = ", ";
    }
    fputc('\n', w->err);
}

static const struct doc_field unknown_job = { .name = "ST_name" };

static void put_unknown(struct doc *doc, const struct detailing *d)
{
    for (uint32_t i = 0; i < d->o->jobs.n; i++)
        if (!d->is_found[i])
            doc_field(doc, &unknown_job, doc_string(d->o->jobs.v[i]));
}

static int put_unknown_xml(const struct detailing *d, struct answer *ans)
{
    static const struct doc_kind root = { .name = "unknown_jobs", .xml = { .has_blank = true } };
    struct doc *doc = doc_open(DOC_XML, d->w->out, "    ", ans);
    if (doc == NULL)
        return -1;
    doc_list(doc, &root);
    put_unknown(doc, d);
    return doc_close(doc, ans);
}

/* What follows the jobs of a document; the unknown ones are JSON's alone. */
static int finish_document(struct detailing *d, struct answer *ans)
{
    static const struct doc_kind unknown = { .json = "unknown_jobs" };
    doc_end(d->d);
    scheduling_info_data(d->d, d->stream.has_reasons ? &d->reasons : NULL);
    doc_list(d->d, &unknown);
    if (d->o->form == DOC_JSON)
        put_unknown(d->d, d);
    return end_document(d, ans);
}

static int finish_details(struct detailing *d, struct answer *ans)
{
    bool has_unknown = false, is_json = d->o->form == DOC_JSON, is_xml = d->o->form == DOC_XML;
    for (uint32_t i = 0; i < d->o->jobs.n; i++)
        has_unknown = has_unknown || !d->is_found[i];
    if (is_json && start_document(d, ans) < 0)
        return 1;
    if (is_json || (is_xml && d->d != NULL))
        return finish_document(d, ans) < 0 || (is_json && has_unknown) ? 1 : 0;
    if (!has_unknown)
        return 0;
    if (is_xml)
        return put_unknown_xml(d, ans) < 0 ? 1 : 0;
    put_unknown_text(d->w, d);
    return 1;
}

/* ---- without a list: what keeps jobs from running, whichever they are ---- */
struct held {
    uint32_t *v;
    uint32_t n, cap;
};

/* Is everything that waits of JOB held? */
static int note_held(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                     uint32_t n_tasks, struct answer *ans)
{
    struct held *held = ctx;
    struct range_set ready = { 0 };
    (void)tasks;
    (void)n_tasks;
    (void)ans;
    job_ready_ids(job, &ready);
    if (range_set_is_empty(&ready) && !range_set_is_empty(&job->JB_ja_pending_ids)) {
        held->v = uti_vec_grow(held->v, &held->cap, held->n + 1, sizeof *held->v);
        held->v[held->n++] = job->JB_job_number;
    }
    range_set_free(&ready);
    return 0;
}

/* The jobs that holds keep, as the page lists them. Returns 0, or -1 with ans. */
static int show_held(const struct qstat_world *w, FILE *out, struct answer *ans)
{
    enum { IN_A_LINE = 10 };
    struct held held = { 0 };
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    request_user(&request, "*");
    request_row_fields(&request);
    struct job_stream stream = { .each = note_held, .ctx = &held };
    int result = job_stream_get(&stream, &w->from, &request, ans);
    cull_clear(&cull_GR_Type, &request);
    if (held.n > 0)
        (void)fputs(MSG_JOBS_HELD "\n", out);
    for (uint32_t i = 0; i < held.n; i++) {
        bool is_last = (i + 1) % IN_A_LINE == 0 || i + 1 == held.n;
        (void)fprintf(out, "\t%u%s", held.v[i], is_last ? "\n" : ",");
    }
    free(held.v);
    return result;
}

static int show_scheduling_info(struct detailing *d, struct answer *ans)
{
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_WHY);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_options, (uint32_t)GDI_WITH_REASONS);
    struct GA_Type *told = source_get_all(&d->w->from, &request, ans);
    int status = 1;
    cull_clear(&cull_GR_Type, &request);
    if (told == NULL)
        return 1;
    d->stream.has_reasons = cull_has(told, GA_reasons);
    if (start_document(d, ans) == 0 && doc_page(d->d) != NULL) {
        scheduling_info_text(doc_page(d->d), d->stream.has_reasons ? &told->GA_reasons : NULL);
        (void)fputs("\n", doc_page(d->d));
        status = d->stream.has_reasons && show_held(d->w, doc_page(d->d), ans) < 0 ? 1 : 0;
    } else if (d->d != NULL) {
        add_reasons(&d->reasons, &told->GA_reasons);
        status = finish_details(d, ans);
    }
    cull_delete(&cull_GA_Type, told);
    return status;
}

static void detailing_free(struct detailing *d)
{
    for (uint32_t i = 0; i < d->reasons.n; i++)
        cull_clear(&cull_ST_Type, &d->reasons.v[i]);
    free(d->reasons.v);
    free(d->is_found);
}

int qstat_detail(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    struct detailing d = { .w = w, .o = o };
    if (o->jobs.n == 0) {
        int shown = show_scheduling_info(&d, ans);
        (void)end_document(&d, NULL);
        detailing_free(&d);
        return shown;
    }
    d.is_found = uti_calloc(o->jobs.n, sizeof *d.is_found);
    struct GR_Type request = { 0 };
    ask_jobs(&request, &o->jobs);
    struct answer told = ANSWER_INIT;
    int status = 1;
    d.stream = (struct job_stream){ .each = show_job, .ctx = &d };
    int result = job_stream_get(&d.stream, &w->from, &request, &told);
    cull_clear(&cull_GR_Type, &request);
    /* that a job is unknown is said in qstat's own words below */
    bool is_unknown = result < 0 && told.n > 0 && told.v[0].status == STATUS_EUNKNOWN;
    if (result == 0 || is_unknown)
        status = finish_details(&d, ans);
    else
        ans_move(ans, &told);
    (void)end_document(&d, NULL);
    ans_free(&told);
    detailing_free(&d);
    return status;
}

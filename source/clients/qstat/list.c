/* The job listing: ask the qmaster for the fields that the wanted columns need, turn parts into
 * rows as they come, rank, print. Only rows are kept, so that a million pending tasks cost what
 * their jobs cost. */
#include "clients/common/doc.h"
#include "clients/common/job_part.h"
#include "clients/common/job_table.h"
#include "clients/qstat/qstat.h"
#include "libs/config/prior_weights.h"
#include "libs/sgeobj/prior.h"
#include "libs/uti/answer.h"

static const char *const always[] = {
    "JB_job_number",
    "JB_job_name",
    "JB_owner",
    "JB_submission_time",
    "JB_execution_time",
    "JB_type",
    "JB_ja_first",
    "JB_ja_last",
    "JB_ja_step",
    "JB_ja_pending_ids",
    "JB_ja_u_h_ids",
    "JB_ja_o_h_ids",
    "JB_ja_s_h_ids",
    "JB_ja_a_h_ids",
    "JB_jid_predecessor_list",
    "JB_pe",
    "JB_pe_range",
    "JB_priority",
};
static const char *const for_ext[] = { "JB_project", "JB_department", "JB_override_tickets",
                                       "JB_jobshare", "JB_deadline" };
static const char *const for_queues[] = { "JB_hard_queue_list" };
static const char *const for_requests[] = {
    "JB_hard_resource_list",     "JB_soft_resource_list",     "JB_soft_queue_list",
    "JB_master_hard_queue_list", "JB_hard_queue_list",        "JB_jid_request_list",
    "JB_ja_ad_request_list",     "JB_ja_ad_predecessor_list", "JB_binding",
};

static void ask_fields(struct GR_Type *request, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        request_field(request, names[i]);
}

void request_row_fields(struct GR_Type *request)
{
    ask_fields(request, always, ARRAY_LEN(always));
}

static void ask_names(struct GR_Type *request, const struct name_list *users, const char *caller)
{
    for (uint32_t i = 0; i < users->n; i++)
        request_user(request, strcmp(users->v[i], "$user") == 0 ? caller : users->v[i]);
    if (users->n == 0)
        request_user(request, caller);
}

static unsigned wanted_states(const struct qstat_options *o)
{
    return o->show != 0 ? o->show : SHOW_DEFAULT;
}

static bool filters_queues(const struct qstat_options *o)
{
    return !queue_choice_is_all(&o->choice);
}

static void fill_request(struct GR_Type *request, const struct qstat_world *w,
                         const struct qstat_options *o)
{
    const unsigned details = TABLE_EXT | TABLE_URG | TABLE_PRI;
    uint32_t options =
        GDI_WITH_TASKS | ((wanted_states(o) & SHOW_FINISHED) != 0 ? GDI_FINISHED : 0u);
    cull_set(request, GR_verb, (uint32_t)GDI_GET);
    cull_set(request, GR_target, (uint32_t)GDI_JOB);
    cull_set(request, GR_options, options);
    ask_names(request, &o->users, w->user);
    request_row_fields(request);
    if ((o->table & details) != 0)
        ask_fields(request, for_ext, ARRAY_LEN(for_ext));
    if ((o->table & TABLE_REQUESTS) != 0)
        ask_fields(request, for_requests, ARRAY_LEN(for_requests));
    else if (filters_queues(o))
        ask_fields(request, for_queues, ARRAY_LEN(for_queues));
}

struct collecting {
    struct row_wish wish;
    struct job_rows rows;
    const struct queue_view *only; /* NULL: queues do not matter */
    bool restricts_pending;        /* -q and -pe do, -qs does not */
};

static int collect_job(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                       uint32_t n_tasks, struct answer *ans)
{
    struct collecting *c = ctx;
    (void)ans;
    job_rows_add(&c->rows, &c->wish, job, tasks, n_tasks);
    return 0;
}

/* has the task of ROW slots in one of the selected queues? */
static bool row_is_in(const struct queue_view *view, const struct job_row *row)
{
    for (uint32_t i = 0; i < job_row_places(row); i++)
        if (queue_view_has(view, job_row_at(row, i).queue))
            return true;
    return false;
}

/* With a selection of queues: running tasks in them, and pending jobs that their -q does not keep
 * out. */
static int collect_selected(void *ctx, const struct JB_Type *job,
                            const struct JAT_Type *const *tasks, uint32_t n_tasks,
                            struct answer *ans)
{
    struct collecting *c = ctx;
    struct job_rows all = { 0 };
    (void)ans;
    job_rows_add(&all, &c->wish, job, tasks, n_tasks);
    bool suits = !c->restricts_pending || queue_view_suits(c->only, job);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all.n; i++) {
        bool is_kept = all.v[i].queue != NULL ? row_is_in(c->only, &all.v[i]) : suits;
        if (is_kept) {
            c->rows.v = uti_vec_grow(c->rows.v, &c->rows.cap, c->rows.n + 1, sizeof *c->rows.v);
            c->rows.v[c->rows.n++] = all.v[i];
        } else {
            all.v[kept++] = all.v[i];
        }
    }
    all.n = kept;
    job_rows_free(&all);
    return 0;
}

const struct doc_field qstat_schema = { .name = "xmlns:xsd",
                                        .only = DOC_XML,
                                        .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_kind root_kind = { .name = "job_info", .xml = { .has_blank = true } };
static const struct doc_kind queue_info = { .name = "queue_info", .json = "queues" };
static const struct doc_kind running_kind = { .name = "queue_info", .json = "running_jobs" };
static const struct doc_kind pending_kind = { .name = "job_info", .json = "pending_jobs" };

static void show_running(struct doc *d, const struct qstat_options *o, const struct job_rows *rows)
{
    if (doc_page(d) != NULL && rows->n > 0)
        job_table_head(doc_page(d), o->table);
    for (uint32_t i = 0; i < rows->n; i++)
        if (rows->v[i].kind == ROW_RUNNING)
            job_table_row(d, o->table, &rows->v[i]);
}

/* those that wait, and after them those that have ended; ranked rows come in this order */
static void show_others(struct doc *d, const struct qstat_options *o, const struct job_rows *rows)
{
    enum row_kind last = ROW_RUNNING;
    for (uint32_t i = 0; i < rows->n; i++) {
        const struct job_row *row = &rows->v[i];
        if (row->kind == ROW_RUNNING)
            continue;
        if (row->kind != last && (o->table & TABLE_FULL) != 0 && doc_page(d) != NULL)
            full_heading(doc_page(d), o, row->kind);
        last = row->kind;
        job_table_row(d, o->table, row);
    }
}

static int show_listing(const struct qstat_world *w, const struct qstat_options *o,
                        const struct queue_view *view, const struct job_rows *rows,
                        struct answer *ans)
{
    bool is_full = (o->table & TABLE_FULL) != 0;
    struct doc *d = doc_open(o->form, w->out, "  ", ans);
    if (d == NULL)
        return -1;
    doc_begin(d, &root_kind);
    doc_field(d, &qstat_schema, doc_string(QSTAT_SCHEMA));
    doc_list(d, is_full ? &queue_info : &running_kind);
    if (is_full)
        full_show(d, o, view, rows);
    else
        show_running(d, o, rows);
    doc_end(d);
    doc_list(d, &pending_kind);
    show_others(d, o, rows);
    return doc_close(d, ans);
}

static int get_weights(const struct qstat_world *w, struct prior_weights *out, struct answer *ans)
{
    struct GA_Type *all = source_get_target(&w->from, GDI_SCHEDCONF, ans);
    if (all == NULL)
        return -1;
    *out = prior_weights_of(all->GA_confs.n > 0 ? &all->GA_confs.v[0] : NULL);
    cull_delete(&cull_GA_Type, all);
    return 0;
}

static int collect_jobs(const struct qstat_world *w, const struct qstat_options *o,
                        struct collecting *c, struct answer *ans)
{
    struct GR_Type request = { 0 };
    fill_request(&request, w, o);
    struct job_stream stream = { .each = c->only != NULL ? collect_selected : collect_job,
                                 .ctx = c };
    int result = job_stream_get(&stream, &w->from, &request, ans);
    cull_clear(&cull_GR_Type, &request);
    struct prior_weights weights = prior_weights_of(NULL);
    if (result == 0 && job_rows_need_weights(&c->rows))
        result = get_weights(w, &weights, ans);
    if (result == 0)
        job_rows_rank(&c->rows, &weights);
    return result;
}

static int list_and_print(const struct qstat_world *w, const struct qstat_options *o,
                          const struct queue_view *view, struct answer *ans)
{
    const unsigned details = TABLE_EXT | TABLE_URG | TABLE_PRI | TABLE_REQUESTS;
    struct collecting c = {
        .wish = { .show = wanted_states(o),
                  .now_s = w->now_s,
                  .keep_job = (o->table & details) != 0 },
        .only = filters_queues(o) ? view : NULL,
        .restricts_pending = o->choice.queues.n > 0 || o->choice.pes.n > 0,
    };
    int result = collect_jobs(w, o, &c, ans);
    if (result == 0)
        result = show_listing(w, o, view, &c.rows, ans);
    job_rows_free(&c.rows);
    return result < 0 ? 1 : 0;
}

int qstat_list(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    bool is_full = (o->table & TABLE_FULL) != 0;
    struct queue_view view = { 0 };
    if (is_full || filters_queues(o)) {
        if (queue_view_get(w, o, is_full, &view, ans) < 0)
            return 1;
        if (o->choice.queues.n > 0 && view.n == 0 && !o->choice.has_states) {
            queue_view_free(&view);
            return 1;
        }
    }
    int status = list_and_print(w, o, &view, ans);
    queue_view_free(&view);
    return status;
}

/* The job listing: asks the qmaster for the fields that the wanted columns need, and turns parts
 * into lines as they come and shows them. */
#include <stdlib.h>
#include <string.h>

#include "clients/common/source.h"
#include "clients/qstat/qstat.h"
#include "libs/config/complex.h"
#include "libs/config/qinstance.h"
#include "libs/doc/doc.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/show/job_requests.h"
#include "libs/show/job_table.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

/* ---- a listing under way ---- */

/* A listing under way. Its lines are gathered, ranked and shown; when they are many and the qmaster
 * says that jobs come ranked, they are shown as they come, so that a million jobs cost the memory
 * of a few thousand. */
struct listing {
    const struct qstat_world *world;
    const struct qstat_options *options;
    const struct queue_view *queues;
    bool shows_all;             /* ... that waits: what the qmaster ranks is what is listed */
    struct job_rows rows;       /* not shown yet */
    uint32_t enough;            /* so many are worth a look */
    uint32_t last_number;       /* of the job whose lines came last */
    bool is_ranked, rest_waits; /* as the qmaster says: GA_is_ranked, GA_rest_waits */
    struct doc *doc;            /* NULL: nothing is shown yet */
    struct job_table table;     /* in it */
    enum row_kind last_kind;    /* of the line that was shown last */
};

/* Listings: lines in, a document out. Invariants: lines that run come before those that wait, and a
 * line is shown once. A line that begins to run while others are being shown comes where it is
 * found, among those that wait. If the answer ends early, the document does, too, and is not
 * whole. */

enum { FLOW_ROWS = 4096 };

const struct doc_field qstat_schema = { .name = "xmlns:xsd",
                                        .only = DOC_XML,
                                        .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_kind root_kind = { .name = "job_info", .xml = { .has_blank = true } };
static const struct doc_kind queue_info = { .name = "queue_info", .json = "queues" };
static const struct doc_kind running_kind = { .name = "queue_info", .json = "running_jobs" };
static const struct doc_kind pending_kind = { .name = "job_info", .json = "pending_jobs" };

/* nothing is listed yet; all is borrowed; end with listing_free */
static void listing_init(struct listing *l, const struct qstat_world *w,
                         const struct qstat_options *o, const struct queue_view *queues)
{
    *l = (struct listing){ .world = w, .options = o, .queues = queues, .enough = FLOW_ROWS };
}

static bool is_full(const struct listing *l)
{
    return (l->options->table & TABLE_FULL) != 0;
}

/* ---- showing ---- */
static uint32_t running_rows(const struct job_rows *rows)
{
    uint32_t n = 0;
    while (n < rows->n && rows->v[n].kind == ROW_RUNNING)
        n++;
    return n;
}

static void show_running(struct listing *l)
{
    uint32_t n = running_rows(&l->rows);
    if (is_full(l))
        full_show(l->doc, l->options, l->queues, &l->rows);
    for (uint32_t i = 0; !is_full(l) && i < n; i++)
        job_table_row(&l->table, &l->rows.v[i]);
    job_rows_drop(&l->rows, n);
}

/* the document, and in it all that runs */
static int show_first(struct listing *l, struct answer *ans)
{
    struct doc *d = l->doc = doc_open(l->options->form, l->world->out, "  ", ans);
    if (d == NULL)
        return -1;
    l->table = job_table_of(d, l->options->table);
    doc_begin(d, &root_kind);
    doc_field(d, &qstat_schema, doc_string(QSTAT_SCHEMA));
    doc_list(d, is_full(l) ? &queue_info : &running_kind);
    if (!is_full(l) && doc_page(d) != NULL && l->rows.n > 0)
        job_table_head(doc_page(d), l->options->table);
    show_running(l);
    doc_end(d);
    doc_list(d, &pending_kind);
    return 0;
}

/* the first N of those that wait, and of those that have ended; they come in this order */
static void show_others(struct listing *l, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct job_row *row = &l->rows.v[i];
        enum row_kind kind = row->kind == ROW_RUNNING ? l->last_kind : row->kind;
        if (kind != l->last_kind && is_full(l) && doc_page(l->doc) != NULL)
            full_heading(doc_page(l->doc), l->options, kind);
        l->last_kind = kind;
        job_table_row(&l->table, row);
    }
    job_rows_drop(&l->rows, n);
}

static int show_sorted(struct listing *l, struct answer *ans)
{
    job_rows_sort(&l->rows);
    return l->doc != NULL ? 0 : show_first(l, ans);
}

/* what PART says about all jobs of the answer, before its own are added */
/* ---- as they come ---- */
static void listing_hear(struct listing *l, const struct GA_Type *part)
{
    if (!cull_has(part, GA_is_ranked))
        return;
    l->is_ranked = part->GA_is_ranked && l->shows_all;
}

/* Lines of jobs that are still to come rank behind those of the last one. */
static uint32_t settled_rows(const struct listing *l)
{
    uint32_t n = 0;
    while (n < l->rows.n && l->rows.v[n].job_number != l->last_number)
        n++;
    return n < l->rows.n ? n : 0;
}

/* and when these have been: shows what nothing can come before. Returns 0, or -1
 * with ans */
/* The last running job may be followed by more of its tasks, so what a part says of it counts from
 * the next one on. */
static int listing_flow(struct listing *l, const struct GA_Type *part, struct answer *ans)
{
    bool is_due = l->is_ranked && l->rest_waits && l->rows.n >= l->enough;
    l->rest_waits = l->rest_waits || part->GA_rest_waits;
    if (!is_due)
        return 0;
    if (show_sorted(l, ans) < 0)
        return -1;
    show_others(l, settled_rows(l));
    l->enough = l->rows.n > FLOW_ROWS ? 2 * l->rows.n : FLOW_ROWS;
    return 0;
}

/* all has come: shows the rest. Returns as above */
static int listing_end(struct listing *l, struct answer *ans)
{
    if (show_sorted(l, ans) < 0)
        return -1;
    show_others(l, l->rows.n);
    struct doc *d = l->doc;
    l->doc = NULL;
    return doc_close(d, ans);
}

static const char *const queue_fields[] = { "JB_hard_queue_list", "JB_hard_resource_list", NULL };

void request_row_fields(struct GR_Type *request)
{
    request_fields(request, job_row_fields);
}

static void request_column_fields(struct GR_Type *request, const struct qstat_options *o)
{
    const char *fields[JOB_FIELDS];
    bool is_page = o->form != DOC_XML && o->form != DOC_JSON;
    unsigned n = job_table_needs(o->table, is_page, fields);
    for (unsigned i = 0; i < n; i++)
        request_field(request, fields[i]);
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

/* Lines of tasks that run, or have ended, are all that is wanted. */
static bool wants_no_waiting(const struct qstat_options *o)
{
    return (wanted_states(o) & ~(unsigned)(SHOW_RUNNING | SHOW_SUSPENDED | SHOW_FINISHED)) == 0;
}

/* A selection by states (-qs) says nothing of what may run there later. */
static bool restricts_pending(const struct qstat_options *o)
{
    const struct queue_choice *c = &o->choice;
    return (c->queues.n > 0 || c->pes.n > 0 || c->resources.n > 0 || c->users.n > 0) &&
           !wants_no_waiting(o);
}

static void fill_request(struct GR_Type *request, const struct qstat_world *w,
                         const struct qstat_options *o)
{
    uint32_t options =
        GDI_WITH_TASKS | GDI_RANKED | ((wanted_states(o) & SHOW_FINISHED) != 0 ? GDI_FINISHED : 0u);
    cull_set(request, GR_verb, (uint32_t)GDI_GET);
    cull_set(request, GR_target, (uint32_t)GDI_JOB);
    cull_set(request, GR_options, options);
    if (wants_no_waiting(o))
        cull_set(request, GR_states, "rs");
    ask_names(request, &o->users, w->user);
    request_row_fields(request);
    request_column_fields(request, o);
    if ((o->table & TABLE_REQUESTS) != 0)
        request_fields(request, job_request_fields);
    else if (!queue_choice_is_all(&o->choice))
        request_fields(request, queue_fields);
}

/* ---- pending jobs that could run in the selected queues ---- */
/* What a job requests, as text. Most jobs request what others do: each is looked up once, as long
 * as they are not too many to be kept. */
struct known_request {
    char *key;
    bool is_there;
    UT_hash_handle hh; /* by key */
};
struct request_memory {
    struct known_request *known;
};
enum { KNOWN_MOST = 1000 };

static void request_memory_free(struct request_memory *m)
{
    struct known_request *one, *next;
    HASH_ITER(hh, m->known, one, next) {
        HASH_DEL(m->known, one);
        free(one->key);
        free(one);
    }
}

/* is all that is asked for at QUEUE, or could be? A host that is not there says nothing. */
static bool could_have(const struct queue_view *view, const struct QU_Type *queue,
                       const struct CE_Type_list *wanted)
{
    const struct EH_Type *host = queue_view_host(view, queue);
    bool is_there = host != NULL && host->EH_is_connected;
    struct offering what = queue_view_offering(view, queue);
    for (uint32_t i = 0; i < wanted->n; i++) {
        const struct CE_Type *one = &wanted->v[i];
        const struct CE_Type *ce =
            one->CE_name != NULL ? complex_find(&view->complex, one->CE_name) : NULL;
        struct available found;
        if (ce != NULL && one->CE_stringval != NULL &&
            !available_could_meet(&what, ce, one->CE_stringval, &found) &&
            (found.place != '\0' || is_there))
            return false;
    }
    return true;
}

static bool could_run(const struct queue_view *view, const struct QU_Type *queue,
                      const struct JB_Type *job)
{
    return queue->QU_full_name != NULL &&
           queue_match_any(&job->JB_hard_queue_list, queue->QU_full_name, &queue->QU_hostgroups) &&
           (job->JB_pe == NULL || pe_list_meets(qinstance_setting(queue, "pe_list"), job->JB_pe)) &&
           (job->JB_checkpoint_name == NULL ||
            pe_list_has(qinstance_setting(queue, "ckpt_list"), job->JB_checkpoint_name)) &&
           could_have(view, queue, &job->JB_hard_resource_list);
}

static void add_key(const struct JB_Type *job, struct dstr *out)
{
    dstr_addf(out, "%s\n", job->JB_pe != NULL ? job->JB_pe : "");
    for (uint32_t i = 0; i < job->JB_hard_queue_list.n; i++)
        dstr_addf(out, "%s\n", job->JB_hard_queue_list.v[i].QR_name);
    for (uint32_t i = 0; i < job->JB_hard_resource_list.n; i++) {
        const struct CE_Type *ce = &job->JB_hard_resource_list.v[i];
        dstr_addf(out, "\n%s=%s", ce->CE_name, ce->CE_stringval != NULL ? ce->CE_stringval : "");
    }
}

static bool look_up(const struct queue_view *view, const struct JB_Type *job)
{
    for (uint32_t i = 0; i < view->n; i++)
        if (could_run(view, view->v[i], job))
            return true;
    return false;
}

/* Could JOB ever run in one of the queues of VIEW, which has VIEW_JOBS: its -q, -pe and -l, beside
 * what is configured? Each request is looked up once. */
static bool view_suits(const struct queue_view *view, struct request_memory *m,
                       const struct JB_Type *job)
{
    struct dstr key = DSTR_INIT;
    struct known_request *known;
    add_key(job, &key);
    HASH_FIND_STR(m->known, dstr_get(&key), known);
    if (known == NULL) {
        if (HASH_COUNT(m->known) >= KNOWN_MOST)
            request_memory_free(m);
        known = uti_calloc(1, sizeof *known);
        known->is_there = look_up(view, job);
        known->key = dstr_take(&key);
        HASH_ADD_KEYPTR(hh, m->known, known->key, strlen(known->key), known);
    }
    dstr_free(&key);
    return known->is_there;
}

struct collecting {
    struct row_wish wish;
    struct listing listing;
    struct job_stream stream;
    const struct queue_view *only; /* NULL: queues do not matter */
    struct request_memory requests;
    bool restricts_pending;
};

static int collect_job(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                       uint32_t n_tasks, struct answer *ans SGE_UNUSED)
{
    struct collecting *c = ctx;
    uint32_t had = c->listing.rows.n;
    job_rows_add(&c->listing.rows, &c->wish, job, c->stream.figures, tasks, n_tasks);
    if (c->listing.rows.n > had)
        c->listing.last_number = job->JB_job_number;
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

/* With a selection of queues: running tasks in them, and pending jobs that could run there. */
static int collect_selected(void *ctx, const struct JB_Type *job,
                            const struct JAT_Type *const *tasks, uint32_t n_tasks,
                            struct answer *ans)
{
    struct collecting *c = ctx;
    struct job_rows all = { 0 }, *rows = &c->listing.rows;
    (void)ans;
    job_rows_add(&all, &c->wish, job, c->stream.figures, tasks, n_tasks);
    bool suits = !c->restricts_pending || view_suits(c->only, &c->requests, job);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all.n; i++) {
        bool is_kept = all.v[i].queue != NULL ? row_is_in(c->only, &all.v[i]) : suits;
        if (is_kept) {
            rows->v = uti_vec_grow(rows->v, &rows->cap, rows->n + 1, sizeof *rows->v);
            rows->v[rows->n++] = all.v[i];
        } else {
            all.v[kept++] = all.v[i];
        }
    }
    all.n = kept;
    job_rows_free(&all);
    return 0;
}

static int collect_part(void *ctx, const struct GA_Type *part, struct answer *ans)
{
    struct collecting *c = ctx;
    listing_hear(&c->listing, part);
    if (job_stream_part(&c->stream, part, ans) < 0)
        return -1;
    return listing_flow(&c->listing, part, ans);
}

static int collect_and_show(const struct qstat_world *w, const struct qstat_options *o,
                            struct collecting *c, struct answer *ans)
{
    struct GR_Type request = { 0 };
    fill_request(&request, w, o);
    int result = source_ask(&w->from, &request, collect_part, c, ans);
    cull_clear(&cull_GR_Type, &request);
    if (result < 0)
        job_stream_drop(&c->stream);
    if (job_stream_end(&c->stream, ans) < 0 || result < 0)
        return -1;
    return listing_end(&c->listing, ans);
}

static int list_and_print(const struct qstat_world *w, const struct qstat_options *o,
                          const struct queue_view *view, struct answer *ans)
{
    const unsigned details = TABLE_EXT | TABLE_URG | TABLE_PRI | TABLE_REQUESTS | TABLE_TASKS;
    struct collecting c = {
        .wish = { .show = wanted_states(o),
                  .now_s = w->now_s,
                  .keep_job = (o->table & details) != 0 },
        .only = (!queue_choice_is_all(&o->choice)) ? view : NULL,
        .restricts_pending = restricts_pending(o),
    };
    c.stream =
        (struct job_stream){ .each = c.only != NULL ? collect_selected : collect_job, .ctx = &c };
    listing_init(&c.listing, w, o, view);
    c.listing.shows_all = c.only == NULL && (c.wish.show & SHOW_PENDING) != 0;
    int result = collect_and_show(w, o, &c, ans);
    if (c.listing.doc != NULL)
        doc_drop(c.listing.doc);
    job_rows_free(&c.listing.rows);
    request_memory_free(&c.requests);
    return result < 0 ? 1 : 0;
}

int qstat_queues(const struct qstat_world *w, const struct qstat_options *o, unsigned with,
                 struct queue_view *view, struct answer *ans)
{
    with |= VIEW_LINES | (o->wants_resources ? VIEW_RESOURCES : 0u);
    if (queue_view_get(&w->from, &o->choice, with, view, ans) < 0)
        return -1;
    if (resource_requests_check(&o->choice.resources, &view->complex, ans) == 0)
        return 0;
    queue_view_free(view);
    return -1;
}

int qstat_list(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    bool is_full = (o->table & TABLE_FULL) != 0;
    struct queue_view view = { 0 };
    if (is_full || !queue_choice_is_all(&o->choice)) {
        unsigned with = (is_full ? VIEW_HOSTS : 0u) | (restricts_pending(o) ? VIEW_JOBS : 0u);
        if (qstat_queues(w, o, with, &view, ans) < 0)
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

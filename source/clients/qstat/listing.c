/* Listings: lines in, a document out. Invariants: lines that run come before those that wait, and a
 * line is shown once. A line that begins to run while others are being shown comes where it is
 * found, among those that wait. If the answer ends early, the document does, too, and is not
 * whole. */
#include "clients/qstat/listing.h"

#include "clients/common/doc.h"
#include "libs/config/prior_weights.h"

enum { FLOW_ROWS = 4096 };

const struct doc_field qstat_schema = { .name = "xmlns:xsd",
                                        .only = DOC_XML,
                                        .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_kind root_kind = { .name = "job_info", .xml = { .has_blank = true } };
static const struct doc_kind queue_info = { .name = "queue_info", .json = "queues" };
static const struct doc_kind running_kind = { .name = "queue_info", .json = "running_jobs" };
static const struct doc_kind pending_kind = { .name = "job_info", .json = "pending_jobs" };

void listing_init(struct listing *l, const struct qstat_world *w, const struct qstat_options *o,
                  const struct queue_view *queues)
{
    *l = (struct listing){ .world = w,
                           .options = o,
                           .queues = queues,
                           .enough = FLOW_ROWS,
                           .weights = prior_weights_of(NULL),
                           .span = PRIOR_SPAN_EMPTY };
}

void listing_free(struct listing *l)
{
    if (l->doc != NULL)
        doc_drop(l->doc);
    job_rows_free(&l->rows);
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

static int show_ranked(struct listing *l, struct answer *ans)
{
    job_rows_rank(&l->rows, &l->weights, &l->span);
    return l->doc != NULL ? 0 : show_first(l, ans);
}

/* ---- as they come ---- */
void listing_hear(struct listing *l, const struct GA_Type *part)
{
    if (!cull_has(part, GA_is_ranked))
        return;
    l->is_ranked = part->GA_is_ranked && l->shows_all;
    l->weights = prior_weights_of(part->GA_confs.n > 0 ? &part->GA_confs.v[0] : NULL);
    if (l->is_ranked && part->GA_newest_s > 0)
        l->span = (struct prior_span){ part->GA_oldest_s, part->GA_newest_s };
}

/* Lines of jobs that are still to come rank behind those of the last one. */
static uint32_t settled_rows(const struct listing *l)
{
    uint32_t n = 0;
    while (n < l->rows.n && l->rows.v[n].job_number != l->last_number)
        n++;
    return n < l->rows.n ? n : 0;
}

/* The last running job may be followed by more of its tasks, so what a part says of it counts from
 * the next one on. */
int listing_flow(struct listing *l, const struct GA_Type *part, struct answer *ans)
{
    bool is_due = l->is_ranked && l->rest_waits && l->rows.n >= l->enough;
    l->rest_waits = l->rest_waits || part->GA_rest_waits;
    if (!is_due)
        return 0;
    if (l->doc == NULL)
        job_rows_span(&l->rows, &l->span);
    if (show_ranked(l, ans) < 0)
        return -1;
    show_others(l, settled_rows(l));
    l->enough = l->rows.n > FLOW_ROWS ? 2 * l->rows.n : FLOW_ROWS;
    return 0;
}

int listing_end(struct listing *l, struct answer *ans)
{
    if (l->doc == NULL) {
        l->span = (struct prior_span)PRIOR_SPAN_EMPTY;
        job_rows_span(&l->rows, &l->span);
    }
    if (show_ranked(l, ans) < 0)
        return -1;
    show_others(l, l->rows.n);
    struct doc *d = l->doc;
    l->doc = NULL;
    return doc_close(d, ans);
}

/* The full form (-f, -F, -explain): each queue instance with the tasks that run in it, then what
 * waits. */
#include <stdlib.h>

#include "clients/qstat/msg_qstat.h"
#include "clients/qstat/qstat.h"
#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/doc/doc.h"
#include "libs/show/job_table.h"
#include "libs/show/resources.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* The running rows, one for each queue instance of a task, in the order of queues: both are sorted
 * by name, so one walk over both meets every row once. */
struct placed_row {
    struct job_row row; /* borrows */
    uint32_t rank;
};
struct by_queue {
    struct placed_row *v;
    uint32_t n, cap, at;
};

static int by_queue_compare(const void *left, const void *right)
{
    const struct placed_row *a = left, *b = right;
    int order = strcmp(a->row.queue, b->row.queue);
    return order != 0 ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

static void by_queue_init(struct by_queue *q, const struct job_rows *rows)
{
    *q = (struct by_queue){ 0 };
    for (uint32_t i = 0; i < rows->n; i++) {
        const struct job_row *row = &rows->v[i];
        for (uint32_t k = 0; row->kind == ROW_RUNNING && k < job_row_places(row); k++) {
            struct job_row here = job_row_at(row, k);
            if (here.queue == NULL)
                continue;
            q->v = uti_vec_grow(q->v, &q->cap, q->n + 1, sizeof *q->v);
            q->v[q->n++] = (struct placed_row){ here, i };
        }
    }
    if (q->n > 1)
        qsort(q->v, q->n, sizeof *q->v, by_queue_compare);
}

/* The next row of queue NAME, or NULL; rows of queues that are not shown are passed over. */
static const struct job_row *by_queue_next(struct by_queue *q, const char *name)
{
    while (q->at < q->n && strcmp(q->v[q->at].row.queue, name) < 0)
        q->at++;
    if (q->at < q->n && strcmp(q->v[q->at].row.queue, name) == 0)
        return &q->v[q->at++].row;
    return NULL;
}

static bool load_of(const struct EH_Type *host, const char *name, double *out)
{
    const char *text = host != NULL ? host_load_value(host, name) : NULL;
    return text != NULL && parse_double(text, out);
}

static bool has_explanation(const struct qstat_options *o, const struct QU_Type *queue,
                            uint32_t state, char letter)
{
    return o->explain != NULL && (queue->QU_state & state) != 0 &&
           strchr(o->explain, letter) != NULL;
}

/* What -explain says of QUEUE; NULL: nothing. */
static const char *explanation_of(const struct qstat_options *o, const struct QU_Type *queue)
{
    bool has_message = queue->QU_message != NULL && queue->QU_message[0] != '\0';
    if (has_message &&
        (has_explanation(o, queue, QI_ERROR, 'E') || has_explanation(o, queue, QI_AMBIGUOUS, 'c')))
        return queue->QU_message;
    if (queue->QU_load_alarm != NULL && has_explanation(o, queue, QI_ALARM, 'a'))
        return queue->QU_load_alarm;
    if (queue->QU_suspend_alarm != NULL && has_explanation(o, queue, QI_SUSPEND_ALARM, 'A'))
        return queue->QU_suspend_alarm;
    return has_explanation(o, queue, QI_UNKNOWN, 'u') ? MSG_QUEUE_UNHEARD : NULL;
}

/* ---- the line of a queue instance ---- */
enum { XML_AND_JSON = DOC_XML | DOC_JSON };
static const struct doc_kind queue_kind = { .name = "Queue-List", .end = "\n" };
static const struct doc_field queue_name = { .name = "name",
                                             .text = { .width = -30, .most = 30, .after = " " } };
static const struct doc_field queue_type = { .name = "qtype",
                                             .text = { .width = -5, .most = 5, .after = " " } };
static const struct doc_field queue_all_slots = { .only = DOC_TEXT,
                                                  .text = { .width = -14, .after = " " } };
static const struct doc_field queue_used = { .name = "slots_used", .only = XML_AND_JSON };
static const struct doc_field queue_reserved = { .name = "slots_resv", .only = XML_AND_JSON };
static const struct doc_field queue_total = { .name = "slots_total", .only = XML_AND_JSON };
static const struct doc_field queue_load = { .name = "load_avg",
                                             .only = XML_AND_JSON,
                                             .xml = { .digits = 5 } };
static const struct doc_field queue_load_text = {
    .only = DOC_TEXT, .text = { .width = -8, .digits = 2, .after = " " }
};
static const struct doc_field queue_arch = { .name = "arch", .only = XML_AND_JSON };
static const struct doc_field queue_arch_text = {
    .only = DOC_TEXT, .text = { .width = -13, .most = 13, .after = " " }
};
static const struct doc_field queue_state = { .name = "state", .only = XML_AND_JSON };
static const struct doc_field queue_state_text = { .only = DOC_TEXT };
static const struct doc_field queue_message = { .name = "message", .only = XML_AND_JSON };

static void show_slots(struct doc *d, const struct QU_Type *queue)
{
    struct dstr all = DSTR_INIT;
    dstr_addf(&all, "%u/%u/%u", queue->QU_slots_reserved, queue->QU_slots_used,
              queue->QU_job_slots);
    doc_field(d, &queue_all_slots, doc_string(dstr_get(&all)));
    doc_field(d, &queue_used, doc_number(queue->QU_slots_used));
    doc_field(d, &queue_reserved, doc_number(queue->QU_slots_reserved));
    doc_field(d, &queue_total, doc_number(queue->QU_job_slots));
    dstr_free(&all);
}

/* What the host reports: a page has a word for what is not known, XML nothing. */
static void show_host(struct doc *d, const struct EH_Type *host, bool is_unknown)
{
    double load; /* of a host that does not report, the last one says nothing */
    const char *arch = host != NULL ? host_load_value(host, "arch") : NULL;
    bool has_load = !is_unknown && load_of(host, "load_avg", &load);
    doc_field(d, &queue_load_text, has_load ? doc_real(load) : doc_none("-NA-"));
    doc_field(d, &queue_load, has_load ? doc_real(load) : doc_none(NULL));
    doc_field(d, &queue_arch_text, doc_string(arch != NULL ? arch : "-NA-"));
    doc_field(d, &queue_arch, arch != NULL ? doc_string(arch) : doc_none(NULL));
}

static void show_queue(struct doc *d, const struct QU_Type *queue, const struct EH_Type *host,
                       const char *message)
{
    struct dstr text = DSTR_INIT;
    doc_field(d, &queue_name, doc_string(queue->QU_full_name));
    qinstance_type_text(queue, &text);
    doc_field(d, &queue_type, doc_string(dstr_get(&text)));
    show_slots(d, queue);
    show_host(d, host, (queue->QU_state & QI_UNKNOWN) != 0);
    dstr_clear(&text);
    qinstance_state_text(queue->QU_state, &text);
    doc_field(d, &queue_state_text, doc_string(dstr_get(&text)));
    doc_field(d, &queue_state, text.len > 0 ? doc_string(dstr_get(&text)) : doc_none(NULL));
    if (message != NULL)
        doc_field(d, &queue_message, doc_string(message));
    dstr_free(&text);
}

/* ---- -F ---- */
static const struct doc_kind resources_kind = { .json = "resources" };
static const struct doc_kind resource_kind = { .name = "resource", .end = "\n" };
static const struct doc_field resource_type_text = { .only = DOC_TEXT,
                                                     .text = { .before = "\t", .after = ":" } };
static const struct doc_field resource_name = { .name = "name",
                                                .text = { .after = "=" },
                                                .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_field resource_type = { .name = "type",
                                                .only = XML_AND_JSON,
                                                .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_field resource_value = { .name = "value", .xml = { .place = DOC_CONTENT } };

static void show_resources(struct doc *d, const struct qstat_options *o,
                           const struct queue_view *view, const struct QU_Type *queue)
{
    struct resources list = { 0 };
    struct offering what = { queue, queue_view_host(view, queue), queue_view_cell(view),
                             &view->complex };
    queue_resources(&what, &o->resources, &list);
    doc_list(d, &resources_kind);
    for (uint32_t i = 0; i < list.n; i++) {
        doc_begin(d, &resource_kind);
        doc_field(d, &resource_type_text, doc_string(list.v[i].dominance));
        doc_field(d, &resource_name, doc_string(list.v[i].name));
        doc_field(d, &resource_type, doc_string(list.v[i].dominance));
        doc_field(d, &resource_value, doc_string(list.v[i].value));
        doc_end(d);
    }
    doc_end(d);
    resources_free(&list);
}

/* ---- the whole ---- */
static void show_lines(FILE *page, const char *text)
{
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, "\n");
        (void)fprintf(page, "\t%.*s\n", (int)len, at);
        at += len;
        if (*at == '\0')
            return;
    }
}

static const struct doc_kind jobs_kind = { .json = "jobs" };

static void show_instance(struct doc *d, const struct qstat_options *o,
                          const struct queue_view *view, const struct QU_Type *queue,
                          struct by_queue *running)
{
    const char *why = explanation_of(o, queue);
    struct job_table table = job_table_of(d, o->table);
    doc_begin(d, &queue_kind);
    show_queue(d, queue, queue_view_host(view, queue), why);
    if (o->wants_resources)
        show_resources(d, o, view, queue);
    doc_list(d, &jobs_kind);
    if (why != NULL && doc_page(d) != NULL)
        show_lines(doc_page(d), why);
    for (const struct job_row *row; (row = by_queue_next(running, queue->QU_full_name)) != NULL;)
        job_table_row(&table, row);
    doc_end(d);
    doc_end(d);
}

void full_show(struct doc *d, const struct qstat_options *o, const struct queue_view *view,
               const struct job_rows *rows)
{
    struct by_queue running;
    FILE *page = doc_page(d);
    bool has_head = false;
    by_queue_init(&running, rows);
    for (uint32_t i = 0; i < view->n; i++) {
        const struct QU_Type *queue = view->v[i];
        if (o->hides_empty && queue->QU_slots_used == 0)
            continue;
        if (page != NULL && !has_head)
            (void)fputs(
                "queuename                      qtype resv/used/tot. load_avg arch          "
                "states\n",
                page);
        has_head = true;
        if (page != NULL)
            job_table_bar(page, '-', full_bar_width(o->table));
        show_instance(d, o, view, queue, &running);
    }
    free(running.v);
}

void full_heading(FILE *page, const struct qstat_options *o, enum row_kind kind)
{
    (void)fputc('\n', page);
    job_table_bar(page, '#', full_block_width(o->table));
    (void)fputs(
        kind == ROW_FINISHED
            ? " - FINISHED JOBS - FINISHED JOBS - FINISHED JOBS - FINISHED JOBS - FINISHED "
              "JOBS\n"
            : " - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS\n",
        page);
    job_table_bar(page, '#', full_block_width(o->table));
}

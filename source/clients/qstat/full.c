/* The full form (-f, -F, -explain): each queue instance with the tasks that run in it, then what
 * waits. */
#include <stdlib.h>

#include "clients/common/msg_clients.h"
#include "clients/qstat/qstat.h"
#include "libs/config/qinstance.h"
#include "libs/doc/doc.h"
#include "libs/show/job_table.h"
#include "libs/show/queue_table.h"
#include "libs/show/resources.h"

/* The running rows, one for each queue instance of a task, sorted by the name of that and as they
 * came. Queues are looked up, since they come by their sequence numbers. */
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

/* the rows of queue NAME are the next */
static void by_queue_find(struct by_queue *q, const char *name)
{
    uint32_t low = 0, high = q->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(q->v[middle].row.queue, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    q->at = low;
}

/* The next row of queue NAME, or NULL. */
static const struct job_row *by_queue_next(struct by_queue *q, const char *name)
{
    if (q->at < q->n && strcmp(q->v[q->at].row.queue, name) == 0)
        return &q->v[q->at++].row;
    return NULL;
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
    if (queue->QU_calendar_state != NULL && (has_explanation(o, queue, QI_CAL_DISABLED, 'D') ||
                                             has_explanation(o, queue, QI_CAL_SUSPENDED, 'C')))
        return queue->QU_calendar_state;
    if (queue->QU_subordinated != NULL && has_explanation(o, queue, QI_SUBORDINATED, 'S'))
        return queue->QU_subordinated;
    return has_explanation(o, queue, QI_UNKNOWN, 'u') ? MSG_QUEUE_UNHEARD : NULL;
}

static void show_resources(struct doc *d, const struct qstat_options *o,
                           const struct queue_view *view, const struct QU_Type *queue)
{
    struct resources list = { 0 };
    struct offering what = queue_view_offering(view, queue);
    queue_resources(&what, &o->resources, &list);
    resources_show(d, RESOURCES_OF_QUEUE, &list);
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
    queue_line_begin(d, QUEUE_IN_LIST,
                     &(struct queue_line){ queue, queue_view_host(view, queue), why });
    if (o->wants_resources)
        show_resources(d, o, view, queue);
    doc_list(d, &jobs_kind);
    if (why != NULL && doc_page(d) != NULL)
        show_lines(doc_page(d), why);
    by_queue_find(running, queue->QU_full_name);
    for (const struct job_row *row; (row = by_queue_next(running, queue->QU_full_name)) != NULL;)
        job_table_row(&table, row);
    doc_end(d);
    doc_end(d);
}

/* by sequence number, and where that is the same as they were, by name */
static int place_compare(const void *left, const void *right)
{
    const struct QU_Type *const *a = left, *const *b = right;
    if ((*a)->QU_seq_no != (*b)->QU_seq_no)
        return (*a)->QU_seq_no < (*b)->QU_seq_no ? -1 : 1;
    return strcmp((*a)->QU_full_name, (*b)->QU_full_name);
}

/* the instances of VIEW in the order of the page; new: free() */
static const struct QU_Type **in_order(const struct queue_view *view)
{
    const struct QU_Type **v = uti_calloc((size_t)view->n + 1, sizeof *v);
    for (uint32_t i = 0; i < view->n; i++)
        v[i] = view->v[i];
    qsort(v, view->n, sizeof *v, place_compare);
    return v;
}

void full_show(struct doc *d, const struct qstat_options *o, const struct queue_view *view,
               const struct job_rows *rows)
{
    struct by_queue running;
    FILE *page = doc_page(d);
    bool has_head = false;
    const struct QU_Type **queues = in_order(view);
    by_queue_init(&running, rows);
    for (uint32_t i = 0; i < view->n; i++) {
        const struct QU_Type *queue = queues[i];
        if (o->hides_empty && queue->QU_slots_used == 0)
            continue;
        if (page != NULL && !has_head)
            queue_list_head(page);
        has_head = true;
        if (page != NULL)
            job_table_bar(page, '-', full_bar_width(o->table));
        show_instance(d, o, view, queue, &running);
    }
    free(queues);
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

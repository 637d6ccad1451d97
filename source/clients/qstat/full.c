/* The full form (-f, -F, -explain): each queue instance with the tasks that run in it, then what waits. */
#include <stdlib.h>

#include "clients/common/job_row_xml.h"
#include "clients/common/job_table.h"
#include "clients/common/load.h"
#include "clients/common/xml.h"
#include "clients/qstat/msg_qstat.h"
#include "clients/qstat/qstat.h"
#include "libs/sgeobj/host.h"
#include "libs/sgeobj/qinstance.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* The running rows in the order of queues: both are sorted by name, so one walk over both meets every row once. */
struct by_queue {
    const struct job_row **v;
    uint32_t n, at;
};

static int by_queue_compare(const void *left, const void *right)
{
    const struct job_row *a = *(const struct job_row *const *)left,
                         *b = *(const struct job_row *const *)right;
    int order = strcmp(a->queue != NULL ? a->queue : "", b->queue != NULL ? b->queue : "");
    return order != 0 ? order : (a > b) - (a < b); /* rows lie in one vector, ranked */
}

static void by_queue_init(struct by_queue *q, const struct job_rows *rows)
{
    *q = (struct by_queue){ .v = uti_calloc(rows->n > 0 ? rows->n : 1, sizeof *q->v) };
    for (uint32_t i = 0; i < rows->n; i++) {
        if (rows->v[i].kind == ROW_RUNNING && rows->v[i].queue != NULL)
            q->v[q->n++] = &rows->v[i];
    }
    if (q->n > 1)
        qsort(q->v, q->n, sizeof *q->v, by_queue_compare);
}

/* The next row of queue NAME, or NULL; rows of queues that are not shown are passed over. */
static const struct job_row *by_queue_next(struct by_queue *q, const char *name)
{
    while (q->at < q->n && strcmp(q->v[q->at]->queue, name) < 0)
        q->at++;
    if (q->at < q->n && strcmp(q->v[q->at]->queue, name) == 0)
        return q->v[q->at++];
    return NULL;
}

static bool load_of(const struct EH_Type *host, const char *name, double *out)
{
    const char *text = host != NULL ? host_load_value(host, name) : NULL;
    return text != NULL && parse_double(text, out);
}

static const char *arch_of(const struct EH_Type *host)
{
    const char *arch = host != NULL ? host_load_value(host, "arch") : NULL;
    return arch != NULL ? arch : "-NA-";
}

static void put_queue_line(FILE *out, const struct QU_Type *queue, const struct EH_Type *host)
{
    struct dstr text = DSTR_INIT;
    double load;
    fprintf(out, "%-30.30s ", queue->QU_full_name);
    qinstance_type_text(queue, &text);
    fprintf(out, "%-5.5s ", dstr_get(&text));
    dstr_clear(&text);
    dstr_addf(&text, "%u/%u/%u", queue->QU_slots_reserved, queue->QU_slots_used,
              queue->QU_job_slots);
    fprintf(out, "%-14s ", dstr_get(&text));
    dstr_clear(&text);
    if (load_of(host, "load_avg", &load))
        dstr_addf(&text, "%.2f", load);
    else
        dstr_add(&text, "-NA-");
    fprintf(out, "%-8s %-13.13s ", dstr_get(&text), arch_of(host));
    dstr_clear(&text);
    qinstance_state_text(queue->QU_state, &text);
    fprintf(out, "%s\n", dstr_get(&text));
    dstr_free(&text);
}

static bool explains(const struct qstat_options *o, const struct QU_Type *queue, uint32_t state,
                     char letter)
{
    return o->explain != NULL && (queue->QU_state & state) != 0 &&
           strchr(o->explain, letter) != NULL;
}

/* What -explain says of QUEUE; NULL: nothing. */
static const char *explanation(const struct qstat_options *o, const struct QU_Type *queue)
{
    bool has_message = queue->QU_message != NULL && queue->QU_message[0] != '\0';
    if (has_message && (explains(o, queue, QI_ERROR, 'E') || explains(o, queue, QI_AMBIGUOUS, 'c')))
        return queue->QU_message;
    return explains(o, queue, QI_UNKNOWN, 'u') ? MSG_QUEUE_UNHEARD : NULL;
}

static void put_resources(FILE *out, const struct qstat_options *o, const struct QU_Type *queue,
                          const struct EH_Type *host)
{
    struct resources list = { 0 };
    queue_resources(queue, host, o->resources, &list);
    for (uint32_t i = 0; i < list.n; i++)
        fprintf(out, "\t%s:%s=%s\n", list.v[i].dominance, list.v[i].name, list.v[i].value);
    resources_free(&list);
}

static void put_waiting(const struct qstat_world *w, const struct qstat_options *o,
                        const struct job_rows *rows, enum row_kind kind, const char *title)
{
    bool has_title = false;
    for (uint32_t i = 0; i < rows->n; i++) {
        if (rows->v[i].kind != kind)
            continue;
        if (!has_title) {
            fputc('\n', w->out);
            job_table_bar(w->out, '#', full_block_width(o->table));
            fputs(title, w->out);
            job_table_bar(w->out, '#', full_block_width(o->table));
            has_title = true;
        }
        job_table_row(w->out, o->table, &rows->v[i]);
    }
}

void full_text(const struct qstat_world *w, const struct qstat_options *o,
               const struct queue_view *view, const struct job_rows *rows)
{
    struct by_queue running;
    by_queue_init(&running, rows);
    bool has_head = false;
    for (uint32_t i = 0; i < view->n; i++) {
        const struct QU_Type *queue = view->v[i];
        const struct EH_Type *host = queue_view_host(view, queue);
        if (o->hides_empty && queue->QU_slots_used == 0)
            continue;
        if (!has_head)
            fputs("queuename                      qtype resv/used/tot. load_avg arch          "
                  "states\n",
                  w->out);
        has_head = true;
        job_table_bar(w->out, '-', full_bar_width(o->table));
        put_queue_line(w->out, queue, host);
        if (o->wants_resources)
            put_resources(w->out, o, queue, host);
        const char *why = explanation(o, queue);
        if (why != NULL)
            fprintf(w->out, "\t%s\n", why);
        for (const struct job_row *row;
             (row = by_queue_next(&running, queue->QU_full_name)) != NULL;)
            job_table_row(w->out, o->table, row);
    }
    free(running.v);
    put_waiting(w, o, rows, ROW_PENDING,
                " - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS\n");
    put_waiting(
        w, o, rows, ROW_FINISHED,
        " - FINISHED JOBS - FINISHED JOBS - FINISHED JOBS - FINISHED JOBS - FINISHED JOBS\n");
}

static void queue_xml(struct xml *x, const struct qstat_options *o, const struct QU_Type *queue,
                      const struct EH_Type *host)
{
    struct dstr text = DSTR_INIT;
    double load;
    xml_element(x, "name", queue->QU_full_name);
    qinstance_type_text(queue, &text);
    xml_element(x, "qtype", dstr_get(&text));
    xml_elementf(x, "slots_used", "%u", queue->QU_slots_used);
    xml_elementf(x, "slots_resv", "%u", queue->QU_slots_reserved);
    xml_elementf(x, "slots_total", "%u", queue->QU_job_slots);
    if (load_of(host, "load_avg", &load))
        xml_elementf(x, "load_avg", "%.5f", load);
    if (host != NULL && host_load_value(host, "arch") != NULL)
        xml_element(x, "arch", arch_of(host));
    dstr_clear(&text);
    qinstance_state_text(queue->QU_state, &text);
    if (text.len > 0)
        xml_element(x, "state", dstr_get(&text));
    const char *why = explanation(o, queue);
    if (why != NULL)
        xml_element(x, "message", why);
    dstr_free(&text);
}

static void resources_xml(struct xml *x, const struct qstat_options *o, const struct QU_Type *queue,
                          const struct EH_Type *host)
{
    struct resources list = { 0 };
    queue_resources(queue, host, o->resources, &list);
    for (uint32_t i = 0; i < list.n; i++) {
        xml_start(x, "resource");
        xml_attribute(x, "name", list.v[i].name, '"');
        xml_attribute(x, "type", list.v[i].dominance, '"');
        xml_text(x, list.v[i].value);
        xml_end(x);
    }
    resources_free(&list);
}

void full_xml(struct xml *x, const struct qstat_options *o, const struct queue_view *view,
              const struct job_rows *rows)
{
    struct by_queue running;
    by_queue_init(&running, rows);
    for (uint32_t i = 0; i < view->n; i++) {
        const struct QU_Type *queue = view->v[i];
        const struct EH_Type *host = queue_view_host(view, queue);
        if (o->hides_empty && queue->QU_slots_used == 0)
            continue;
        xml_start(x, "Queue-List");
        queue_xml(x, o, queue, host);
        if (o->wants_resources)
            resources_xml(x, o, queue, host);
        for (const struct job_row *row;
             (row = by_queue_next(&running, queue->QU_full_name)) != NULL;)
            job_row_xml(x, o->table, row);
        xml_end(x);
    }
    free(running.v);
}

/* What qhost says of a host: its figures, its resources, its queues and the tasks that run on it.
 * Widths of the page, and white space and quotes of the XML, are as programs have seen them.
 * Source: qhost(1), schemas/qhost.*. */
#include <string.h>

#include "clients/qhost/qhost.h"
#include "common/basis.h"
#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/config/quantity.h"
#include "libs/doc/doc.h"
#include "libs/show/job_table.h"
#include "libs/show/resources.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* append VALUE for qhost's columns: memory "23.5G" and load "12.21"; "-" if NULL */
static void load_short_memory(const char *value, struct dstr *out)
{
    uint64_t bytes;
    if (value != NULL && quantity_memory_parse(value, &bytes))
        quantity_add_memory((double)bytes, 1, out);
    else
        dstr_addc(out, '-');
}

static void load_short_number(const char *value, struct dstr *out)
{
    double number;
    if (value != NULL && parse_double(value, &number))
        dstr_addf(out, "%.2f", number);
    else
        dstr_addc(out, '-');
}

#define QHOST_SCHEMA                                                                               \
    "http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qhost/qhost.xsd"

enum { XML_AND_JSON = DOC_XML | DOC_JSON };

static const struct doc_kind root_kind = { .name = "qhost", .xml = { .space = "\n" } };
static const struct doc_field schema_field = { .name = "xmlns:xsd",
                                               .only = DOC_XML,
                                               .xml = { .place = DOC_ATTRIBUTE } };

/* ---- the line of a host ---- */
static const struct doc_kind hosts_kind = { .json = "hosts" };
static const struct doc_kind host_kind = {
    .name = "host", .end = "\n", .xml = { .space = "\n ", .quote = '\'', .value = "hostvalue" }
};
static const struct doc_field host_name = { .name = "name",
                                            .text = { .width = -23 },
                                            .xml = { .place = DOC_ATTRIBUTE } };

#define COLUMN(width_)                                                                             \
    {                                                                                              \
        .before = " ", .width = width_                                                             \
    }
enum figure { WORD, COUNT, LOAD, MEMORY };
static const struct host_figure {
    struct doc_field field;
    const char *load; /* the load value that it is */
    enum figure figure;
    bool is_topology; /* -ncb leaves it out */
    bool is_passing;  /* a host that is not heard of has none */
} figures[] = {
    { { .name = "arch_string", .text = COLUMN(-12) }, "arch", WORD, false, false },
    { { .name = "num_proc", .text = COLUMN(4) }, "num_proc", COUNT, false, false },
    { { .name = "m_socket", .text = COLUMN(4) }, "m_socket", COUNT, true, false },
    { { .name = "m_core", .text = COLUMN(4) }, "m_core", COUNT, true, false },
    { { .name = "m_thread", .text = COLUMN(4) }, "m_thread", COUNT, true, false },
    { { .name = "load_avg", .text = COLUMN(5) }, "load_avg", LOAD, false, true },
    { { .name = "mem_total", .text = COLUMN(7) }, "mem_total", MEMORY, false, false },
    { { .name = "mem_used", .text = COLUMN(7) }, "mem_used", MEMORY, false, true },
    { { .name = "swap_total", .text = COLUMN(7) }, "swap_total", MEMORY, false, false },
    { { .name = "swap_used", .text = COLUMN(7) }, "swap_used", MEMORY, false, true },
};

static const char *reported_figure(const struct EH_Type *host, const struct host_figure *f)
{
    bool is_silent = host != NULL && cull_has(host, EH_is_connected) && !host->EH_is_connected;
    return host == NULL || (is_silent && f->is_passing) ? NULL : host_load_value(host, f->load);
}

/* A count, the bytes of a memory, the load: a number for programs. SHORTENED, for people, is
 * filled. */
static struct doc_value figure_value(enum figure figure, const char *value, struct dstr *shortened)
{
    uint64_t bytes;
    uint32_t count;
    double load;
    if (figure == LOAD)
        load_short_number(value, shortened);
    else if (figure == MEMORY)
        load_short_memory(value, shortened);
    else
        dstr_add(shortened, value != NULL ? value : "-");
    if (value == NULL)
        return doc_none(NULL);
    if (figure == LOAD && parse_double(value, &load))
        return doc_real(load);
    if (figure == MEMORY && quantity_memory_parse(value, &bytes))
        return doc_number(bytes);
    if (figure == COUNT && parse_u32(value, &count))
        return doc_number(count);
    return figure == WORD ? doc_string(value) : doc_none(NULL);
}

static void put_figures(struct doc *d, const struct qhost_options *o, const struct host_view *view)
{
    struct dstr shortened = DSTR_INIT;
    doc_field(d, &host_name, doc_string(view->name));
    for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
        if (o->hides_topology && figures[i].is_topology)
            continue;
        dstr_clear(&shortened);
        const char *value = reported_figure(view->host, &figures[i]);
        struct doc_value shown = figure_value(figures[i].figure, value, &shortened);
        doc_field(d, &figures[i].field, doc_shown(shown, dstr_get(&shortened)));
    }
    dstr_free(&shortened);
}

/* ---- -F: a line for each resource, or one line for those that are named ---- */
static const struct doc_kind resources_kind = { .json = "resources" };
static const struct doc_kind resource_kinds[] = {
    { .name = "resourcevalue", .end = "\n", .xml = { .space = "\n   ", .quote = '\'' } },
    { .name = "resourcevalue", .xml = { .space = "\n   ", .quote = '\'' } },
};
static const struct doc_field resource_dominances[] = {
    { .name = "dominance", .only = DOC_TEXT, .text = { .before = "   ", .after = ":" } },
    { .name = "dominance", .only = DOC_TEXT, .text = { .before = " ", .after = ":" } },
};
static const struct doc_field resource_name = { .name = "name",
                                                .text = { .after = "=" },
                                                .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_field resource_dominance = { .name = "dominance",
                                                     .only = XML_AND_JSON,
                                                     .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_field resource_value = { .name = "value", .xml = { .place = DOC_CONTENT } };

static void put_resource(struct doc *d, const struct resource *r, bool is_named)
{
    doc_begin(d, &resource_kinds[is_named]);
    doc_field(d, &resource_dominances[is_named], doc_string(r->dominance));
    doc_field(d, &resource_name, doc_string(r->name));
    doc_field(d, &resource_dominance, doc_string(r->dominance));
    doc_field(d, &resource_value, doc_string(r->value));
    doc_end(d);
}

static void put_resources(struct doc *d, const struct qhost_options *o,
                          const struct host_view *view)
{
    struct resources list = { 0 };
    bool is_named = o->resources.n > 0;
    struct offering what = { NULL, view->host, view->cell, view->complex };
    host_resources(&what, &o->resources, &list);
    doc_list(d, &resources_kind);
    FILE *line = is_named && list.n > 0 ? doc_page(d) : NULL;
    if (line != NULL)
        (void)fputs("    Host Resource(s):     ", line);
    for (uint32_t i = 0; i < list.n; i++)
        put_resource(d, &list.v[i], is_named);
    if (line != NULL)
        (void)fputc('\n', line);
    doc_end(d);
    resources_free(&list);
}

/* ---- -j ---- */
static const struct doc_kind jobs_kind = { .json = "jobs" };
/* without -q: all tasks of the host, under a heading of their own */
static void put_rows(struct doc *d, const struct host_view *view)
{
    const struct job_table table = job_table_of(d, TABLE_HOST | TABLE_MASTER);
    doc_list(d, &jobs_kind);
    if (view->n_rows > 0 && doc_page(d) != NULL)
        job_table_head(doc_page(d), table.options);
    for (uint32_t i = 0; i < view->n_rows; i++)
        job_table_row(&table, &view->rows[i]);
    doc_end(d);
}

/* ---- -q ---- */
static const struct doc_kind queues_kind = { .json = "queues" };
static const struct doc_kind queue_kind = { .name = "queue",
                                            .end = "\n",
                                            .xml = { .is_flat = true,
                                                     .space = "\n ",
                                                     .quote = '\'',
                                                     .value = "queuevalue",
                                                     .owner = "qname" } };
static const struct doc_field queue_name = {
    .name = "name",
    .text = { .before = "   ", .width = -20, .after = " " },
    .xml = { .place = DOC_ATTRIBUTE }
};
static const struct doc_field queue_type = { .name = "qtype_string",
                                             .text = { .width = -5, .after = " " } };
static const struct doc_field queue_all_slots = { .only = DOC_TEXT,
                                                  .text = { .width = -13, .after = " " } };
static const struct doc_field queue_used = { .name = "slots_used", .only = XML_AND_JSON };
static const struct doc_field queue_slots = { .name = "slots", .only = XML_AND_JSON };
static const struct doc_field queue_reserved = { .name = "slots_resv", .only = XML_AND_JSON };
static const struct doc_field queue_state = { .name = "state_string" };

static void put_queue_line(struct doc *d, const struct QU_Type *queue)
{
    struct dstr text = DSTR_INIT;
    doc_field(d, &queue_name, doc_string(queue->QU_qname));
    qinstance_type_text(queue, &text);
    doc_field(d, &queue_type, doc_string(dstr_get(&text)));
    dstr_clear(&text);
    dstr_addf(&text, "%u/%u/%u", queue->QU_slots_reserved, queue->QU_slots_used,
              queue->QU_job_slots);
    doc_field(d, &queue_all_slots, doc_string(dstr_get(&text)));
    doc_field(d, &queue_used, doc_number(queue->QU_slots_used));
    doc_field(d, &queue_slots, doc_number(queue->QU_job_slots));
    doc_field(d, &queue_reserved, doc_number(queue->QU_slots_reserved));
    dstr_clear(&text);
    qinstance_state_text(queue->QU_state, &text);
    doc_field(d, &queue_state, doc_string(dstr_get(&text)));
    dstr_free(&text);
}

static void put_queue(struct doc *d, const struct qhost_options *o, const struct host_view *view,
                      const struct QU_Type *queue)
{
    doc_begin(d, &queue_kind);
    put_queue_line(d, queue);
    if (o->wants_jobs) {
        const struct job_table table = job_table_of(d, TABLE_HOST | TABLE_MASTER | TABLE_FULL);
        doc_list(d, &jobs_kind);
        for (uint32_t i = 0; i < view->n_rows; i++)
            if (strcmp(view->rows[i].queue, queue->QU_full_name) == 0)
                job_table_row(&table, &view->rows[i]);
        doc_end(d);
    }
    doc_end(d);
}

/* ---- the whole ---- */
void qhost_show_head(struct doc *d, const struct qhost_options *o)
{
    doc_begin(d, &root_kind);
    doc_field(d, &schema_field, doc_string(QHOST_SCHEMA));
    doc_list(d, &hosts_kind);
    FILE *page = doc_page(d);
    if (page == NULL)
        return;
    (void)fprintf(
        page, "HOSTNAME                ARCH         NCPU %s LOAD  MEMTOT  MEMUSE  SWAPTO  SWAPUS\n",
        o->hides_topology ? "" : "NSOC NCOR NTHR ");
    job_table_bar(page, '-', o->hides_topology ? 79 : 94);
}

void qhost_show(struct doc *d, const struct qhost_options *o, const struct host_view *view)
{
    doc_begin(d, &host_kind);
    put_figures(d, o, view);
    if (o->wants_resources)
        put_resources(d, o, view);
    if (o->wants_queues) {
        doc_list(d, &queues_kind);
        for (uint32_t i = 0; i < view->n_queues; i++)
            put_queue(d, o, view, view->queues[i]);
        doc_end(d);
    } else if (o->wants_jobs) {
        put_rows(d, view);
    }
    doc_end(d);
}

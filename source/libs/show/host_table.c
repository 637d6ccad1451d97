/* What is shown of a host: its figures, its resources, its queues and the tasks that run on it.
 * Widths of the page, and white space and quotes of the XML, are captured behaviour.
 * Source: qhost(1), schemas/qhost.*. */
#include "libs/show/host_table.h"

#include <string.h>

#include "common/basis.h"
#include "libs/config/host.h"
#include "libs/config/quantity.h"
#include "libs/show/job_table.h"
#include "libs/show/queue_table.h"
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

static void put_figures(const struct host_table *t, const struct host_line *line)
{
    struct doc *d = t->doc;
    bool hides_topology = (t->options & HOSTS_NO_TOPOLOGY) != 0;
    struct dstr shortened = DSTR_INIT;
    doc_field(d, &host_name, doc_string(line->name));
    for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
        if (hides_topology && figures[i].is_topology)
            continue;
        dstr_clear(&shortened);
        const char *value = reported_figure(line->host, &figures[i]);
        struct doc_value shown = figure_value(figures[i].figure, value, &shortened);
        doc_field(d, &figures[i].field, doc_shown(shown, dstr_get(&shortened)));
    }
    dstr_free(&shortened);
}

/* ---- -F ---- */
static void put_resources(const struct host_table *t, const struct host_line *line)
{
    struct resources list = { 0 };
    struct offering what = { NULL, line->host, line->cell, line->complex };
    host_resources(&what, t->resources, &list);
    resources_show(t->doc, t->resources->n > 0 ? RESOURCES_OF_HOST_NAMED : RESOURCES_OF_HOST,
                   &list);
    resources_free(&list);
}

/* ---- -j ---- */
static const struct doc_kind jobs_kind = { .json = "jobs" };
/* without -q: all tasks of the host, under a heading of their own */
static void put_rows(const struct host_table *t, const struct host_line *line)
{
    const struct job_table table = job_table_of(t->doc, TABLE_HOST | TABLE_MASTER);
    doc_list(t->doc, &jobs_kind);
    if (line->n_rows > 0 && doc_page(t->doc) != NULL)
        job_table_head(doc_page(t->doc), table.options);
    for (uint32_t i = 0; i < line->n_rows; i++)
        job_table_row(&table, &line->rows[i]);
    doc_end(t->doc);
}

/* ---- -q ---- */
static const struct doc_kind queues_kind = { .json = "queues" };

static void put_queue(const struct host_table *t, const struct host_line *line,
                      const struct QU_Type *queue)
{
    queue_line_begin(t->doc, QUEUE_BELOW_HOST, &(struct queue_line){ .queue = queue });
    if ((t->options & HOSTS_JOBS) != 0) {
        const struct job_table table = job_table_of(t->doc, TABLE_HOST | TABLE_MASTER | TABLE_FULL);
        doc_list(t->doc, &jobs_kind);
        for (uint32_t i = 0; i < line->n_rows; i++)
            if (strcmp(line->rows[i].queue, queue->QU_full_name) == 0)
                job_table_row(&table, &line->rows[i]);
        doc_end(t->doc);
    }
    doc_end(t->doc);
}

static void put_queues(const struct host_table *t, const struct host_line *line)
{
    doc_list(t->doc, &queues_kind);
    for (uint32_t i = 0; i < line->n_queues; i++)
        put_queue(t, line, line->queues[i]);
    doc_end(t->doc);
}

/* ---- the whole ---- */
void host_table_begin(const struct host_table *t)
{
    bool hides_topology = (t->options & HOSTS_NO_TOPOLOGY) != 0;
    doc_begin(t->doc, &root_kind);
    doc_field(t->doc, &schema_field, doc_string(QHOST_SCHEMA));
    doc_list(t->doc, &hosts_kind);
    FILE *page = doc_page(t->doc);
    if (page == NULL)
        return;
    (void)fprintf(
        page, "HOSTNAME                ARCH         NCPU %s LOAD  MEMTOT  MEMUSE  SWAPTO  SWAPUS\n",
        hides_topology ? "" : "NSOC NCOR NTHR ");
    job_table_bar(page, '-', hides_topology ? 79 : 94);
}

void host_table_line(const struct host_table *t, const struct host_line *line)
{
    doc_begin(t->doc, &host_kind);
    put_figures(t, line);
    if ((t->options & HOSTS_RESOURCES) != 0)
        put_resources(t, line);
    if ((t->options & HOSTS_QUEUES) != 0)
        put_queues(t, line);
    else if ((t->options & HOSTS_JOBS) != 0)
        put_rows(t, line);
    doc_end(t->doc);
}

/* -g c: one line for each cluster queue, sums over its instances. */
#include "clients/common/doc.h"
#include "clients/common/job_table.h"
#include "clients/qstat/qstat.h"
#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/uti/parse.h"

enum {
    GONE_FOR_A_WHILE = QI_ALARM | QI_ORPHANED | QI_SUSPEND_ALARM | QI_CAL_SUSPENDED |
                       QI_CAL_DISABLED | QI_SUBORDINATED,
    NEEDS_SOMEBODY = QI_AMBIGUOUS | QI_DISABLED | QI_SUSPENDED | QI_UNKNOWN | QI_ERROR
};

/* the columns of -ext: slots in queue instances in each state */
static const struct state_column {
    const char *letter;
    const char *element; /* in XML */
    uint32_t state;
} columns[] = {
    { "s", "suspend_manual", QI_SUSPENDED },
    { "A", "suspend_threshold", QI_SUSPEND_ALARM },
    { "S", "suspend_on_subordinate", QI_SUBORDINATED },
    { "C", "suspend_calendar", QI_CAL_SUSPENDED },
    { "u", "unknown", QI_UNKNOWN },
    { "a", "load_alarm", QI_ALARM },
    { "d", "disabled_manual", QI_DISABLED },
    { "D", "disabled_calendar", QI_CAL_DISABLED },
    { "c", "ambiguous", QI_AMBIGUOUS },
    { "o", "orphaned", QI_ORPHANED },
    { "E", "error", QI_ERROR },
};

struct totals {
    const char *name;
    double load;
    uint32_t loads, used, reserved, available, total, temporarily, manually;
    uint32_t in_state[ARRAY_LEN(columns)];
};

static void add_instance(struct totals *t, const struct queue_view *view,
                         const struct QU_Type *queue)
{
    const struct EH_Type *host = queue_view_host(view, queue);
    const char *text = host != NULL ? host_load_value(host, "np_load_avg") : NULL;
    double load;
    bool is_silent = (queue->QU_state & QI_UNKNOWN) != 0;
    if (!is_silent && text != NULL && parse_double(text, &load)) {
        t->load += load;
        t->loads++;
    }
    t->used += queue->QU_slots_used;
    t->reserved += queue->QU_slots_reserved;
    t->total += queue->QU_job_slots;
    if ((queue->QU_state & GONE_FOR_A_WHILE) != 0)
        t->temporarily += queue->QU_job_slots;
    if ((queue->QU_state & NEEDS_SOMEBODY) != 0)
        t->manually += queue->QU_job_slots;
    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        if ((queue->QU_state & columns[i].state) != 0)
            t->in_state[i] += queue->QU_job_slots;
    if ((queue->QU_state & QI_BLOCKING) == 0 && queue->QU_job_slots > queue->QU_slots_used)
        t->available += queue->QU_job_slots - queue->QU_slots_used;
}

static void put_head(FILE *out, bool is_extended)
{
    fputs("CLUSTER QUEUE                   CQLOAD   USED    RES  AVAIL  TOTAL aoACDS  cdsuE  ",
          out);
    for (size_t i = 0; is_extended && i < ARRAY_LEN(columns); i++)
        fprintf(out, "%5s ", columns[i].letter);
    fputc('\n', out);
    job_table_bar(out, '-', is_extended ? 80 + 6 * (unsigned)ARRAY_LEN(columns) : 80);
}

enum { XML_AND_JSON = DOC_XML | DOC_JSON };
static const struct doc_kind root_kind = { .name = "job_info", .xml = { .has_blank = true } };
static const struct doc_kind queues_kind = { .json = "cluster_queues" };
static const struct doc_kind summary_kind = { .name = "cluster_queue_summary", .end = "\n" };
static const struct doc_field queue_name = { .name = "name",
                                             .text = { .width = -30, .most = 30, .after = " " } };
static const struct doc_field queue_load = { .name = "load",
                                             .only = XML_AND_JSON,
                                             .xml = { .digits = 5 } };
static const struct doc_field queue_load_text = {
    .only = DOC_TEXT, .text = { .width = 7, .digits = 2, .after = " " }
};

#define COUNT(name_, member)                                                                       \
    {                                                                                              \
        { .name = name_, .text = { .width = 6, .after = " " } }, offsetof(struct totals, member)   \
    }
static const struct count {
    struct doc_field field;
    size_t at;
} counts[] = {
    COUNT("used", used),
    COUNT("resv", reserved),
    COUNT("available", available),
    COUNT("total", total),
    COUNT("temp_disabled", temporarily),
    COUNT("manual_intervention", manually),
};

static void show_totals(struct doc *d, const struct totals *t, bool is_extended)
{
    struct doc_value load = t->loads > 0 ? doc_real(t->load / t->loads) : doc_none(NULL);
    doc_begin(d, &summary_kind);
    doc_field(d, &queue_name, doc_string(t->name));
    doc_field(d, &queue_load, load);
    doc_field(d, &queue_load_text, t->loads > 0 ? load : doc_none(" -NA- "));
    for (size_t i = 0; i < ARRAY_LEN(counts); i++)
        doc_field(d, &counts[i].field,
                  doc_number(*(const uint32_t *)((const char *)t + counts[i].at)));
    for (size_t i = 0; is_extended && i < ARRAY_LEN(columns); i++) {
        const struct doc_field field = { .name = columns[i].element,
                                         .text = { .width = 5, .after = " " } };
        doc_field(d, &field, doc_number(t->in_state[i]));
    }
    doc_end(d);
}

/* Instances are sorted by name, so those of one cluster queue follow each other. */
static void show_queues(struct doc *d, const struct queue_view *view, bool is_extended)
{
    for (uint32_t i = 0; i < view->n;) {
        struct totals t = { .name = view->v[i]->QU_qname != NULL ? view->v[i]->QU_qname : "" };
        for (; i < view->n && view->v[i]->QU_qname != NULL &&
               strcmp(view->v[i]->QU_qname, t.name) == 0;
             i++)
            add_instance(&t, view, view->v[i]);
        show_totals(d, &t, is_extended);
        if (t.name[0] == '\0')
            i++;
    }
}

int qstat_summary(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    struct queue_view view;
    bool is_extended = (o->table & TABLE_EXT) != 0;
    if (queue_view_get(w, o, VIEW_HOSTS, &view, ans) < 0)
        return 1;
    struct doc *d = doc_open(o->form, w->out, "  ", ans);
    int result = -1;
    if (d != NULL) {
        doc_begin(d, &root_kind);
        doc_field(d, &qstat_schema, doc_string(QSTAT_SCHEMA));
        doc_list(d, &queues_kind);
        if (doc_page(d) != NULL && view.n > 0)
            put_head(doc_page(d), is_extended);
        show_queues(d, &view, is_extended);
        result = doc_close(d, ans);
    }
    queue_view_free(&view);
    return result < 0 ? 1 : 0;
}

/* -g c: one line for each cluster queue, sums over its instances. */
#include "clients/common/job_row_xml.h"
#include "clients/common/job_table.h"
#include "clients/common/xml.h"
#include "clients/qstat/qstat.h"
#include "libs/sgeobj/host.h"
#include "libs/sgeobj/qinstance.h"
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
    if (text != NULL && parse_double(text, &load)) {
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

static void put_text(FILE *out, const struct totals *t, bool is_extended)
{
    fprintf(out, "%-30.30s ", t->name);
    if (t->loads > 0)
        fprintf(out, "%7.2f ", t->load / t->loads);
    else
        fputs("  -NA-  ", out);
    fprintf(out, "%6u %6u %6u %6u %6u %6u ", t->used, t->reserved, t->available, t->total,
            t->temporarily, t->manually);
    for (size_t i = 0; is_extended && i < ARRAY_LEN(columns); i++)
        fprintf(out, "%5u ", t->in_state[i]);
    fputc('\n', out);
}

static void put_xml(struct xml *x, const struct totals *t, bool is_extended)
{
    xml_start(x, "cluster_queue_summary");
    xml_element(x, "name", t->name);
    if (t->loads > 0)
        xml_elementf(x, "load", "%.5f", t->load / t->loads);
    xml_elementf(x, "used", "%u", t->used);
    xml_elementf(x, "resv", "%u", t->reserved);
    xml_elementf(x, "available", "%u", t->available);
    xml_elementf(x, "total", "%u", t->total);
    xml_elementf(x, "temp_disabled", "%u", t->temporarily);
    xml_elementf(x, "manual_intervention", "%u", t->manually);
    for (size_t i = 0; is_extended && i < ARRAY_LEN(columns); i++)
        xml_elementf(x, columns[i].element, "%u", t->in_state[i]);
    xml_end(x);
}

/* Instances are sorted by name, so those of one cluster queue follow each other. X NULL: text. */
static void put_summary(FILE *out, struct xml *x, const struct queue_view *view, bool is_extended)
{
    for (uint32_t i = 0; i < view->n;) {
        struct totals t = { .name = view->v[i]->QU_qname != NULL ? view->v[i]->QU_qname : "" };
        for (; i < view->n && view->v[i]->QU_qname != NULL &&
               strcmp(view->v[i]->QU_qname, t.name) == 0;
             i++)
            add_instance(&t, view, view->v[i]);
        if (x != NULL)
            put_xml(x, &t, is_extended);
        else
            put_text(out, &t, is_extended);
        if (t.name[0] == '\0')
            i++;
    }
}

int qstat_summary(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    struct queue_view view;
    bool is_extended = (o->table & TABLE_EXT) != 0;
    int result = 0;
    if (queue_view_get(w, o, true, &view, ans) < 0)
        return 1;
    if (o->wants_xml) {
        struct xml *x = xml_open(w->out, "  ", ans);
        result = x == NULL ? -1 : 0;
        if (x != NULL) {
            xml_start(x, "job_info");
            xml_tag_blank(x);
            xml_attribute(x, "xmlns:xsd", QSTAT_SCHEMA, '"');
            put_summary(w->out, x, &view, is_extended);
            result = xml_close(x, ans);
        }
    } else if (view.n > 0) {
        put_head(w->out, is_extended);
        put_summary(w->out, NULL, &view, is_extended);
    }
    queue_view_free(&view);
    return result < 0 ? 1 : 0;
}

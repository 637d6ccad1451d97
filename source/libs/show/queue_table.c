/* The fields of a queue instance: a row for each, with its value and its form in each listing; and
 * the sums of a cluster queue.
 * Widths of the page, and names, white space and quotes of the XML, are captured behaviour. */
#include "libs/show/queue_table.h"

#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/show/job_table.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* ---- values; TEXT is empty, and theirs to fill ---- */
typedef struct doc_value value_fn(const struct queue_line *l, struct dstr *text);

static struct doc_value v_full_name(const struct queue_line *l, struct dstr *text SGE_UNUSED)
{
    return doc_string(l->queue->QU_full_name);
}
static struct doc_value v_name(const struct queue_line *l, struct dstr *text SGE_UNUSED)
{
    return doc_string(l->queue->QU_qname);
}
static struct doc_value v_type(const struct queue_line *l, struct dstr *text)
{
    qinstance_type_text(l->queue, text);
    return doc_string(dstr_get(text));
}

static struct doc_value v_all_slots(const struct queue_line *l, struct dstr *text)
{
    dstr_addf(text, "%u/%u/%u", l->queue->QU_slots_reserved, l->queue->QU_slots_used,
              l->queue->QU_job_slots);
    return doc_string(dstr_get(text));
}
static struct doc_value v_used(const struct queue_line *l, struct dstr *text SGE_UNUSED)
{
    return doc_number(l->queue->QU_slots_used);
}
static struct doc_value v_reserved(const struct queue_line *l, struct dstr *text SGE_UNUSED)
{
    return doc_number(l->queue->QU_slots_reserved);
}
static struct doc_value v_slots(const struct queue_line *l, struct dstr *text SGE_UNUSED)
{
    return doc_number(l->queue->QU_job_slots);
}

/* a page has a word for what is not known, XML nothing; the last load of a host that does not
 * report is of no use */
static struct doc_value v_load(const struct queue_line *l, struct dstr *text SGE_UNUSED)
{
    double load;
    bool is_unknown = l->host == NULL || (l->queue->QU_state & QI_UNKNOWN) != 0;
    const char *value = is_unknown ? NULL : host_load_value(l->host, "load_avg");
    return value != NULL && parse_double(value, &load) ? doc_real(load) : doc_none(NULL);
}
static struct doc_value v_arch(const struct queue_line *l, struct dstr *text SGE_UNUSED)
{
    const char *arch = l->host != NULL ? host_load_value(l->host, "arch") : NULL;
    return arch != NULL ? doc_string(arch) : doc_none(NULL);
}
static struct doc_value or_word(struct doc_value value)
{
    return value.type == DOC_NONE ? doc_none("-NA-") : value;
}
static struct doc_value v_load_text(const struct queue_line *l, struct dstr *text)
{
    return or_word(v_load(l, text));
}
static struct doc_value v_arch_text(const struct queue_line *l, struct dstr *text)
{
    return or_word(v_arch(l, text));
}

static struct doc_value v_state_text(const struct queue_line *l, struct dstr *text)
{
    qinstance_state_text(l->queue->QU_state, text);
    return doc_string(dstr_get(text));
}
static struct doc_value v_state(const struct queue_line *l, struct dstr *text)
{
    struct doc_value state = v_state_text(l, text);
    return text->len > 0 ? state : doc_none(NULL);
}
static struct doc_value v_message(const struct queue_line *l, struct dstr *text SGE_UNUSED)
{
    return doc_string(l->message);
}

/* ---- fields ---- */

/* list, host  NULL: the listing does not have it */
struct queue_field {
    value_fn *value;
    const struct doc_field *list, *host;
};

/* clang-format off */
#define LIST(...) .list = &(const struct doc_field){ __VA_ARGS__ }
#define HOST(...) .host = &(const struct doc_field){ __VA_ARGS__ }
#define DATA(name_) .name = name_, .only = XML_AND_JSON
static const struct queue_field fields[] = {
    { v_full_name, LIST(.name = "name", .text = { .width = -30, .most = 30, .after = " " }) },
    { v_name, HOST(.name = "name", .text = { .before = "   ", .width = -20, .after = " " }, .xml = { .place = DOC_ATTRIBUTE }) },
    { v_type, LIST(.name = "qtype", .text = { .width = -5, .most = 5, .after = " " }),
              HOST(.name = "qtype_string", .text = { .width = -5, .after = " " }) },
    { v_all_slots, LIST(.only = DOC_TEXT, .text = { .width = -14, .after = " " }),
                   HOST(.only = DOC_TEXT, .text = { .width = -13, .after = " " }) },
    { v_used, LIST(DATA("slots_used")), HOST(DATA("slots_used")) },
    { v_slots, HOST(DATA("slots")) },
    { v_reserved, LIST(DATA("slots_resv")), HOST(DATA("slots_resv")) },
    { v_slots, LIST(DATA("slots_total")) },
    { v_load_text, LIST(.only = DOC_TEXT, .text = { .width = -8, .digits = 2, .after = " " }) },
    { v_load, LIST(DATA("load_avg"), .xml = { .digits = 5 }) },
    { v_arch_text, LIST(.only = DOC_TEXT, .text = { .width = -13, .most = 13, .after = " " }) },
    { v_arch, LIST(DATA("arch")) },
    { v_state_text, LIST(.only = DOC_TEXT), HOST(.name = "state_string") },
    { v_state, LIST(DATA("state")) },
    { v_message, LIST(DATA("message")) },
};
/* clang-format on */

static const struct doc_kind kinds[] = {
    [QUEUE_IN_LIST] = { .name = "Queue-List", .end = "\n" },
    [QUEUE_BELOW_HOST] = { .name = "queue",
                           .end = "\n",
                           .xml = { .is_flat = true,
                                    .space = "\n ",
                                    .quote = '\'',
                                    .value = "queuevalue",
                                    .owner = "qname" } },
};

void queue_line_begin(struct doc *d, enum queue_layout layout, const struct queue_line *line)
{
    struct dstr text = DSTR_INIT;
    doc_begin(d, &kinds[layout]);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        const struct doc_field *field = layout == QUEUE_IN_LIST ? fields[i].list : fields[i].host;
        bool is_left_out = fields[i].value == v_message && line->message == NULL;
        dstr_clear(&text);
        if (field != NULL && !is_left_out)
            doc_field(d, field, fields[i].value(line, &text));
    }
    dstr_free(&text);
}

void queue_list_head(FILE *page)
{
    (void)fputs(
        "queuename                      qtype resv/used/tot. load_avg arch          states\n",
        page);
}

/* ---- cluster queues: sums over their instances ---- */

enum {
    OUT_FOR_A_WHILE = QI_ALARM | QI_ORPHANED | QI_SUSPEND_ALARM | QI_CAL_SUSPENDED |
                      QI_CAL_DISABLED | QI_SUBORDINATED,
    OUT_UNTIL_REPAIRED = QI_AMBIGUOUS | QI_DISABLED | QI_SUSPENDED | QI_UNKNOWN | QI_ERROR
};

/* the columns of -ext: slots in queue instances in each state */
static const struct state_column {
    const char *letter;
    const char *element; /* in XML */
    uint32_t state;
} state_columns[] = {
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

_Static_assert(ARRAY_LEN(state_columns) == CLUSTER_QUEUE_STATES, "each has a sum");

void cluster_queue_add(struct cluster_queue *sums, const struct QU_Type *queue,
                       const struct EH_Type *host)
{
    const char *text = host != NULL ? host_load_value(host, "np_load_avg") : NULL;
    double load;
    bool is_silent = (queue->QU_state & QI_UNKNOWN) != 0;
    if (!is_silent && text != NULL && parse_double(text, &load)) {
        sums->load += load;
        sums->loads++;
    }
    sums->used += queue->QU_slots_used;
    sums->reserved += queue->QU_slots_reserved;
    sums->total += queue->QU_job_slots;
    if ((queue->QU_state & OUT_FOR_A_WHILE) != 0)
        sums->temporarily += queue->QU_job_slots;
    if ((queue->QU_state & OUT_UNTIL_REPAIRED) != 0)
        sums->manually += queue->QU_job_slots;
    for (size_t i = 0; i < ARRAY_LEN(state_columns); i++)
        if ((queue->QU_state & state_columns[i].state) != 0)
            sums->in_state[i] += queue->QU_job_slots;
    if ((queue->QU_state & QI_BLOCKING) == 0 && queue->QU_job_slots > queue->QU_slots_used)
        sums->available += queue->QU_job_slots - queue->QU_slots_used;
}

void cluster_queue_head(FILE *out, bool is_extended)
{
    fputs("CLUSTER QUEUE                   CQLOAD   USED    RES  AVAIL  TOTAL aoACDS  cdsuE  ",
          out);
    for (size_t i = 0; is_extended && i < ARRAY_LEN(state_columns); i++)
        fprintf(out, "%5s ", state_columns[i].letter);
    fputc('\n', out);
    job_table_bar(out, '-', is_extended ? 80 + 6 * (unsigned)ARRAY_LEN(state_columns) : 80);
}

static const struct doc_kind summary_kind = { .name = "cluster_queue_summary", .end = "\n" };
static const struct doc_field summary_name = { .name = "name",
                                               .text = { .width = -30, .most = 30, .after = " " } };
static const struct doc_field summary_load = { .name = "load",
                                               .only = XML_AND_JSON,
                                               .xml = { .digits = 5 } };
static const struct doc_field summary_load_text = {
    .only = DOC_TEXT, .text = { .width = 7, .digits = 2, .after = " " }
};

#define COUNT(name_, member)                                                                       \
    {                                                                                              \
        { .name = name_, .text = { .width = 6, .after = " " } },                                   \
            offsetof(struct cluster_queue, member)                                                 \
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

void cluster_queue_show(struct doc *d, const struct cluster_queue *sums, bool is_extended)
{
    struct doc_value load = sums->loads > 0 ? doc_real(sums->load / sums->loads) : doc_none(NULL);
    doc_begin(d, &summary_kind);
    doc_field(d, &summary_name, doc_string(sums->name));
    doc_field(d, &summary_load, load);
    doc_field(d, &summary_load_text, sums->loads > 0 ? load : doc_none(" -NA- "));
    for (size_t i = 0; i < ARRAY_LEN(counts); i++)
        doc_field(d, &counts[i].field,
                  doc_number(*(const uint32_t *)((const char *)sums + counts[i].at)));
    for (size_t i = 0; is_extended && i < ARRAY_LEN(state_columns); i++) {
        const struct doc_field field = { .name = state_columns[i].element,
                                         .text = { .width = 5, .after = " " } };
        doc_field(d, &field, doc_number(sums->in_state[i]));
    }
    doc_end(d);
}

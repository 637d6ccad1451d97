/* The fields of a queue instance: a row for each, with its value and its form in each listing.
 * Widths of the page, and names, white space and quotes of the XML, are captured behaviour. */
#include "libs/show/queue_table.h"

#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { XML_AND_JSON = DOC_XML | DOC_JSON };

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

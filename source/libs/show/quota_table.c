/* The listing of resource quotas: a line for each limit of which something is taken. Widths of the
 * page, and white space and quotes of the XML, are captured behaviour. */
#include "libs/show/quota_table.h"

#include <string.h>

#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

#define QQUOTA_SCHEMA                                                                              \
    "http://arc.liv.ac.uk/repos/darcs/sge/source/source/dist/util/resources/schemas/qquota/"       \
    "qquota.xsd"

/* ---- records ---- */
static int filter_of(const char *word)
{
    for (int i = 0; i < QUOTA_FILTERS; i++)
        if (strcmp(word, quota_filter_words[i]) == 0)
            return i;
    return -1;
}

static void read_entry(struct quota_usage *u, const char *name, const char *value)
{
    const struct {
        const char *name;
        const char **to;
    } texts[] = { { "resource", &u->resource },
                  { "limit", &u->limit },
                  { "value", &u->value },
                  { "limit_number", &u->limit_number },
                  { "value_number", &u->value_number } };
    int filter = filter_of(strcmp(name, "expanded") == 0 ? value : name);
    if (filter >= 0 && strcmp(name, "expanded") == 0)
        u->is_expanded[filter] = true;
    else if (filter >= 0)
        u->filters[filter] = value;
    if (strcmp(name, "place") == 0 && !parse_u32(value, &u->place))
        u->place = 0;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (strcmp(name, texts[i].name) == 0)
            *texts[i].to = value;
}

bool quota_usage_read(struct quota_usage *u, const struct TX_Type *tx, uint32_t at)
{
    *u = (struct quota_usage){ .rule = tx->TX_name, .at = at };
    for (uint32_t i = 0; i < tx->TX_entries.n; i++) {
        const struct VA_Type *va = &tx->TX_entries.v[i];
        if (va->VA_variable != NULL && va->VA_value != NULL)
            read_entry(u, va->VA_variable, va->VA_value);
    }
    return u->rule != NULL && u->resource != NULL && u->limit != NULL && u->value != NULL;
}

static int text_order(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

int quota_usage_compare(const void *left, const void *right)
{
    const struct quota_usage *a = left, *b = right;
    int order = (a->place > b->place) - (a->place < b->place);
    if (order == 0)
        order = text_order(a->rule, b->rule);
    for (int i = 0; order == 0 && i < QUOTA_FILTERS; i++)
        order = text_order(a->filters[i], b->filters[i]);
    return order != 0 ? order : a->at < b->at ? -1 : 1;
}

/* ---- showing ---- */
static const struct doc_kind root_kind = { .name = "qquota_result", .xml = { .space = "\n" } };
static const struct doc_field schema_field = { .name = "xmlns",
                                               .only = DOC_XML,
                                               .xml = { .place = DOC_ATTRIBUTE } };
/* an empty document ends on a line of its own */
static const struct doc_field no_rule = { .only = DOC_XML, .xml = { .place = DOC_CONTENT } };
static const struct doc_kind rules_kind = { .json = "quotas" };
static const struct doc_kind rule_kind = { .name = "qquota_rule",
                                           .end = "\n",
                                           .xml = { .space = "\n ", .quote = '\'' } };
static const struct doc_field rule_name = { .name = "name",
                                            .json = "rule",
                                            .text = { .width = -18, .after = " " },
                                            .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_field usage_text = { .only = DOC_TEXT, .text = { .width = -20 } };
static const struct doc_field filter_text = { .only = DOC_TEXT, .text = { .before = " " } };
#define FILTER_KIND(word)                                                                          \
    {                                                                                              \
        .name = word, .xml = {.space = "\n   ", .quote = '\'' }                                    \
    }
static const struct doc_kind filter_kinds[QUOTA_FILTERS] = {
    FILTER_KIND("users"), FILTER_KIND("projects"), FILTER_KIND("pes"), FILTER_KIND("queues"),
    FILTER_KIND("hosts")
};
static const struct doc_field filter_value = { .only = DOC_XML, .xml = { .place = DOC_CONTENT } };
static const struct doc_field filter_fields[QUOTA_FILTERS] = {
    { .name = "users", .only = DOC_JSON }, { .name = "projects", .only = DOC_JSON },
    { .name = "pes", .only = DOC_JSON },   { .name = "queues", .only = DOC_JSON },
    { .name = "hosts", .only = DOC_JSON },
};
static const struct doc_kind limit_kind = { .name = "limit",
                                            .xml = { .space = "\n   ", .quote = '\'' } };
static const struct doc_field limit_fields[] = {
    { .name = "resource", .only = XML_AND_JSON, .xml = { .place = DOC_ATTRIBUTE } },
    { .name = "limit", .only = XML_AND_JSON, .xml = { .place = DOC_ATTRIBUTE } },
    { .name = "value", .only = XML_AND_JSON, .xml = { .place = DOC_ATTRIBUTE } },
};

/* a rule without filters has "-" */
static void put_text(struct doc *d, const struct quota_usage *u)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%s=%s/%s", u->resource, u->value, u->limit);
    doc_field(d, &usage_text, doc_string(dstr_get(&text)));
    dstr_clear(&text);
    for (int i = 0; i < QUOTA_FILTERS; i++)
        if (u->filters[i] != NULL)
            dstr_addf(&text, "%s%s %s", text.len > 0 ? " " : "", quota_filter_words[i],
                      u->filters[i]);
    if (text.len == 0)
        dstr_addc(&text, '-');
    doc_field(d, &filter_text, doc_string(dstr_get(&text)));
    dstr_free(&text);
}

/* XML has records for the filters and for the limit, JSON members of the rule's own */
static void put_filters(struct doc *d, const struct quota_usage *u)
{
    for (int i = 0; i < QUOTA_FILTERS; i++) {
        if (u->filters[i] == NULL)
            continue;
        if (doc_form_of(d) == DOC_XML) {
            doc_begin(d, &filter_kinds[i]);
            doc_field(d, &filter_value, doc_string(u->filters[i]));
            doc_end(d);
        }
        doc_field(d, &filter_fields[i], doc_string(u->filters[i]));
    }
}

/* null: any amount */
static struct doc_value number_of(const char *text)
{
    uint64_t whole;
    double real;
    if (text != NULL && parse_u64(text, &whole))
        return doc_number(whole);
    return text != NULL && parse_double(text, &real) ? doc_real(real) : doc_none(NULL);
}

static void put_limit(struct doc *d, const struct quota_usage *u)
{
    bool is_xml = doc_form_of(d) == DOC_XML;
    if (is_xml)
        doc_begin(d, &limit_kind);
    doc_field(d, &limit_fields[0], doc_string(u->resource));
    doc_field(d, &limit_fields[1], doc_shown(number_of(u->limit_number), u->limit));
    doc_field(d, &limit_fields[2], doc_shown(number_of(u->value_number), u->value));
    if (is_xml)
        doc_end(d);
}

void quota_table_begin(struct quota_table *t)
{
    t->n = 0;
    doc_begin(t->doc, &root_kind);
    doc_field(t->doc, &schema_field, doc_string(QQUOTA_SCHEMA));
    doc_list(t->doc, &rules_kind);
}

void quota_table_line(struct quota_table *t, const struct quota_usage *u)
{
    struct doc *d = t->doc;
    if (t->n++ == 0 && doc_page(d) != NULL)
        (void)fputs("resource quota rule limit                filter\n"
                    "--------------------------------------------------------------------------"
                    "------\n",
                    doc_page(d));
    doc_begin(d, &rule_kind);
    doc_field(d, &rule_name, doc_string(u->rule));
    put_text(d, u);
    put_filters(d, u);
    put_limit(d, u);
    doc_end(d);
}

void quota_table_end(struct quota_table *t)
{
    if (t->n == 0)
        doc_field(t->doc, &no_rule, doc_string("\n"));
}

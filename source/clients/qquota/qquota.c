/* What qquota shows: a line for each limited resource of which something is taken, chosen by what
 * its rule filters. Source: qquota(1), schemas/qquota.*. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qquota/qquota.h"
#include "common/version.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

/* ---- options: a row each ---- */
#define AT(member) offsetof(struct qquota_options, member)

/* a value behind the name of a resource does not count */
static bool take_resources(void *at, const char *argument, unsigned value)
{
    struct name_list *resources = at;
    struct name_list requests = { 0 };
    (void)option_requests(&requests, argument, value);
    for (uint32_t i = 0; i < requests.n; i++)
        name_list_add(resources, requests.v[i], strcspn(requests.v[i], "="));
    name_list_free(&requests);
    return true;
}

static const struct client_option rows[] = {
    { "-help", ARGUMENT_NONE, option_flag, "[-help]", "print this help", AT(wants_help), 0 },
    { "-h", ARGUMENTS, option_names, "[-h wc_host_list|wc_hostgroup_list]",
      "display only selected hosts", AT(chosen[QUOTA_HOSTS]), 0 },
    { "-json", ARGUMENT_NONE, option_form, "[-json]", "display the information in JSON format",
      AT(form), DOC_JSON },
    { "-l", ARGUMENTS, take_resources, "[-l resource_attributes]", "request the given resources",
      AT(resources), 0 },
    { "-u", ARGUMENTS, option_names, "[-u user_list]", "display only selected users",
      AT(chosen[QUOTA_USERS]), 0 },
    { "-pe", ARGUMENTS, option_names, "[-pe wc_pe_list]",
      "display only selected parallel environments", AT(chosen[QUOTA_PES]), 0 },
    { "-P", ARGUMENTS, option_names, "[-P wc_project_list]", "display only selected projects",
      AT(chosen[QUOTA_PROJECTS]), 0 },
    { "-q", ARGUMENTS, option_names, "[-q wc_cqueue_list]", "display only selected queues",
      AT(chosen[QUOTA_QUEUES]), 0 },
    { "-xml", ARGUMENT_NONE, option_form, "[-xml]", "display the information in XML format",
      AT(form), DOC_XML },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "  ", .width = 37
};

void qquota_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qquota [options]\n");
    option_table_help(&table, out);
    dstr_add(out, "\n"
                  "resource_attributes     resource_name,resource_name,...\n"
                  "wc_cqueue               wildcard expression matching a cluster queue\n"
                  "wc_cqueue_list          wc_cqueue[,wc_cqueue,...]\n"
                  "wc_host                 wildcard expression matching a host\n"
                  "wc_host_list            wc_host[,wc_host,...]\n"
                  "wc_hostgroup            wildcard expression matching a hostgroup\n"
                  "wc_hostgroup_list       wc_hostgroup[,wc_hostgroup,...]\n"
                  "wc_pe                   wildcard expression matching a parallel environment\n"
                  "wc_pe_list              wc_pe[,wc_pe,...]\n"
                  "wc_project              wildcard expression matching a project\n"
                  "wc_project_list         wc_project[,wc_project,...]\n"
                  "user_list               user[,user,...]\n");
}

int qquota_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans)
{
    return option_table_parse(&table, n, args, options, shows_usage, ans);
}

void qquota_options_free(struct qquota_options *o)
{
    for (int i = 0; i < QUOTA_FILTERS; i++)
        name_list_free(&o->chosen[i]);
    name_list_free(&o->resources);
    *o = (struct qquota_options){ 0 };
}

#define QQUOTA_SCHEMA                                                                              \
    "http://arc.liv.ac.uk/repos/darcs/sge/source/source/dist/util/resources/schemas/qquota/"       \
    "qquota.xsd"

/* a record of the answer; borrowed */
struct usage {
    const char *rule, *resource, *limit, *value;
    const char *limit_number, *value_number;
    const char *filters[QUOTA_FILTERS]; /* as written, or the value; NULL: none */
    bool is_expanded[QUOTA_FILTERS];
    uint32_t place, at; /* of the rule among all; in the answer */
};

/* ---- reading ---- */
static int filter_of(const char *word)
{
    for (int i = 0; i < QUOTA_FILTERS; i++)
        if (strcmp(word, quota_filter_words[i]) == 0)
            return i;
    return -1;
}

static void read_entry(struct usage *u, const char *name, const char *value)
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

/* false: a record that is not whole, of another release */
static bool read_usage(struct usage *u, const struct TX_Type *tx, uint32_t at)
{
    *u = (struct usage){ .rule = tx->TX_name, .at = at };
    for (uint32_t i = 0; i < tx->TX_entries.n; i++) {
        const struct VA_Type *va = &tx->TX_entries.v[i];
        if (va->VA_variable != NULL && va->VA_value != NULL)
            read_entry(u, va->VA_variable, va->VA_value);
    }
    return u->rule != NULL && u->resource != NULL && u->limit != NULL && u->value != NULL;
}

/* by rule, then by values, then as they came */
static int text_order(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

static int usage_order(const void *left, const void *right)
{
    const struct usage *a = left, *b = right;
    int order = (a->place > b->place) - (a->place < b->place);
    if (order == 0)
        order = text_order(a->rule, b->rule);
    for (int i = 0; order == 0 && i < QUOTA_FILTERS; i++)
        order = text_order(a->filters[i], b->filters[i]);
    return order != 0 ? order : a->at < b->at ? -1 : 1;
}

/* what is asked for, and the queue instances, which say which hosts are in which groups: for -h
 * alone, else NULL */
struct choice {
    const struct qquota_options *o;
    const struct GA_Type *queues;
};

/* ---- choosing ---- */
/* Does the filter mean PATTERN, or PATTERN a word of it? A name that is one of a list ("@") counts
 * as in it. */
static bool filter_means(enum quota_filter kind, const char *filter, const char *pattern)
{
    if (strchr(filter, '@') != NULL)
        return true;
    if (quota_filter_has(kind, filter, pattern, NULL))
        return true;
    struct dstr word = DSTR_INIT;
    bool means = false;
    for (const char *at = filter; !means && *at != '\0';) {
        at += strspn(at, "{},");
        size_t len = strcspn(at, "{},");
        dstr_clear(&word);
        dstr_addn(&word, at, len);
        at += len;
        means = len > 0 && *dstr_get(&word) != '!' && pattern_match(pattern, dstr_get(&word));
    }
    dstr_free(&word);
    return means;
}

/* the host groups of a queue instance as one text; new: free() */
static char *groups_text(const struct QU_Type *queue)
{
    struct dstr text = DSTR_INIT;
    for (uint32_t i = 0; i < queue->QU_hostgroups.n; i++)
        dstr_addf(&text, "%s%s", i > 0 ? " " : "", queue->QU_hostgroups.v[i].ST_name);
    return dstr_take(&text);
}

/* is there a host that PATTERN, a host or a group, and the filter mean? */
static bool hosts_meet(const struct choice *c, const struct usage *u, const char *pattern)
{
    const char *filter = u->filters[QUOTA_HOSTS];
    bool meet = false;
    for (uint32_t i = 0; !meet && i < c->queues->GA_queues.n; i++) {
        const struct QU_Type *queue = &c->queues->GA_queues.v[i];
        const char *host = queue->QU_qhostname;
        if (host == NULL || !queue_host_match(pattern, host, &queue->QU_hostgroups))
            continue;
        char *groups = groups_text(queue);
        meet = u->is_expanded[QUOTA_HOSTS] ? host_name_equal(filter, host)
                                           : quota_filter_has(QUOTA_HOSTS, filter, host, groups);
        free(groups);
    }
    return meet;
}

static bool usage_suits(const struct choice *c, const struct usage *u, enum quota_filter kind,
                        const char *pattern)
{
    const char *filter = u->filters[kind];
    if (filter == NULL)
        return true;
    if (kind == QUOTA_HOSTS && c->queues != NULL)
        return hosts_meet(c, u, pattern);
    return u->is_expanded[kind] ? pattern_match(pattern, filter)
                                : filter_means(kind, filter, pattern);
}

static bool usage_suits_some(const struct choice *c, const struct usage *u, enum quota_filter kind)
{
    const struct name_list *patterns = &c->o->chosen[kind];
    for (uint32_t i = 0; i < patterns->n; i++)
        if (usage_suits(c, u, kind, patterns->v[i]))
            return true;
    return patterns->n == 0 && usage_suits(c, u, kind, "*");
}

static bool is_chosen(const struct choice *c, const struct usage *u)
{
    for (int i = QUOTA_PROJECTS; i < QUOTA_FILTERS; i++)
        if (!usage_suits_some(c, u, (enum quota_filter)i))
            return false;
    return c->o->resources.n == 0 || name_list_has(&c->o->resources, u->resource);
}

/* ---- showing ---- */
enum { TEXT_AND_JSON = DOC_TEXT | DOC_JSON };
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
    { .name = "resource", .only = DOC_XML, .xml = { .place = DOC_ATTRIBUTE } },
    { .name = "limit", .only = DOC_XML, .xml = { .place = DOC_ATTRIBUTE } },
    { .name = "value", .only = DOC_XML, .xml = { .place = DOC_ATTRIBUTE } },
};
static const struct doc_field json_fields[] = {
    { .name = "resource", .only = DOC_JSON },
    { .name = "limit", .only = DOC_JSON },
    { .name = "value", .only = DOC_JSON },
};

/* a rule without filters has "-" */
static void put_text(struct doc *d, const struct usage *u)
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

static void put_xml(struct doc *d, const struct usage *u)
{
    for (int i = 0; i < QUOTA_FILTERS; i++) {
        if (u->filters[i] == NULL)
            continue;
        doc_begin(d, &filter_kinds[i]);
        doc_field(d, &filter_value, doc_string(u->filters[i]));
        doc_end(d);
    }
    doc_begin(d, &limit_kind);
    doc_field(d, &limit_fields[0], doc_string(u->resource));
    doc_field(d, &limit_fields[1], doc_string(u->limit));
    doc_field(d, &limit_fields[2], doc_string(u->value));
    doc_end(d);
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

static void put_json(struct doc *d, const struct usage *u)
{
    for (int i = 0; i < QUOTA_FILTERS; i++)
        if (u->filters[i] != NULL)
            doc_field(d, &filter_fields[i], doc_string(u->filters[i]));
    doc_field(d, &json_fields[0], doc_string(u->resource));
    doc_field(d, &json_fields[1], number_of(u->limit_number));
    doc_field(d, &json_fields[2], number_of(u->value_number));
}

static void put_usage(struct doc *d, const struct qquota_options *o, const struct usage *u)
{
    doc_begin(d, &rule_kind);
    doc_field(d, &rule_name, doc_string(u->rule));
    if (o->form == DOC_XML)
        put_xml(d, u);
    else if (o->form == DOC_JSON)
        put_json(d, u);
    else
        put_text(d, u);
    doc_end(d);
}

struct page {
    struct usage *v;
    bool *is_shown;
    uint32_t n, n_shown;
};

static void put_line(struct doc *d, const struct qquota_options *o, struct page *page, uint32_t i)
{
    FILE *out = doc_page(d);
    if (page->is_shown[i])
        return;
    if (page->n_shown++ == 0 && out != NULL)
        (void)fputs("resource quota rule limit                filter\n"
                    "--------------------------------------------------------------------------"
                    "------\n",
                    out);
    page->is_shown[i] = true;
    put_usage(d, o, &page->v[i]);
}

/* the resources of a rule, in the order of its limits as far as it can be seen; borrowed. New */
static const char **resources_of(const struct page *page, uint32_t first, uint32_t end, uint32_t *n)
{
    const char **all = uti_alloc((end - first) * sizeof *all);
    *n = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t k = 0;
        while (k < *n && strcmp(all[k], page->v[i].resource) != 0)
            k++;
        if (k == *n)
            all[(*n)++] = page->v[i].resource;
    }
    return all;
}

/* of a rule, from FIRST up to END: for each of USERS apart, resource by resource */
static void put_rule(struct doc *d, const struct choice *c, struct page *page,
                     const struct name_list *users, uint32_t first, uint32_t end)
{
    uint32_t n;
    const char **resources = resources_of(page, first, end, &n);
    for (uint32_t k = 0; k < users->n; k++)
        for (uint32_t r = 0; r < n; r++)
            for (uint32_t i = first; i < end; i++)
                if (strcmp(page->v[i].resource, resources[r]) == 0 &&
                    usage_suits(c, &page->v[i], QUOTA_USERS, users->v[k]) &&
                    is_chosen(c, &page->v[i]))
                    put_line(d, c->o, page, i);
    free(resources);
}

static void put_all(struct doc *d, const struct choice *c, struct page *page,
                    const struct name_list *users)
{
    for (uint32_t first = 0, end = 0; first < page->n; first = end) {
        while (end < page->n && strcmp(page->v[end].rule, page->v[first].rule) == 0)
            end++;
        put_rule(d, c, page, users, first, end);
    }
}

static int show_usage(const struct GA_Type *answer, const struct choice *c, const char *user,
                      FILE *out, struct answer *ans)
{
    const struct qquota_options *o = c->o;
    struct page page = { .v = uti_calloc(answer->GA_texts.n + 1, sizeof *page.v),
                         .is_shown = uti_calloc(answer->GA_texts.n + 1, sizeof *page.is_shown) };
    struct name_list users = { 0 };
    struct doc *d = doc_open(o->form, out, NULL, ans);
    int rc = -1;
    for (uint32_t i = 0; i < answer->GA_texts.n; i++)
        page.n += read_usage(&page.v[page.n], &answer->GA_texts.v[i], i);
    if (page.n > 1)
        qsort(page.v, page.n, sizeof *page.v, usage_order);
    for (uint32_t i = 0; i < o->chosen[QUOTA_USERS].n; i++)
        name_list_add(&users, o->chosen[QUOTA_USERS].v[i], strlen(o->chosen[QUOTA_USERS].v[i]));
    if (users.n == 0)
        name_list_add(&users, user, strlen(user));
    if (d != NULL) {
        doc_begin(d, &root_kind);
        doc_field(d, &schema_field, doc_string(QQUOTA_SCHEMA));
        doc_list(d, &rules_kind);
        put_all(d, c, &page, &users);
        if (page.n_shown == 0)
            doc_field(d, &no_rule, doc_string("\n"));
        rc = doc_close(d, ans);
    }
    name_list_free(&users);
    free(page.is_shown);
    free(page.v);
    return rc;
}

static const char *const queue_fields[] = { "QU_full_name", "QU_qhostname", "QU_hostgroups", NULL };

int qquota_run(const struct source *from, const struct qquota_options *o, const char *user,
               FILE *out, struct answer *ans)
{
    struct GA_Type *answer = source_get_target(from, GDI_QUOTA, ans), *queues = NULL;
    bool needs_groups = o->chosen[QUOTA_HOSTS].n > 0;
    if (answer != NULL && needs_groups)
        queues = source_get_fields(from, GDI_QINSTANCE, queue_fields, ans);
    int rc = -1;
    if (answer != NULL && (queues != NULL || !needs_groups))
        rc = show_usage(answer, &(struct choice){ o, queues }, user, out, ans);
    cull_delete(&cull_GA_Type, queues);
    cull_delete(&cull_GA_Type, answer);
    return rc == 0 ? 0 : 1;
}

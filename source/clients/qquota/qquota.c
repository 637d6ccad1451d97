/* What qquota shows: a line for each limited resource of which something is taken, chosen by what
 * its rule filters. Source: qquota(1), schemas/qquota.*. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qquota/qquota.h"
#include "common/version.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/show/quota_table.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
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
static bool hosts_meet(const struct choice *c, const struct quota_usage *u, const char *pattern)
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

static bool usage_suits(const struct choice *c, const struct quota_usage *u, enum quota_filter kind,
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

static bool usage_suits_some(const struct choice *c, const struct quota_usage *u,
                             enum quota_filter kind)
{
    const struct name_list *patterns = &c->o->chosen[kind];
    for (uint32_t i = 0; i < patterns->n; i++)
        if (usage_suits(c, u, kind, patterns->v[i]))
            return true;
    return patterns->n == 0 && usage_suits(c, u, kind, "*");
}

static bool is_chosen(const struct choice *c, const struct quota_usage *u)
{
    for (int i = QUOTA_PROJECTS; i < QUOTA_FILTERS; i++)
        if (!usage_suits_some(c, u, (enum quota_filter)i))
            return false;
    return c->o->resources.n == 0 || name_list_has(&c->o->resources, u->resource);
}

/* ---- showing ---- */
struct page {
    struct quota_usage *v;
    bool *is_shown;
    uint32_t n;
    struct quota_table table;
};

static void put_line(struct page *page, uint32_t i)
{
    if (!page->is_shown[i])
        quota_table_line(&page->table, &page->v[i]);
    page->is_shown[i] = true;
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
static void put_rule(const struct choice *c, struct page *page, const struct name_list *users,
                     uint32_t first, uint32_t end)
{
    uint32_t n;
    const char **resources = resources_of(page, first, end, &n);
    for (uint32_t k = 0; k < users->n; k++)
        for (uint32_t r = 0; r < n; r++)
            for (uint32_t i = first; i < end; i++)
                if (strcmp(page->v[i].resource, resources[r]) == 0 &&
                    usage_suits(c, &page->v[i], QUOTA_USERS, users->v[k]) &&
                    is_chosen(c, &page->v[i]))
                    put_line(page, i);
    free(resources);
}

static void put_all(const struct choice *c, struct page *page, const struct name_list *users)
{
    for (uint32_t first = 0, end = 0; first < page->n; first = end) {
        while (end < page->n && strcmp(page->v[end].rule, page->v[first].rule) == 0)
            end++;
        put_rule(c, page, users, first, end);
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
        page.n += quota_usage_read(&page.v[page.n], &answer->GA_texts.v[i], i);
    if (page.n > 1)
        qsort(page.v, page.n, sizeof *page.v, quota_usage_compare);
    for (uint32_t i = 0; i < o->chosen[QUOTA_USERS].n; i++)
        name_list_add(&users, o->chosen[QUOTA_USERS].v[i], strlen(o->chosen[QUOTA_USERS].v[i]));
    if (users.n == 0)
        name_list_add(&users, user, strlen(user));
    if (d != NULL) {
        page.table.doc = d;
        quota_table_begin(&page.table);
        put_all(c, &page, &users);
        quota_table_end(&page.table);
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

/* The options of qquota, one row each. Source: qquota(1). */
#include <string.h>

#include "clients/qquota/qquota.h"
#include "common/version.h"
#include "libs/uti/dstr.h"

static bool choose_by(void *options, enum quota_filter filter, const char *names)
{
    name_list_split(&((struct qquota_options *)options)->chosen[filter], names);
    return true;
}

static bool o_hosts(void *options, const char *a)
{
    return choose_by(options, QUOTA_HOSTS, a);
}
static bool o_users(void *options, const char *a)
{
    return choose_by(options, QUOTA_USERS, a);
}
static bool o_pes(void *options, const char *a)
{
    return choose_by(options, QUOTA_PES, a);
}
static bool o_projects(void *options, const char *a)
{
    return choose_by(options, QUOTA_PROJECTS, a);
}
static bool o_queues(void *options, const char *a)
{
    return choose_by(options, QUOTA_QUEUES, a);
}

/* a value behind the name of a resource does not count */
static bool o_resources(void *options, const char *a)
{
    struct qquota_options *o = options;
    struct name_list requests = { 0 };
    name_list_split_requests(&requests, a);
    for (uint32_t i = 0; i < requests.n; i++)
        name_list_add(&o->resources, requests.v[i], strcspn(requests.v[i], "="));
    name_list_free(&requests);
    return true;
}

static bool o_help(void *options, const char *a)
{
    (void)a;
    return ((struct qquota_options *)options)->wants_help = true;
}
static bool o_xml(void *options, const char *a)
{
    (void)a;
    ((struct qquota_options *)options)->form = DOC_XML;
    return true;
}
static bool o_json(void *options, const char *a)
{
    (void)a;
    ((struct qquota_options *)options)->form = DOC_JSON;
    return true;
}

static const struct client_option rows[] = {
    { "-help", ARGUMENT_NONE, o_help, "[-help]", "print this help" },
    { "-h", ARGUMENTS, o_hosts, "[-h wc_host_list|wc_hostgroup_list]",
      "display only selected hosts" },
    { "-json", ARGUMENT_NONE, o_json, "[-json]", "display the information in JSON format" },
    { "-l", ARGUMENTS, o_resources, "[-l resource_attributes]", "request the given resources" },
    { "-u", ARGUMENTS, o_users, "[-u user_list]", "display only selected users" },
    { "-pe", ARGUMENTS, o_pes, "[-pe wc_pe_list]", "display only selected parallel environments" },
    { "-P", ARGUMENTS, o_projects, "[-P wc_project_list]", "display only selected projects" },
    { "-q", ARGUMENTS, o_queues, "[-q wc_cqueue_list]", "display only selected queues" },
    { "-xml", ARGUMENT_NONE, o_xml, "[-xml]", "display the information in XML format" },
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

int qquota_parse(int n, char *const *args, struct qquota_options *o, bool *shows_usage,
                 struct answer *ans)
{
    return option_table_parse(&table, n, args, o, shows_usage, ans);
}

void qquota_options_free(struct qquota_options *o)
{
    for (int i = 0; i < QUOTA_FILTERS; i++)
        name_list_free(&o->chosen[i]);
    name_list_free(&o->resources);
    *o = (struct qquota_options){ 0 };
}

/* The options of qquota, one row each. Source: qquota(1). */
#include <stddef.h>
#include <string.h>

#include "clients/qquota/qquota.h"

#include "common/version.h"
#include "libs/uti/dstr.h"

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

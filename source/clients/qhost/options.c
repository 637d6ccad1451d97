/* The options of qhost, one row each. Source: qhost(1). */
#include <stdlib.h>

#include "clients/qhost/qhost.h"
#include "common/version.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

static bool o_resources(void *options, const char *a)
{
    struct qhost_options *o = options;
    o->wants_resources = true;
    if (a != NULL)
        name_list_split(&o->resources, a);
    return true;
}

static bool o_hosts(void *options, const char *a)
{
    name_list_split(&((struct qhost_options *)options)->hosts, a);
    return true;
}

static bool o_users(void *options, const char *a)
{
    struct qhost_options *o = options;
    name_list_split(&o->users, a);
    return o->wants_jobs = true;
}

static bool o_jobs(void *options, const char *a)
{
    (void)a;
    return ((struct qhost_options *)options)->wants_jobs = true;
}
static bool o_queues(void *options, const char *a)
{
    (void)a;
    return ((struct qhost_options *)options)->wants_queues = true;
}
static bool o_requests(void *options, const char *a)
{
    name_list_split_requests(&((struct qhost_options *)options)->requests, a);
    return true;
}
static bool o_help(void *options, const char *a)
{
    (void)a;
    return ((struct qhost_options *)options)->wants_help = true;
}
static bool o_xml(void *options, const char *a)
{
    (void)a;
    ((struct qhost_options *)options)->form = DOC_XML;
    return true;
}
static bool o_json(void *options, const char *a)
{
    (void)a;
    ((struct qhost_options *)options)->form = DOC_JSON;
    return true;
}
static bool o_ncb(void *options, const char *a)
{
    (void)a;
    return ((struct qhost_options *)options)->hides_topology = true;
}

static const struct client_option rows[] = {
    { "-F", ARGUMENTS_MAYBE, o_resources, "[-F [resource_attribute]]",
      "show (selected) resources" },
    { "-h", ARGUMENTS, o_hosts, "[-h hostlist]", "display only selected hosts" },
    { "-help", ARGUMENT_NONE, o_help, "[-help]", "print this help" },
    { "-j", ARGUMENT_NONE, o_jobs, "[-j]", "display jobs hosted by host" },
    { "-json", ARGUMENT_NONE, o_json, "[-json]", "display the information in JSON format" },
    { "-l", ARGUMENTS, o_requests, "[-l attr=val,...]", "request the given resources" },
    { "-ncb", ARGUMENT_NONE, o_ncb, "[-ncb]", "suppress host topology based information" },
    { "-q", ARGUMENT_NONE, o_queues, "[-q]", "display queues hosted by host" },
    { "-u", ARGUMENTS, o_users, "[-u user[,user,...]]", "show only jobs for user" },
    { "-xml", ARGUMENT_NONE, o_xml, "[-xml]", "display the information in XML format" },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "  ", .width = 26
};

void qhost_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qhost [options]\n");
    option_table_help(&table, out);
}

int qhost_parse(int n, char *const *args, struct qhost_options *o, bool *shows_usage,
                struct answer *ans)
{
    return option_table_parse(&table, n, args, o, shows_usage, ans);
}

void qhost_options_free(struct qhost_options *o)
{
    name_list_free(&o->hosts);
    name_list_free(&o->users);
    name_list_free(&o->requests);
    name_list_free(&o->resources);
    *o = (struct qhost_options){ 0 };
}

/* The options of qstat, one row each: what it is called, what argument it takes, what it does, how
 * -help describes it. */
#include "clients/qstat/options.h"

#include <stdlib.h>
#include <string.h>

#include "clients/common/job_row.h"
#include "clients/common/job_table.h"
#include "clients/common/msg_clients.h"
#include "clients/qstat/msg_qstat.h"
#include "common/version.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static bool table_bit(struct qstat_options *o, unsigned bits)
{
    o->table |= bits;
    return true;
}

static bool set_text(char **at, const char *text)
{
    free(*at);
    *at = text != NULL ? uti_strdup(text) : NULL;
    return true;
}

static bool o_ext(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    return table_bit(o, TABLE_EXT);
}
static bool o_urg(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    return table_bit(o, TABLE_URG);
}
static bool o_pri(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    return table_bit(o, TABLE_PRI);
}
static bool o_full(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    return table_bit(o, TABLE_FULL);
}
static bool o_requests(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    return table_bit(o, TABLE_REQUESTS);
}
static bool o_tasks(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    return table_bit(o, TABLE_TASKS | TABLE_MASTER);
}
static bool o_no_binding(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    return table_bit(o, TABLE_NO_BINDING);
}
static bool o_help(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    return o->wants_help = true;
}
static bool o_xml(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    o->form = DOC_XML;
    return true;
}
static bool o_json(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    o->form = DOC_JSON;
    return true;
}
static bool o_why(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    return o->wants_why = true;
}
static bool o_no_empty(void *options, const char *a)
{
    struct qstat_options *o = options;
    (void)a;
    return o->hides_empty = true;
}

static bool o_explain(void *options, const char *a)
{
    struct qstat_options *o = options;
    return strspn(a, "acuAE") == strlen(a) && table_bit(o, TABLE_FULL) && set_text(&o->explain, a);
}

static bool o_resources(void *options, const char *a)
{
    struct qstat_options *o = options;
    o->wants_resources = true;
    if (a != NULL)
        name_list_split(&o->resources, a);
    return table_bit(o, TABLE_FULL);
}

static bool o_places(void *options, const char *a)
{
    return queue_choice_resources(&((struct qstat_options *)options)->choice, a);
}

static bool o_group(void *options, const char *a)
{
    struct qstat_options *o = options;
    for (; *a != '\0'; a++) {
        if (*a == 'c')
            o->wants_summary = true;
        else if (*a == 'd')
            o->table |= TABLE_EACH_TASK;
        else if (*a == 't')
            o->table |= TABLE_MASTER;
        else
            return false;
    }
    return true;
}

static bool o_jobs(void *options, const char *a)
{
    struct qstat_options *o = options;
    o->wants_detail = true;
    if (a != NULL)
        name_list_split(&o->jobs, a);
    return true;
}

static bool o_queues(void *options, const char *a)
{
    return queue_choice_queues(&((struct qstat_options *)options)->choice, a);
}
static bool o_pes(void *options, const char *a)
{
    return queue_choice_pes(&((struct qstat_options *)options)->choice, a);
}
static bool o_queue_states(void *options, const char *a)
{
    return queue_choice_states(&((struct qstat_options *)options)->choice, a);
}
static bool o_access(void *options, const char *a)
{
    return queue_choice_users(&((struct qstat_options *)options)->choice, a);
}
static bool o_users(void *options, const char *a)
{
    struct qstat_options *o = options;
    o->has_users = true;
    name_list_split(&o->users, a);
    return true;
}

static bool o_states(void *options, const char *a)
{
    struct qstat_options *o = options;
    name_list_add(&o->states, a, strlen(a));
    return show_parse(a, &o->show);
}

static const struct client_option rows[] = {
    { "-ext", ARGUMENT_NONE, o_ext, "[-ext]", "view additional attributes" },
    { "-explain", ARGUMENT_NEEDED, o_explain, "[-explain a|c|A|E]",
      "show reason for queue c(onfiguration ambiguous), a(larm), suspend A(larm), E(rror) state" },
    { "-f", ARGUMENT_NONE, o_full, "[-f]", "full output" },
    { "-F", ARGUMENTS_MAYBE, o_resources, "[-F [resource_attributes]]",
      "full output and show (selected) resources of queue(s)" },
    { "-g", ARGUMENT_NEEDED, o_group, "[-g c]", "display cluster queue summary" },
    { "-g", ARGUMENT_NEEDED, o_group, "[-g d]", "display all job-array tasks (do not group)" },
    { "-g", ARGUMENT_NEEDED, o_group, "[-g t]", "display all parallel job tasks (do not group)" },
    { "-help", ARGUMENT_NONE, o_help, "[-help]", "print this help" },
    { "-j", ARGUMENTS_MAYBE, o_jobs, "[-j [job_identifier_list]]",
      "show scheduler job information" },
    { "-json", ARGUMENT_NONE, o_json, "[-json]", "display the information in JSON format" },
    { "-l", ARGUMENTS, o_places, "[-l resource_list]", "request the given resources" },
    { "-ne", ARGUMENT_NONE, o_no_empty, "[-ne]", "hide empty queues" },
    { "-ncb", ARGUMENT_NONE, o_no_binding, "[-ncb]",
      "suppress additional binding specific parameters" },
    { "-pe", ARGUMENTS, o_pes, "[-pe pe_list]",
      "select only queues with one of these parallel environments" },
    { "-q", ARGUMENTS, o_queues, "[-q wc_queue_list]", "print information on given queue" },
    { "-qs", ARGUMENT_NEEDED, o_queue_states, "[-qs {a|c|d|o|s|u|A|C|D|E|S}]",
      "selects queues which are in the given state(s)" },
    { "-r", ARGUMENT_NONE, o_requests, "[-r]", "show requested resources of job(s)" },
    { "-s", ARGUMENT_NEEDED, o_states, "[-s {p|r|s|z|hu|ho|hs|hd|hj|ha|h|a}]",
      "show pending, running, suspended, zombie jobs,\n"
      "                                          jobs with a user/operator/system/array-dependency "
      "hold, \n"
      "                                          jobs with a start time in future or any "
      "combination only.\n"
      "                                          h is an abbreviation for huhohshdhjha\n"
      "                                          a is an abbreviation for prsh" },
    { "-t", ARGUMENT_NONE, o_tasks, "[-t]", "show task information (implicitly -g t)" },
    { "-u", ARGUMENTS, o_users, "[-u user_list]", "view jobs of this user list" },
    { "-U", ARGUMENTS, o_access, "[-U user_list]",
      "select only queues where these users have access" },
    { "-urg", ARGUMENT_NONE, o_urg, "[-urg]", "display job urgency information" },
    { "-pri", ARGUMENT_NONE, o_pri, "[-pri]", "display job priority information" },
    { "-why", ARGUMENT_NONE, o_why, "[-why]",
      "with -j: show what keeps jobs and tasks from starting" },
    { "-xml", ARGUMENT_NONE, o_xml, "[-xml]", "display the information in XML format" },
};

static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "        ", .width = 33
};

void qstat_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qstat [options]\n");
    option_table_help(&table, out);
    dstr_addc(out, '\n');
    dstr_add(out, MSG_TERMS);
}

static int check_whole(const struct qstat_options *o, struct answer *ans)
{
    if (o->wants_why && o->jobs.n == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_WHY_NEEDS_JOB);
    if (o->has_users && o->users.n == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_USERS_NONE);
    for (uint32_t i = 0; i < o->users.n; i++) {
        if (o->users.v[i][0] == '@')
            return ans_fail(ans, STATUS_ENOTSUP, MSG_NOT_SUPPORTED_S, "-u @group");
    }
    return 0;
}

int qstat_parse(int n, char *const *args, struct qstat_options *o, bool *shows_usage,
                struct answer *ans)
{
    if (option_table_parse(&table, n, args, o, shows_usage, ans) < 0)
        return -1;
    return check_whole(o, ans);
}

void qstat_options_free(struct qstat_options *o)
{
    name_list_free(&o->states);
    name_list_free(&o->users);
    name_list_free(&o->jobs);
    queue_choice_free(&o->choice);
    name_list_free(&o->resources);
    free(o->explain);
    *o = (struct qstat_options){ 0 };
}

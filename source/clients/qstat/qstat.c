/* What qstat was asked for: a page of its own for each kind of question. */
#include "clients/qstat/qstat.h"

#include <stdlib.h>
#include <string.h>

#include "clients/common/msg_clients.h"
#include "common/version.h"
#include "libs/doc/doc.h"
#include "libs/show/job_row.h"
#include "libs/show/job_table.h"
#include "libs/show/queue_table.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* ---- options ---- */
/* The options of qstat, one row each: what it is called, what argument it takes, what it does, how
 * -help describes it. */

static bool o_explain(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct qstat_options *o = options;
    return strspn(a, "acuACDES") == strlen(a) && option_bits(&o->table, NULL, TABLE_FULL) &&
           option_text(&o->explain, a, 0);
}

static bool o_resources(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct qstat_options *o = options;
    o->wants_resources = true;
    if (a != NULL)
        name_list_split(&o->resources, a);
    return option_bits(&o->table, NULL, TABLE_FULL);
}

static bool o_group(void *options, const char *a, unsigned value SGE_UNUSED)
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

static bool o_jobs(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct qstat_options *o = options;
    o->wants_detail = true;
    if (a != NULL)
        name_list_split(&o->jobs, a);
    return true;
}

static bool o_users(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct qstat_options *o = options;
    o->has_users = true;
    name_list_split(&o->users, a);
    return true;
}

static bool o_states(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct qstat_options *o = options;
    name_list_add(&o->states, a, strlen(a));
    return show_parse(a, &o->show);
}

static bool o_binding(void *options, const char *a SGE_UNUSED, unsigned value SGE_UNUSED)
{
    struct qstat_options *o = options;
    o->table &= ~(unsigned)TABLE_NO_BINDING;
    return true;
}

#define AT(member) offsetof(struct qstat_options, member)

static const struct client_option rows[] = {
    { "-cb", ARGUMENT_NONE, o_binding, "[-cb]",
      "view binding specific parameters (default; undoes -ncb)", 0, 0 },
    { "-ext", ARGUMENT_NONE, option_bits, "[-ext]", "view additional attributes", AT(table),
      TABLE_EXT },
    { "-explain", ARGUMENT_NEEDED, o_explain, "[-explain a|c|A|C|D|E|S]",
      "show reason for queue c(onfiguration ambiguous), a(larm), suspend A(larm), E(rror) state", 0,
      0 },
    { "-f", ARGUMENT_NONE, option_bits, "[-f]", "full output", AT(table), TABLE_FULL },
    { "-F", ARGUMENTS_MAYBE, o_resources, "[-F [resource_attributes]]",
      "full output and show (selected) resources of queue(s)", 0, 0 },
    { "-g", ARGUMENT_NEEDED, o_group, "[-g c]", "display cluster queue summary", 0, 0 },
    { "-g", ARGUMENT_NEEDED, o_group, "[-g d]", "display all job-array tasks (do not group)", 0,
      0 },
    { "-g", ARGUMENT_NEEDED, o_group, "[-g t]", "display all parallel job tasks (do not group)", 0,
      0 },
    { "-help", ARGUMENT_NONE, option_flag, "[-help]", "print this help", AT(wants_help), 0 },
    { "-j", ARGUMENTS_MAYBE, o_jobs, "[-j [job_identifier_list]]", "show scheduler job information",
      0, 0 },
    { "-json", ARGUMENT_NONE, option_form, "[-json]", "display the information in JSON format",
      AT(form), DOC_JSON },
    { "-l", ARGUMENTS, option_requests, "[-l resource_list]", "request the given resources",
      AT(choice.resources), 0 },
    { "-ne", ARGUMENT_NONE, option_flag, "[-ne]", "hide empty queues", AT(hides_empty), 0 },
    { "-ncb", ARGUMENT_NONE, option_bits, "[-ncb]",
      "suppress additional binding specific parameters", AT(table), TABLE_NO_BINDING },
    { "-pe", ARGUMENTS, option_names, "[-pe pe_list]",
      "select only queues with one of these parallel environments", AT(choice.pes), 0 },
    { "-q", ARGUMENTS, option_names, "[-q wc_queue_list]", "print information on given queue",
      AT(choice.queues), 0 },
    { "-qs", ARGUMENT_NEEDED, queue_choice_states, "[-qs {a|c|d|o|s|u|A|C|D|E|S}]",
      "selects queues which are in the given state(s)", AT(choice), 0 },
    { "-r", ARGUMENT_NONE, option_bits, "[-r]", "show requested resources of job(s)", AT(table),
      TABLE_REQUESTS },
    { "-s", ARGUMENT_NEEDED, o_states, "[-s {p|r|s|z|hu|ho|hs|hd|hj|ha|h|a}]",
      "show pending, running, suspended, zombie jobs,\n"
      "                                          jobs with a user/operator/system/array-dependency "
      "hold, \n"
      "                                          jobs with a start time in future or any "
      "combination only.\n"
      "                                          h is an abbreviation for huhohshdhjha\n"
      "                                          a is an abbreviation for prsh",
      0, 0 },
    { "-t", ARGUMENT_NONE, option_bits, "[-t]", "show task information (implicitly -g t)",
      AT(table), TABLE_TASKS | TABLE_MASTER },
    { "-u", ARGUMENTS, o_users, "[-u user_list]", "view jobs of this user list", 0, 0 },
    { "-U", ARGUMENTS, option_names, "[-U user_list]",
      "select only queues where these users have access", AT(choice.users), 0 },
    { "-urg", ARGUMENT_NONE, option_bits, "[-urg]", "display job urgency information", AT(table),
      TABLE_URG },
    { "-pri", ARGUMENT_NONE, option_bits, "[-pri]", "display job priority information", AT(table),
      TABLE_PRI },
    { "-why", ARGUMENT_NONE, option_flag, "[-why]",
      "with -j: show what keeps jobs and tasks from starting", AT(wants_why), 0 },
    { "-xml", ARGUMENT_NONE, option_form, "[-xml]", "display the information in XML format",
      AT(form), DOC_XML },
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

/* ---- -g c ---- */
/* Instances are sorted by name, so those of one cluster queue follow each other. */
static void show_queues(struct doc *d, const struct queue_view *view, bool is_extended)
{
    for (uint32_t i = 0; i < view->n;) {
        struct cluster_queue sums = { .name = view->v[i]->QU_qname != NULL ? view->v[i]->QU_qname
                                                                           : "" };
        for (; i < view->n && view->v[i]->QU_qname != NULL &&
               strcmp(view->v[i]->QU_qname, sums.name) == 0;
             i++)
            cluster_queue_add(&sums, view->v[i], queue_view_host(view, view->v[i]));
        cluster_queue_show(d, &sums, is_extended);
        if (sums.name[0] == '\0')
            i++;
    }
}

static const struct doc_kind root_kind = { .name = "job_info", .xml = { .has_blank = true } };
static const struct doc_kind queues_kind = { .json = "cluster_queues" };

static int qstat_summary(const struct qstat_world *w, const struct qstat_options *o,
                         struct answer *ans)
{
    struct queue_view view;
    bool is_extended = (o->table & TABLE_EXT) != 0;
    if (qstat_queues(w, o, VIEW_HOSTS, &view, ans) < 0)
        return 1;
    struct doc *d = doc_open(o->form, w->out, "  ", ans);
    int result = -1;
    if (d != NULL) {
        doc_begin(d, &root_kind);
        doc_field(d, &qstat_schema, doc_string(QSTAT_SCHEMA));
        doc_list(d, &queues_kind);
        if (doc_page(d) != NULL && view.n > 0)
            cluster_queue_head(doc_page(d), is_extended);
        show_queues(d, &view, is_extended);
        result = doc_close(d, ans);
    }
    queue_view_free(&view);
    return result < 0 ? 1 : 0;
}

static int show_help(const struct qstat_world *w)
{
    struct dstr text = DSTR_INIT;
    qstat_usage(&text);
    fputs(dstr_get(&text), w->out);
    dstr_free(&text);
    return 0;
}

int qstat_run(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    if (o->wants_help)
        return show_help(w);
    if (o->wants_why)
        return qstat_why(w, o, ans);
    if (o->wants_detail)
        return qstat_detail(w, o, ans);
    if (o->wants_summary)
        return qstat_summary(w, o, ans);
    return qstat_list(w, o, ans);
}

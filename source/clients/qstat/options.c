/* The options of qstat, one row each: what it is called, what argument it takes, what it does, how -help describes it. */
#include "clients/qstat/options.h"

#include <stdlib.h>
#include <string.h>

#include "clients/common/job_row.h"
#include "clients/common/job_table.h"
#include "clients/qstat/msg_qstat.h"
#include "common/version.h"
#include "libs/sgeobj/qinstance.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum argument { NONE, NEEDED, MAYBE };
typedef bool (*option_fn)(struct qstat_options *o,
                          const char *argument); /* false: wrong argument */

void name_list_add(struct name_list *list, const char *name, size_t len)
{
    list->v = uti_vec_grow(list->v, &list->cap, list->n + 1, sizeof *list->v);
    list->v[list->n++] = uti_strndup(name, len);
}

void name_list_split(struct name_list *list, const char *names)
{
    for (const char *at = names; *at != '\0';) {
        const char *end = strchrnul(at, ',');
        if (end > at)
            name_list_add(list, at, (size_t)(end - at));
        at = *end == ',' ? end + 1 : end;
    }
}

void name_list_free(struct name_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        free(list->v[i]);
    free(list->v);
    *list = (struct name_list){ 0 };
}

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

static bool o_ext(struct qstat_options *o, const char *a)
{
    (void)a;
    return table_bit(o, TABLE_EXT);
}
static bool o_urg(struct qstat_options *o, const char *a)
{
    (void)a;
    return table_bit(o, TABLE_URG);
}
static bool o_pri(struct qstat_options *o, const char *a)
{
    (void)a;
    return table_bit(o, TABLE_PRI);
}
static bool o_full(struct qstat_options *o, const char *a)
{
    (void)a;
    return table_bit(o, TABLE_FULL);
}
static bool o_requests(struct qstat_options *o, const char *a)
{
    (void)a;
    return table_bit(o, TABLE_REQUESTS);
}
static bool o_tasks(struct qstat_options *o, const char *a)
{
    (void)a;
    return table_bit(o, TABLE_TASKS | TABLE_MASTER);
}
static bool o_no_binding(struct qstat_options *o, const char *a)
{
    (void)a;
    return table_bit(o, TABLE_NO_BINDING);
}
static bool o_help(struct qstat_options *o, const char *a)
{
    (void)a;
    return o->wants_help = true;
}
static bool o_xml(struct qstat_options *o, const char *a)
{
    (void)a;
    return o->wants_xml = true;
}
static bool o_why(struct qstat_options *o, const char *a)
{
    (void)a;
    return o->wants_why = true;
}
static bool o_no_empty(struct qstat_options *o, const char *a)
{
    (void)a;
    return o->hides_empty = true;
}

static bool o_explain(struct qstat_options *o, const char *a)
{
    return strspn(a, "acAE") == strlen(a) && table_bit(o, TABLE_FULL) && set_text(&o->explain, a);
}

static bool o_resources(struct qstat_options *o, const char *a)
{
    o->wants_resources = true;
    return table_bit(o, TABLE_FULL) && set_text(&o->resources, a);
}

static bool o_group(struct qstat_options *o, const char *a)
{
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

static bool o_jobs(struct qstat_options *o, const char *a)
{
    o->wants_detail = true;
    if (a != NULL)
        name_list_split(&o->jobs, a);
    return true;
}

static bool o_queues(struct qstat_options *o, const char *a)
{
    name_list_split(&o->queues, a);
    return true;
}
static bool o_pes(struct qstat_options *o, const char *a)
{
    name_list_split(&o->pes, a);
    return true;
}
static bool o_users(struct qstat_options *o, const char *a)
{
    name_list_split(&o->users, a);
    return true;
}

static bool o_queue_states(struct qstat_options *o, const char *a)
{
    o->has_queue_states = true;
    return qinstance_state_parse(a, &o->queue_states);
}

static bool o_states(struct qstat_options *o, const char *a)
{
    name_list_add(&o->states, a, strlen(a));
    return show_parse(a, &o->show);
}

struct option_row {
    const char *name;
    enum argument argument;
    option_fn apply;   /* NULL: known, but not supported yet */
    const char *usage; /* as -help shows it; NULL: on the line of another */
    const char *what;
};

static const struct option_row rows[] = {
    { "-ext", NONE, o_ext, "[-ext]", "view additional attributes" },
    { "-explain", NEEDED, o_explain, "[-explain a|c|A|E]",
      "show reason for queue c(onfiguration ambiguous), a(larm), suspend A(larm), E(rror) state" },
    { "-f", NONE, o_full, "[-f]", "full output" },
    { "-F", MAYBE, o_resources, "[-F [resource_attributes]]",
      "full output and show (selected) resources of queue(s)" },
    { "-g", NEEDED, o_group, "[-g c]", "display cluster queue summary" },
    { "-g", NEEDED, o_group, "[-g d]", "display all job-array tasks (do not group)" },
    { "-g", NEEDED, o_group, "[-g t]", "display all parallel job tasks (do not group)" },
    { "-help", NONE, o_help, "[-help]", "print this help" },
    { "-j", MAYBE, o_jobs, "[-j [job_identifier_list]]", "show scheduler job information" },
    { "-l", NEEDED, NULL, "[-l resource_list]", "request the given resources" },
    { "-ne", NONE, o_no_empty, "[-ne]", "hide empty queues" },
    { "-ncb", NONE, o_no_binding, "[-ncb]", "suppress additional binding specific parameters" },
    { "-pe", NEEDED, o_pes, "[-pe pe_list]",
      "select only queues with one of these parallel environments" },
    { "-q", NEEDED, o_queues, "[-q wc_queue_list]", "print information on given queue" },
    { "-qs", NEEDED, o_queue_states, "[-qs {a|c|d|o|s|u|A|C|D|E|S}]",
      "selects queues which are in the given state(s)" },
    { "-r", NONE, o_requests, "[-r]", "show requested resources of job(s)" },
    { "-s", NEEDED, o_states, "[-s {p|r|s|z|hu|ho|hs|hd|hj|ha|h|a}]",
      "show pending, running, suspended, zombie jobs,\n"
      "                                          jobs with a user/operator/system/array-dependency "
      "hold, \n"
      "                                          jobs with a start time in future or any "
      "combination only.\n"
      "                                          h is an abbreviation for huhohshdhjha\n"
      "                                          a is an abbreviation for prsh" },
    { "-t", NONE, o_tasks, "[-t]", "show task information (implicitly -g t)" },
    { "-u", NEEDED, o_users, "[-u user_list]", "view jobs of this user list" },
    { "-U", NEEDED, NULL, "[-U user_list]", "select only queues where these users have access" },
    { "-urg", NONE, o_urg, "[-urg]", "display job urgency information" },
    { "-pri", NONE, o_pri, "[-pri]", "display job priority information" },
    { "-why", NONE, o_why, "[-why]", "with -j JOB.TASK: show which tasks it still waits for" },
    { "-xml", NONE, o_xml, "[-xml]", "display the information in XML format" },
};

static const char terms[] =
    "pe_list                  pe[,pe,...]\n"
    "job_identifier_list      [job_id|job_name|pattern]{, [job_id|job_name|pattern]}\n"
    "resource_list            resource[=value][,resource[=value],...]\n"
    "user_list                user|*|@group[,user|*|@group],...]\n"
    "resource_attributes      resource,resource,...\n"
    "wc_cqueue                wildcard expression matching a cluster queue\n"
    "wc_host                  wildcard expression matching a host\n"
    "wc_hostgroup             wildcard expression matching a hostgroup\n"
    "wc_qinstance             wc_cqueue@wc_host\n"
    "wc_qdomain               wc_cqueue@wc_hostgroup\n"
    "wc_queue_list            wc_cqueue|wc_qdomain|wc_qinstance\n"
    "wc_queue_list            wc_queue[,wc_queue,...]\n";

void qstat_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qstat [options]\n");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        dstr_addf(out, "        %-33s %s\n", rows[i].usage, rows[i].what);
    dstr_addc(out, '\n');
    dstr_add(out, terms);
}

static const struct option_row *row_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    return NULL;
}

static int check_whole(const struct qstat_options *o, struct answer *ans)
{
    if (o->wants_why && (o->jobs.n != 1))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_WHY_NEEDS_TASK);
    for (uint32_t i = 0; i < o->users.n; i++) {
        if (o->users.v[i][0] == '@')
            return ans_fail(ans, STATUS_ENOTSUP, MSG_OPTION_LATER_S, "-u @group");
    }
    return 0;
}

int qstat_parse(int n, char *const *args, struct qstat_options *o, bool *shows_usage,
                struct answer *ans)
{
    *shows_usage = false;
    for (int i = 0; i < n; i++) {
        const struct option_row *row = row_find(args[i]);
        if (row == NULL) {
            *shows_usage = true;
            return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_INVALID_S, args[i]);
        }
        const char *argument = NULL;
        if (row->argument == NEEDED && i + 1 >= n)
            return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_ARGUMENT_S, row->name);
        if (row->argument == NEEDED ||
            (row->argument == MAYBE && i + 1 < n && args[i + 1][0] != '-'))
            argument = args[++i];
        if (row->apply == NULL)
            return ans_fail(ans, STATUS_ENOTSUP, MSG_OPTION_LATER_S, row->name);
        if (!row->apply(o, argument)) {
            *shows_usage = true;
            return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_WRONG_S, row->name);
        }
    }
    return check_whole(o, ans);
}

void qstat_options_free(struct qstat_options *o)
{
    name_list_free(&o->states);
    name_list_free(&o->users);
    name_list_free(&o->jobs);
    name_list_free(&o->queues);
    name_list_free(&o->pes);
    free(o->resources);
    free(o->explain);
    *o = (struct qstat_options){ 0 };
}

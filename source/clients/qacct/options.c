/* The options of qacct, one row each. Source: qacct(1). */
#include <ctype.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/msg_clients.h"
#include "clients/qacct/qacct.h"
#include "common/version.h"
#include "libs/cli/date.h"
#include "libs/config/quantity.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

static bool group_by(void *options, const char *only, unsigned column)
{
    struct qacct_options *o = options;
    o->query.groups[column] = true;
    return only == NULL || option_text(&o->query.only[column], only, 0);
}

/* A queue that is named brings the host as well: its instances are told apart. */
static bool o_queue(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct qacct_options *o = options;
    if (a != NULL)
        o->query.groups[BY_HOST] = true;
    return group_by(o, a, BY_QUEUE);
}

/* A group may be given by its number. */
static bool o_group(void *options, const char *a, unsigned value SGE_UNUSED)
{
    gid_t gid;
    const struct group *entry = a != NULL && parse_u32(a, &gid) ? getgrgid(gid) : NULL;
    return group_by(options, entry != NULL ? entry->gr_name : a, BY_GROUP);
}

static bool o_file(void *options, const char *a, unsigned value SGE_UNUSED)
{
    ((struct qacct_options *)options)->is_word_file = false;
    return option_text(&((struct qacct_options *)options)->file, a, 0);
}
static bool take_file(void *options, const char *word)
{
    bool is_set = o_file(options, word, 0);
    return ((struct qacct_options *)options)->is_word_file = is_set;
}
/* Only master tasks have records of their own so far, so there is nothing to leave out. */
static bool o_masters(void *options SGE_UNUSED, const char *a SGE_UNUSED, unsigned value SGE_UNUSED)
{
    return true;
}

static void forget_jobs(struct qacct_options *o)
{
    for (uint32_t i = 0; i < o->query.n_jobs; i++)
        free(o->query.jobs[i].text);
    free(o->query.jobs);
    o->query.jobs = NULL;
    o->query.n_jobs = 0;
}

static void add_job(struct qacct_options *o, const char *text, size_t len)
{
    o->query.jobs = uti_realloc(o->query.jobs, (o->query.n_jobs + 1) * sizeof *o->query.jobs);
    struct job_word *word = &o->query.jobs[o->query.n_jobs++];
    *word = (struct job_word){ .text = uti_strndup(text, len) };
    word->is_number = parse_u32(word->text, &word->number);
}

static bool o_job(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct qacct_options *o = options;
    o->query.wants_jobs = true;
    forget_jobs(o);
    if (a == NULL)
        return true;
    bool is_list = strchr(a, ',') != NULL;
    if (!is_list || !isdigit((unsigned char)*a))
        add_job(o, a, strlen(a));
    struct list_reader r = list_reader_over_names(a);
    struct dstr item = DSTR_INIT;
    while (is_list && list_next(&r, &item))
        add_job(o, dstr_get(&item), item.len);
    dstr_free(&item);
    return true;
}

#define AT(member) offsetof(struct qacct_options, member)

static const struct client_option rows[] = {
    { "-ar", ARGUMENT_MAYBE, group_by, "[-ar [ar_id]]", "list [matching] advance reservations", 0,
      BY_AR },
    { "-A", ARGUMENT_MAYBE, group_by, "[-A [account_string]]", "list [matching] account", 0,
      BY_ACCOUNT },
    { "-b", ARGUMENT_NEEDED, option_text, "[-b begin_time]", "jobs started after", AT(begin), 0 },
    { "-d", ARGUMENT_NEEDED, option_text, "[-d days]", "jobs started during the last d days",
      AT(days), 0 },
    { "-D", ARGUMENT_MAYBE, group_by, "[-D [department]]", "list [matching] department", 0,
      BY_DEPARTMENT },
    { "-e", ARGUMENT_NEEDED, option_text, "[-e end_time]", "jobs started before", AT(end), 0 },
    { "-E", ARGUMENT_NONE, option_flag, "[-E]", "select job end time, not start", AT(query.by_end),
      0 },
    { "-f", ARGUMENT_NEEDED, o_file, "[[-f] acctfile]", "use alternate accounting file", 0, 0 },
    { "-g", ARGUMENT_MAYBE, o_group, "[-g [groupid|groupname]]", "list [matching] group", 0, 0 },
    { "-h", ARGUMENT_MAYBE, group_by, "[-h [host]]", "list [matching] host", 0, BY_HOST },
    { "-help", ARGUMENT_NONE, option_flag, "[-help]", "display this message", AT(wants_help), 0 },
    { "-j", ARGUMENT_MAYBE, o_job, "[-j [job_id|job_name|pattern]]", "list all [matching] jobs", 0,
      0 },
    { "-json", ARGUMENT_NONE, option_form, "[-json]", "display the information in JSON format",
      AT(query.form), DOC_JSON },
    { "-l", ARGUMENT_NEEDED, NULL, "[-l attr=val,...]", "request given complex attributes", 0, 0 },
    { "-m", ARGUMENT_NONE, o_masters, "[-m]", "list only master tasks", 0, 0 },
    { "-o", ARGUMENT_MAYBE, group_by, "[-o [owner]]", "list [matching] owner", 0, BY_OWNER },
    { "-u", ARGUMENT_MAYBE, group_by, "[-u [owner]]", "list [matching] owner", 0, BY_OWNER },
    { "-pe", ARGUMENT_MAYBE, group_by, "[-pe [pe_name]]", "list [matching] parallel environment", 0,
      BY_PE },
    { "-P", ARGUMENT_MAYBE, group_by, "[-P [project]]", "list [matching] project", 0, BY_PROJECT },
    { "-q", ARGUMENT_MAYBE, o_queue, "[-q [queue]]", "list [matching] queue", 0, 0 },
    { "-slots", ARGUMENT_MAYBE, group_by, "[-slots [slots]]", "list [matching] job slots", 0,
      BY_SLOTS },
    { "-t", ARGUMENT_NEEDED, option_text, "[-t taskid[-taskid[:step]]]",
      "list all [matching] tasks (requires -j option)", AT(tasks), 0 },
};

static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = " ", .width = 33, .operand = take_file
};

void qacct_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qacct [options]\n");
    option_table_help(&table, out);
    dstr_add(
        out,
        "\n begin_time, end_time              [[CC]YYMMDDhhmm[.SS]\n"
        " queue                             [cluster_queue|queue_instance|queue_domain|pattern]\n");
}

int qacct_parse(int n, char *const *args, struct qacct_options *o, bool *shows_usage,
                struct answer *ans)
{
    if (option_table_parse(&table, n, args, o, shows_usage, ans) < 0)
        return -1;
    *shows_usage = o->tasks != NULL && o->query.n_jobs == 0;
    if (*shows_usage)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_TASKS_NEED_JOB);
    return 0;
}

static int read_time(const char *option, const char *text, uint64_t now_s, uint64_t *out,
                     struct answer *ans)
{
    if (text != NULL && !date_parse(text, now_s, out))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_TIME_SS, option, text);
    return 0;
}

int qacct_check(struct qacct_options *o, uint64_t now_s, struct answer *ans)
{
    uint32_t days, slots;
    const char *wanted = o->query.only[BY_SLOTS], *ar = o->query.only[BY_AR];
    if (read_time("-b", o->begin, now_s, &o->query.begin_s, ans) < 0 ||
        read_time("-e", o->end, now_s, &o->query.end_s, ans) < 0)
        return -1;
    o->query.has_tasks = o->tasks != NULL;
    if (o->query.has_tasks && task_range_parse(o->tasks, "-t", &o->query.range, ans) < 0)
        return -1;
    if (wanted != NULL && !quantity_count_parse(wanted, &slots))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_SLOTS_S, wanted);
    if (ar != NULL && !quantity_count_parse(ar, &slots))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_AR_S, ar);
    if (o->days == NULL)
        return 0;
    if (!quantity_count_parse(o->days, &days) || (uint64_t)days * 86400 > now_s)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_DAYS_S, o->days);
    o->query.begin_s = now_s - (uint64_t)days * 86400;
    return 0;
}

void qacct_options_free(struct qacct_options *o)
{
    for (int i = 0; i < GROUPS; i++)
        free(o->query.only[i]);
    forget_jobs(o);
    free(o->begin);
    free(o->end);
    free(o->days);
    free(o->tasks);
    free(o->file);
    *o = (struct qacct_options){ 0 };
}

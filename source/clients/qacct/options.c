/* The options of qacct, one row each. Source: qacct(1). */
#include <ctype.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/msg_clients.h"
#include "clients/qacct/msg_qacct.h"
#include "clients/qacct/qacct.h"
#include "common/version.h"
#include "libs/cli/date.h"
#include "libs/config/quantity.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

static bool set_text(char **at, const char *text)
{
    free(*at);
    *at = text != NULL ? uti_strdup(text) : NULL;
    return true;
}

static bool group_by(void *options, enum column column, const char *only)
{
    struct qacct_options *o = options;
    o->groups[column] = true;
    return only == NULL || set_text(&o->only[column], only);
}

static bool o_account(void *o, const char *a)
{
    return group_by(o, GROUP_ACCOUNT, a);
}
static bool o_department(void *o, const char *a)
{
    return group_by(o, GROUP_DEPARTMENT, a);
}
static bool o_host(void *o, const char *a)
{
    return group_by(o, GROUP_HOST, a);
}
static bool o_owner(void *o, const char *a)
{
    return group_by(o, GROUP_OWNER, a);
}
static bool o_pe(void *o, const char *a)
{
    return group_by(o, GROUP_PE, a);
}
static bool o_project(void *o, const char *a)
{
    return group_by(o, GROUP_PROJECT, a);
}
static bool o_slots(void *o, const char *a)
{
    return group_by(o, GROUP_SLOTS, a);
}

/* A queue that is named brings the host as well: its instances are told apart. */
static bool o_queue(void *options, const char *a)
{
    struct qacct_options *o = options;
    if (a != NULL)
        o->groups[GROUP_HOST] = true;
    return group_by(o, GROUP_QUEUE, a);
}

/* A group may be given by its number. */
static bool o_group(void *options, const char *a)
{
    gid_t gid;
    const struct group *entry = a != NULL && parse_u32(a, &gid) ? getgrgid(gid) : NULL;
    return group_by(options, GROUP_GROUP, entry != NULL ? entry->gr_name : a);
}

static bool o_begin(void *options, const char *a)
{
    return set_text(&((struct qacct_options *)options)->begin, a);
}
static bool o_end(void *options, const char *a)
{
    return set_text(&((struct qacct_options *)options)->end, a);
}
static bool o_days(void *options, const char *a)
{
    return set_text(&((struct qacct_options *)options)->days, a);
}
static bool o_file(void *options, const char *a)
{
    ((struct qacct_options *)options)->is_word_file = false;
    return set_text(&((struct qacct_options *)options)->file, a);
}
static bool take_file(void *options, const char *word)
{
    bool is_set = o_file(options, word);
    return ((struct qacct_options *)options)->is_word_file = is_set;
}
static bool o_by_end(void *options, const char *a)
{
    (void)a;
    return ((struct qacct_options *)options)->by_end = true;
}
static bool o_help(void *options, const char *a)
{
    (void)a;
    return ((struct qacct_options *)options)->wants_help = true;
}
static bool o_json(void *options, const char *a)
{
    (void)a;
    ((struct qacct_options *)options)->form = DOC_JSON;
    return true;
}

/* Only master tasks have records of their own so far, so there is nothing to leave out. */
static bool o_masters(void *options, const char *a)
{
    (void)options;
    (void)a;
    return true;
}

static void forget_jobs(struct qacct_options *o)
{
    for (uint32_t i = 0; i < o->n_jobs; i++)
        free(o->jobs[i].text);
    free(o->jobs);
    o->jobs = NULL;
    o->n_jobs = 0;
}

static void add_job(struct qacct_options *o, const char *text, size_t len)
{
    o->jobs = uti_realloc(o->jobs, (o->n_jobs + 1) * sizeof *o->jobs);
    struct job_word *word = &o->jobs[o->n_jobs++];
    *word = (struct job_word){ .text = uti_strndup(text, len) };
    word->is_number = parse_u32(word->text, &word->number);
}

static bool o_job(void *options, const char *a)
{
    struct qacct_options *o = options;
    o->wants_jobs = true;
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

static bool o_tasks(void *options, const char *a)
{
    return set_text(&((struct qacct_options *)options)->tasks, a);
}

static const struct client_option rows[] = {
    { "-ar", ARGUMENT_MAYBE, NULL, "[-ar [ar_id]]", "list [matching] advance reservations" },
    { "-A", ARGUMENT_MAYBE, o_account, "[-A [account_string]]", "list [matching] account" },
    { "-b", ARGUMENT_NEEDED, o_begin, "[-b begin_time]", "jobs started after" },
    { "-d", ARGUMENT_NEEDED, o_days, "[-d days]", "jobs started during the last d days" },
    { "-D", ARGUMENT_MAYBE, o_department, "[-D [department]]", "list [matching] department" },
    { "-e", ARGUMENT_NEEDED, o_end, "[-e end_time]", "jobs started before" },
    { "-E", ARGUMENT_NONE, o_by_end, "[-E]", "select job end time, not start" },
    { "-f", ARGUMENT_NEEDED, o_file, "[[-f] acctfile]", "use alternate accounting file" },
    { "-g", ARGUMENT_MAYBE, o_group, "[-g [groupid|groupname]]", "list [matching] group" },
    { "-h", ARGUMENT_MAYBE, o_host, "[-h [host]]", "list [matching] host" },
    { "-help", ARGUMENT_NONE, o_help, "[-help]", "display this message" },
    { "-j", ARGUMENT_MAYBE, o_job, "[-j [job_id|job_name|pattern]]", "list all [matching] jobs" },
    { "-json", ARGUMENT_NONE, o_json, "[-json]", "display the information in JSON format" },
    { "-l", ARGUMENT_NEEDED, NULL, "[-l attr=val,...]", "request given complex attributes" },
    { "-m", ARGUMENT_NONE, o_masters, "[-m]", "list only master tasks" },
    { "-o", ARGUMENT_MAYBE, o_owner, "[-o [owner]]", "list [matching] owner" },
    { "-u", ARGUMENT_MAYBE, o_owner, "[-u [owner]]", "list [matching] owner" },
    { "-pe", ARGUMENT_MAYBE, o_pe, "[-pe [pe_name]]", "list [matching] parallel environment" },
    { "-P", ARGUMENT_MAYBE, o_project, "[-P [project]]", "list [matching] project" },
    { "-q", ARGUMENT_MAYBE, o_queue, "[-q [queue]]", "list [matching] queue" },
    { "-slots", ARGUMENT_MAYBE, o_slots, "[-slots [slots]]", "list [matching] job slots" },
    { "-t", ARGUMENT_NEEDED, o_tasks, "[-t taskid[-taskid[:step]]]",
      "list all [matching] tasks (requires -j option)" },
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
    *shows_usage = o->tasks != NULL && o->n_jobs == 0;
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
    const char *wanted = o->only[GROUP_SLOTS];
    if (read_time("-b", o->begin, now_s, &o->begin_s, ans) < 0 ||
        read_time("-e", o->end, now_s, &o->end_s, ans) < 0)
        return -1;
    if (o->tasks != NULL && task_range_parse(o->tasks, "-t", &o->range, ans) < 0)
        return -1;
    if (wanted != NULL && !quantity_count_parse(wanted, &slots))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_SLOTS_S, wanted);
    if (o->days == NULL)
        return 0;
    if (!quantity_count_parse(o->days, &days) || (uint64_t)days * 86400 > now_s)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_DAYS_S, o->days);
    o->begin_s = now_s - (uint64_t)days * 86400;
    return 0;
}

void qacct_options_free(struct qacct_options *o)
{
    for (int i = 0; i < GROUPS; i++)
        free(o->only[i]);
    forget_jobs(o);
    free(o->begin);
    free(o->end);
    free(o->days);
    free(o->tasks);
    free(o->file);
    *o = (struct qacct_options){ 0 };
}

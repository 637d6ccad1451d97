/* The options of qconf in the order in which -help shows them, and the loop over the options of a
 * command line. Options that add, change, remove and show objects follow from the letters of their
 * kind (sge_object_kindsL.h): rows say how -help words them, and what those do that differ. Those
 * of a kind without such rows come last, worded alike. Source: qconf(1). */
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/output.h"
#include "clients/qconf/qconf.h"
#include "common/version.h"
#include "libs/kinds/kinds.h"
#include "libs/sgeobj/object_kind.h"

/* ---- options of the kinds ---- */

/* what an option does that is a verb, the letters of a kind (sge_object_kindsL.h), and an ending */
static const struct kind_option {
    char verb;
    const char *ending;
    int words;
    qconf_fn *apply;
    const char *argument, *what; /* as -help shows it; the noun of the kind is between the two */
    const char *what_after;
} kind_options[] = {
    { 'a', "", 1, object_add, "name", "add a new ", "" },
    { 'A', "", 1, object_add_file, "fname", "add a new ", " from file" },
    { 'd', "", 1, delete_names, "name", "delete ", "" },
    { 'm', "", 1, object_modify, "name", "modify ", "" },
    { 'M', "", 1, object_modify_file, "fname", "modify ", " from file" },
    { 's', "", 1, show_objects, "name", "show given ", "" },
    { 's', "l", 0, show_names, NULL, "show a list of all names of ", "" },
};

static bool is_option_of(const struct kind_option *option, const char *letters, const char *name)
{
    size_t len = strlen(letters);
    return name[0] == '-' && name[1] == option->verb && strncmp(name + 2, letters, len) == 0 &&
           strcmp(name + 2 + len, option->ending) == 0;
}

/* what the option NAME of a kind does; false if it is none */
static bool kind_option_find(const char *name, struct qconf_row *out)
{
    const struct kind *kind;
    for (unsigned k = 0; (kind = kind_at(k)) != NULL; k++) {
        const char *letters = object_kind_letters(kind->target);
        for (size_t i = 0; letters != NULL && i < ARRAY_LEN(kind_options); i++) {
            const struct kind_option *option = &kind_options[i];
            if (!is_option_of(option, letters, name))
                continue;
            *out = (struct qconf_row){ .name = name,
                                       .least = option->words,
                                       .most = option->words,
                                       .apply = option->apply,
                                       .target = kind->target };
            return true;
        }
    }
    return false;
}

/* ---- all options ---- */

/* `least` of a row that only says how -help shows an option of a kind */
enum { AS_OF_KIND = -1 };
#define OF_KIND(name, usage, what)                                                                 \
    {                                                                                              \
        name, AS_OF_KIND, 0, NULL, 0, usage, what                                                  \
    }
/* clang-format off */
static const struct qconf_row qconf_rows[] = {
    { "-aattr", 4, MANY, attr_by_words, GDI_CQUEUE, "[-aattr obj_nm attr_nm val obj_id_list]", "add to a list attribute of an object" },
    { "-Aattr", 3, MANY, attr_by_file, GDI_CQUEUE, "[-Aattr obj_nm fname obj_id_list]", "add to a list attribute of an object" },
    OF_KIND("-acal", "[-acal calendar_name]", "add a new calendar"),
    OF_KIND("-Acal", "[-Acal fname]", "add a new calendar from file"),
    OF_KIND("-ackpt", NULL, NULL),
    OF_KIND("-Ackpt", "[-Ackpt fname]", "add a checkpointing interface definition from file"),
    OF_KIND("-aconf", "[-aconf host_list]", "add configurations"),
    OF_KIND("-Aconf", "[-Aconf file_list]", "add configurations from file_list"),
    { "-ae", 0, 1, object_add, GDI_EXECHOST, "[-ae [exec_server_template]]", "add an exec host using a template" },
    OF_KIND("-Ae", "[-Ae fname]", "add an exec host from file"),
    { "-ah", 1, 1, add_names, GDI_ADMINHOST, "[-ah hostname_list]", "add an administrative host" },
    OF_KIND("-ahgrp", "[-ahgrp group]", "add new host group entry"),
    OF_KIND("-Ahgrp", "[-Ahgrp file]", "add new host group entry from file"),
    { "-arqs", 0, 1, object_add, GDI_RQS, "[-arqs [rqs_list]]", "add resource quota set(s)" },
    OF_KIND("-Arqs", "[-Arqs fname]", "add resource quota set(s) from file"),
    { "-am", 1, 1, add_names, GDI_MANAGER, "[-am user_list]", "add user to manager list" },
    { "-ao", 1, 1, add_names, GDI_OPERATOR, "[-ao user_list]", "add user to operator list" },
    OF_KIND("-ap", "[-ap pe-name]", "add a new parallel environment"),
    OF_KIND("-Ap", NULL, NULL),
    { "-aprj", 0, 1, object_add, GDI_PROJECT, "[-aprj]", "add project" },
    OF_KIND("-Aprj", "[-Aprj fname]", "add project from file"),
    { "-aq", 0, 1, object_add, GDI_CQUEUE, "[-aq [queue_name]]", "add a new cluster queue" },
    OF_KIND("-Aq", "[-Aq fname]", "add a queue from file"),
    { "-ar", 0, MANY, NULL, GDI_MASTER, "[-ar ar_id]", "bind job to advance reservation" },
    { "-as", 1, 1, add_names, GDI_SUBMITHOST, "[-as hostname_list]", "add a submit host" },
    { "-astnode", 1, 1, share_nodes_add, GDI_SHARETREE, "[-astnode node_shares_list]", "add sharetree node(s)" },
    { "-astree", 0, 0, object_add, GDI_SHARETREE, "[-astree]", "create/modify the sharetree" },
    { "-Astree", 1, 1, object_add_file, GDI_SHARETREE, "[-Astree fname]", "create/modify the sharetree from file" },
    { "-au", 2, 2, userset_add_users, GDI_USERSET, "[-au user_list listname_list]", "add user(s) to userset list(s)" },
    OF_KIND("-Au", "[-Au fname]", "add userset from file"),
    { "-auser", 0, 1, object_add, GDI_USER, "[-auser]", "add user" },
    OF_KIND("-Auser", "[-Auser fname]", "add user from file"),
    { "-ckpt", 0, MANY, NULL, GDI_MASTER, "[-ckpt ckpt-name]", "request checkpoint method" },
    { "-clear", 0, MANY, NULL, GDI_MASTER, "[-clear]", "skip previous definitions for job" },
    { "-clearusage", 0, 1, clear_usage, GDI_SHARE_USAGE, "[-clearusage [user_list]]", "clear sharetree usage for user_list or all users/projects" },
    { "-cq", 1, 1, clean_queues, GDI_CQUEUE, "[-cq wc_queue_list]", "clean queue" },
    { "-dattr", 4, MANY, attr_by_words, GDI_CQUEUE, "[-dattr obj_nm attr_nm val obj_id_list]", "delete from a list attribute of an object" },
    { "-Dattr", 3, MANY, attr_by_file, GDI_CQUEUE, "[-Dattr obj_nm fname obj_id_list]", "delete from a list attribute of an object" },
    OF_KIND("-dcal", "[-dcal calendar_name]", "delete calendar"),
    OF_KIND("-dckpt", "[-dckpt ckpt_name]", "delete checkpointing interface definition"),
    OF_KIND("-dconf", "[-dconf host_list]", "delete local configurations"),
    OF_KIND("-de", "[-de host_list]", "delete exec host"),
    { "-display", 0, MANY, NULL, GDI_MASTER, "[-display display]", "set DISPLAY variable inside interactive job (not available for qrsh without command)" },
    { "-dh", 1, 1, delete_names, GDI_ADMINHOST, "[-dh host_list]", "delete administrative host" },
    OF_KIND("-dhgrp", "[-dhgrp group]", "delete host group entry"),
    { "-dl", 0, MANY, NULL, GDI_MASTER, "[-dl date_time]", "request a deadline initiation time" },
    OF_KIND("-drqs", "[-drqs rqs_list]", "delete resource quota set(s)"),
    { "-dm", 1, 1, delete_names, GDI_MANAGER, "[-dm user_list]", "delete user from manager list" },
    { "-do", 1, 1, delete_names, GDI_OPERATOR, "[-do user_list]", "delete user from operator list" },
    OF_KIND("-dp", "[-dp pe-name]", "delete parallel environment"),
    OF_KIND("-dprj", "[-dprj project_list]", "delete project"),
    OF_KIND("-dq", "[-dq wc_queue_list]", "delete queue"),
    { "-ds", 1, 1, delete_names, GDI_SUBMITHOST, "[-ds host_list]", "delete submit host" },
    { "-dstnode", 1, 1, share_nodes_delete, GDI_SHARETREE, "[-dstnode node_list]", "delete sharetree node(s)" },
    { "-dstree", 0, 0, delete_names, GDI_SHARETREE, "[-dstree]", "delete the sharetree" },
    { "-du", 2, 2, userset_delete_users, GDI_USERSET, "[-du user_list listname_list]", "delete user(s) from userset list(s)" },
    OF_KIND("-duser", "[-duser user_list]", "delete user(s)"),
    { "-help", 0, 0, show_help, 0, "[-help]", "print this help" },
    { "-json", 0, 0, show_as_json, 0, "[-json]", "show in JSON format what other options show" },
    { "-ke", 1, 1, stop_hosts, GDI_EXECHOST, "[-ke[j] host_list", "shutdown execution daemon(s)" },
    { "-kej", 1, 1, stop_hosts_and_jobs, GDI_EXECHOST, NULL, NULL },
    { "-km", 0, 0, stop_qmaster, GDI_MASTER, "[-k{m|s}]", "shutdown master|scheduling thread" },
    { "-ks", 0, 0, stop_scheduler, GDI_THREAD, NULL, NULL },
    { "-kec", 1, 1, stop_named, GDI_EVENTCLIENT, "[-kec evid_list]", "kill event client" },
    { "-kt", 1, 1, stop_named, GDI_THREAD, "[-kt thread_name]", "kill qmaster thread" },
    { "-Mattr", 3, MANY, attr_by_file, GDI_CQUEUE, "[-Mattr obj_nm fname obj_id_list]", "modify an attribute (or element in a sublist) of an object" },
    { "-mc", 0, 0, complex_modify, GDI_COMPLEX, "[-mc ]", "modify complex attributes" },
    { "-Mc", 1, 1, complex_modify_file, GDI_COMPLEX, "[-Mc fname]", "modify complex attributes from file" },
    OF_KIND("-mcal", "[-mcal calendar_name]", "modify calendar"),
    OF_KIND("-Mcal", "[-Mcal fname]", "modify calendar from file"),
    OF_KIND("-mckpt", "[-mckpt ckpt_name]", "modify a checkpointing interface definition"),
    OF_KIND("-Mckpt", "[-Mckpt fname]", "modify a checkpointing interface definition from file"),
    { "-mconf", 0, 1, object_modify, GDI_CONFIG, "[-mconf [host_list|global]]", "modify configurations" },
    OF_KIND("-Mconf", "[-Mconf file_list]", "modify configurations from file_list"),
    OF_KIND("-me", "[-me server]", "modify exec server"),
    OF_KIND("-Me", "[-Me fname]", "modify exec server from file"),
    OF_KIND("-mhgrp", "[-mhgrp group]", "modify host group entry"),
    OF_KIND("-Mhgrp", "[-Mhgrp file]", "modify host group entry from file"),
    { "-mrqs", 0, 1, object_modify, GDI_RQS, "[-mrqs [rqs_list]]", "modify resource quota set(s)" },
    { "-Mrqs", 1, 2, object_modify_file, GDI_RQS, "[-Mrqs fname [rqs_list]]", "modify resource quota set(s) from file" },
    OF_KIND("-mp", "[-mp pe-name]", "modify a parallel environment"),
    OF_KIND("-Mp", "[-Mp fname]", "modify a parallel environment from file"),
    OF_KIND("-mprj", "[-mprj project]", "modify a project"),
    OF_KIND("-Mprj", "[-Mprj fname]", "modify project from file"),
    OF_KIND("-mq", "[-mq queue]", "modify a queue"),
    OF_KIND("-Mq", "[-Mq fname]", "modify a queue from file"),
    { "-msconf", 0, 0, object_modify, GDI_SCHEDCONF, "[-msconf]", "modify scheduler configuration" },
    { "-Msconf", 1, 1, object_modify_file, GDI_SCHEDCONF, "[-Msconf fname]", "modify scheduler configuration from file" },
    { "-mstnode", 1, 1, share_nodes_modify, GDI_SHARETREE, "[-mstnode node_shares_list]", "modify sharetree node(s)" },
    { "-mstree", 0, 0, object_modify, GDI_SHARETREE, "[-mstree]", "modify/create the sharetree" },
    { "-Mstree", 1, 1, object_modify_file, GDI_SHARETREE, "[-Mstree fname]", "modify/create the sharetree from file" },
    OF_KIND("-mu", "[-mu listname_list]", "modify the given userset list"),
    OF_KIND("-Mu", "[-Mu fname]", "modify userset from file"),
    OF_KIND("-muser", "[-muser user]", "modify a user"),
    OF_KIND("-Muser", "[-Muser fname]", "modify a user from file"),
    { "-purge", 3, 3, attr_purge, GDI_CQUEUE, "[-purge obj_nm3 attr_nm objectname]", "deletes attribute from object_instance" },
    { "-R", 0, MANY, NULL, GDI_MASTER, "[-R y[es]|n[o]]", "reservation desired" },
    { "-rattr", 4, MANY, attr_by_words, GDI_CQUEUE, "[-rattr obj_nm attr_nm val obj_id_list]", "replace a list attribute of an object" },
    { "-Rattr", 3, MANY, attr_by_file, GDI_CQUEUE, "[-Rattr obj_nm fname obj_id_list]", "replace a list attribute of an object" },
    { "-rsstnode", 1, 1, share_nodes_show_all, GDI_SHARETREE, "[-rsstnode node_list]", "show sharetree node(s) and its children" },
    { "-sc", 0, 0, show_complex, GDI_COMPLEX, "[-sc]", "show complex attributes" },
    OF_KIND("-scal", "[-scal calendar_name]", "show given calendar"),
    OF_KIND("-scall", "[-scall]", "show a list of all calendar names"),
    OF_KIND("-sckpt", "[-sckpt ckpt_name]", "show checkpointing interface definition"),
    OF_KIND("-sckptl", "[-sckptl]", "show all checkpointing interface definitions"),
    { "-sconf", 0, 1, show_objects, GDI_CONFIG, "[-sconf [host_list|global]]", "show configurations" },
    { "-sconfl", 0, 0, show_conf_names, GDI_CONFIG, "[-sconfl]", "show a list of all local configurations" },
    { "-sds", 0, 0, show_detached, GDI_CQUEUE, "[-sds]", "show detached settings" },
    OF_KIND("-se", "[-se server]", "show given exec server"),
    { "-secl", 0, 0, show_event_clients, GDI_EVENTCLIENT, "[-secl]", "show event client list" },
    OF_KIND("-sel", "[-sel]", "show a list of all exec servers"),
    { "-sh", 0, 0, show_names, GDI_ADMINHOST, "[-sh]", "show a list of all administrative hosts" },
    OF_KIND("-shgrp", "[-shgrp group]", "show host group"),
    { "-shgrp_tree", 1, 1, show_group_tree, GDI_HOSTGROUP, "[-shgrp_tree group]", "show host group and used hostgroups as tree" },
    { "-shgrp_resolved", 1, 1, show_group_hosts, GDI_HOSTGROUP, "[-shgrp_resolved group]", "show host group with resolved hostlist" },
    OF_KIND("-shgrpl", "[-shgrpl]", "show host group list"),
    { "-sm", 0, 0, show_names, GDI_MANAGER, "[-sm]", "show a list of all managers" },
    { "-so", 0, 0, show_names, GDI_OPERATOR, "[-so]", "show a list of all operators" },
    { "-sobjl", 3, 3, show_matching_objects, GDI_CQUEUE, "[-sobjl obj_nm2 attr_nm val]", "show objects which match the given value" },
    OF_KIND("-sp", "[-sp pe-name]", "show a parallel environment"),
    OF_KIND("-spl", "[-spl]", "show all parallel environments"),
    OF_KIND("-sprj", "[-sprj project]", "show a project"),
    OF_KIND("-sprjl", "[-sprjl]", "show a list of all projects"),
    { "-sq", 0, MANY, show_queues, GDI_CQUEUE, "[-sq [wc_queue_list]]", "show the given queue" },
    OF_KIND("-sql", "[-sql]", "show a list of all queues"),
    { "-srqs", 0, 1, show_objects, GDI_RQS, NULL, NULL },
    OF_KIND("-srqsl", "[-srqsl]", "show resource quota set list"),
    { "-ss", 0, 0, show_names, GDI_SUBMITHOST, "[-ss]", "show a list of all submit hosts" },
    { "-ssconf", 0, 0, show_objects, GDI_SCHEDCONF, "[-ssconf]", "show scheduler configuration" },
    { "-sstnode", 1, 1, share_nodes_show, GDI_SHARETREE, "[-sstnode node_list]", "show sharetree node(s)" },
    { "-sst", 0, 0, show_share_tree, GDI_SHARETREE, "[-sst]", "show a formatted sharetree" },
    { "-sstree", 0, 0, show_objects, GDI_SHARETREE, "[-sstree]", "show the sharetree" },
    OF_KIND("-su", "[-su listname_list]", "show the given userset list"),
    OF_KIND("-sul", "[-sul]", "show a list of all userset lists"),
    OF_KIND("-suser", "[-suser user_list]", "show user(s)"),
    OF_KIND("-suserl", "[-suserl]", "show a list of all users"),
    { "-tc", 0, MANY, NULL, GDI_MASTER, "[-tc max_running_tasks]", "throttle the number of concurrent tasks" },
    { "-tsm", 0, 0, trigger_scheduling, GDI_EVENTCLIENT, "[-tsm]", "trigger scheduler monitoring" },
    { "-verbose", 0, MANY, NULL, GDI_MASTER, "[-verbose]", "verbose information output" },
    { "-w", 0, MANY, NULL, GDI_MASTER, "[-w e|w|n|v|p]", "verify mode (error|warning|none|just verify|poke) for jobs" },
    { "-mattr", 4, MANY, attr_by_words, GDI_CQUEUE, NULL, NULL },
    { "-at", 1, 1, start_named, GDI_THREAD, NULL, NULL },
    { "-sss", 0, 0, show_scheduler_host, GDI_MASTER, NULL, NULL },
    { "-dul", 1, 1, delete_names, GDI_USERSET, NULL, NULL },
};
/* clang-format on */

static const struct qconf_row *row_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(qconf_rows); i++) {
        if (strcmp(qconf_rows[i].name, name) == 0)
            return &qconf_rows[i];
    }
    return NULL;
}

/* what the option NAME does; false if there is none of that name */
static bool option_find(const char *name, struct qconf_row *out)
{
    const struct qconf_row *row = row_find(name);
    if (row == NULL || row->least == AS_OF_KIND)
        return kind_option_find(name, out);
    *out = *row;
    return true;
}

static const char terms[] =
    "complex_list            complex[,complex,...]\n"
    "date_time               [[CC]YY]MMDDhhmm[.SS]\n"
    "wc_queue_list           wc_queue[,wc_queue,...]\n"
    "hostname_list           hostname[,hostname,...]\n"
    "listname_list           listname[,listname,...]\n"
    "rqs_list                rqs_name[,rqs_name,...]\n"
    "node_list               node_path[,node_path,...]\n"
    "node_path               [/]node_name[[/.]node_name...]\n"
    "node_shares_list        node_path=shares[,node_path=shares,...]\n"
    "user_list               user[,user,...]\n"
    "obj_nm                  "
    "\"queue\"|\"exechost\"|\"pe\"|\"ckpt\"|\"hostgroup\"|\"resource_quota\"\n"
    "attr_nm                 (see man pages)\n"
    "obj_id_list             objectname [ objectname ...]\n"
    "project_list            project[,project,...]\n"
    "evid_list               all | evid[,evid,...]\n"
    "host_list               all | hostname[,hostname,...]\n"
    "obj_nm2                 \"queue\"|\"queue_domain\"|\"queue_instance\"|\"exechost\"\n"
    "obj_nm3                 \"queue\"\n"
    "ar_id                   advance reservation id\n"
    "thread_name             \"scheduler\"|\"jvm\"\n"
    "max_running_tasks       maximum number of simultaneously running tasks\n";

/* those options of KIND that have no row of their own */
static void kind_usage(const struct kind *kind, struct dstr *out)
{
    struct dstr name = DSTR_INIT, usage = DSTR_INIT;
    for (size_t i = 0; i < ARRAY_LEN(kind_options); i++) {
        const struct kind_option *option = &kind_options[i];
        dstr_clear(&name);
        dstr_clear(&usage);
        dstr_addf(&name, "-%c%s%s", option->verb, object_kind_letters(kind->target),
                  option->ending);
        if (row_find(dstr_get(&name)) != NULL)
            continue;
        dstr_addf(&usage, option->words > 0 ? "[%s %s]" : "[%s]", dstr_get(&name),
                  option->argument);
        dstr_addf(out, "   %-40s %s%s%s\n", dstr_get(&usage), option->what, kind_noun(kind),
                  option->what_after);
    }
    dstr_free(&usage);
    dstr_free(&name);
}

static void qconf_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qconf [options]\n");
    for (size_t i = 0; i < ARRAY_LEN(qconf_rows); i++) {
        if (qconf_rows[i].usage != NULL)
            dstr_addf(out, "   %-40s %s\n", qconf_rows[i].usage, qconf_rows[i].what);
    }
    const struct kind *kind;
    for (unsigned i = 0; (kind = kind_at(i)) != NULL; i++) {
        if (object_kind_letters(kind->target) != NULL)
            kind_usage(kind, out);
    }
    dstr_addc(out, '\n');
    dstr_add(out, terms);
}

/* ---- the loop ---- */

static void put_usage(FILE *out)
{
    struct dstr usage = DSTR_INIT;
    qconf_usage(&usage);
    fputs(dstr_get(&usage), out);
    dstr_free(&usage);
}

int show_help(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)args;
    (void)n;
    put_usage(q->out);
    return 0;
}

int show_as_json(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)q;
    (void)row;
    (void)args;
    (void)n;
    return 0;
}

/* How many of the N words ARGS belong to the option ROW before them. */
static int count_words(const struct qconf_row *row, int n, char *const *args)
{
    int words = 0;
    while (words < row->most && words < n && args[words][0] != '-')
        words++;
    /* values and names may begin with a dash where a word must follow */
    while (words < row->least && words < n)
        words++;
    return words;
}

/* -json counts for all options, wherever it stands; with it they show, and change nothing. */
static int read_form(struct qconf *q, int n, char *const *args)
{
    const char *changes = NULL;
    for (int i = 0; i < n;) {
        struct qconf_row row;
        if (!option_find(args[i], &row))
            return 0;
        if (row.apply == show_as_json)
            q->form = DOC_JSON;
        else if (row.name[1] != 's' && row.apply != share_nodes_show_all && row.apply != show_help)
            changes = row.name;
        i += 1 + count_words(&row, n - i - 1, args + i + 1);
    }
    q->from.is_raw = q->form == DOC_JSON;
    return q->form == DOC_JSON && changes != NULL ? qconf_fail(q, MSG_JSON_CHANGES_S, changes) : 0;
}

static int run_option(struct qconf *q, const struct qconf_row *row, char *const *args, int words)
{
    if (row->apply == NULL)
        return qconf_fail(q, MSG_QCONF_NOT_YET_S, row->name);
    if (words >= row->least)
        return row->apply(q, row, args, words);
    (void)qconf_fail(q, MSG_QCONF_NO_ARGUMENT_S, row->name);
    put_usage(q->err);
    return 1;
}

static int run_options(struct qconf *q, int n, char *const *args)
{
    int status = 0;
    for (int i = 0; i < n && status == 0;) {
        struct qconf_row row;
        if (!option_find(args[i], &row))
            return qconf_fail(q, MSG_QCONF_INVALID_S, args[i]);
        int words = count_words(&row, n - i - 1, args + i + 1);
        status = run_option(q, &row, args + i + 1, words);
        i += 1 + words;
    }
    return status;
}

int qconf_run(struct qconf *q, int n, char *const *args)
{
    struct answer ans = ANSWER_INIT;
    if (n == 0) {
        put_usage(q->err);
        return qconf_fail(q, MSG_QCONF_NO_OPTION);
    }
    if (read_form(q, n, args) != 0)
        return 1;
    int status = output_open(q, &ans) == 0 ? run_options(q, n, args) : 1;
    if (output_close(q, &ans) < 0)
        status = 1;
    if (ans_has_error(&ans))
        (void)qconf_print_failure(q, &ans, "error: ");
    ans_free(&ans);
    return status;
}

/* The options of qconf, one row each, in the order in which -help shows them, and the loop over the
 * options of a command line. Source: qconf(1). */
#include <string.h>

#include "clients/qconf/exchange.h"
#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/output.h"
#include "clients/qconf/qconf.h"
#include "common/version.h"

/* clang-format off */
const struct qconf_row qconf_rows[] = {
    { "-aattr", 4, MANY, attr_by_words, GDI_CQUEUE, "[-aattr obj_nm attr_nm val obj_id_list]", "add to a list attribute of an object" },
    { "-Aattr", 3, MANY, attr_by_file, GDI_CQUEUE, "[-Aattr obj_nm fname obj_id_list]", "add to a list attribute of an object" },
    { "-acal", 1, 1, object_add, GDI_CALENDAR, "[-acal calendar_name]", "add a new calendar" },
    { "-Acal", 1, 1, object_add_file, GDI_CALENDAR, "[-Acal fname]", "add a new calendar from file" },
    { "-ackpt", 1, 1, object_add, GDI_CKPT, NULL, NULL },
    { "-Ackpt", 1, 1, object_add_file, GDI_CKPT, "[-Ackpt fname]", "add a checkpointing interface definition from file" },
    { "-aconf", 1, 1, object_add, GDI_CONFIG, "[-aconf host_list]", "add configurations" },
    { "-Aconf", 1, 1, object_add_file, GDI_CONFIG, "[-Aconf file_list]", "add configurations from file_list" },
    { "-ae", 0, 1, object_add, GDI_EXECHOST, "[-ae [exec_server_template]]", "add an exec host using a template" },
    { "-Ae", 1, 1, object_add_file, GDI_EXECHOST, "[-Ae fname]", "add an exec host from file" },
    { "-ah", 1, 1, add_names, GDI_ADMINHOST, "[-ah hostname_list]", "add an administrative host" },
    { "-ahgrp", 1, 1, object_add, GDI_HOSTGROUP, "[-ahgrp group]", "add new host group entry" },
    { "-Ahgrp", 1, 1, object_add_file, GDI_HOSTGROUP, "[-Ahgrp file]", "add new host group entry from file" },
    { "-arqs", 0, 1, object_add, GDI_RQS, "[-arqs [rqs_list]]", "add resource quota set(s)" },
    { "-Arqs", 1, 1, object_add_file, GDI_RQS, "[-Arqs fname]", "add resource quota set(s) from file" },
    { "-am", 1, 1, add_names, GDI_MANAGER, "[-am user_list]", "add user to manager list" },
    { "-ao", 1, 1, add_names, GDI_OPERATOR, "[-ao user_list]", "add user to operator list" },
    { "-ap", 1, 1, object_add, GDI_PE, "[-ap pe-name]", "add a new parallel environment" },
    { "-Ap", 1, 1, object_add_file, GDI_PE, NULL, NULL },
    { "-aprj", 0, 1, object_add, GDI_PROJECT, "[-aprj]", "add project" },
    { "-Aprj", 1, 1, object_add_file, GDI_PROJECT, "[-Aprj fname]", "add project from file" },
    { "-aq", 0, 1, object_add, GDI_CQUEUE, "[-aq [queue_name]]", "add a new cluster queue" },
    { "-Aq", 1, 1, object_add_file, GDI_CQUEUE, "[-Aq fname]", "add a queue from file" },
    { "-ar", 0, MANY, NULL, GDI_MASTER, "[-ar ar_id]", "bind job to advance reservation" },
    { "-as", 1, 1, add_names, GDI_SUBMITHOST, "[-as hostname_list]", "add a submit host" },
    { "-astnode", 1, 1, share_nodes_add, GDI_SHARETREE, "[-astnode node_shares_list]", "add sharetree node(s)" },
    { "-astree", 0, 0, object_add, GDI_SHARETREE, "[-astree]", "create/modify the sharetree" },
    { "-Astree", 1, 1, object_add_file, GDI_SHARETREE, "[-Astree fname]", "create/modify the sharetree from file" },
    { "-au", 2, 2, userset_add_users, GDI_USERSET, "[-au user_list listname_list]", "add user(s) to userset list(s)" },
    { "-Au", 1, 1, object_add_file, GDI_USERSET, "[-Au fname]", "add userset from file" },
    { "-auser", 0, 1, object_add, GDI_USER, "[-auser]", "add user" },
    { "-Auser", 1, 1, object_add_file, GDI_USER, "[-Auser fname]", "add user from file" },
    { "-ckpt", 0, MANY, NULL, GDI_MASTER, "[-ckpt ckpt-name]", "request checkpoint method" },
    { "-clear", 0, MANY, NULL, GDI_MASTER, "[-clear]", "skip previous definitions for job" },
    { "-clearusage", 0, MANY, NULL, GDI_MASTER, "[-clearusage [user_list]]", "clear sharetree usage for user_list or all users/projects" },
    { "-cq", 1, 1, clean_queues, GDI_CQUEUE, "[-cq wc_queue_list]", "clean queue" },
    { "-dattr", 4, MANY, attr_by_words, GDI_CQUEUE, "[-dattr obj_nm attr_nm val obj_id_list]", "delete from a list attribute of an object" },
    { "-Dattr", 3, MANY, attr_by_file, GDI_CQUEUE, "[-Dattr obj_nm fname obj_id_list]", "delete from a list attribute of an object" },
    { "-dcal", 1, 1, delete_names, GDI_CALENDAR, "[-dcal calendar_name]", "delete calendar" },
    { "-dckpt", 1, 1, delete_names, GDI_CKPT, "[-dckpt ckpt_name]", "delete checkpointing interface definition" },
    { "-dconf", 1, 1, delete_names, GDI_CONFIG, "[-dconf host_list]", "delete local configurations" },
    { "-de", 1, 1, delete_names, GDI_EXECHOST, "[-de host_list]", "delete exec host" },
    { "-display", 0, MANY, NULL, GDI_MASTER, "[-display display]", "set DISPLAY variable inside interactive job (not available for qrsh without command)" },
    { "-dh", 1, 1, delete_names, GDI_ADMINHOST, "[-dh host_list]", "delete administrative host" },
    { "-dhgrp", 1, 1, delete_names, GDI_HOSTGROUP, "[-dhgrp group]", "delete host group entry" },
    { "-dl", 0, MANY, NULL, GDI_MASTER, "[-dl date_time]", "request a deadline initiation time" },
    { "-drqs", 1, 1, delete_names, GDI_RQS, "[-drqs rqs_list]", "delete resource quota set(s)" },
    { "-dm", 1, 1, delete_names, GDI_MANAGER, "[-dm user_list]", "delete user from manager list" },
    { "-do", 1, 1, delete_names, GDI_OPERATOR, "[-do user_list]", "delete user from operator list" },
    { "-dp", 1, 1, delete_names, GDI_PE, "[-dp pe-name]", "delete parallel environment" },
    { "-dprj", 1, 1, delete_names, GDI_PROJECT, "[-dprj project_list]", "delete project" },
    { "-dq", 1, 1, delete_names, GDI_CQUEUE, "[-dq wc_queue_list]", "delete queue" },
    { "-ds", 1, 1, delete_names, GDI_SUBMITHOST, "[-ds host_list]", "delete submit host" },
    { "-dstnode", 1, 1, share_nodes_delete, GDI_SHARETREE, "[-dstnode node_list]", "delete sharetree node(s)" },
    { "-dstree", 0, 0, delete_names, GDI_SHARETREE, "[-dstree]", "delete the sharetree" },
    { "-du", 2, 2, userset_delete_users, GDI_USERSET, "[-du user_list listname_list]", "delete user(s) from userset list(s)" },
    { "-duser", 1, 1, delete_names, GDI_USER, "[-duser user_list]", "delete user(s)" },
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
    { "-mcal", 1, 1, object_modify, GDI_CALENDAR, "[-mcal calendar_name]", "modify calendar" },
    { "-Mcal", 1, 1, object_modify_file, GDI_CALENDAR, "[-Mcal fname]", "modify calendar from file" },
    { "-mckpt", 1, 1, object_modify, GDI_CKPT, "[-mckpt ckpt_name]", "modify a checkpointing interface definition" },
    { "-Mckpt", 1, 1, object_modify_file, GDI_CKPT, "[-Mckpt fname]", "modify a checkpointing interface definition from file" },
    { "-mconf", 0, 1, object_modify, GDI_CONFIG, "[-mconf [host_list|global]]", "modify configurations" },
    { "-Mconf", 1, 1, object_modify_file, GDI_CONFIG, "[-Mconf file_list]", "modify configurations from file_list" },
    { "-me", 1, 1, object_modify, GDI_EXECHOST, "[-me server]", "modify exec server" },
    { "-Me", 1, 1, object_modify_file, GDI_EXECHOST, "[-Me fname]", "modify exec server from file" },
    { "-mhgrp", 1, 1, object_modify, GDI_HOSTGROUP, "[-mhgrp group]", "modify host group entry" },
    { "-Mhgrp", 1, 1, object_modify_file, GDI_HOSTGROUP, "[-Mhgrp file]", "modify host group entry from file" },
    { "-mrqs", 0, 1, object_modify, GDI_RQS, "[-mrqs [rqs_list]]", "modify resource quota set(s)" },
    { "-Mrqs", 1, 2, object_modify_file, GDI_RQS, "[-Mrqs fname [rqs_list]]", "modify resource quota set(s) from file" },
    { "-mp", 1, 1, object_modify, GDI_PE, "[-mp pe-name]", "modify a parallel environment" },
    { "-Mp", 1, 1, object_modify_file, GDI_PE, "[-Mp fname]", "modify a parallel environment from file" },
    { "-mprj", 1, 1, object_modify, GDI_PROJECT, "[-mprj project]", "modify a project" },
    { "-Mprj", 1, 1, object_modify_file, GDI_PROJECT, "[-Mprj fname]", "modify project from file" },
    { "-mq", 1, 1, object_modify, GDI_CQUEUE, "[-mq queue]", "modify a queue" },
    { "-Mq", 1, 1, object_modify_file, GDI_CQUEUE, "[-Mq fname]", "modify a queue from file" },
    { "-msconf", 0, 0, object_modify, GDI_SCHEDCONF, "[-msconf]", "modify scheduler configuration" },
    { "-Msconf", 1, 1, object_modify_file, GDI_SCHEDCONF, "[-Msconf fname]", "modify scheduler configuration from file" },
    { "-mstnode", 1, 1, share_nodes_modify, GDI_SHARETREE, "[-mstnode node_shares_list]", "modify sharetree node(s)" },
    { "-mstree", 0, 0, object_modify, GDI_SHARETREE, "[-mstree]", "modify/create the sharetree" },
    { "-Mstree", 1, 1, object_modify_file, GDI_SHARETREE, "[-Mstree fname]", "modify/create the sharetree from file" },
    { "-mu", 1, 1, object_modify, GDI_USERSET, "[-mu listname_list]", "modify the given userset list" },
    { "-Mu", 1, 1, object_modify_file, GDI_USERSET, "[-Mu fname]", "modify userset from file" },
    { "-muser", 1, 1, object_modify, GDI_USER, "[-muser user]", "modify a user" },
    { "-Muser", 1, 1, object_modify_file, GDI_USER, "[-Muser fname]", "modify a user from file" },
    { "-purge", 3, 3, attr_purge, GDI_CQUEUE, "[-purge obj_nm3 attr_nm objectname]", "deletes attribute from object_instance" },
    { "-R", 0, MANY, NULL, GDI_MASTER, "[-R y[es]|n[o]]", "reservation desired" },
    { "-rattr", 4, MANY, attr_by_words, GDI_CQUEUE, "[-rattr obj_nm attr_nm val obj_id_list]", "replace a list attribute of an object" },
    { "-Rattr", 3, MANY, attr_by_file, GDI_CQUEUE, "[-Rattr obj_nm fname obj_id_list]", "replace a list attribute of an object" },
    { "-rsstnode", 1, 1, share_nodes_show_all, GDI_SHARETREE, "[-rsstnode node_list]", "show sharetree node(s) and its children" },
    { "-sc", 0, 0, show_complex, GDI_COMPLEX, "[-sc]", "show complex attributes" },
    { "-scal", 1, 1, show_objects, GDI_CALENDAR, "[-scal calendar_name]", "show given calendar" },
    { "-scall", 0, 0, show_names, GDI_CALENDAR, "[-scall]", "show a list of all calendar names" },
    { "-sckpt", 1, 1, show_objects, GDI_CKPT, "[-sckpt ckpt_name]", "show checkpointing interface definition" },
    { "-sckptl", 0, 0, show_names, GDI_CKPT, "[-sckptl]", "show all checkpointing interface definitions" },
    { "-sconf", 0, 1, show_objects, GDI_CONFIG, "[-sconf [host_list|global]]", "show configurations" },
    { "-sconfl", 0, 0, show_conf_names, GDI_CONFIG, "[-sconfl]", "show a list of all local configurations" },
    { "-sds", 0, 0, show_detached, GDI_CQUEUE, "[-sds]", "show detached settings" },
    { "-se", 1, 1, show_objects, GDI_EXECHOST, "[-se server]", "show given exec server" },
    { "-secl", 0, 0, show_event_clients, GDI_EVENTCLIENT, "[-secl]", "show event client list" },
    { "-sel", 0, 0, show_names, GDI_EXECHOST, "[-sel]", "show a list of all exec servers" },
    { "-sh", 0, 0, show_names, GDI_ADMINHOST, "[-sh]", "show a list of all administrative hosts" },
    { "-shgrp", 1, 1, show_objects, GDI_HOSTGROUP, "[-shgrp group]", "show host group" },
    { "-shgrp_tree", 1, 1, show_group_tree, GDI_HOSTGROUP, "[-shgrp_tree group]", "show host group and used hostgroups as tree" },
    { "-shgrp_resolved", 1, 1, show_group_hosts, GDI_HOSTGROUP, "[-shgrp_resolved group]", "show host group with resolved hostlist" },
    { "-shgrpl", 0, 0, show_names, GDI_HOSTGROUP, "[-shgrpl]", "show host group list" },
    { "-sm", 0, 0, show_names, GDI_MANAGER, "[-sm]", "show a list of all managers" },
    { "-so", 0, 0, show_names, GDI_OPERATOR, "[-so]", "show a list of all operators" },
    { "-sobjl", 3, 3, show_matching_objects, GDI_CQUEUE, "[-sobjl obj_nm2 attr_nm val]", "show objects which match the given value" },
    { "-sp", 1, 1, show_objects, GDI_PE, "[-sp pe-name]", "show a parallel environment" },
    { "-spl", 0, 0, show_names, GDI_PE, "[-spl]", "show all parallel environments" },
    { "-sprj", 1, 1, show_objects, GDI_PROJECT, "[-sprj project]", "show a project" },
    { "-sprjl", 0, 0, show_names, GDI_PROJECT, "[-sprjl]", "show a list of all projects" },
    { "-sq", 0, MANY, show_queues, GDI_CQUEUE, "[-sq [wc_queue_list]]", "show the given queue" },
    { "-sql", 0, 0, show_names, GDI_CQUEUE, "[-sql]", "show a list of all queues" },
    { "-srqs", 0, 1, show_objects, GDI_RQS, NULL, NULL },
    { "-srqsl", 0, 0, show_names, GDI_RQS, "[-srqsl]", "show resource quota set list" },
    { "-ss", 0, 0, show_names, GDI_SUBMITHOST, "[-ss]", "show a list of all submit hosts" },
    { "-ssconf", 0, 0, show_objects, GDI_SCHEDCONF, "[-ssconf]", "show scheduler configuration" },
    { "-sstnode", 1, 1, share_nodes_show, GDI_SHARETREE, "[-sstnode node_list]", "show sharetree node(s)" },
    { "-sst", 0, 0, show_share_tree, GDI_SHARETREE, "[-sst]", "show a formatted sharetree" },
    { "-sstree", 0, 0, show_objects, GDI_SHARETREE, "[-sstree]", "show the sharetree" },
    { "-su", 1, 1, show_objects, GDI_USERSET, "[-su listname_list]", "show the given userset list" },
    { "-sul", 0, 0, show_names, GDI_USERSET, "[-sul]", "show a list of all userset lists" },
    { "-suser", 1, 1, show_objects, GDI_USER, "[-suser user_list]", "show user(s)" },
    { "-suserl", 0, 0, show_names, GDI_USER, "[-suserl]", "show a list of all users" },
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
const size_t qconf_rows_n = ARRAY_LEN(qconf_rows);

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

static void qconf_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qconf [options]\n");
    for (size_t i = 0; i < qconf_rows_n; i++) {
        if (qconf_rows[i].usage != NULL)
            dstr_addf(out, "   %-40s %s\n", qconf_rows[i].usage, qconf_rows[i].what);
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

static const struct qconf_row *row_find(const char *name)
{
    for (size_t i = 0; i < qconf_rows_n; i++) {
        if (strcmp(qconf_rows[i].name, name) == 0)
            return &qconf_rows[i];
    }
    return NULL;
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
        const struct qconf_row *row = row_find(args[i]);
        if (row == NULL)
            return 0;
        if (row->apply == show_as_json)
            q->form = DOC_JSON;
        else if (row->name[1] != 's' && row->apply != share_nodes_show_all &&
                 row->apply != show_help)
            changes = row->name;
        i += 1 + count_words(row, n - i - 1, args + i + 1);
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
        const struct qconf_row *row = row_find(args[i]);
        if (row == NULL)
            return qconf_fail(q, MSG_QCONF_INVALID_S, args[i]);
        int words = count_words(row, n - i - 1, args + i + 1);
        status = run_option(q, row, args + i + 1, words);
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

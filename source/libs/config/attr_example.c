/* Examples of values. An attribute without a row has the example of its syntax.
 * Source: section 5 of the manual */
#include "libs/config/attr_example.h"

#include <string.h>

/* clang-format off */
static const struct attr_example by_name[] = {
    /* queue_conf(5) */
    { "load_thresholds",      "np_load_avg=1.75,mem_free=500M",   "no task starts here above a load of 1.75 per core, or below 500 MiB of free memory" },
    { "suspend_thresholds",   "np_load_avg=4",                    "tasks are suspended, one by one, above a load of 4 per core" },
    { "processors",           "0-3",                              "the processors of the host that the queue may use" },
    { "pe_list",              "smp mpi",                          "jobs may request the parallel environments smp and mpi here" },
    { "ckpt_list",            "criu",                             "jobs may request the checkpointing environment criu here" },
    { "prolog",               "/opt/site/prolog.sh $job_id",      "this command runs before each task, with the number of its job" },
    { "epilog",               "/opt/site/epilog.sh $job_id",      "this command runs after each task, with the number of its job" },
    { "starter_method",       "/opt/site/starter.sh",             "this program starts each job in place of the shell" },
    { "suspend_method",       "SIGTSTP",                          "this signal suspends a task in place of SIGSTOP; /path/to/program runs a program" },
    { "resume_method",        "/opt/site/resume.sh $job_pid",     "this program resumes a task in place of SIGCONT" },
    { "terminate_method",     "SIGTERM",                          "this signal ends a task in place of SIGKILL; /path/to/program runs a program" },
    { "owner_list",           "alice bob",                        "these users may suspend, disable and enable the queue" },
    { "user_lists",           "artists render",                   "only users on these access lists may use it" },
    { "xuser_lists",          "guests",                           "users on this access list may not use it" },
    { "subordinate_list",     "night.q=4,test.q",                 "night.q is suspended on a host where 4 slots of this queue are used, test.q where all are" },
    { "complex_values",       "licence=5,h_vmem=64G",             "5 licences and 64 GiB of memory can be requested" },
    { "projects",             "show_a show_b",                    "only jobs of these projects may use it" },
    { "xprojects",            "tests",                            "jobs of this project may not use it" },
    { "calendar",             "night",                            "the calendar night controls when the queue is open" },
    { "hostlist",             "node1 node2 @rack1",               "two hosts, and all hosts of the host group @rack1" },
    /* host_conf(5) */
    { "load_scaling",         "np_load_avg=0.5",                  "the reported value is multiplied by 0.5" },
    { "usage_scaling",        "cpu=1.5",                          "cpu time on this host counts one and a half times" },
    { "report_variables",     "np_load_avg mem_free",             "these load values are written to the reporting file" },
    /* sge_conf(5) */
    { "load_sensor",          "/opt/site/licences.sh",            "this program reports further load values" },
    { "login_shells",         "bash,sh,ksh",                      "these shells are started as login shells" },
    { "administrator_mail",   "admin@example.com",                "problems are reported to this address" },
    { "set_token_cmd",        "/opt/site/set_token.sh",           "this command renews tokens for jobs" },
    { "pag_cmd",              "/opt/site/pagsh",                  "this command starts a shell with its own tokens" },
    { "token_extend_time",    "24:0:0",                           "tokens are extended by a day" },
    { "shepherd_cmd",         "/opt/site/shepherd.sh",            "this program is started in place of the shepherd" },
    { "qmaster_params",       "FORBID_RESCHEDULE=true,RESCHEDULE_DELAY=5", "two settings, separated by a comma" },
    { "execd_params",         "H_DESCRIPTORS=4096,H_MEMORYLOCKED=INFINITY", "limits of tasks: open files and locked memory" },
    { "reporting_params",     "accounting=true reporting=true flush_time=00:00:15 joblog=true sharelog=00:00:00", "accounting and reporting files are written, every 15 seconds" },
    { "gid_range",            "20000-20100",                      "group ids that mark the processes of tasks; no other use may be made of them" },
    { "qlogin_command",       "builtin",                          "no external program" },
    { "qlogin_daemon",        "builtin",                          "no external program" },
    { "rlogin_command",       "builtin",                          "no external program" },
    { "rlogin_daemon",        "builtin",                          "no external program" },
    { "rsh_command",          "builtin",                          "no external program" },
    { "rsh_daemon",           "builtin",                          "no external program" },
    { "jsv_url",              "/opt/site/verify.sh",              "this script verifies submitted jobs" },
    { "jsv_allowed_mod",      "ac,h,i,e,o,j,M,N,p,w",             "options of qalter that need no verification" },
    { "auto_user_default_project", "show_a",                      "new users have this default project" },
    /* sched_conf(5) */
    { "job_load_adjustments", "np_load_avg=0.50",                 "a task that has just started raises the load per core by 0.5" },
    { "algorithm",            "depth_first",                      "tasks whose predecessors have just ended go first" },
    { "load_formula",         "np_load_avg*2+load_short-1",       "the host with the smallest sum is used first" },
    { "schedd_job_info",      "true",                             "qstat -j shows why a job waits" },
    { "params",               "MONITOR=1",                        "one or more settings, separated by commas" },
    { "usage_weight_list",    "cpu=0.9,mem=0.1,io=0",             "cpu time counts most, memory a little, input and output not at all" },
    { "halflife_decay_list",  "cpu=120:mem=60",                   "half-lives of past usage, in minutes" },
    { "policy_hierarchy",     "OFS",                              "override before functional before share tree policy" },
    /* sge_pe(5) */
    { "start_proc_args",      "/opt/site/startmpi.sh $pe_hostfile", "this command runs before a parallel job, with the file that lists its hosts" },
    { "stop_proc_args",       "/opt/site/stopmpi.sh",             "this command runs after a parallel job" },
    { "qsort_args",           "/opt/site/sort.so by_switch",      "a library, and the function that orders the queues" },
    /* checkpoint(5) */
    { "ckpt_command",         "/opt/site/checkpoint.sh",          "this command writes a checkpoint" },
    { "migr_command",         "/opt/site/migrate.sh",             "this command runs when a job moves to another host" },
    { "restart_command",      "/opt/site/restart.sh",             "this command restarts a job from its checkpoint" },
    { "clean_command",        "/opt/site/clean.sh",               "this command removes old checkpoints" },
    { "when",                 "sx",                               "s: when the execd shuts down, x: when the job is suspended" },
    /* calendar_conf(5) */
    { "year",                 "24.12.2030-26.12.2030=on 1.1.2031=off", "always open on three days in December, closed on New Year's Day" },
    { "week",                 "mon-fri=6-20=off sat,sun=on",      "closed from 6:00 to 20:00 on weekdays, open at weekends" },
    /* access_list(5), project(5), user(5) */
    { "entries",              "alice bob @artists",               "two users, and all members of the group artists of the system" },
    { "acl",                  "artists",                          "only users on this access list may use the project" },
    { "xacl",                 "guests",                           "users on this access list may not use the project" },
    { "default_project",      "show_a",                           "jobs of the user belong to this project unless they name another one" },
    /* complex(5) */
    { "shortcut",             "lic",                              "a short name: -l lic=1" },
    { "type",                 "INT",                              "INT, DOUBLE, TIME, MEMORY, BOOL, STRING, CSTRING, RESTRING or HOST" },
    { "relop",                "<=",                               "a request is met if it is not more than what there is; also ==, !=, <, > and >=" },
    { "requestable",          "YES",                              "jobs may request it; NO: they may not; FORCED: they must" },
    { "consumable",           "YES",                              "each slot of a job takes what it requests; JOB: the job takes it once; NO: nothing is taken" },
    { "default",              "0",                                "what a job takes that does not request it" },
    /* resource_quota(5), sge_share_tree(5) */
    { "description",          "two slots per user",               "a text for readers" },
    { "limit",                "users {*} hosts @rack1 to slots=2", "each user may use 2 slots on the hosts of @rack1" },
    { "node",                 "id=0 name=Root type=0 shares=1 childnodes=NONE", "a tree of one node" },
};

static const struct attr_example by_syntax[] = {
    [ATTR_TIME]         = { NULL, "1:30:00",              "an hour and a half; also 5400, or INFINITY" },
    [ATTR_MEMORY]       = { NULL, "4G",                   "4 GiB; also 4096M, or INFINITY" },
    [ATTR_PATH]         = { NULL, "/opt/site/program",    "an absolute path" },
    [ATTR_PATHS]        = { NULL, "/opt/a,/opt/b",        "two absolute paths" },
    [ATTR_DIRECTORY]    = { NULL, "/scratch",             "a directory that exists on the hosts" },
    [ATTR_COMMAND]      = { NULL, "/opt/site/program -v", "a program with an argument" },
    [ATTR_METHOD]       = { NULL, "SIGTERM",              "a signal; also /path/to/program" },
    [ATTR_NAME]         = { NULL, "name",                 "the name of an object" },
    [ATTR_NAMES]        = { NULL, "one two",              "two names" },
    [ATTR_SETTINGS]     = { NULL, "one=1,two=2",          "two settings" },
    [ATTR_RESOURCES]    = { NULL, "licence=5",            "5 licences" },
    [ATTR_SUBORDINATES] = { NULL, "night.q=4",            "night.q is suspended on a host where 4 slots are used" },
    [ATTR_GROUPS]       = { NULL, "20000-20100",          "a range of group ids" },
    [ATTR_SIGNAL]       = { NULL, "SIGUSR1",              "a signal by name; also its number" },
    [ATTR_HOSTS]        = { NULL, "node1 @rack1",         "a host, and all hosts of a host group" },
    [ATTR_USERS]        = { NULL, "alice @artists",       "a user, and all members of a group of the system" },
    [ATTR_PROCESSORS]   = { NULL, "0-3,8",                "five processors by their numbers" },
};
/* clang-format on */

const struct attr_example *attr_example_of(const struct attr_rule *rule)
{
    bool says_all = rule->syntax == ATTR_CHOICE || rule->syntax == ATTR_CHOICES;
    for (size_t i = 0; i < ARRAY_LEN(by_name) && !says_all; i++)
        if (strcmp(by_name[i].attr, rule->name) == 0)
            return &by_name[i];
    bool has_one =
        (size_t)rule->syntax < ARRAY_LEN(by_syntax) && by_syntax[rule->syntax].value != NULL;
    return has_one ? &by_syntax[rule->syntax] : NULL;
}

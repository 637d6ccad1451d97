/* Command lines of qalter, qhold, qrls, qdel and qmod, and the parsers of single options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "libs/cli/job_command.h"
#include "libs/cli/option.h"
#include "libs/cli/submitter.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"

enum { ARGS_MAX = 32, NOW_S = 1795163648 };

static char *const environment[] = { (char *)"HOME=/home/alice", (char *)"X=1", (char *)"BAD",
                                     NULL };
static const struct submitter alice = { environment,     (char *)"/home/sub", (char *)"/home/alice",
                                        (char *)"alice", (char *)"vm",        NOW_S };

/* split LINE at blanks and read it; "''" is an empty word */
static int read_line(struct job_command *c, unsigned program, const char *line, struct answer *ans)
{
    char copy[1024], *argv[ARGS_MAX], *save = NULL;
    int argc = 0;
    assert_true(strlen(line) < sizeof copy);
    memcpy(copy, line, strlen(line) + 1);
    argv[argc++] = (char *)"program";
    for (char *word = strtok_r(copy, " ", &save); word != NULL && argc < ARGS_MAX;
         word = strtok_r(NULL, " ", &save))
        argv[argc++] = strcmp(word, "''") == 0 ? (char *)"" : word;
    job_command_init(c, program, &alice);
    return job_command_read(c, argc, argv, ans);
}

static void expect_good(struct job_command *c, unsigned program, const char *line)
{
    struct answer ans = ANSWER_INIT;
    if (read_line(c, program, line, &ans) != 0)
        fail_msg("%s: %s", line, ans_first_error(&ans));
    ans_free(&ans);
}

static void expect_refused(unsigned program, const char *line, enum answer_status status,
                           const char *text)
{
    struct job_command c;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(read_line(&c, program, line, &ans), -1);
    assert_string_equal(ans_first_error(&ans), text);
    for (uint32_t i = 0; i < ans.n; i++)
        if (ans.v[i].quality <= ANSWER_QUALITY_ERROR)
            assert_int_equal(ans.v[i].status, status);
    job_command_free(&c);
    ans_free(&ans);
}

static void only_what_is_named_is_present(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QALTER, "-N x -p -5 62");
    assert_string_equal(c.job.JB_job_name, "x");
    assert_int_equal(c.job.JB_priority, JOB_PRIORITY_BASE - 5);
    unsigned n = 0;
    for (unsigned f = 0; f < JB_Type_FIELDS; f++)
        n += cull_is_present(&c.job, f);
    assert_int_equal(n, 2);
    assert_int_equal(c.select.n, 1);
    assert_string_equal(c.select.v[0].ID_str, "62");
    job_command_free(&c);
}

static void an_empty_dependency_list_is_present_and_clears(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QALTER, "-hold_jid_ad '' 62");
    assert_true(cull_has(&c.job, JB_ja_ad_request_list));
    assert_int_equal(c.job.JB_ja_ad_request_list.n, 0);
    assert_false(cull_has(&c.job, JB_jid_request_list));
    job_command_free(&c);
    expect_good(&c, QALTER, "-hold_jid '' 62");
    assert_true(cull_has(&c.job, JB_jid_request_list));
    job_command_free(&c);
}

static void dependency_lists_add_up(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QALTER, "-hold_jid_ad 60,foo* -hold_jid_ad bar -hold_jid 1 62");
    assert_int_equal(c.job.JB_ja_ad_request_list.n, 3);
    assert_string_equal(c.job.JB_ja_ad_request_list.v[0].JRE_job_name, "60");
    assert_string_equal(c.job.JB_ja_ad_request_list.v[1].JRE_job_name, "foo*");
    assert_string_equal(c.job.JB_ja_ad_request_list.v[2].JRE_job_name, "bar");
    assert_int_equal(c.job.JB_jid_request_list.n, 1);
    job_command_free(&c);
}

static void a_range_belongs_to_the_job_before_it(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QALTER, "-h u 62 -t 2-3 63");
    assert_int_equal(c.select.n, 2);
    assert_int_equal(c.select.v[0].ID_tasks.n, 1);
    assert_int_equal(c.select.v[0].ID_tasks.v[0].TR_max, 3);
    assert_int_equal(c.select.v[1].ID_tasks.n, 0);
    assert_int_equal(c.add_holds, MINUS_H_TGT_USER);
    job_command_free(&c);
    expect_refused(QALTER, "-t 1-2 327", STATUS_EUSAGE,
                   "found lonely '-t 1-2' option (The -t option needs a leading job name).");
    expect_refused(QDEL, "-t 6 234", STATUS_EUSAGE,
                   "found lonely '-t 6' option (The -t option needs a leading job name).");
}

static void users_and_jobs_exclude_each_other(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QDEL, "-u alice 1");
    assert_int_equal(c.users.n + c.select.n, 2);
    job_command_free(&c);
    expect_good(&c, QHOLD, "-u alice,bob");
    assert_int_equal(c.users.n, 2);
    job_command_free(&c);
    expect_refused(QALTER, "-u alice -p -3 1", STATUS_EUSAGE,
                   "qalter: option \"-u\" is not allowed in combination with a job_task_list");
    expect_refused(QRLS, "1 -u alice", STATUS_EUSAGE,
                   "qalter: option \"-u\" is not allowed in combination with a job_task_list");
}

static void holds_are_letters(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QALTER, "-h uos 1");
    assert_int_equal(c.add_holds, MINUS_H_TGT_USER | MINUS_H_TGT_OPERATOR | MINUS_H_TGT_SYSTEM);
    job_command_free(&c);
    expect_good(&c, QALTER, "-h OS 1");
    assert_int_equal(c.add_holds, 0);
    assert_int_equal(c.remove_holds, MINUS_H_TGT_OPERATOR | MINUS_H_TGT_SYSTEM);
    job_command_free(&c);
    expect_good(&c, QALTER, "-h n 1");
    assert_true(c.is_hold_cleared);
    job_command_free(&c);
    expect_refused(QALTER, "-h x 1", STATUS_ESYNTAX,
                   "qalter: Unknown hold list \"x\" specified to -h option");
    expect_good(&c, QALTER, "-h uOS 1");
    assert_int_equal(c.add_holds, MINUS_H_TGT_USER);
    assert_int_equal(c.remove_holds, MINUS_H_TGT_OPERATOR | MINUS_H_TGT_SYSTEM);
    job_command_free(&c);
    expect_refused(QALTER, "-h uU 1", STATUS_ESYNTAX,
                   "qalter: Unknown hold list \"uU\" specified to -h option");
    expect_refused(QALTER, "-h un 1", STATUS_ESYNTAX,
                   "qalter: Unknown hold list \"un\" specified to -h option");
    expect_refused(QALTER, "-h '' 1", STATUS_ESYNTAX,
                   "qalter: Unknown hold list \"\" specified to -h option");
}

static void qhold_and_qrls_speak_of_user_holds(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QHOLD, "1");
    assert_int_equal(c.add_holds, MINUS_H_TGT_USER);
    job_command_free(&c);
    expect_good(&c, QRLS, "1");
    assert_int_equal(c.remove_holds, MINUS_H_TGT_USER);
    assert_int_equal(c.add_holds, 0);
    job_command_free(&c);
    expect_good(&c, QRLS, "-h os 1");
    assert_int_equal(c.remove_holds, MINUS_H_TGT_OPERATOR | MINUS_H_TGT_SYSTEM);
    job_command_free(&c);
    expect_refused(QHOLD, "-h n 248", STATUS_ESYNTAX,
                   "qalter: Unknown hold list \"n\" specified to -h option");
    expect_refused(QHOLD, "-h U 248", STATUS_ESYNTAX,
                   "qalter: Unknown hold list \"U\" specified to -h option");
    expect_refused(QRLS, "-zz", STATUS_EUSAGE, "qalter: invalid option argument \"-zz\"");
}

static void qdel_takes_an_unknown_option_alone_for_a_name(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QDEL, "-f 1,2 -u alice,bob");
    assert_int_equal(c.select.n, 2);
    assert_true(c.is_forced);
    assert_int_equal(c.users.n, 2);
    assert_string_equal(c.users.v[1].ST_name, "bob");
    job_command_free(&c);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(read_line(&c, QDEL, "--help", &ans), 0);
    assert_int_equal(c.select.n, 1);
    assert_string_equal(c.select.v[0].ID_str, "--help");
    assert_int_equal(ans.n, 1);
    assert_int_equal(ans.v[0].quality, ANSWER_QUALITY_WARNING);
    assert_string_equal(ans.v[0].text, "warning: \"--help\" is not an option of qdel (see qdel "
                                       "-help) and is treated as a job name");
    ans_free(&ans);
    job_command_free(&c);
}

static void qdel_refuses_an_unknown_option_beside_jobs(void **state)
{
    (void)state;
    expect_refused(QDEL, "-x 3", STATUS_EUSAGE, "qdel: invalid option argument \"-x\"");
    expect_refused(QDEL, "3 -x", STATUS_EUSAGE, "qdel: invalid option argument \"-x\"");
    expect_refused(QDEL, "-x -u alice", STATUS_EUSAGE, "qdel: invalid option argument \"-x\"");
}

static void qmod_gathers_its_actions(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QMOD, "-d all.q,b.q c.q -f -sj 250.2 17 -t 3");
    assert_int_equal(c.n_actions, 2);
    assert_string_equal(c.actions[0].row->name, "-d");
    assert_int_equal(c.actions[0].select.n, 3);
    assert_string_equal(c.actions[0].select.v[0].ID_str, "all.q");
    assert_int_equal(c.actions[1].select.v[0].ID_tasks.v[0].TR_min, 2);
    assert_int_equal(c.actions[1].select.v[1].ID_tasks.v[0].TR_min, 3);
    assert_true(c.is_forced);
    job_command_free(&c);
    expect_refused(QMOD, "-d", STATUS_ESYNTAX, "-d option must have argument");
    expect_refused(QMOD, "-zz", STATUS_EUSAGE, "invalid option argument \"-zz\"");
    expect_refused(QMOD, "all.q", STATUS_EUSAGE, "invalid option argument \"all.q\"");
}

#define NO_NUMBER(s)                                                                               \
    "qalter: Numerical value invalid!\nThe initial portion of string \"" s                         \
    "\" contains no decimal number"

static const struct {
    const char *line;
    enum answer_status status;
    const char *text;
} wrong_values[] = {
    { "-zz 1", STATUS_EUSAGE, "qalter: invalid option argument \"-zz\"" },
    { "1 -N", STATUS_EUSAGE, "qalter: -N option must have argument" },
    { "-p abc 1", STATUS_ESYNTAX,
      "qalter: invalid priority \"abc\".  Must be an integer from -1023 to 1024" },
    { "-p 1025 1", STATUS_ESYNTAX,
      "qalter: invalid priority \"1025\".  Must be an integer from -1023 to 1024" },
    { "-N a/b 1", STATUS_EUSAGE, "qalter: argument to -N option must not contain / " },
    { "-a 13 1", STATUS_ESYNTAX,
      "\nInvalid format of date/hour-minute field.\nqalter: Wrong date/time format \"13\" "
      "specified to -a option" },
    { "-m z 1", STATUS_ESYNTAX,
      "qalter: Wrong mail options list format \"z\" specified to -m option" },
    { "-M a@b,@c 1", STATUS_ESYNTAX,
      "qalter: Wrong mail list format \"a@b,@c\" specified to -M option" },
    { "-w vv 1", STATUS_ESYNTAX, "qalter: invalid option argument \"-w vv\"" },
    { "-v =x 1", STATUS_ESYNTAX,
      "qalter: Wrong variable list format -v \"=x\" or environment variable not set" },
    { "-js abc 1", STATUS_EUSAGE, "qalter: invalid jobshare, must be an unsigned integer" },
    { "-tc -1 1", STATUS_ESYNTAX,
      "qalter: invalid task concurrency number \"-1\". Must be an integer greater or equal to "
      "0." },
    { "-pe smp abc 1", STATUS_ESYNTAX, NO_NUMBER("abc") },
    { "-pe smp -b 1", STATUS_ESYNTAX, NO_NUMBER("b") },
    { "-pe smp - 1", STATUS_ESYNTAX, NO_NUMBER("") },
    { "-pe smp '' 1", STATUS_ESYNTAX, NO_NUMBER("") },
    { "-pe smp 2-x 1", STATUS_ESYNTAX, NO_NUMBER("x") },
    { "-pe smp 4,5x 1", STATUS_ESYNTAX,
      "qalter: invalid slot range \"4,5x\" for parallel environment \"smp\"" },
    { "-pe smp 2-8:0 1", STATUS_ESYNTAX, "qalter: Negative or zero step in range is not allowed" },
    { "-pe smp 2-8: 1", STATUS_ESYNTAX, NO_NUMBER("") },
    { "-pe smp 1-2001:2 1", STATUS_ESEMANTIC,
      "qalter: slot range \"1-2001:2\" has 1001 separate numbers: the limit is 1000" },
    { "-pe smp 99999999 1", STATUS_ESYNTAX,
      "qalter: invalid slot range \"99999999\" for parallel environment \"smp\"" },
    { "-c zz 1", STATUS_EUSAGE, "qalter: -c specifier invalid" },
    { "-o host: 1", STATUS_ESYNTAX,
      "qalter: Wrong path list format \"host:\" specified to -o option" },
    { "-l =5 1", STATUS_ESYNTAX,
      "qalter: Wrong resource list format \"=5\" specified to -l option" },
    { "-q '' 1", STATUS_ESYNTAX, "qalter: Wrong queue list format \"\" specified to -q option" },
    { "-he maybe 1", STATUS_ESYNTAX, "qalter: invalid option argument \"-he maybe\"" },
    { "-@ /nonexistent/o 1", STATUS_ENOFILE,
      "Unable to read script file because of error: error opening /nonexistent/o: No such file "
      "or directory" },
};

static void wrong_values_are_refused_in_known_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong_values); i++)
        expect_refused(QALTER, wrong_values[i].line, wrong_values[i].status, wrong_values[i].text);
}

static void paths_have_hosts_and_the_last_of_each_counts(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QALTER, "-o /a,h:/b,:/c -e err -S /bin/sh -wd sub 1");
    assert_int_equal(c.job.JB_stdout_path_list.n, 2);
    assert_null(c.job.JB_stdout_path_list.v[0].PN_host);
    assert_string_equal(c.job.JB_stdout_path_list.v[0].PN_path, "/c");
    assert_string_equal(c.job.JB_stdout_path_list.v[1].PN_host, "h");
    assert_string_equal(c.job.JB_stdout_path_list.v[1].PN_path, "/b");
    assert_string_equal(c.job.JB_cwd, "/home/sub/sub");
    job_command_free(&c);
}

static void resources_and_queues_are_hard_or_soft(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(
        &c, QALTER,
        "-l h_rt=10,a=b -soft -l mem_free=1G -q s.q -hard -l h_rt=20 -q h.q -masterq m.q 1");
    assert_int_equal(c.job.JB_hard_resource_list.n, 2);
    assert_string_equal(c.job.JB_hard_resource_list.v[0].CE_stringval, "20");
    assert_int_equal(c.job.JB_soft_resource_list.n, 1);
    assert_string_equal(c.job.JB_soft_queue_list.v[0].QR_name, "s.q");
    assert_string_equal(c.job.JB_hard_queue_list.v[0].QR_name, "h.q");
    assert_string_equal(c.job.JB_master_hard_queue_list.v[0].QR_name, "m.q");
    job_command_free(&c);
}

static void environment_is_merged_by_name(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QALTER, "-V -v X=2,Y='a,b',HOME,NOTSET 1");
    assert_int_equal(c.job.JB_env_list.n, 4);
    assert_null(c.job.JB_env_list.v[3].VA_value);
    assert_string_equal(c.job.JB_env_list.v[0].VA_variable, "HOME");
    assert_string_equal(c.job.JB_env_list.v[1].VA_value, "2");
    assert_string_equal(c.job.JB_env_list.v[2].VA_value, "a,b");
    job_command_free(&c);
}

static void context_changes_are_operations(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, QALTER, "-ac x=y -dc z 1");
    assert_int_equal(c.job.JB_context.n, 4);
    assert_string_equal(c.job.JB_context.v[0].VA_variable, CONTEXT_ADD);
    assert_string_equal(c.job.JB_context.v[1].VA_value, "y");
    assert_string_equal(c.job.JB_context.v[2].VA_variable, CONTEXT_DELETE);
    assert_string_equal(c.job.JB_context.v[3].VA_variable, "z");
    job_command_free(&c);
    expect_good(&c, QALTER, "-ac x=y -sc a=b 1");
    assert_int_equal(c.job.JB_context.n, 2);
    assert_string_equal(c.job.JB_context.v[0].VA_variable, CONTEXT_SET);
    job_command_free(&c);
}

static void slots_and_binding(void **state)
{
    static const struct {
        const char *text;
        uint32_t min, max;
    } slots[] = {
        { "4", 4, 4 },   { "2-4", 2, 4 },   { "-4", 1, 4 },    { "3-", 3, 9999999 },
        { "4-2", 2, 4 }, { "2-9:3", 2, 8 }, { "2-2:3", 2, 2 },
    };
    struct job_command c;
    char line[64];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(slots); i++) {
        uint32_t min = 0, max = 0;
        snprintf(line, sizeof line, "-pe smp %s 1", slots[i].text);
        expect_good(&c, QALTER, line);
        assert_true(range_set_min(&c.job.JB_pe_range, &min) &&
                    range_set_max(&c.job.JB_pe_range, &max));
        assert_int_equal(min, slots[i].min);
        assert_int_equal(max, slots[i].max);
        job_command_free(&c);
    }
    expect_good(&c, QALTER, "-binding pe striding:2:4:1,3 1");
    assert_string_equal(c.job.JB_binding.v[0].BN_strategy, "striding");
    assert_int_equal(c.job.JB_binding.v[0].BN_parameter_n, 2);
    assert_int_equal(c.job.JB_binding.v[0].BN_parameter_striding_step_size, 4);
    assert_int_equal(c.job.JB_binding.v[0].BN_parameter_core_offset, 3);
    job_command_free(&c);
    expect_good(&c, QALTER, "-binding explicit:0,1:1,2 1");
    assert_string_equal(c.job.JB_binding.v[0].BN_parameter_explicit, "0,1:1,2");
    job_command_free(&c);
    expect_refused(
        QALTER, "-binding foo 1", STATUS_EUSAGE,
        "qalter: -binding option contains errors: couldn't parse binding parameter (no strategy "
        "found)");
    expect_refused(QALTER, "-binding explicit:0 1", STATUS_EUSAGE,
                   "qalter: -binding option contains errors: Missing first core number!");
    expect_refused(QALTER, "-binding striding:2 1", STATUS_EUSAGE,
                   "qalter: -binding option contains errors: couldn't parse amount (striding)");
    expect_refused(
        QSUB, "-binding env -b y true", STATUS_EUSAGE,
        "qsub: -binding option contains errors: couldn't parse binding parameter (no strategy "
        "found)");
}

static void what_is_only_stored_warns_once(void **state)
{
    struct job_command c;
    struct answer ans = ANSWER_INIT;
    (void)state;
    assert_int_equal(
        read_line(&c, QALTER, "-l a=1,h_vmem=1G -l b -R y -he y -he n -N x -l h_rt 1", &ans), 0);
    assert_int_equal(ans.n, 2);
    assert_int_equal(ans.v[0].quality, ANSWER_QUALITY_WARNING);
    assert_string_equal(ans.v[0].text,
                        "warning: option \"-he\" is stored with the job, but has no effect yet");
    assert_string_equal(ans.v[1].text, "warning: \"-l h_rt\" has no value and limits nothing");
    job_command_free(&c);
    ans_free(&ans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_named_is_present),
        cmocka_unit_test(an_empty_dependency_list_is_present_and_clears),
        cmocka_unit_test(dependency_lists_add_up),
        cmocka_unit_test(a_range_belongs_to_the_job_before_it),
        cmocka_unit_test(users_and_jobs_exclude_each_other),
        cmocka_unit_test(holds_are_letters),
        cmocka_unit_test(qhold_and_qrls_speak_of_user_holds),
        cmocka_unit_test(qdel_takes_an_unknown_option_alone_for_a_name),
        cmocka_unit_test(qdel_refuses_an_unknown_option_beside_jobs),
        cmocka_unit_test(qmod_gathers_its_actions),
        cmocka_unit_test(wrong_values_are_refused_in_known_words),
        cmocka_unit_test(paths_have_hosts_and_the_last_of_each_counts),
        cmocka_unit_test(resources_and_queues_are_hard_or_soft),
        cmocka_unit_test(environment_is_merged_by_name),
        cmocka_unit_test(context_changes_are_operations),
        cmocka_unit_test(slots_and_binding),
        cmocka_unit_test(what_is_only_stored_warns_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

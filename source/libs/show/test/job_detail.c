/* The block of `qstat -j` against captured ones, and its XML against seed 000. */
#include "libs/show/job_detail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka last: it needs the three above */
#include <cmocka.h>

#include "libs/doc/doc.h"
#include "libs/doc/test/wellformed.h"
#include "libs/show/test/sample.h"

static void add_var(struct JB_Type *job, const char *name, const char *value)
{
    struct VA_Type *var = cull_append(job, JB_env_list);
    cull_set(var, VA_variable, name);
    if (value != NULL)
        cull_set(var, VA_value, value);
}

static void add_dependency(struct JRE_Type *entry, uint32_t number, const char *name)
{
    cull_set(entry, JRE_job_number, number);
    if (name != NULL)
        cull_set(entry, JRE_job_name, name);
}

static void add_path(struct PN_Type *entry)
{
    cull_set(entry, PN_path, "/dev/null");
    cull_set(entry, PN_file_staging, false);
}

/* Job 105 of the seed: C, held by jobs 101 and 102 named A and by arrays 103 and 104 named B; it
 * has a successor of each kind. */
static void make_c(struct JB_Type *job)
{
    sample_job(job, 105, "C", 1, 3, 1);
    sample_pending(job);
    cull_set(job, JB_uid, 1001u);
    cull_set(job, JB_gid, 1001u);
    cull_set(job, JB_group, "alice");
    cull_set(job, JB_account, "sge");
    add_var(job, "__SGE_PREFIX__O_HOME", "/home/alice");
    add_var(job, "__SGE_PREFIX__O_LOGNAME", "alice");
    add_var(job, "__SGE_PREFIX__O_PATH", "/usr/bin:/bin");
    add_var(job, "__SGE_PREFIX__O_SHELL", "/bin/bash");
    add_var(job, "TERM", NULL);
    add_var(job, "__SGE_PREFIX__O_HOST", "HOST");
    add_var(job, "__SGE_PREFIX__O_WORKDIR", "/home/alice");
    struct MR_Type *mail = cull_append(job, JB_mail_list);
    cull_set(mail, MR_user, "alice");
    cull_set(mail, MR_host, "HOST");
    add_path(cull_append(job, JB_stdout_path_list));
    add_path(cull_append(job, JB_stderr_path_list));
    cull_set(job, JB_script_file, "/bin/true");
    add_dependency(cull_append(job, JB_jid_request_list), 0, "A");
    add_dependency(cull_append(job, JB_jid_predecessor_list), 101, NULL);
    add_dependency(cull_append(job, JB_jid_predecessor_list), 102, NULL);
    add_dependency(cull_append(job, JB_jid_sucessor_list), 106, NULL);
    add_dependency(cull_append(job, JB_ja_ad_request_list), 0, "B");
    add_dependency(cull_append(job, JB_ja_ad_predecessor_list), 103, NULL);
    add_dependency(cull_append(job, JB_ja_ad_predecessor_list), 104, NULL);
    add_dependency(cull_append(job, JB_ja_ad_sucessor_list), 107, NULL);
    range_set_add(cull_ranges(job, JB_ja_a_h_ids), 1, 2);
    range_set_add(cull_ranges(job, JB_ja_u_h_ids), 0, 0);
}

static char *text_of(const struct job_detail *d)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    job_detail_text(out, d);
    scheduling_info_text(out, NULL);
    (void)fclose(out);
    return text;
}

static void the_block_has_every_list_once(void **state)
{
    (void)state;
    struct JB_Type job;
    make_c(&job);
    struct job_detail d = { .job = &job };
    char *text = text_of(&d);
    assert_string_equal(
        text,
        "==============================================================\n"
        "job_number:                 105\n"
        "exec_file:                  job_scripts/105\n"
        "submission_time:            Fri Nov 20 08:47:11 2026\n"
        "owner:                      alice\n"
        "uid:                        1001\n"
        "group:                      alice\n"
        "gid:                        1001\n"
        "sge_o_home:                 /home/alice\n"
        "sge_o_log_name:             alice\n"
        "sge_o_path:                 /usr/bin:/bin\n"
        "sge_o_shell:                /bin/bash\n"
        "sge_o_workdir:              /home/alice\n"
        "sge_o_host:                 HOST\n"
        "account:                    sge\n"
        "stderr_path_list:           NONE:NONE:/dev/null\n"
        "mail_list:                  alice@HOST\n"
        "notify:                     FALSE\n"
        "job_name:                   C\n"
        "stdout_path_list:           NONE:NONE:/dev/null\n"
        "jobshare:                   0\n"
        "env_list:                   TERM=NONE\n"
        "script_file:                /bin/true\n"
        "jid_predecessor_list (req): A\n"
        "jid_predecessor_list:       101,102\n"
        "jid_sucessor_list:          106\n"
        "ja_ad_predecessor_list (req): B\n"
        "ja_ad_predecessor_list:     103,104\n"
        "ja_ad_sucessor_list:        107\n"
        "job-array tasks:            1-3:1\n"
        "binding:                    NONE\n"
        "job_type:                   binary\n"
        "scheduling info:            (Collecting of scheduler job information is turned off)\n");
    free(text);
    cull_clear(&cull_JB_Type, &job);
}

static void running_tasks_show_their_usage(void **state)
{
    (void)state;
    struct JB_Type job;
    struct JAT_Type task[3];
    const struct JAT_Type *tasks[3] = { &task[0], &task[1], &task[2] };
    sample_job(&job, 347, "arr", 1, 3, 1);
    for (uint32_t i = 0; i < 3; i++)
        sample_task(&task[i], &job, i + 1, 0.25, 1);
    sample_all_usage(&task[0]);
    cull_set(&task[2], JAT_status, (uint32_t)TASK_ERROR);
    cull_set(&task[2], JAT_error_reason,
             "11/20/2026 08:48:26 [104:12081]: exit_status of job start = 100");
    struct job_detail d = { .job = &job, .tasks = tasks, .n_tasks = 3 };
    char *text = text_of(&d);
    assert_non_null(strstr(text, "job_type:                   binary\n"
                                 "usage         1:            cpu=00:00:00, mem=0.00000 GB s, "
                                 "io=0.00004 GB, vmem=3.371M, maxvmem=3.371M\n"
                                 "usage         2:            cpu=00:00:00, mem=0.00000 GB s, "
                                 "io=0.00000 GB, vmem=N/A, maxvmem=N/A\n"
                                 "binding       1:            NONE\n"
                                 "binding       2:            NONE\n"
                                 "error reason          3:      11/20/2026 08:48:26 [104:12081]: "
                                 "exit_status of job start = 100\n"
                                 "scheduling info:"));
    free(text);
    for (uint32_t i = 0; i < 3; i++)
        cull_clear(&cull_JAT_Type, &task[i]);
    cull_clear(&cull_JB_Type, &job);
}

static void add_devices(struct JG_Type *entry, const char *resource, const char *const *names)
{
    struct TK_Type *taken = cull_append(entry, JG_taken);
    cull_set(taken, TK_name, resource);
    cull_set(taken, TK_amount, 2);
    for (; *names != NULL; names++) {
        struct ST_Type *device = cull_append(taken, TK_devices);
        cull_set(device, ST_name, *names);
    }
}

static void running_tasks_show_their_devices(void **state)
{
    (void)state;
    static const char *const pair[] = { "0", "2", NULL }, *const none[] = { NULL };
    struct JB_Type job;
    struct JAT_Type task;
    const struct JAT_Type *tasks[] = { &task };
    sample_job(&job, 347, "arr", 1, 3, 1);
    sample_task(&task, &job, 2, 0.25, 1);
    cull_clear_field(&cull_JAT_Type, &task, JAT_granted_destin_identifier_list);
    for (unsigned i = 0; i < 2; i++) {
        struct JG_Type *entry = cull_append(&task, JAT_granted_destin_identifier_list);
        cull_set(entry, JG_qname, i == 0 ? "all.q@a" : "all.q@b");
        cull_set(entry, JG_qhostname, i == 0 ? "a" : "b");
        add_devices(entry, "gpu", pair);
        add_devices(entry, "mem", none);
    }
    struct job_detail d = { .job = &job, .tasks = tasks, .n_tasks = 1 };
    char *text = text_of(&d);
    assert_non_null(strstr(text, "binding       2:            NONE\n"
                                 "resource map  2:            gpu=a=(0 2),gpu=b=(0 2)\n"));
    free(text);
    cull_clear(&cull_JAT_Type, &task);
    cull_clear(&cull_JB_Type, &job);
}

/* -C: qstat(1); the line stands behind cwd */
static void the_directive_prefix_is_shown_if_it_was_given(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    char *text = NULL;
    size_t len = 0;
    cull_set(&job, JB_cwd, "/home");
    cull_set(&job, JB_directive_prefix, "#%");
    FILE *out = open_memstream(&text, &len);
    job_verify_text(out, &job);
    (void)fclose(out);
    assert_non_null(strstr(text, "cwd:                        /home\n"
                                 "directive_prefix:           #%\n"));
    free(text);
    cull_clear(&cull_JB_Type, &job);
}

static void verify_shows_a_job_without_number(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    cull_set(&job, JB_job_name, "vv");
    add_var(&job, "A", "1");
    add_var(&job, "TERM", NULL);
    cull_set(&job, JB_priority, (uint32_t)JOB_PRIORITY_BASE - 3);
    cull_set(&job, JB_restart, 1u);
    cull_set(&job, JB_merge_stderr, true);
    cull_set(&job, JB_pe, "smp");
    range_set_add(cull_ranges(&job, JB_pe_range), 2, 2);
    cull_set(&job, JB_ja_task_concurrency, 2u);
    cull_set(&job, JB_script_file, "job.sh");
    cull_set(&job, JB_script_size, 10u);
    cull_set(&job, JB_script_ptr, "#!/bin/sh\n");
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    job_verify_text(out, &job);
    (void)fclose(out);
    assert_string_equal(text, "job_number:                 unassigned\n"
                              "owner:                      \n"
                              "uid:                        0\n"
                              "group:                      \n"
                              "gid:                        0\n"
                              "merge:                      y\n"
                              "notify:                     FALSE\n"
                              "job_name:                   vv\n"
                              "priority:                   -3\n"
                              "jobshare:                   0\n"
                              "restart:                    y\n"
                              "verify:                     -verify\n"
                              "env_list:                   A=1,TERM\n"
                              "script_size:                10\n"
                              "script_file:                job.sh\n"
                              "script_ptr:            \n"
                              "#!/bin/sh\n\n"
                              "parallel environment:  smp range: 2\n"
                              "maximum concurrency:        2\n"
                              "job_type:                   NONE\n");
    free(text);
    cull_clear(&cull_JB_Type, &job);
}

static char *xml_of(const struct job_detail *d)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    static const struct doc_kind root = { .name = "detailed_job_info" },
                                 jobs = { .name = "djob_info" };
    struct doc *doc = doc_open(DOC_XML, out, "  ", NULL);
    assert_non_null(doc);
    doc_begin(doc, &root);
    doc_list(doc, &jobs);
    job_detail_data(doc, d);
    doc_end(doc);
    scheduling_info_data(doc, NULL);
    assert_int_equal(doc_close(doc, NULL), 0);
    (void)fclose(out);
    assert_true(is_well_formed(text));
    return text;
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

static const char dependencies_of_c[] = "      <JB_jid_request_list>\n"
                                        "        <element>\n"
                                        "          <JRE_job_number>0</JRE_job_number>\n"
                                        "          <JRE_job_name>A</JRE_job_name>\n"
                                        "        </element>\n"
                                        "      </JB_jid_request_list>\n"
                                        "      <JB_jid_predecessor_list>\n"
                                        "        <element>\n"
                                        "          <JRE_job_number>101</JRE_job_number>\n"
                                        "        </element>\n"
                                        "        <element>\n"
                                        "          <JRE_job_number>102</JRE_job_number>\n"
                                        "        </element>\n"
                                        "      </JB_jid_predecessor_list>\n"
                                        "      <JB_jid_sucessor_list>\n"
                                        "        <element>\n"
                                        "          <JRE_job_number>106</JRE_job_number>\n"
                                        "        </element>\n"
                                        "      </JB_jid_sucessor_list>\n"
                                        "      <JB_ja_ad_request_list>\n"
                                        "        <element>\n"
                                        "          <JRE_job_number>0</JRE_job_number>\n"
                                        "          <JRE_job_name>B</JRE_job_name>\n"
                                        "        </element>\n"
                                        "      </JB_ja_ad_request_list>\n"
                                        "      <JB_ja_ad_predecessor_list>\n"
                                        "        <element>\n"
                                        "          <JRE_job_number>103</JRE_job_number>\n"
                                        "        </element>\n"
                                        "        <element>\n"
                                        "          <JRE_job_number>104</JRE_job_number>\n"
                                        "        </element>\n"
                                        "      </JB_ja_ad_predecessor_list>\n"
                                        "      <JB_ja_ad_sucessor_list>\n"
                                        "        <element>\n"
                                        "          <JRE_job_number>107</JRE_job_number>\n"
                                        "        </element>\n"
                                        "      </JB_ja_ad_sucessor_list>\n";

static void dependencies_in_xml_are_as_in_the_seed(void **state)
{
    (void)state;
    struct JB_Type job;
    make_c(&job);
    struct job_detail d = { .job = &job };
    char *text = xml_of(&d);
    assert_non_null(strstr(text, dependencies_of_c));
    assert_int_equal(count_of(text, "<JB_jid_request_list>"), 1);
    assert_int_equal(count_of(text, "<JB_ja_ad_request_list>"), 1);
    free(text);
    cull_clear(&cull_JB_Type, &job);
}

static void kinds_of_hold_are_ranges_of_task_ids(void **state)
{
    (void)state;
    struct JB_Type job;
    sample_job(&job, 9, "C", 3, 21, 4); /* tasks 3 7 11 15 19 */
    sample_pending(&job);
    range_set_add(cull_ranges(&job, JB_ja_a_h_ids), 1, 3);
    range_set_add(cull_ranges(&job, JB_ja_o_h_ids), 4, 4);
    struct job_detail d = { .job = &job };
    char *text = xml_of(&d);
    assert_non_null(strstr(text, "      <JB_ja_n_h_ids>\n"
                                 "        <task_id_range>\n"
                                 "          <RN_min>3</RN_min>\n"
                                 "          <RN_max>3</RN_max>\n"
                                 "          <RN_step>4</RN_step>\n"
                                 "        </task_id_range>\n"
                                 "      </JB_ja_n_h_ids>\n"));
    assert_non_null(strstr(text, "      <JB_ja_a_h_ids>\n"
                                 "        <task_id_range>\n"
                                 "          <RN_min>7</RN_min>\n"
                                 "          <RN_max>15</RN_max>\n"
                                 "          <RN_step>4</RN_step>\n"
                                 "        </task_id_range>\n"
                                 "      </JB_ja_a_h_ids>\n"));
    assert_non_null(strstr(text, "<RN_min>19</RN_min>"));
    assert_null(strstr(text, "JB_ja_u_h_ids"));
    assert_null(strstr(text, "JB_ja_j_h_ids"));
    assert_non_null(strstr(text, "<RN_max>21</RN_max>")); /* the structure is as submitted */
    free(text);
    cull_clear(&cull_JB_Type, &job);
}

static void sets_beyond_the_array_are_cut(void **state)
{
    (void)state;
    struct JB_Type job;
    sample_job(&job, 9, "C", 1, 3, 1);
    range_set_add(cull_ranges(&job, JB_ja_a_h_ids), 1, 500);
    range_set_add(cull_ranges(&job, JB_ja_u_h_ids), 700, 700);
    struct job_detail d = { .job = &job };
    char *text = xml_of(&d);
    assert_null(strstr(text, "501"));
    free(text);
    cull_clear(&cull_JB_Type, &job);
}

/* beginnings of elements, as a captured document has them one after the other */
static const char *const captured_order[] = {
    "<JB_job_number>105<",
    "<JB_ar>0<",
    "<JB_exec_file>job_scripts/105<",
    "<JB_submission_time>1795164431<",
    "<JB_owner>alice<",
    "<JB_uid>1001<",
    "<JB_group>alice<",
    "<JB_gid>1001<",
    "<JB_account>sge<",
    "<JB_merge_stderr>false<",
    "<JB_mail_list>",
    "<MR_user>alice<",
    "<MR_host>HOST<",
    "<JB_notify>false<",
    "<JB_job_name>C<",
    "<JB_stdout_path_list>",
    "<path_list>",
    "<PN_path>/dev/null<",
    "<PN_host></PN_host>",
    "<PN_file_host></PN_file_host>",
    "<PN_file_staging>false<",
    "<JB_jobshare>0<",
    "<JB_env_list>",
    "<job_sublist>",
    "<VA_variable>__SGE_PREFIX__O_HOME<",
    "<VA_value>/home/alice<",
    "<JB_script_file>/bin/true<",
    "<JB_ja_tasks>",
    "<ulong_sublist>",
    "<JAT_status>128<",
    "<JAT_task_number>1<",
    "<JAT_scaled_usage_list>",
    "<scaled>",
    "<UA_name>cpu<",
    "<UA_value>0.000000<",
    "<UA_value>3534848.000000<",
    "<JAT_start_time>1795164431<",
    "<JAT_ntix>0.500000<",
    "<JB_stderr_path_list>",
    "<JB_deadline>0<",
    "<JB_execution_time>0<",
    "<JB_checkpoint_attr>0<",
    "<JB_checkpoint_interval>0<",
    "<JB_reserve>false<",
    "<JB_mail_options>0<",
    "<JB_priority>1024<",
    "<JB_restart>0<",
    "<JB_verify>0<",
    "<JB_script_size>0<",
    "<JB_verify_suitable_queues>0<",
    "<JB_soft_wallclock_gmt>0<",
    "<JB_hard_wallclock_gmt>0<",
    "<JB_override_tickets>0<",
    "<JB_version>0<",
    "<JB_ja_structure>",
    "<task_id_range>",
    "<RN_min>1<",
    "<RN_max>3<",
    "<RN_step>1<",
    "<JB_type>192<",
    "<JB_binding>",
    "<BN_strategy>no_job_binding<",
    "<BN_parameter_explicit>no_explicit_binding<",
    "<JB_ja_task_concurrency>0<",
    "<JB_nurg>0.000000<",
    "<messages>",
    "<SME_global_message_list>",
    "<MES_message_number>83<",
};

static void captured_elements_are_there_in_order(void **state)
{
    (void)state;
    struct JB_Type job;
    struct JAT_Type task;
    const struct JAT_Type *tasks[1] = { &task };
    make_c(&job);
    sample_task(&task, &job, 1, 0.5, 1);
    sample_all_usage(&task);
    struct job_detail d = { .job = &job, .tasks = tasks, .n_tasks = 1 };
    char *text = xml_of(&d);
    const char *at = text;
    for (size_t i = 0; i < ARRAY_LEN(captured_order); i++) {
        const char *next = strstr(at, captured_order[i]);
        if (next == NULL)
            fail_msg("%s is missing or out of order", captured_order[i]);
        else
            at = next;
    }
    free(text);
    cull_clear(&cull_JAT_Type, &task);
    cull_clear(&cull_JB_Type, &job);
}

int main(void)
{
    sample_utc();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_block_has_every_list_once),
        cmocka_unit_test(running_tasks_show_their_usage),
        cmocka_unit_test(running_tasks_show_their_devices),
        cmocka_unit_test(the_directive_prefix_is_shown_if_it_was_given),
        cmocka_unit_test(verify_shows_a_job_without_number),
        cmocka_unit_test(dependencies_in_xml_are_as_in_the_seed),
        cmocka_unit_test(kinds_of_hold_are_ranges_of_task_ids),
        cmocka_unit_test(sets_beyond_the_array_are_cut),
        cmocka_unit_test(captured_elements_are_there_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

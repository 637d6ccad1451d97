/* Tests of libs/config/conf.c: sge_conf(5), sched_conf(5) and the captured output of qconf. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/conf.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* clang-format off */
static const char captured_conf[] =
    "execd_spool_dir              /spool/execd\n"
    "mailer                       /bin/true\n"
    "xterm                        /usr/bin/xterm\n"
    "load_sensor                  none\n"
    "prolog                       none\n"
    "epilog                       none\n"
    "shell_start_mode             unix_behavior\n"
    "login_shells                 bash,sh,ksh,csh,tcsh\n"
    "min_uid                      0\n"
    "min_gid                      0\n"
    "user_lists                   none\n"
    "xuser_lists                  none\n"
    "projects                     none\n"
    "xprojects                    none\n"
    "enforce_project              false\n"
    "enforce_user                 auto\n"
    "load_report_time             00:00:05\n"
    "max_unheard                  00:05:00\n"
    "reschedule_unknown           00:00:00\n"
    "loglevel                     log_warning\n"
    "administrator_mail           root\n"
    "set_token_cmd                none\n"
    "pag_cmd                      none\n"
    "token_extend_time            none\n"
    "shepherd_cmd                 none\n"
    "qmaster_params               gdi_timeout=600,gdi_retries=3,MAX_DYN_EC=1000\n"
    "execd_params                 NOTIFY_KILL=default\n"
    "reporting_params             accounting=true reporting=false \\\n"
    "                             flush_time=00:00:01 joblog=false sharelog=00:00:00\n"
    "finished_jobs                100\n"
    "gid_range                    65400-65500\n"
    "qlogin_command               builtin\n"
    "qlogin_daemon                builtin\n"
    "rlogin_command               builtin\n"
    "rlogin_daemon                builtin\n"
    "rsh_command                  builtin\n"
    "rsh_daemon                   builtin\n"
    "max_aj_instances             100000\n"
    "max_aj_tasks                 10000000\n"
    "max_u_jobs                   0\n"
    "max_jobs                     0\n"
    "auto_user_oticket            0\n"
    "auto_user_fshare             0\n"
    "auto_user_default_project    none\n"
    "auto_user_delete_time        86400\n"
    "delegated_file_staging       false\n"
    "reprioritize                 0\n"
    "jsv_url                      none\n"
    "jsv_allowed_mod              ac,h,i,e,o,j,M,N,p,w\n";
static const char captured_sched[] =
    "algorithm                         default\n"
    "schedule_interval                 0:0:1\n"
    "maxujobs                          0\n"
    "queue_sort_method                 load\n"
    "job_load_adjustments              NONE\n"
    "load_adjustment_decay_time        0:0:0\n"
    "load_formula                      np_load_avg\n"
    "schedd_job_info                   false\n"
    "flush_submit_sec                  1\n"
    "flush_finish_sec                  1\n"
    "params                            none\n"
    "reprioritize_interval             0:0:0\n"
    "halftime                          168\n"
    "usage_weight_list                 cpu=1.000000,mem=0.000000,io=0.000000\n"
    "compensation_factor               5.000000\n"
    "weight_user                       0.250000\n"
    "weight_project                    0.250000\n"
    "weight_department                 0.250000\n"
    "weight_job                        0.250000\n"
    "weight_tickets_functional         0\n"
    "weight_tickets_share              0\n"
    "share_override_tickets            TRUE\n"
    "share_functional_shares           TRUE\n"
    "max_functional_jobs_to_schedule   200\n"
    "report_pjob_tickets               TRUE\n"
    "max_pending_tasks_per_job         50\n"
    "halflife_decay_list               none\n"
    "policy_hierarchy                  OFS\n"
    "weight_ticket                     0.010000\n"
    "weight_waiting_time               0.278000\n"
    "weight_deadline                   3600000.000000\n"
    "weight_urgency                    0.100000\n"
    "weight_priority                   1.000000\n"
    "max_reservation                   0\n"
    "default_duration                  INFINITY\n";
/* clang-format on */

static void assert_round_trip(const char *name, const char *text)
{
    struct CONF_Type *conf = cull_new(&cull_CONF_Type);
    struct answer ans = ANSWER_INIT;
    struct dstr out = DSTR_INIT;
    assert_int_equal(conf_parse(text, name, conf, &ans), 0);
    assert_int_equal(conf_check(conf, &ans), 0);
    conf_text(conf, false, &out);
    assert_string_equal(dstr_get(&out), text);
    dstr_free(&out);
    ans_free(&ans);
    cull_delete(&cull_CONF_Type, conf);
}

static void assert_refused(const char *name, const char *text, const char *want)
{
    struct CONF_Type *conf = cull_new(&cull_CONF_Type);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(conf_parse(text, name, conf, &ans), -1);
    assert_int_equal(ans.n, 1);
    assert_string_equal(ans_first_error(&ans), want);
    assert_int_equal(conf->CONF_entries.n, 0);
    ans_free(&ans);
    cull_delete(&cull_CONF_Type, conf);
}

static void captured_configurations_print_as_they_were_read(void **state SGE_UNUSED)
{
    assert_round_trip(CONF_GLOBAL, captured_conf);
    assert_round_trip(CONF_SCHEDULER, captured_sched);
    assert_round_trip(
        "node1", "mailer                       /bin/true\nload_report_time             00:00:09\n");
    assert_round_trip("node1", "");
}

static void the_administrator_has_addresses_that_a_mailer_may_have(void **state SGE_UNUSED)
{
    struct CONF_Type *conf = conf_template(CONF_GLOBAL);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(conf_set(conf, "administrator_mail", "root,ops@example.org", NULL), 0);
    assert_int_equal(conf_set(conf, "administrator_mail", "root,-f@x", &ans), -1);
    assert_string_equal(ans_first_error(&ans),
                        "administrator_mail: \"-f@x\" is not a mail address");
    assert_string_equal(conf_get(conf, NULL, "administrator_mail"), "root,ops@example.org");
    ans_free(&ans);
    cull_delete(&cull_CONF_Type, conf);
}

static void templates_are_whole(void **state SGE_UNUSED)
{
    struct CONF_Type *conf = conf_template(CONF_GLOBAL), *sched = conf_template(CONF_SCHEDULER);
    assert_int_equal(conf_check(conf, NULL), 0);
    assert_int_equal(conf_check(sched, NULL), 0);
    assert_string_equal(conf_get(conf, NULL, "qlogin_command"), "builtin");
    assert_string_equal(conf_get(sched, NULL, "policy_hierarchy"), "OFS");
    cull_delete(&cull_CONF_Type, conf);
    cull_delete(&cull_CONF_Type, sched);
}

static void a_global_text_may_leave_parameters_out(void **state SGE_UNUSED)
{
    struct CONF_Type *conf = cull_new(&cull_CONF_Type);
    assert_int_equal(conf_parse("max_jobs 7\nmailer /bin/true\n", CONF_GLOBAL, conf, NULL), 0);
    assert_int_equal(conf_get_number(conf, NULL, "max_jobs"), 7);
    assert_string_equal(conf->CONF_entries.v[0].VA_variable, "execd_spool_dir");
    assert_int_equal(conf_check(conf, NULL), 0);
    cull_delete(&cull_CONF_Type, conf);
}

static void a_host_wins_over_the_global_one_over_the_default(void **state SGE_UNUSED)
{
    struct CONF_Type *global = conf_template(CONF_GLOBAL), *host = conf_template("node1");
    assert_int_equal(conf_get_time_s(NULL, NULL, "load_report_time"), 40);
    assert_int_equal(conf_set(global, "load_report_time", "0:1:0", NULL), 0);
    assert_int_equal(conf_get_time_s(global, host, "load_report_time"), 60);
    assert_int_equal(conf_set(host, "load_report_time", "5", NULL), 0);
    assert_int_equal(conf_get_time_s(global, host, "load_report_time"), 5);
    assert_false(conf_get_bool(global, host, "enforce_project"));
    assert_string_equal(conf_get(global, host, "nosuch"), "");
    cull_delete(&cull_CONF_Type, global);
    cull_delete(&cull_CONF_Type, host);
}

static void words_are_found_within_parameters(void **state SGE_UNUSED)
{
    struct CONF_Type *conf = conf_template(CONF_GLOBAL);
    assert_int_equal(conf_set(conf, "qmaster_params", "gdi_timeout=600,MAX_DYN_EC=1000,flag", NULL),
                     0);
    char *ec = conf_get_word(conf, NULL, "qmaster_params", "max_dyn_ec"),
         *flag = conf_get_word(conf, NULL, "qmaster_params", "flag"),
         *acct = conf_get_word(conf, NULL, "reporting_params", "accounting");
    assert_string_equal(ec, "1000");
    assert_string_equal(flag, "");
    assert_string_equal(acct, "true");
    assert_null(conf_get_word(conf, NULL, "qmaster_params", "gdi"));
    assert_null(conf_get_word(conf, NULL, "execd_params", "x"));
    free(ec);
    free(flag);
    free(acct);
    cull_delete(&cull_CONF_Type, conf);
}

/* sites bring attributes that nothing here reads */
static void an_unknown_attribute_is_kept(void **state SGE_UNUSED)
{
    static const char *const names[] = { CONF_GLOBAL, "node1", CONF_SCHEDULER };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct CONF_Type conf = { 0 }, *old = conf_template(names[i]);
        struct dstr text = DSTR_INIT;
        conf_text(old, false, &text);
        cull_delete(&cull_CONF_Type, old);
        dstr_add(&text, "libjvm_path /usr/lib/x.so\n");
        assert_int_equal(conf_parse(dstr_get(&text), names[i], &conf, NULL), 0);
        dstr_clear(&text);
        assert_int_equal(conf_check(&conf, NULL), 0);
        assert_string_equal(conf_get(NULL, &conf, "libjvm_path"), "/usr/lib/x.so");
        conf_text(&conf, true, &text);
        assert_non_null(strstr(dstr_get(&text), "libjvm_path"));
        dstr_free(&text);
        cull_clear(&cull_CONF_Type, &conf);
    }
}

/* not without an end */
static void unknown_attributes_are_counted(void **state SGE_UNUSED)
{
    struct CONF_Type conf = { 0 };
    struct answer ans = ANSWER_INIT;
    struct dstr text = DSTR_INIT;
    for (int i = 0; i < 65; i++)
        dstr_addf(&text, "other_%d x\n", i);
    assert_int_equal(conf_parse(dstr_get(&text), CONF_GLOBAL, &conf, &ans), -1);
    assert_string_equal(ans_first_error(&ans), "more than 64 unknown attributes");
    dstr_free(&text);
    ans_free(&ans);
}

static void what_is_wrong_is_named(void **state SGE_UNUSED)
{
    assert_refused(CONF_SCHEDULER, "junk 1\n", "required attribute \"algorithm\" is missing");
    assert_refused(CONF_SCHEDULER, "ju-nk 1\n", "unknown attribute name \"ju-nk\"");
    assert_refused(CONF_SCHEDULER, "max_jobs 1\n", "unknown attribute name \"max_jobs\"");
    assert_refused(CONF_GLOBAL, "ju\033nk 1\n", "unknown attribute name \"ju\033nk\"");
    assert_refused(CONF_GLOBAL, "weight_user 1\n", "unknown attribute name \"weight_user\"");
    assert_refused(CONF_GLOBAL, "max_jobs -1\n",
                   "attribute \"max_jobs\": \"-1\" is not a number from 0 to 2147483647");
    assert_refused(CONF_GLOBAL, "max_jobs 1\nmax_jobs 1\n",
                   "attribute \"max_jobs\" is specified twice");
    assert_refused(
        "node1", "max_jobs 1\n",
        "parameter \"max_jobs\" is the same for all hosts: it cannot be set for \"node1\" alone");
    assert_refused(CONF_SCHEDULER, "algorithm default\n",
                   "required attribute \"schedule_interval\" is missing");
    assert_refused(CONF_GLOBAL, "enforce_user maybe\n",
                   "attribute \"enforce_user\": \"maybe\" is not one of: auto true false");
}

static void groups_are_ranges_of_ids(void **state SGE_UNUSED)
{
    static const char *const good[] = { "65400-65500",       "65400",     "1000-1000999", "NONE",
                                        "65400-65450,65460", "4294967294" };
    static const char *const bad[] = {
        "abc",    "0-5",       "1007-1006", "6-1007",    "1000-1001000",   "65400-",
        "-65400", "65400,abc", "65400,,",   "1001 1005", "1001-1002-1003", "4294967295"
    };
    struct CONF_Type *conf = conf_template(CONF_GLOBAL);
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        assert_int_equal(conf_set(conf, "gid_range", good[i], NULL), 0);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_int_equal(conf_set(conf, "gid_range", bad[i], NULL), -1);
    cull_delete(&cull_CONF_Type, conf);
    assert_refused(
        CONF_GLOBAL, "gid_range abc\n",
        "attribute \"gid_range\": \"abc\" is not NONE or ids of groups from 1000 on such as "
        "65400-65500, at most 1000000 of them");
}

static void a_foreign_configuration_is_checked(void **state SGE_UNUSED)
{
    struct CONF_Type *conf = conf_template(CONF_GLOBAL);
    cull_set(&conf->CONF_entries.v[0], VA_value, "relative");
    assert_int_equal(conf_check(conf, NULL), -1);
    cull_set(&conf->CONF_entries.v[0], VA_value, NULL);
    assert_int_equal(conf_check(conf, NULL), -1);
    cull_set(&conf->CONF_entries.v[0], VA_value, "/x");
    assert_int_equal(conf_check(conf, NULL), 0);
    cull_set(conf, CONF_name, "a/b");
    assert_int_equal(conf_check(conf, NULL), -1);
    cull_set(conf, CONF_name, NULL);
    assert_int_equal(conf_check(conf, NULL), -1);
    cull_delete(&cull_CONF_Type, conf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captured_configurations_print_as_they_were_read),
        cmocka_unit_test(the_administrator_has_addresses_that_a_mailer_may_have),
        cmocka_unit_test(templates_are_whole),
        cmocka_unit_test(a_global_text_may_leave_parameters_out),
        cmocka_unit_test(a_host_wins_over_the_global_one_over_the_default),
        cmocka_unit_test(words_are_found_within_parameters),
        cmocka_unit_test(an_unknown_attribute_is_kept),
        cmocka_unit_test(unknown_attributes_are_counted),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(groups_are_ranges_of_ids),
        cmocka_unit_test(a_foreign_configuration_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

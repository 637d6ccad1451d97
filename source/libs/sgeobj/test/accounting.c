/* Tests of libs/sgeobj/accounting.c: captured lines read back; no name can break a line. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/sgeobj/accounting.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* clang-format off */
static const char *const captured[] = {
    "all.q:HOST:alice:alice:acct:263:myacct:0:1795164264:1795164265:1795164266:0:0:1:0.005790:0.003032:4560.000000:0:0:0:0:558:0:0:0.000000:16:0:0:0:13:16:NONE:defaultdepartment:NONE:1:0:0.008822:0.000000:0.000000:NONE:0.000000:NONE:0.000000:0:0",
    "all.q:HOST:alice:alice:arr:264:sge:0:1795164264:1795164265:1795164265:0:1:0:0.001096:0.006872:4592.000000:0:0:0:0:485:0:0:0.000000:8:0:0:0:8:7:NONE:defaultdepartment:NONE:1:1:0.007968:0.000000:0.000000:NONE:0.000000:NONE:0.000000:0:0",
    "all.q:HOST:alice:alice:arr:264:sge:0:1795164264:1795164265:1795164265:0:3:0:0.005140:0.003180:4504.000000:0:0:0:0:481:0:0:0.000000:16:0:0:0:7:9:NONE:defaultdepartment:NONE:1:3:0.008320:0.000000:0.000000:NONE:0.000000:NONE:0.000000:0:0",
    "all.q:HOST:alice:alice:arr:264:sge:0:1795164264:1795164265:1795164265:0:5:0:0.000967:0.006827:4452.000000:0:0:0:0:483:0:0:0.000000:8:0:0:0:9:8:NONE:defaultdepartment:NONE:1:5:0.007794:0.000000:0.000000:NONE:0.000000:NONE:0.000000:0:0",
    "all.q:HOST:alice:alice:par:265:sge:0:1795164265:1795164265:1795164266:0:0:1:0.004721:0.004028:4536.000000:0:0:0:0:561:0:0:0.000000:16:0:0:0:11:5:NONE:defaultdepartment:smp:3:0:0.008749:0.000000:0.000038:-l h_rt=100 -pe smp 3:0.000000:NONE:3694592.000000:0:0",
    "all.q:HOST:alice:alice:kill:266:sge:0:1795164265:1795164265:1795164265:100:139:0:0.008117:0.000000:4452.000000:0:0:0:0:480:0:0:32.000000:384:0:0:0:12:5:NONE:defaultdepartment:NONE:1:0:0.008117:0.000000:0.000000:NONE:0.000000:NONE:0.000000:0:0",
    "all.q:HOST:alice:alice:rt:267:sge:0:1795164265:1795164265:1795164269:37:137:4:0.004013:0.003983:4660.000000:0:0:0:0:484:0:0:0.000000:8:0:0:0:9:5:NONE:defaultdepartment:NONE:1:0:0.007996:0.000000:0.000037:-l h_rt=3:0.000000:NONE:3694592.000000:0:0",
    "all.q:HOST:alice:alice:dl:268:sge:0:1795164265:1795164265:1795164269:100:137:4:0.000902:0.006836:4472.000000:0:0:0:0:482:0:0:0.000000:8:0:0:0:9:6:NONE:defaultdepartment:NONE:1:0:0.007738:0.000000:0.000037:NONE:0.000000:NONE:3706880.000000:0:0",
};
/* clang-format on */

static void captured_lines_print_as_they_were_read(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(captured); i++) {
        char *line = uti_strdup(captured[i]);
        struct accounting a;
        struct dstr out = DSTR_INIT;
        assert_int_equal(accounting_parse(line, &a, NULL), 1);
        accounting_line(&a, &out);
        assert_int_equal(out.len, strlen(captured[i]) + 1);
        assert_memory_equal(out.s, captured[i], strlen(captured[i]));
        dstr_free(&out);
        free(line);
    }
}

static void fields_have_their_names(void **state SGE_UNUSED)
{
    char *line = uti_strdup(captured[4]);
    struct accounting a;
    assert_int_equal(accounting_parse(line, &a, NULL), 1);
    assert_string_equal(a.qname, "all.q");
    assert_string_equal(a.job_name, "par");
    assert_int_equal(a.job_number, 265);
    assert_string_equal(a.granted_pe, "smp");
    assert_int_equal(a.slots, 3);
    assert_string_equal(a.category, "-l h_rt=100 -pe smp 3");
    assert_float_equal(a.maxvmem, 3694592, 0);
    assert_int_equal(a.end_time - a.start_time, 1);
    free(line);
}

static struct JB_Type *job_of_test(void)
{
    struct JB_Type *job = cull_new(&cull_JB_Type);
    cull_set(job, JB_job_number, 4711);
    cull_set(job, JB_job_name, "render");
    cull_set(job, JB_owner, "alice");
    cull_set(job, JB_group, "users");
    cull_set(job, JB_priority, JOB_PRIORITY_BASE - 100);
    cull_set(job, JB_submission_time, 1795164264);
    cull_set(job, JB_type, JOB_TYPE_ARRAY);
    cull_set(job, JB_ja_first, 1);
    cull_set(job, JB_ja_last, 9);
    cull_set(job, JB_ja_step, 2);
    cull_set(job, JB_pe, "smp");
    range_set_add(cull_ranges(job, JB_pe_range), 2, 4);
    struct CE_Type *ce = cull_append(job, JB_hard_resource_list);
    cull_set(ce, CE_name, "h_rt");
    cull_set(ce, CE_stringval, "0:1:0");
    return job;
}

static void a_line_says_what_job_task_and_report_say(void **state SGE_UNUSED)
{
    struct JB_Type *job = job_of_test();
    struct JAT_Type *jat = cull_new(&cull_JAT_Type);
    struct JR_Type *report = cull_new(&cull_JR_Type);
    struct accounting a;
    struct dstr scratch = DSTR_INIT, out = DSTR_INIT;
    cull_set(jat, JAT_task_number, 5);
    struct JG_Type *entry = cull_append(jat, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qname, "all.q@node1");
    cull_set(entry, JG_qhostname, "node1");
    cull_set(entry, JG_slots, 3);
    cull_set(entry, JG_pe, "smp");
    cull_set(jat, JAT_start_time, 1795164264);
    cull_set(report, JR_start_time, 1795164265);
    cull_set(report, JR_end_time, 1795164268);
    cull_set(report, JR_failed, 100);
    cull_set(report, JR_exit_status, 139);
    struct UA_Type *ua = cull_append(report, JR_usage);
    cull_set(ua, UA_name, "cpu");
    cull_set(ua, UA_value, 1.5);
    ua = cull_append(report, JR_usage);
    cull_set(ua, UA_name, "ru_minflt");
    cull_set(ua, UA_value, 480);
    ua = cull_append(report, JR_usage);
    cull_set(ua, UA_name, "of_a_newer_execd");
    accounting_fill(&a, job, jat, report, &scratch);
    accounting_line(&a, &out);
    assert_string_equal(dstr_get(&out),
                        "all.q:node1:users:alice:render:4711:sge:-100:1795164264:1795164265:"
                        "1795164268:100:139:3:0.000000:0.000000:0.000000:"
                        "0:0:0:0:480:0:0:0.000000:0:0:0:0:0:0:NONE:defaultdepartment:smp:3:5:1."
                        "500000:0.000000:0.000000:"
                        "-l h_rt=0%3A1%3A0 -pe smp 2-4:0.000000:NONE:0.000000:0:0\n");
    dstr_free(&scratch);
    dstr_free(&out);
    cull_delete(&cull_JB_Type, job);
    cull_delete(&cull_JAT_Type, jat);
    cull_delete(&cull_JR_Type, report);
}

static void the_line_of_a_petask_has_its_name(void **state SGE_UNUSED)
{
    struct JB_Type *job = job_of_test();
    struct JAT_Type jat = { 0 };
    struct JR_Type report = { 0 };
    struct dstr scratch = DSTR_INIT;
    struct accounting a;
    cull_set(&report, JR_pe_task_id, "1.node7");
    accounting_fill(&a, job, &jat, &report, &scratch);
    assert_string_equal(a.pe_taskid, "1.node7");
    cull_clear(&cull_JR_Type, &report);
    cull_set(&jat, JAT_pe_task_id, "2.node7");
    accounting_fill(&a, job, &jat, NULL, &scratch);
    assert_string_equal(a.pe_taskid, "2.node7");
    dstr_free(&scratch);
    cull_clear(&cull_JAT_Type, &jat);
    cull_delete(&cull_JB_Type, job);
}

static void devices_are_one_field_more(void **state SGE_UNUSED)
{
    static const char *const names[] = { "0000:3b:00.0", "2" };
    struct JB_Type *job = job_of_test();
    struct JAT_Type jat = { 0 };
    struct dstr scratch = DSTR_INIT, out = DSTR_INIT;
    struct accounting a, again;
    struct JG_Type *entry = cull_append(&jat, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qname, "all.q@node1");
    cull_set(entry, JG_qhostname, "node1");
    struct TK_Type *taken = cull_append(entry, JG_taken);
    cull_set(taken, TK_name, "mem");
    taken = cull_append(entry, JG_taken);
    cull_set(taken, TK_name, "gpu");
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct ST_Type *device = cull_append(taken, TK_devices);
        cull_set(device, ST_name, names[i]);
    }
    accounting_fill(&a, job, &jat, NULL, &scratch);
    accounting_line(&a, &out);
    assert_non_null(strstr(dstr_get(&out), ":0:0:gpu=node1=(0000%3A3b%3A00.0 2)\n"));
    out.s[--out.len] = '\0';
    assert_int_equal(accounting_parse(out.s, &again, NULL), 1);
    assert_string_equal(again.devices, "gpu=node1=(0000:3b:00.0 2)");
    assert_string_equal(again.category, a.category);
    dstr_free(&scratch);
    dstr_free(&out);
    cull_clear(&cull_JAT_Type, &jat);
    cull_delete(&cull_JB_Type, job);
}

static void a_task_that_never_started_has_a_line_too(void **state SGE_UNUSED)
{
    struct JB_Type *job = cull_new(&cull_JB_Type);
    struct accounting a;
    struct dstr scratch = DSTR_INIT, out = DSTR_INIT;
    accounting_fill(&a, job, NULL, NULL, &scratch);
    accounting_line(&a, &out);
    struct accounting again;
    out.s[--out.len] = '\0';
    assert_int_equal(accounting_parse(out.s, &again, NULL), 1);
    assert_string_equal(again.qname, "UNKNOWN");
    assert_string_equal(again.category, "NONE");
    assert_int_equal(again.start_time, 0);
    dstr_free(&scratch);
    dstr_free(&out);
    cull_delete(&cull_JB_Type, job);
}

static void no_name_breaks_a_line(void **state SGE_UNUSED)
{
    static const char *const names[] = { "a:b",   "a\nb", "a\r\nb:", "100%", "%3A",
                                         "%253A", "%25",  "%%3A",    "",     "# comment",
                                         "x%3ay", ":",    "\xff" };
    struct JB_Type *job = job_of_test();
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct accounting a, again;
        struct dstr scratch = DSTR_INIT, out = DSTR_INIT;
        cull_set(job, JB_job_name, names[i]);
        cull_set(job, JB_account, names[i]);
        accounting_fill(&a, job, NULL, NULL, &scratch);
        accounting_line(&a, &out);
        assert_ptr_equal(strchr(out.s, '\n'), out.s + out.len - 1);
        out.s[--out.len] = '\0';
        assert_int_equal(accounting_parse(out.s, &again, NULL), 1);
        assert_string_equal(again.job_name, names[i][0] != '\0' ? names[i] : "NONE");
        assert_string_equal(again.account, names[i][0] != '\0' ? names[i] : "sge");
        dstr_free(&scratch);
        dstr_free(&out);
    }
    cull_delete(&cull_JB_Type, job);
}

static void comments_and_empty_lines_are_passed_over(void **state SGE_UNUSED)
{
    struct accounting a;
    struct dstr header = DSTR_INIT;
    char empty[] = "", comment[] = "# DO NOT MODIFY THIS FILE MANUALLY!";
    assert_int_equal(accounting_parse(empty, &a, NULL), 0);
    assert_int_equal(accounting_parse(comment, &a, NULL), 0);
    accounting_header(&header);
    assert_int_equal(strncmp(header.s, "# Version: ", 11), 0);
    assert_non_null(strstr(header.s, "\n# DO NOT MODIFY THIS FILE MANUALLY!\n# \n"));
    dstr_free(&header);
}

static void broken_lines_are_refused_by_field(void **state SGE_UNUSED)
{
    struct accounting a;
    struct answer ans = ANSWER_INIT;
    char few[] = "a:b:c", word[] = "q:h:g:o:n:notanumber:sge";
    assert_int_equal(accounting_parse(few, &a, &ans), -1);
    assert_string_equal(ans_first_error(&ans), "accounting line: 3 fields instead of 45");
    ans_free(&ans);
    ans = (struct answer)ANSWER_INIT;
    assert_int_equal(accounting_parse(word, &a, &ans), -1);
    assert_string_equal(ans_first_error(&ans),
                        "accounting line: the field job_number is \"notanumber\"");
    ans_free(&ans);
}

static void older_and_newer_lines_are_read(void **state SGE_UNUSED)
{
    struct dstr longer = DSTR_INIT;
    char *shorter = uti_strdup(captured[0]);
    struct accounting a;
    *strrchr(shorter, ':') = '\0';
    *strrchr(shorter, ':') = '\0';
    assert_int_equal(accounting_parse(shorter, &a, NULL), 1);
    dstr_addf(&longer, "%s:more:fields", captured[0]);
    assert_int_equal(accounting_parse(longer.s, &a, NULL), 1);
    free(shorter);
    dstr_free(&longer);
}

/* numbers as a broken clock, an older shepherd or a host that lies might send them */
static double strange_number(unsigned *seed)
{
    static const double numbers[] = { -1e300,
                                      -1,
                                      -0.0,
                                      0,
                                      0.25,
                                      1,
                                      86400,
                                      18446744067890.0,
                                      1e19,
                                      1e300,
                                      (double)NAN,
                                      (double)INFINITY,
                                      -(double)INFINITY };
    *seed = *seed * 1103515245 + 12345;
    return numbers[(*seed >> 16) % ARRAY_LEN(numbers)];
}

static uint64_t strange_time(unsigned *seed)
{
    static const uint64_t times[] = { 0, 1, 1795164264, 1795164269, 4102444800, UINT64_MAX };
    *seed = *seed * 1103515245 + 12345;
    return times[(*seed >> 16) % ARRAY_LEN(times)];
}

static void expect_possible(const struct accounting *a)
{
    const double seconds[] = { a->ru_wallclock, a->ru_utime, a->ru_stime, a->cpu, a->iow };
    const double others[] = { a->ru_maxrss, a->ru_minflt, a->mem, a->io, a->maxvmem };
    for (size_t i = 0; i < ARRAY_LEN(seconds); i++)
        assert_true(seconds[i] >= 0 && seconds[i] <= 1e12);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_true(others[i] >= 0 && others[i] < 1e19);
    assert_true(a->end_time >= a->start_time);
    assert_true(a->end_time <= 253402300799);
}

static void no_report_makes_an_impossible_line(void **state SGE_UNUSED)
{
    static const char *const names[] = { "ru_wallclock", "ru_utime", "ru_stime", "cpu",
                                         "iow",          "mem",      "io",       "maxvmem",
                                         "ru_maxrss",    "ru_minflt" };
    struct JB_Type *job = job_of_test();
    unsigned seed = 1;
    for (int round = 0; round < 2000; round++) {
        struct JAT_Type jat = { 0 };
        struct JR_Type report = { 0 };
        struct dstr scratch = DSTR_INIT, line = DSTR_INIT;
        struct accounting a, again;
        cull_set(&jat, JAT_start_time, UINT64_C(1795164265));
        cull_set(&report, JR_start_time, strange_time(&seed));
        cull_set(&report, JR_end_time, strange_time(&seed));
        for (size_t i = 0; i < ARRAY_LEN(names); i++) {
            struct UA_Type *ua = cull_append(&report, JR_usage);
            cull_set(ua, UA_name, names[i]);
            cull_set(ua, UA_value, strange_number(&seed));
        }
        accounting_fill(&a, job, &jat, &report, &scratch);
        expect_possible(&a);
        accounting_line(&a, &line);
        line.s[--line.len] = '\0';
        assert_int_equal(accounting_parse(line.s, &again, NULL), 1);
        expect_possible(&again);
        dstr_free(&scratch);
        dstr_free(&line);
        cull_clear(&cull_JAT_Type, &jat);
        cull_clear(&cull_JR_Type, &report);
    }
    cull_delete(&cull_JB_Type, job);
}

/* a task that was deleted while it started, as older versions wrote it */
static void impossible_figures_of_older_versions_are_read_as_0(void **state SGE_UNUSED)
{
    char line[] = "all.q:HOST:alice:alice:a:7:sge:0:1795164264:1795164265:0:100:0:18446744067890:"
                  "-1.0:0.003032:4560.000000:0:0:0:0:558:0:0:0.000000:16:0:0:0:13:16:NONE:"
                  "defaultdepartment:NONE:1:0:1e300:0.000000:0.000000:NONE:0.000000:NONE:-5:0:"
                  "18446744073709551615";
    struct accounting a;
    assert_int_equal(accounting_parse(line, &a, NULL), 1);
    assert_true(a.ru_wallclock == 0 && a.ru_utime == 0 && a.cpu == 0 && a.maxvmem == 0);
    assert_float_equal(a.ru_stime, 0.003032, 1e-9);
    assert_int_equal(a.ar_submission_time, 0);
}

static void assert_failed(uint32_t code, const char *want)
{
    struct dstr out = DSTR_INIT;
    accounting_failed_text(code, &out);
    assert_string_equal(dstr_get(&out), want);
    dstr_free(&out);
}

static void failures_are_worded_as_captured(void **state SGE_UNUSED)
{
    assert_failed(0, "0    ");
    assert_failed(25, "25  : rescheduling");
    assert_failed(26, "26  : opening input/output file");
    assert_failed(28, "28  : changing into working directory");
    assert_failed(37, "37  : qmaster enforced h_rt, h_cpu, or h_vmem limit");
    assert_failed(100, "100 : assumedly after job");
    assert_failed(77, "77  : unknown");
}

static double figure_of(const struct UA_Type_list *usage, const char *name)
{
    for (uint32_t i = 0; i < usage->n; i++)
        if (strcmp(usage->v[i].UA_name, name) == 0)
            return usage->v[i].UA_value;
    return -1;
}

static void usage_of_several_is_a_sum_but_for_their_time(void **state SGE_UNUSED)
{
    static const struct {
        const char *name;
        double value, sum;
    } figures[] = { { "cpu", 2.5, 5 },         { "maxvmem", 1e6, 2e6 },  { "ru_maxrss", 3, 6 },
                    { "ru_wallclock", 7, -1 }, { "acct_nosuch", 1, -1 }, { "mem", -5, 0 },
                    { "ru_utime", 9e11, 9e11 } };
    struct JR_Type one = { 0 }, all = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
        struct UA_Type *figure = cull_append(&one, JR_usage);
        cull_set(figure, UA_name, figures[i].name);
        cull_set(figure, UA_value, figures[i].value);
    }
    for (int i = 0; i < 2; i++)
        accounting_add_usage(&all.JR_usage, &one.JR_usage);
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        assert_true(figure_of(&all.JR_usage, figures[i].name) == figures[i].sum);
    cull_mark(&all, JR_usage);
    cull_clear(&cull_JR_Type, &all);
    cull_clear(&cull_JR_Type, &one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captured_lines_print_as_they_were_read),
        cmocka_unit_test(fields_have_their_names),
        cmocka_unit_test(a_line_says_what_job_task_and_report_say),
        cmocka_unit_test(the_line_of_a_petask_has_its_name),
        cmocka_unit_test(devices_are_one_field_more),
        cmocka_unit_test(a_task_that_never_started_has_a_line_too),
        cmocka_unit_test(no_name_breaks_a_line),
        cmocka_unit_test(comments_and_empty_lines_are_passed_over),
        cmocka_unit_test(broken_lines_are_refused_by_field),
        cmocka_unit_test(older_and_newer_lines_are_read),
        cmocka_unit_test(no_report_makes_an_impossible_line),
        cmocka_unit_test(impossible_figures_of_older_versions_are_read_as_0),
        cmocka_unit_test(failures_are_worded_as_captured),
        cmocka_unit_test(usage_of_several_is_a_sum_but_for_their_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

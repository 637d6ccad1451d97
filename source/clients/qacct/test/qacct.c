/* qacct over hand-made accounting files, against captured reports. */
#include "clients/qacct/qacct.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
/* cmocka last: it needs the three above */
#include <cmocka.h>

#include "clients/common/source.h"
#include "libs/doc/test/wellformed.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static const char lines[] = "# Version: 8.1.9\n# \n# DO NOT MODIFY THIS FILE MANUALLY!\n# \n"
                            "all.q:HOST:alice:alice:acct:263:myacct:0:1795164264:1795164265:"
                            "1795164266:0:0:1:0.005790:0.003032:4560.000000:0:0:0:0:"
                            "558:0:0:0.000000:16:0:0:0:13:16:NONE:defaultdepartment:NONE:1:0:0."
                            "008822:0.000000:0.000000:NONE:0.000000:NONE:0.000000:0:"
                            "0\n"
                            "all.q:HOST:alice:alice:arr:264:sge:0:1795164264:1795164265:1795164265:"
                            "0:1:0:0.001096:0.006872:4592.000000:0:0:0:0:485:0:"
                            "0:0.000000:8:0:0:0:8:7:NONE:defaultdepartment:NONE:1:1:0.007968:0."
                            "000000:0.000000:NONE:0.000000:NONE:0.000000:0:0\n"
                            "all.q:HOST:alice:alice:arr:264:sge:0:1795164264:1795164265:1795164265:"
                            "0:3:0:0.005140:0.003180:4504.000000:0:0:0:0:481:0:"
                            "0:0.000000:16:0:0:0:7:9:NONE:defaultdepartment:NONE:1:3:0.008320:0."
                            "000000:0.000000:NONE:0.000000:NONE:0.000000:0:0\n"
                            "b.q:node2:bob:bob:par:265:sge:0:1795164265:1795164265:1795164266:0:0:"
                            "1:0.004721:0.004028:4536.000000:0:0:0:0:561:0:0:"
                            "0.000000:16:0:0:0:11:5:NONE:defaultdepartment:smp:3:0:0.008749:0."
                            "000000:0.000038:-l h_rt=100 -pe smp "
                            "3:0.000000:NONE:3694592.000000:0:0\n"
                            "all.q:HOST:alice:alice:kill:266:sge:0:1795164265:1795164265:"
                            "1795164265:100:139:0:0.008117:0.000000:4452.000000:0:0:0:0:"
                            "480:0:0:32.000000:384:0:0:0:12:5:NONE:defaultdepartment:NONE:1:0:0."
                            "008117:0.000000:0.000000:NONE:0.000000:NONE:0.000000:"
                            "0:0\n";

struct result {
    char *text;
    int status;
    struct answer ans;
};

/* the lines of CONTENT, or what FROM answers */
static struct result run_with(const char *content, const struct source *from, int n,
                              const char *const *args)
{
    struct result r = { .ans = ANSWER_INIT };
    struct qacct_options o = { 0 };
    bool shows_usage;
    size_t len = 0;
    assert_int_equal(qacct_parse(n, (char *const *)args, &o, &shows_usage, &r.ans), 0);
    assert_int_equal(qacct_check(&o, 1795164300, &r.ans), 0);
    char *copy = strdup(content);
    FILE *in = fmemopen(copy, strlen(copy), "r"), *out = open_memstream(&r.text, &len);
    r.status =
        from != NULL ? acct_ask(from, &o.query, out, &r.ans) : acct_run(in, &o.query, out, &r.ans);
    (void)fclose(in);
    (void)fclose(out);
    free(copy);
    qacct_options_free(&o);
    return r;
}

static struct result run_command(const char *content, int n, const char *const *args)
{
    return run_with(content, NULL, n, args);
}

static void result_free(struct result *r)
{
    free(r->text);
    ans_free(&r->ans);
}

/* a qmaster that sends the lines in parts of two */
static int send_lines(void *state, struct GR_Type *request, answer_part_fn part, void *ctx,
                      struct answer *ans)
{
    struct GR_Type *asked = state;
    int rc = 0;
    cull_copy(&cull_GR_Type, asked, request);
    for (const char *at = lines; rc == 0 && *at != '\0';) {
        struct GA_Type ga = { 0 };
        const char *end = strchr(strchr(at, '\n') + 1, '\n');
        end = end != NULL ? end + 1 : at + strlen(at);
        char *text = strndup(at, (size_t)(end - at));
        cull_set(&ga, GA_lines, text);
        cull_set(&ga, GA_is_last, *end == '\0');
        rc = part(ctx, &ga, ans);
        cull_clear(&cull_GA_Type, &ga);
        free(text);
        at = end;
    }
    return rc;
}

static void the_lines_of_the_qmaster_are_as_good_as_a_file(void **state)
{
    static const char *const commands[][2] = { { "-j", "264" }, { "-j", "par" }, { "-o", NULL } };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        int n = commands[i][1] != NULL ? 2 : 1;
        struct GR_Type asked = { 0 };
        struct source qmaster = { .get = send_lines, .state = &asked, .is_raw = true };
        struct result here = run_command(lines, n, commands[i]);
        struct result there = run_with(lines, &qmaster, n, commands[i]);
        assert_int_equal(there.status, here.status);
        assert_string_equal(there.text, here.text);
        assert_int_equal(asked.GR_select.n, i == 0 ? 1 : 0);
        cull_clear(&cull_GR_Type, &asked);
        result_free(&here);
        result_free(&there);
    }
}

#define RUN(...)                                                                                   \
    run_command(lines, (int)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)),            \
                (const char *[]){ __VA_ARGS__ })

static void control_characters_of_a_record_are_shown_as_escapes(void **state)
{
    (void)state;
    char *hostile = strdup(lines), *name = strstr(hostile, ":kill:266");
    memcpy(name, ":\033[2J", 5);
    struct result r = run_command(hostile, 2, (const char *[]){ "-j", "266" });
    assert_int_equal(r.status, 0);
    assert_null(strchr(r.text, '\033'));
    assert_non_null(strstr(r.text, "jobname      \\x1b[2J"));
    result_free(&r);
    free(hostile);
}

static const char captured[] = "==============================================================\n"
                               "qname        all.q               \n"
                               "hostname     HOST                \n"
                               "group        alice               \n"
                               "owner        alice               \n"
                               "project      NONE                \n"
                               "department   defaultdepartment   \n"
                               "jobname      kill                \n"
                               "jobnumber    266                 \n"
                               "taskid       undefined\n"
                               "account      sge                 \n"
                               "priority     0                   \n"
                               "qsub_time    Fri Nov 20 08:44:25 2026\n"
                               "start_time   Fri Nov 20 08:44:25 2026\n"
                               "end_time     Fri Nov 20 08:44:25 2026\n"
                               "granted_pe   NONE                \n"
                               "slots        1                   \n"
                               "failed       100 : assumedly after job\n"
                               "exit_status  139                  (Segmentation fault)\n"
                               "ru_wallclock 0s\n"
                               "ru_utime     0.008s\n"
                               "ru_stime     0.000s\n"
                               "ru_maxrss    4.348MB\n"
                               "ru_ixrss     0.000B\n"
                               "ru_ismrss    0.000B\n"
                               "ru_idrss     0.000B\n"
                               "ru_isrss     0.000B\n"
                               "ru_minflt    480                 \n"
                               "ru_majflt    0                   \n"
                               "ru_nswap     0                   \n"
                               "ru_inblock   32                  \n"
                               "ru_oublock   384                 \n"
                               "ru_msgsnd    0                   \n"
                               "ru_msgrcv    0                   \n"
                               "ru_nsignals  0                   \n"
                               "ru_nvcsw     12                  \n"
                               "ru_nivcsw    5                   \n"
                               "cpu          0.008s\n"
                               "mem          0.000Bs\n"
                               "io           0.000B\n"
                               "iow          0.000s\n"
                               "maxvmem      0.000B\n"
                               "arid         undefined\n"
                               "ar_sub_time  undefined\n"
                               "category     NONE\n";

static void a_record_is_shown_as_captured(void **state)
{
    (void)state;
    struct result r = RUN("-j", "266");
    assert_int_equal(r.status, 0);
    assert_string_equal(r.text, captured);
    result_free(&r);
}

static void json_has_the_numbers_of_the_file(void **state)
{
    (void)state;
    struct result r = RUN("-j", "266", "-json");
    static const char start[] =
        "{\"records\": [\n"
        "    {\"qname\": \"all.q\", \"hostname\": \"HOST\", \"group\": \"alice\", \"owner\": "
        "\"alice\", "
        "\"project\": \"NONE\", \"department\": \"defaultdepartment\", \"jobname\": \"kill\", "
        "\"jobnumber\": 266, \"taskid\": null, \"account\": \"sge\", \"priority\": 0, "
        "\"qsub_time\": 1795164265, \"start_time\": 1795164265, \"end_time\": 1795164265, "
        "\"granted_pe\": \"NONE\", \"slots\": 1, \"failed\": 100, \"exit_status\": 139, ";
    assert_true(is_json(r.text));
    assert_true(strlen(r.text) > strlen(start));
    assert_memory_equal(r.text, start, strlen(start));
    assert_non_null(strstr(r.text, "\"ru_maxrss\": 4452.0,"));
    result_free(&r);
}

static void totals_and_what_is_not_there_are_json_too(void **state)
{
    (void)state;
    struct result r = RUN("-slots", "3", "-o", "-json");
    assert_true(is_json(r.text));
    assert_non_null(strstr(r.text, "{\"totals\": [\n    {\"owner\": \"bob\", \"slots\": 3, "));
    result_free(&r);
    r = RUN("-j", "9999", "-json");
    assert_int_equal(r.status, 1);
    assert_string_equal(r.text, "{\"records\": []}\n");
    result_free(&r);
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

static void jobs_are_chosen_by_id_name_pattern_and_task(void **state)
{
    (void)state;
    struct result r = RUN("-j", "264");
    assert_int_equal(count_of(r.text, "jobnumber    264 "), 2);
    result_free(&r);
    r = RUN("-j", "264", "-t", "2-4");
    assert_int_equal(count_of(r.text, "taskid       3 "), 1);
    assert_int_equal(count_of(r.text, "jobnumber"), 1);
    result_free(&r);
    r = RUN("-j", "a*");
    assert_int_equal(count_of(r.text, "jobnumber"), 3);
    result_free(&r);
    r = RUN("-j", "-o", "bob");
    assert_int_equal(count_of(r.text, "jobnumber"), 1);
    assert_non_null(strstr(r.text, "io           39.846KB\n"));
    assert_non_null(strstr(r.text, "maxvmem      3.523MB\n"));
    assert_non_null(strstr(r.text, "category     -l h_rt=100 -pe smp 3\n"));
    result_free(&r);
    r = RUN("-j");
    assert_int_equal(count_of(r.text, "jobnumber"), 5);
    result_free(&r);
    r = RUN("-j", "264,k*,265");
    assert_int_equal(count_of(r.text, "jobnumber"), 4);
    assert_int_equal(r.status, 0);
    result_free(&r);
}

static void what_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct result r = RUN("-j", "999999");
    assert_int_equal(r.status, 1);
    assert_string_equal(r.text, "");
    assert_string_equal(ans_first_error(&r.ans), "job id 999999 not found");
    result_free(&r);
    r = RUN("-j", "nosuch");
    assert_int_equal(r.status, 1);
    assert_string_equal(ans_first_error(&r.ans), "job name nosuch not found");
    result_free(&r);
    r = RUN("-j", "264,999999");
    assert_int_equal(r.status, 1);
    assert_int_equal(count_of(r.text, "jobnumber"), 2);
    assert_string_equal(ans_first_error(&r.ans), "job id 999999 not found");
    assert_int_equal(r.ans.n, 1);
    result_free(&r);
    r = RUN("-j", "acct,nosuch,264");
    assert_int_equal(r.status, 1);
    assert_int_equal(count_of(r.text, "jobnumber"), 3);
    assert_string_equal(ans_first_error(&r.ans), "job name nosuch not found");
    result_free(&r);
    r = RUN("-j", "264", "-t", "9");
    assert_int_equal(r.status, 1);
    assert_string_equal(r.text, "");
    assert_string_equal(ans_first_error(&r.ans), "Job-array tasks 264.9-9:1 not found");
    result_free(&r);
    r = RUN("-j", "nosuch", "-t", "2-8:3");
    assert_string_equal(ans_first_error(&r.ans), "Job-array tasks nosuch.2-8:3 not found");
    result_free(&r);
    r = RUN("-j", ",");
    assert_int_equal(r.status, 1);
    result_free(&r);
}

static void totals_have_the_captured_columns(void **state)
{
    (void)state;
    struct result r = run_command(lines, 0, NULL);
    assert_string_equal(r.text, "Total System Usage\n"
                                "    WALLCLOCK         UTIME         STIME           CPU           "
                                "  MEMORY                 IO                IOW\n"
                                "=================================================================="
                                "==============================================\n"
                                "            2         0.025         0.017         0.042           "
                                "   0.000              0.000              0.000\n");
    result_free(&r);
    r = RUN("-pe");
    assert_string_equal(r.text, "PE       WALLCLOCK         UTIME         STIME           CPU      "
                                "       MEMORY                 IO                IOW\n"
                                "=================================================================="
                                "===================================================\n"
                                "NONE             1         0.020         0.013         0.033      "
                                "        0.000              0.000              0.000\n"
                                "smp              1         0.005         0.004         0.009      "
                                "        0.000              0.000              0.000\n");
    result_free(&r);
    r = RUN("-q", "all.q");
    assert_non_null(strstr(r.text, "HOST CLUSTER QUEUE     WALLCLOCK"));
    assert_non_null(strstr(r.text, "HOST all.q                     1"));
    assert_null(strstr(r.text, "b.q"));
    result_free(&r);
    r = RUN("-slots");
    assert_non_null(strstr(r.text, "SLOTS     WALLCLOCK"));
    assert_non_null(strstr(r.text, "    3             1  "));
    result_free(&r);
}

static void one_impossible_record_does_not_spoil_the_totals(void **state)
{
    (void)state;
    static const char *const jobs[] = { "-j", "266" };
    struct result before = run_command(lines, 0, NULL);
    struct dstr spoilt = DSTR_INIT;
    const char *at = strstr(lines, ":1795164265:100:139:0:0.008117");
    dstr_addn(&spoilt, lines, (size_t)(at - lines));
    dstr_addf(&spoilt, ":0:100:0:18446744067890:0.008117%s",
              at + strlen(":1795164265:100:139:0:0.008117"));
    struct result after = run_command(spoilt.s, 0, NULL);
    assert_string_equal(after.text, before.text);
    result_free(&after);
    after = run_command(spoilt.s, 2, jobs);
    assert_non_null(strstr(after.text, "\nend_time     -/-\n"));
    assert_non_null(strstr(after.text, "\nru_wallclock 0s\n"));
    result_free(&after);
    result_free(&before);
    dstr_free(&spoilt);
}

static void totals_of_nothing_are_a_heading(void **state)
{
    (void)state;
    struct result r = RUN("-o", "nobody");
    assert_int_equal(r.status, 0);
    assert_string_equal(r.text, "OWNER      WALLCLOCK         UTIME         STIME           CPU    "
                                "         MEMORY                 IO                IOW\n"
                                "=================================================================="
                                "=====================================================\n");
    result_free(&r);
    r = RUN("-o", "x");
    assert_int_equal(strncmp(r.text, "OWNER     WALLCLOCK ", 20), 0);
    result_free(&r);
    r = RUN("-e", "202001010000");
    assert_int_equal(count_of(r.text, "\n"), 3);
    result_free(&r);
}

static void what_is_stopped_reads_no_more(void **state SGE_UNUSED)
{
    char content[] = "no record\n";
    const atomic_bool is_stopped = true;
    const struct acct_query query = { .wants_jobs = true, .is_stopped = &is_stopped };
    struct result r = { .ans = ANSWER_INIT };
    size_t len = 0;
    FILE *in = fmemopen(content, strlen(content), "r"), *out = open_memstream(&r.text, &len);
    r.status = acct_run(in, &query, out, &r.ans);
    assert_int_equal(ftell(in), 0);
    assert_int_equal(r.status, 1);
    (void)fclose(in);
    (void)fclose(out);
    result_free(&r);
}

static void lines_that_are_no_records_are_told_and_passed_over(void **state)
{
    (void)state;
    static const char *const args[] = { "-o" };
    struct result r = run_command("junk\nall.q:HOST:alice:alice:acct:x26:a\n\n# note\n", 1, args);
    assert_int_equal(r.status, 0);
    assert_int_equal(r.ans.n, 1);
    assert_int_equal(r.ans.v[0].quality, ANSWER_QUALITY_WARNING);
    assert_non_null(strstr(r.ans.v[0].text, "2 lines could not be read, the first is line 1"));
    result_free(&r);
}

static void wrong_command_lines_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        { "-zz", NULL },
        { "-t", "1-3" },
        { "-t", NULL },
        { "-l", "slots=1" },
    };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct qacct_options o = { 0 };
        struct answer ans = ANSWER_INIT;
        bool shows_usage;
        int n = wrong[i][1] != NULL ? 2 : 1;
        assert_int_equal(qacct_parse(n, (char *const *)wrong[i], &o, &shows_usage, &ans), -1);
        assert_true(ans_has_error(&ans));
        ans_free(&ans);
        qacct_options_free(&o);
    }
}

static void wrong_arguments_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *args[4];
        int n;
        const char *text;
    } wrong[] = {
        { { "-b", "yesterday" },
          2,
          "-b: \"yesterday\" is not a date of the form [[CC]YY]MMDDhhmm[.SS]" },
        { { "-d", "-3" }, 2, "-d: \"-3\" is not a number of days" },
        { { "-slots", "x" }, 2, "-slots: \"x\" is not a number of slots" },
        { { "-j", "1", "-t", "1-3foo" },
          4,
          "-t: \"1-3foo\" is not a range of task ids: \"foo\" left over" },
    };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct qacct_options o = { 0 };
        struct answer ans = ANSWER_INIT;
        bool shows_usage;
        assert_int_equal(
            qacct_parse(wrong[i].n, (char *const *)wrong[i].args, &o, &shows_usage, &ans), 0);
        assert_int_equal(qacct_check(&o, 1795164300, &ans), -1);
        assert_string_equal(ans_first_error(&ans), wrong[i].text);
        ans_free(&ans);
        qacct_options_free(&o);
    }
}

int main(void)
{
    (void)setenv("TZ", "UTC", 1);
    tzset();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_is_shown_as_captured),
        cmocka_unit_test(json_has_the_numbers_of_the_file),
        cmocka_unit_test(totals_and_what_is_not_there_are_json_too),
        cmocka_unit_test(the_lines_of_the_qmaster_are_as_good_as_a_file),
        cmocka_unit_test(control_characters_of_a_record_are_shown_as_escapes),
        cmocka_unit_test(jobs_are_chosen_by_id_name_pattern_and_task),
        cmocka_unit_test(what_is_not_there_is_an_error),
        cmocka_unit_test(totals_have_the_captured_columns),
        cmocka_unit_test(one_impossible_record_does_not_spoil_the_totals),
        cmocka_unit_test(totals_of_nothing_are_a_heading),
        cmocka_unit_test(what_is_stopped_reads_no_more),
        cmocka_unit_test(lines_that_are_no_records_are_told_and_passed_over),
        cmocka_unit_test(wrong_command_lines_are_refused),
        cmocka_unit_test(wrong_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

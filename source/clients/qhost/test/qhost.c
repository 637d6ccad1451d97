/* qhost on hand-made answers, against captured pages. */
#include "clients/qhost/qhost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/doc/test/wellformed.h"
#include "libs/show/host_table.h"
#include "libs/show/test/sample.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static void add_load(struct EH_Type *host, const char *name, const char *value)
{
    struct VA_Type *load = cull_append(host, EH_load_list);
    cull_set(load, VA_variable, name);
    cull_set(load, VA_value, value);
}

static void give_hosts(struct GA_Type *part)
{
    struct EH_Type *host = cull_append(part, GA_hosts);
    cull_set(host, EH_name, "HOST");
    cull_set(host, EH_is_connected, true);
    add_load(host, "load_avg", "12.210449");
    add_load(host, "arch", "lx-amd64");
    add_load(host, "num_proc", "2");
    add_load(host, "m_socket", "1");
    add_load(host, "m_core", "2");
    add_load(host, "m_thread", "2");
    add_load(host, "mem_free", "23710.008594M");
    add_load(host, "mem_total", "24105.550781M");
    add_load(host, "mem_used", "395.539M");
    add_load(host, "swap_total", "0.000000M");
    add_load(host, "swap_used", "0.000000M");
    host = cull_append(part, GA_hosts);
    cull_set(host, EH_name, "global");
    host = cull_append(part, GA_hosts);
    cull_set(host, EH_name, "anode");
    cull_set(host, EH_is_connected, false);
    add_load(host, "arch", "lx-amd64");
    add_load(host, "load_avg", "3.5");
}

static void give_queues(struct GA_Type *part)
{
    struct QU_Type *queue = cull_append(part, GA_queues);
    cull_set(queue, QU_full_name, "all.q@HOST");
    cull_set(queue, QU_qname, "all.q");
    cull_set(queue, QU_qhostname, "HOST");
    cull_set(queue, QU_qtype, 3u);
    cull_set(queue, QU_job_slots, 64u);
    cull_set(queue, QU_slots_used, 4u);
}

/* run on 2 slots, and two tasks of arr, the second of which comes in a part of its own */
static void give_jobs(struct GA_Type *part, bool is_second)
{
    struct JB_Type *job = cull_append(part, GA_jobs);
    if (!is_second) {
        sample_job(job, 261, "run", 0, 0, 0);
        sample_task(cull_append(part, GA_tasks), job, 1, 0.75, 2);
        job = cull_append(part, GA_jobs);
        sample_job(job, 262, "arr", 1, 2, 1);
        sample_task(cull_append(part, GA_tasks), job, 1, 0.25, 1);
    } else {
        cull_set(job, JB_job_number, 262u);
        sample_task(cull_append(part, GA_tasks), job, 2, 0.25, 1);
    }
}

static int give_answer(void *state, struct GR_Type *request, answer_part_fn fn, void *ctx,
                       struct answer *ans)
{
    int result = 0;
    (void)state;
    for (int n = 0; n < 2 && result == 0; n++) {
        struct GA_Type part = { 0 };
        if (request->GR_target == GDI_EXECHOST && n == 0)
            give_hosts(&part);
        if (request->GR_target == GDI_QINSTANCE && n == 0)
            give_queues(&part);
        if (request->GR_target == GDI_JOB)
            give_jobs(&part, n == 1);
        result = fn(ctx, &part, ans);
        cull_clear(&cull_GA_Type, &part);
    }
    return result;
}

static char *run_command(const char *const *args, int n, int wanted_status, struct answer *ans)
{
    struct qhost_options o = { 0 };
    struct source from = { .get = give_answer };
    bool shows_usage;
    char *text = NULL;
    size_t len = 0;
    assert_int_equal(qhost_parse(n, (char *const *)args, &o, &shows_usage, ans), 0);
    FILE *out = open_memstream(&text, &len);
    assert_int_equal(qhost_run(&from, &o, out, &shows_usage, ans), wanted_status);
    (void)fclose(out);
    qhost_options_free(&o);
    return text;
}

#define RUN(...)                                                                                   \
    run_command((const char *[]){ __VA_ARGS__ },                                                   \
                (int)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)), 0, NULL)

#define HEAD                                                                                       \
    "HOSTNAME                ARCH         NCPU NSOC NCOR NTHR  LOAD  MEMTOT  MEMUSE  SWAPTO  "     \
    "SWAPUS\n"                                                                                     \
    "--------------------------------------------------------------------------------------------" \
    "--\n"                                                                                         \
    "global                  -               -    -    -    -     -       -       -       -      " \
    " -\n"
#define HOST_LINE                                                                                  \
    "HOST                    lx-amd64        2    1    2    2 12.21   23.5G  395.5M     0.0     "  \
    "0.0\n"

static void the_plain_page_is_as_captured(void **state)
{
    (void)state;
    char *text = run_command(NULL, 0, 0, NULL);
    assert_string_equal(text, HEAD HOST_LINE "anode                   lx-amd64        -    -    -  "
                                             "  -     -       -       -       -       -\n");
    free(text);
}

static void queues_and_jobs_hang_below_their_host(void **state)
{
    (void)state;
    char *text = RUN("-q", "-j", "-h", "HOST");
    assert_string_equal(
        text, HEAD HOST_LINE
        "   all.q                BI    0/4/64        \n"
        "       261 0.75000 run        alice        r     11/20/2026 08:47:11 MASTER        \n"
        "                                                                     SLAVE         \n"
        "       262 0.25000 arr        alice        r     11/20/2026 08:47:11 MASTER 1\n"
        "       262 0.25000 arr        alice        r     11/20/2026 08:47:11 MASTER 2\n");
    free(text);
    text = RUN("-j", "-h", "HOST");
    assert_string_equal(
        text, HEAD HOST_LINE
        "   job-ID  prior   name       user         state submit/start at     queue      master "
        "ja-task-ID \n"
        "   "
        "------------------------------------------------------------------------------------------"
        "----\n"
        "       261 0.75000 run        alice        r     11/20/2026 08:47:11 all.q@HOST MASTER    "
        "    \n"
        "                                                                     all.q@HOST SLAVE     "
        "    \n"
        "       262 0.25000 arr        alice        r     11/20/2026 08:47:11 all.q@HOST MASTER 1\n"
        "       262 0.25000 arr        alice        r     11/20/2026 08:47:11 all.q@HOST MASTER "
        "2\n");
    free(text);
}

static void resources_are_shown_in_their_units(void **state)
{
    (void)state;
    char *text = RUN("-F", "mem_free,slots", "-h", "HOST");
    assert_string_equal(text, HEAD HOST_LINE "    Host Resource(s):      hl:mem_free=23.154G\n");
    free(text);
    text = RUN("-F", "-h", "HOST");
    assert_non_null(
        strstr(text, "   hl:load_avg=12.210449\n   hl:arch=lx-amd64\n   hl:num_proc=2.000000\n"));
    assert_non_null(strstr(text, "   hl:swap_total=0.000\n"));
    free(text);
}

static void ncb_leaves_out_the_topology(void **state)
{
    (void)state;
    char *text = RUN("-ncb", "-h", "HOST");
    assert_string_equal(
        text, "HOSTNAME                ARCH         NCPU  LOAD  MEMTOT  MEMUSE  SWAPTO  SWAPUS\n"
              "-------------------------------------------------------------------------------\n"
              "global                  -               -     -       -       -       -       -\n"
              "HOST                    lx-amd64        2 12.21   23.5G  395.5M     0.0     0.0\n");
    free(text);
}

static void xml_is_as_captured(void **state)
{
    (void)state;
    char *text = RUN("-q", "-j", "-xml", "-h", "HOST");
    assert_true(is_well_formed(text));
    assert_non_null(strstr(text,
                           "<?xml version='1.0'?>\n<qhost "
                           "xmlns:xsd=\"http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/"
                           "resources/schemas/qhost/qhost.xsd\">\n"
                           " <host name='global'>\n"
                           "   <hostvalue name='arch_string'>-</hostvalue>\n"));
    assert_non_null(strstr(text,
                           "   <hostvalue name='swap_used'>0.0</hostvalue>\n"
                           " <queue name='all.q'>\n"
                           "   <queuevalue qname='all.q' name='qtype_string'>BI</queuevalue>\n"
                           "   <queuevalue qname='all.q' name='slots_used'>4</queuevalue>\n"
                           "   <queuevalue qname='all.q' name='slots'>64</queuevalue>\n"
                           "   <queuevalue qname='all.q' name='slots_resv'>0</queuevalue>\n"
                           "   <queuevalue qname='all.q' name='state_string'></queuevalue>\n"
                           " </queue>\n"
                           " <job name='261'>\n"
                           "   <jobvalue jobid='261' name='priority'>'0.750000'</jobvalue>\n"
                           "   <jobvalue jobid='261' name='qinstance_name'>all.q@HOST</jobvalue>\n"
                           "   <jobvalue jobid='261' name='job_name'>run</jobvalue>\n"
                           "   <jobvalue jobid='261' name='job_owner'>alice</jobvalue>\n"
                           "   <jobvalue jobid='261' name='job_state'>r</jobvalue>\n"
                           "   <jobvalue jobid='261' name='start_time'>1795164431</jobvalue>\n"
                           "   <jobvalue jobid='261' name='pe_master'>MASTER</jobvalue>\n"
                           " </job>\n"));
    assert_non_null(strstr(
        text,
        "   <jobvalue jobid='262' name='taskid'>2</jobvalue>\n </job>\n </host>\n</qhost>\n"));
    free(text);
}

static void json_has_numbers_where_people_see_short_forms(void **state)
{
    (void)state;
    static const char start[] =
        "{\"hosts\": [\n"
        "    {\"name\": \"global\", \"arch_string\": null, \"num_proc\": null, \"m_socket\": null, "
        "\"m_core\": null, \"m_thread\": null, \"load_avg\": null, \"mem_total\": null, "
        "\"mem_used\": null, \"swap_total\": null, \"swap_used\": null, \"resources\": [], "
        "\"queues\": []},\n"
        "    {\"name\": \"HOST\", \"arch_string\": \"lx-amd64\", \"num_proc\": 2, \"m_socket\": 1, "
        "\"m_core\": 2, \"m_thread\": 2, \"load_avg\": 12.210449, \"mem_total\": 25276502015, "
        "\"mem_used\": 414752702, \"swap_total\": 0, \"swap_used\": 0, \"resources\": [\n"
        "        {\"name\": \"mem_free\", \"dominance\": \"hl\", \"value\": \"23.154G\"}\n"
        "      ], \"queues\": [\n";
    char *text = RUN("-q", "-j", "-F", "mem_free", "-json");
    assert_true(is_json(text));
    assert_true(strlen(text) > strlen(start));
    assert_memory_equal(text, start, strlen(start));
    free(text);
}

static void an_unknown_host_is_an_error_with_usage(void **state)
{
    (void)state;
    static const char *const args[] = { "-h", "no such host!" };
    struct answer ans = ANSWER_INIT;
    char *text = run_command(args, 2, 1, &ans);
    assert_string_equal(text, "");
    assert_string_equal(ans_first_error(&ans), "can't resolve hostname \"no such host!\"");
    ans_free(&ans);
    free(text);
}

static void unknown_options_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = { "-zz", "-cb", "x", "-l" };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct qhost_options o = { 0 };
        struct answer ans = ANSWER_INIT;
        bool shows_usage;
        assert_int_equal(qhost_parse(1, (char *const *)&wrong[i], &o, &shows_usage, &ans), -1);
        assert_true(ans_has_error(&ans));
        ans_free(&ans);
        qhost_options_free(&o);
    }
}

static void a_list_may_be_several_words(void **state)
{
    static const char *const words[] = { "-h", "a", "b,c", "-F", "x", "y", "-xml", "-F", "-j" };
    struct qhost_options o = { 0 };
    struct answer ans = ANSWER_INIT;
    bool shows_usage;
    (void)state;
    assert_int_equal(qhost_parse(ARRAY_LEN(words), (char *const *)words, &o, &shows_usage, &ans),
                     0);
    assert_int_equal(o.hosts.n, 3);
    assert_string_equal(o.hosts.v[2], "c");
    assert_int_equal(o.resources.n, 2);
    assert_true(o.form == DOC_XML && (o.table & HOSTS_JOBS) != 0);
    qhost_options_free(&o);
    static const char *const lonely[] = { "-j", "a" };
    assert_int_equal(qhost_parse(2, (char *const *)lonely, &o, &shows_usage, &ans), -1);
    ans_free(&ans);
    static const char *const last[] = { "-xml", "-h" };
    assert_int_equal(qhost_parse(2, (char *const *)last, &o, &shows_usage, &ans), -1);
    ans_free(&ans);
    qhost_options_free(&o);
}

int main(void)
{
    sample_utc();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plain_page_is_as_captured),
        cmocka_unit_test(queues_and_jobs_hang_below_their_host),
        cmocka_unit_test(resources_are_shown_in_their_units),
        cmocka_unit_test(a_list_may_be_several_words),
        cmocka_unit_test(ncb_leaves_out_the_topology),
        cmocka_unit_test(xml_is_as_captured),
        cmocka_unit_test(json_has_numbers_where_people_see_short_forms),
        cmocka_unit_test(an_unknown_host_is_an_error_with_usage),
        cmocka_unit_test(unknown_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

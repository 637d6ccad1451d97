/* Lines of queue instances, as qstat -f and qhost -q show them. */
#include "libs/show/queue_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/config/qinstance.h"
#include "libs/doc/test/wellformed.h"
#include "libs/uti/answer.h"

static void make_queue(struct QU_Type *queue)
{
    *queue = (struct QU_Type){ 0 };
    cull_set(queue, QU_full_name, "all.q@HOST");
    cull_set(queue, QU_qname, "all.q");
    cull_set(queue, QU_qtype, 3u);
    cull_set(queue, QU_job_slots, 64u);
    cull_set(queue, QU_slots_used, 1u);
    struct VA_Type *setting = cull_append(queue, QU_settings);
    cull_set(setting, VA_variable, "pe_list");
    cull_set(setting, VA_value, "make");
}

static void make_host(struct EH_Type *host)
{
    *host = (struct EH_Type){ 0 };
    cull_set(host, EH_name, "HOST");
    struct VA_Type *load = cull_append(host, EH_load_list);
    cull_set(load, VA_variable, "load_avg");
    cull_set(load, VA_value, "13.351");
    load = cull_append(host, EH_load_list);
    cull_set(load, VA_variable, "arch");
    cull_set(load, VA_value, "lx-amd64");
}

/* new */
static char *line_text(enum doc_form form, enum queue_layout layout, const struct queue_line *line)
{
    static const struct doc_kind all = { .name = "all", .json = "all" };
    char *text = NULL;
    size_t len;
    struct answer ans = ANSWER_INIT;
    FILE *out = open_memstream(&text, &len);
    struct doc *d = doc_open(form, out, NULL, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    doc_list(d, &all);
    queue_line_begin(d, layout, line);
    doc_end(d);
    assert_int_equal(doc_close(d, &ans), 0);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_has(enum doc_form form, enum queue_layout layout, const struct queue_line *line,
                       const char *wanted)
{
    char *text = line_text(form, layout, line);
    if (strstr(text, wanted) == NULL)
        assert_string_equal(text, wanted);
    if (form == DOC_XML)
        assert_true(is_well_formed(text));
    if (form == DOC_JSON)
        assert_true(is_json(text));
    free(text);
}

static void a_page_has_load_and_state(void **state)
{
    struct QU_Type queue;
    struct EH_Type host;
    (void)state;
    make_queue(&queue);
    make_host(&host);
    cull_set(&queue, QU_state, (uint32_t)QI_SUSPENDED);
    const struct queue_line line = { &queue, &host, NULL };
    assert_has(DOC_TEXT, QUEUE_IN_LIST, &line,
               "all.q@HOST                     BIP   0/1/64         13.35    lx-amd64      s\n");
    assert_has(DOC_TEXT, QUEUE_BELOW_HOST, &line,
               "   all.q                BIP   0/1/64        s\n");
    cull_clear(&cull_QU_Type, &queue);
    cull_clear(&cull_EH_Type, &host);
}

/* of a host that is not connected the last load says nothing, its architecture stays */
static void what_is_not_known_has_a_word_and_is_null(void **state)
{
    struct QU_Type queue;
    struct EH_Type host;
    (void)state;
    make_queue(&queue);
    make_host(&host);
    const struct queue_line without_host = { &queue, NULL, NULL };
    assert_has(DOC_TEXT, QUEUE_IN_LIST, &without_host, " -NA-     -NA-          \n");
    assert_has(DOC_JSON, QUEUE_IN_LIST, &without_host, "\"load_avg\": null, \"arch\": null");
    assert_has(DOC_JSON, QUEUE_IN_LIST, &without_host, "\"state\": null}");
    cull_set(&queue, QU_state, (uint32_t)QI_UNKNOWN);
    const struct queue_line silent = { &queue, &host, NULL };
    assert_has(DOC_TEXT, QUEUE_IN_LIST, &silent, " -NA-     lx-amd64      u\n");
    assert_has(DOC_XML, QUEUE_IN_LIST, &silent, "<arch>lx-amd64</arch><state>u</state>");
    cull_clear(&cull_QU_Type, &queue);
    cull_clear(&cull_EH_Type, &host);
}

static void a_message_is_for_programs_and_only_if_there_is_one(void **state)
{
    struct QU_Type queue;
    (void)state;
    make_queue(&queue);
    const struct queue_line line = { &queue, NULL, "no disk" }, plain = { &queue, NULL, NULL };
    assert_has(DOC_XML, QUEUE_IN_LIST, &line, "<message>no disk</message>");
    char *text = line_text(DOC_TEXT, QUEUE_IN_LIST, &line),
         *json = line_text(DOC_JSON, QUEUE_IN_LIST, &plain);
    assert_null(strstr(text, "no disk"));
    assert_null(strstr(json, "message"));
    free(text);
    free(json);
    cull_clear(&cull_QU_Type, &queue);
}

static void below_a_host_xml_names_values(void **state)
{
    struct QU_Type queue;
    (void)state;
    make_queue(&queue);
    const struct queue_line line = { .queue = &queue };
    assert_has(DOC_XML, QUEUE_BELOW_HOST, &line,
               "<queue name='all.q'>\n"
               "   <queuevalue qname='all.q' name='qtype_string'>BIP</queuevalue>\n"
               "   <queuevalue qname='all.q' name='slots_used'>1</queuevalue>\n"
               "   <queuevalue qname='all.q' name='slots'>64</queuevalue>\n"
               "   <queuevalue qname='all.q' name='slots_resv'>0</queuevalue>\n");
    cull_clear(&cull_QU_Type, &queue);
}

/* two instances of 64 slots: the second is disabled, and nothing is known of its host */
static void a_cluster_queue_is_the_sum_of_its_instances(void **state)
{
    struct QU_Type queue;
    struct EH_Type host = { 0 };
    struct VA_Type *load = cull_append(&host, EH_load_list);
    struct cluster_queue sums = { .name = "all.q" };
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    struct doc *d = doc_open(DOC_TEXT, out, NULL, NULL);
    (void)state;
    cull_set(load, VA_variable, "np_load_avg");
    cull_set(load, VA_value, "0.5");
    make_queue(&queue);
    cluster_queue_show(d, &sums, false);
    cluster_queue_add(&sums, &queue, &host);
    cull_set(&queue, QU_state, (uint32_t)QI_DISABLED);
    cluster_queue_add(&sums, &queue, NULL);
    cluster_queue_show(d, &sums, true);
    assert_int_equal(doc_close(d, NULL), 0);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        text, "all.q                            -NA-       0      0      0      0      0      0 \n"
              "all.q                             0.50      2      0     63    128      0     64 "
              "    0     0     0     0     0     0    64     0     0     0     0 \n");
    free(text);
    cull_clear(&cull_QU_Type, &queue);
    cull_clear(&cull_EH_Type, &host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_has_load_and_state),
        cmocka_unit_test(what_is_not_known_has_a_word_and_is_null),
        cmocka_unit_test(a_message_is_for_programs_and_only_if_there_is_one),
        cmocka_unit_test(below_a_host_xml_names_values),
        cmocka_unit_test(a_cluster_queue_is_the_sum_of_its_instances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* XML documents of the clients: the captured shapes to the letter, and well formed whatever the
 * text holds. */
#include "libs/doc/doc_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/doc/test/wellformed.h"
#include "libs/uti/answer.h"

struct page {
    char *text;
    size_t len;
    FILE *file;
};

static struct xml *page_open(struct page *p, const char *indent)
{
    struct answer ans = ANSWER_INIT;
    p->file = open_memstream(&p->text, &p->len);
    struct xml *x = xml_open(p->file, indent, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    assert_non_null(x);
    return x;
}

static void page_close(struct page *p, struct xml *x)
{
    assert_int_equal(xml_close(x, NULL), 0);
    (void)fclose(p->file);
    assert_true(is_well_formed(p->text));
}

static void an_empty_listing_keeps_its_elements(void **state)
{
    (void)state;
    struct page p = { 0 };
    struct xml *x = page_open(&p, "  ");
    xml_start(x, "job_info");
    xml_tag_blank(x);
    xml_attribute(x, "xmlns:xsd", "http://x/y.xsd", '"');
    xml_start(x, "queue_info");
    xml_end(x);
    xml_start(x, "job_info");
    xml_start(x, "job_list");
    xml_attribute(x, "state", "pending", '"');
    xml_element(x, "JB_job_number", "31");
    xml_element(x, "queue_name", NULL);
    page_close(&p, x);
    assert_string_equal(p.text, "<?xml version='1.0'?>\n"
                                "<job_info  xmlns:xsd=\"http://x/y.xsd\">\n"
                                "  <queue_info>\n"
                                "  </queue_info>\n"
                                "  <job_info>\n"
                                "    <job_list state=\"pending\">\n"
                                "      <JB_job_number>31</JB_job_number>\n"
                                "      <queue_name></queue_name>\n"
                                "    </job_list>\n"
                                "  </job_info>\n"
                                "</job_info>\n");
    free(p.text);
}

static void the_list_of_unknown_jobs_looks_as_captured(void **state)
{
    (void)state;
    struct page p = { 0 };
    struct xml *x = page_open(&p, "    ");
    xml_start(x, "unknown_jobs");
    xml_tag_blank(x);
    xml_element(x, "ST_name", "nosuch");
    page_close(&p, x);
    assert_string_equal(
        p.text,
        "<?xml version='1.0'?>\n<unknown_jobs >\n    <ST_name>nosuch</ST_name>\n</unknown_jobs>\n");
    free(p.text);
}

static void without_indent_white_space_is_the_callers(void **state)
{
    (void)state;
    struct page p = { 0 };
    struct xml *x = page_open(&p, NULL);
    xml_start(x, "qhost");
    xml_space(x, "\n ");
    xml_start(x, "host");
    xml_attribute(x, "name", "h1", '\'');
    xml_attribute(x, "note", "it's", '\'');
    xml_end(x);
    xml_space(x, "\n");
    page_close(&p, x);
    assert_non_null(strstr(p.text, "<qhost>\n <host name='h1' note=\"it's\"/>\n</qhost>"));
    free(p.text);
}

static void any_bytes_give_a_well_formed_document(void **state)
{
    (void)state;
    struct page p = { 0 };
    struct xml *x = page_open(&p, "  ");
    xml_start(x, "r");
    xml_element(x, "markup", "<a href=\"x\">&]]></a>");
    char every[256];
    for (int i = 0; i < 255; i++)
        every[i] = (char)(i + 1);
    every[255] = '\0';
    xml_element(x, "bytes", every);
    xml_element(x, "utf8", "gr\xc3\xbc\xc3\x9f dich \xe2\x82\xac \xf0\x9f\x8e\xac");
    xml_element(x, "cut", "end\xe2\x82");
    xml_element(x, "surrogate", "\xed\xa0\x80 \xef\xbf\xbf \xc0\x80 \xf5\x80\x80\x80");
    xml_start(x, "attr");
    xml_attribute(x, "v", "<\"'&\x01", '"');
    page_close(&p, x);
    assert_non_null(strstr(p.text, "gr\xc3\xbc\xc3\x9f dich \xe2\x82\xac \xf0\x9f\x8e\xac"));
    assert_non_null(strstr(p.text, "<cut>end?\?</cut>"));
    free(p.text);
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    (void)setvbuf(full, NULL, _IONBF, 0);
    struct xml *x = xml_open(full, "  ", &ans);
    assert_non_null(x);
    xml_start(x, "r");
    for (int i = 0; i < 5000; i++)
        xml_element(x, "e", "value");
    assert_int_equal(xml_close(x, &ans), -1);
    assert_true(ans_has_error(&ans));
    ans_free(&ans);
    (void)fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_listing_keeps_its_elements),
        cmocka_unit_test(the_list_of_unknown_jobs_looks_as_captured),
        cmocka_unit_test(without_indent_white_space_is_the_callers),
        cmocka_unit_test(any_bytes_give_a_well_formed_document),
        cmocka_unit_test(a_full_disk_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

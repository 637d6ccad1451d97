/* One description, three forms: what a document says and how each form writes it. */
#include "libs/doc/doc.h"

#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/doc/test/wellformed.h"
#include "libs/uti/answer.h"

enum { SAMPLE_S = 1795164431 }; /* 11/20/2026 08:47:11 UTC */

static const struct doc_kind root = { .name = "zoo", .xml = { .has_blank = true } };
static const struct doc_kind cages = { .name = "cages" };
static const struct doc_kind cage = { .name = "cage", .end = "\n" };
static const struct doc_kind animals = { .json = "animals" };
static const struct doc_kind animal = { .name = "animal", .end = ";\n" };

static const struct doc_field schema = { .name = "xmlns:xsd",
                                         .only = DOC_XML,
                                         .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_field name = { .name = "name",
                                       .text = { .width = -6, .most = 6, .after = " " } };
static const struct doc_field legs = { .name = "legs", .text = { .width = 4, .after = " " } };
static const struct doc_field load = { .name = "load",
                                       .text = { .width = 6, .digits = 2, .after = " " },
                                       .xml = { .digits = 5 } };
static const struct doc_field since = { .name = "since",
                                        .text = { .time = DOC_US_DATE },
                                        .xml = { .time = DOC_ISO } };
static const struct doc_field kind = {
    .name = "state", .json = "kind", .only = DOC_XML | DOC_JSON, .xml = { .place = DOC_ATTRIBUTE }
};
static const struct doc_field words = { .name = "words",
                                        .text = { .before = "<", .after = ">" },
                                        .xml = { .place = DOC_CONTENT } };

static char *text;
static size_t text_len;
static FILE *file;

static struct doc *page_open(enum doc_form form, const char *indent)
{
    struct answer ans = ANSWER_INIT;
    file = open_memstream(&text, &text_len);
    struct doc *d = doc_open(form, file, indent, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    return d;
}

/* the page, until the next one is opened */
static const char *page_close(struct doc *d)
{
    static char *page;
    assert_int_equal(doc_close(d, NULL), 0);
    (void)fclose(file);
    free(page);
    page = text;
    return page;
}

static void put_animal(struct doc *d, const char *what, const char *said)
{
    doc_begin(d, &animal);
    doc_field(d, &kind, doc_string(what));
    doc_field(d, &words, doc_string(said));
    doc_end(d);
}

static const char *show_form(enum doc_form form)
{
    struct doc *d = page_open(form, "  ");
    doc_begin(d, &root);
    doc_field(d, &schema, doc_string("u"));
    if (doc_page(d) != NULL)
        (void)fputs("a zoo\n", doc_page(d));
    doc_list(d, &cages);
    doc_begin(d, &cage);
    doc_field(d, &name, doc_string("elephant"));
    doc_field(d, &legs, doc_number(4));
    doc_field(d, &load, doc_real(0.5));
    doc_field(d, &since, doc_moment(SAMPLE_S));
    doc_list(d, &animals);
    put_animal(d, "big", "a<b \"c\"");
    put_animal(d, "small", "");
    doc_end(d);
    doc_end(d);
    return page_close(d);
}

static void text_has_columns_and_headings(void **state)
{
    (void)state;
    assert_string_equal(show_form(DOC_TEXT), "a zoo\n"
                                             "elepha    4   0.50 11/20/2026 08:47:11\n"
                                             "<a<b \"c\">;\n"
                                             "<>;\n");
}

static void xml_has_elements_attributes_and_content(void **state)
{
    (void)state;
    const char *page = show_form(DOC_XML);
    assert_true(is_well_formed(page));
    assert_string_equal(page, "<?xml version='1.0'?>\n"
                              "<zoo  xmlns:xsd=\"u\">\n"
                              "  <cages>\n"
                              "    <cage>\n"
                              "      <name>elephant</name>\n"
                              "      <legs>4</legs>\n"
                              "      <load>0.50000</load>\n"
                              "      <since>2026-11-20T08:47:11</since>\n"
                              "      <animal state=\"big\">a&lt;b &quot;c&quot;</animal>\n"
                              "      <animal state=\"small\"></animal>\n"
                              "    </cage>\n"
                              "  </cages>\n"
                              "</zoo>\n");
}

static void json_has_numbers_times_in_seconds_and_lists(void **state)
{
    (void)state;
    const char *page = show_form(DOC_JSON);
    assert_true(is_json(page));
    assert_string_equal(
        page, "{\"cages\": [\n"
              "    {\"name\": \"elephant\", \"legs\": 4, \"load\": 0.5, \"since\": 1795164431, "
              "\"animals\": [\n"
              "        {\"kind\": \"big\", \"words\": \"a<b \\\"c\\\"\"},\n"
              "        {\"kind\": \"small\", \"words\": \"\"}\n"
              "      ]}\n"
              "  ]}\n");
}

static const char *show_one(enum doc_form form, struct doc_value value)
{
    static const struct doc_field field = { .name = "f", .text = { .width = 4, .digits = 3 } };
    struct doc *d = page_open(form, "  ");
    doc_begin(d, &cage);
    doc_field(d, &field, value);
    return page_close(d);
}

static void what_is_not_known_is_null_in_json_and_a_word_for_people(void **state)
{
    (void)state;
    assert_string_equal(show_one(DOC_TEXT, doc_none("-")), "   -\n");
    assert_string_equal(show_one(DOC_XML, doc_none("-")),
                        "<?xml version='1.0'?>\n<cage>\n  <f>-</f>\n</cage>\n");
    assert_string_equal(show_one(DOC_JSON, doc_none("-")), "{\"f\": null}\n");
}

static void people_see_a_size_and_programs_get_bytes(void **state)
{
    (void)state;
    const struct doc_value value = doc_shown(doc_number(2048), "2.0K");
    assert_string_equal(show_one(DOC_TEXT, value), "2.0K\n");
    assert_string_equal(show_one(DOC_JSON, value), "{\"f\": 2048}\n");
}

static void hidden_values_are_blanks_in_text_alone(void **state)
{
    (void)state;
    assert_string_equal(show_one(DOC_TEXT, doc_hidden(doc_number(7), true)), "    \n");
    assert_string_equal(show_one(DOC_JSON, doc_hidden(doc_number(7), true)), "{\"f\": 7}\n");
}

static void each_form_escapes_in_its_own_way(void **state)
{
    (void)state;
    const struct doc_value value = doc_string("\033[2J M\xc3\xbcller M\xfcller\n\"\\");
    assert_string_equal(show_one(DOC_JSON, value),
                        "{\"f\": \"\\u001B[2J M\\u00FCller M?ller\\n\\\"\\\\\"}\n");
    assert_true(is_json(text));
    assert_string_equal(show_one(DOC_XML, value),
                        "<?xml version='1.0'?>\n<cage>\n"
                        "  <f>?[2J M\xc3\xbcller M?ller\n&quot;\\</f>\n</cage>\n");
    assert_true(is_well_formed(text));
}

static void numbers_that_json_does_not_have_are_null(void **state)
{
    (void)state;
    assert_string_equal(show_one(DOC_JSON, doc_real(NAN)), "{\"f\": null}\n");
    assert_string_equal(show_one(DOC_JSON, doc_real(INFINITY)), "{\"f\": null}\n");
    assert_string_equal(show_one(DOC_JSON, doc_number(UINT64_MAX)),
                        "{\"f\": 18446744073709551615}\n");
    assert_string_equal(show_one(DOC_JSON, doc_signed(-5)), "{\"f\": -5}\n");
    assert_string_equal(show_one(DOC_JSON, doc_real(0.1)), "{\"f\": 0.1}\n");
    assert_string_equal(show_one(DOC_JSON, doc_bool(false)), "{\"f\": false}\n");
}

static void numbers_have_their_sign(void **state)
{
    (void)state;
    assert_non_null(strstr(show_one(DOC_XML, doc_signed(5)), "<f>5</f>"));
    assert_non_null(strstr(show_one(DOC_XML, doc_signed(0)), "<f>0</f>"));
    assert_non_null(strstr(show_one(DOC_XML, doc_signed(-5)), "<f>-5</f>"));
    assert_non_null(
        strstr(show_one(DOC_XML, doc_signed(INT64_MIN)), "<f>-9223372036854775808</f>"));
}

static void an_empty_list_is_a_list(void **state)
{
    (void)state;
    struct doc *d = page_open(DOC_JSON, NULL);
    doc_begin(d, &root);
    doc_list(d, &cages);
    doc_end(d);
    doc_list(d, &animals);
    assert_string_equal(page_close(d), "{\"cages\": [], \"animals\": []}\n");
}

static void a_list_may_hold_single_values(void **state)
{
    (void)state;
    struct doc *d = page_open(DOC_JSON, NULL);
    doc_begin(d, &root);
    doc_list(d, &cages);
    doc_field(d, &name, doc_string("a"));
    doc_field(d, &name, doc_string("b"));
    assert_string_equal(page_close(d), "{\"cages\": [\n    \"a\",\n    \"b\"\n  ]}\n");
}

/* a record whose fields are attributes' values, and which what is in it follows */
static void kinds_with_their_own_white_space_follow_each_other(void **state)
{
    static const struct doc_kind zoo = { .name = "zoo", .xml = { .space = "\n" } };
    static const struct doc_kind list = { .json = "list" };
    static const struct doc_kind den = {
        .name = "den",
        .xml = { .is_flat = true, .space = "\n ", .quote = '\'', .value = "v", .owner = "den" }
    };
    static const struct doc_kind cub = { .name = "cub",
                                         .xml = { .space = "\n ", .quote = '\'', .value = "w" } };
    static const struct doc_field key = { .name = "name", .xml = { .place = DOC_ATTRIBUTE } };
    (void)state;
    struct doc *d = page_open(DOC_XML, NULL);
    doc_begin(d, &zoo);
    doc_list(d, &list);
    doc_begin(d, &den);
    doc_field(d, &key, doc_string("A"));
    doc_field(d, &legs, doc_number(4));
    doc_list(d, &list);
    doc_begin(d, &cub);
    doc_field(d, &key, doc_string("B"));
    doc_field(d, &legs, doc_number(4));
    const char *page = page_close(d);
    assert_true(is_well_formed(page));
    assert_string_equal(page, "<?xml version='1.0'?>\n"
                              "<zoo>\n"
                              " <den name='A'>\n"
                              "   <v den='A' name='legs'>4</v>\n"
                              " </den>\n"
                              " <cub name='B'>\n"
                              "   <w name='legs'>4</w>\n"
                              " </cub>\n"
                              "</zoo>\n");
}

static size_t heap_after(struct doc *d, int records)
{
    for (int i = 0; i < records; i++) {
        doc_begin(d, &cage);
        doc_field(d, &name, doc_string("elephant"));
        doc_field(d, &legs, doc_number((uint64_t)i));
        doc_field(d, &load, doc_real(i));
        doc_end(d);
    }
    return mallinfo2().uordblks;
}

static void a_long_list_costs_no_memory(void **state)
{
    (void)state;
    static const enum doc_form forms[] = { DOC_TEXT, DOC_XML, DOC_JSON };
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        FILE *nowhere = fopen("/dev/null", "we");
        struct doc *d = doc_open(forms[i], nowhere, "  ", NULL);
        doc_begin(d, &root);
        doc_list(d, &cages);
        size_t few = heap_after(d, 1000), many = heap_after(d, 100000);
        assert_true(many < few + 64 * 1024);
        assert_int_equal(doc_close(d, NULL), 0);
        (void)fclose(nowhere);
    }
}

static ssize_t count_write(void *cookie, const char *data, size_t len)
{
    (void)data;
    *(unsigned *)cookie += 1;
    return (ssize_t)len;
}

/* how many writes lines of three fields are, each with its end */
static unsigned writes_of(unsigned n_lines, bool gathers)
{
    unsigned n = 0;
    FILE *out = fopencookie(&n, "w", (cookie_io_functions_t){ .write = count_write });
    (void)setvbuf(out, NULL, _IONBF, 0);
    struct doc *d = doc_open(DOC_TEXT, out, NULL, NULL);
    for (unsigned i = 0; i < n_lines; i++) {
        doc_begin(d, &cage);
        if (gathers)
            doc_gather(d);
        doc_field(d, &name, doc_string("elephant"));
        doc_field(d, &legs, doc_number(i));
        doc_field(d, &since, doc_moment(SAMPLE_S));
        if (gathers)
            doc_gathered(d);
        doc_end(d);
    }
    assert_int_equal(doc_close(d, NULL), 0);
    (void)fclose(out);
    return n;
}

static void gathered_fields_are_one_write(void **state)
{
    (void)state;
    assert_int_equal(writes_of(100, false), 400);
    assert_int_equal(writes_of(100, true), 200);
}

/* the words of the last one are kept, in its own format */
static void moments_after_each_other_are_each_their_own(void **state)
{
    (void)state;
    static const struct doc_field ctime = { .name = "t", .text = { .time = DOC_CTIME } };
    struct doc *d = page_open(DOC_TEXT, NULL);
    doc_begin(d, &cage);
    for (uint64_t i = 0; i < 4; i++)
        doc_field(d, i == 3 ? &ctime : &since, doc_shown(doc_moment(SAMPLE_S + i / 2), NULL));
    assert_string_equal(page_close(d), "11/20/2026 08:47:1111/20/2026 08:47:1111/20/2026 08:47:12"
                                       "Fri Nov 20 08:47:12 2026\n");
}

static void a_full_disk_is_a_failure(void **state)
{
    (void)state;
    static const enum doc_form forms[] = { DOC_XML, DOC_JSON };
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        struct answer ans = ANSWER_INIT;
        FILE *full = fopen("/dev/full", "we");
        (void)setvbuf(full, NULL, _IONBF, 0);
        struct doc *d = doc_open(forms[i], full, "  ", &ans);
        doc_begin(d, &root);
        for (int n = 0; n < 10000; n++)
            doc_field(d, &name, doc_string("elephant"));
        assert_int_equal(doc_close(d, &ans), -1);
        assert_true(ans_has_error(&ans));
        ans_free(&ans);
        (void)fclose(full);
    }
}

int main(void)
{
    (void)setenv("TZ", "UTC", 1);
    tzset();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_has_columns_and_headings),
        cmocka_unit_test(xml_has_elements_attributes_and_content),
        cmocka_unit_test(json_has_numbers_times_in_seconds_and_lists),
        cmocka_unit_test(what_is_not_known_is_null_in_json_and_a_word_for_people),
        cmocka_unit_test(people_see_a_size_and_programs_get_bytes),
        cmocka_unit_test(hidden_values_are_blanks_in_text_alone),
        cmocka_unit_test(each_form_escapes_in_its_own_way),
        cmocka_unit_test(numbers_that_json_does_not_have_are_null),
        cmocka_unit_test(numbers_have_their_sign),
        cmocka_unit_test(an_empty_list_is_a_list),
        cmocka_unit_test(a_list_may_hold_single_values),
        cmocka_unit_test(kinds_with_their_own_white_space_follow_each_other),
        cmocka_unit_test(a_long_list_costs_no_memory),
        cmocka_unit_test(gathered_fields_are_one_write),
        cmocka_unit_test(moments_after_each_other_are_each_their_own),
        cmocka_unit_test(a_full_disk_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

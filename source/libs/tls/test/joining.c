/* What is asked and answered comes out as it went in, and nothing else comes out. */
#include "libs/tls/joining.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/alloc.h"

static void a_question_is_understood(void **state)
{
    struct dstr text = DSTR_INIT;
    struct joining in = { "node1", "1-2", "-----BEGIN X\n-----END X\n" }, out;
    (void)state;
    joining_ask(&text, &in);
    assert_int_equal(text.s[text.len - 1], '\0');
    assert_true(joining_parse(text.s, &out));
    assert_string_equal(out.whom, in.whom);
    assert_string_equal(out.token, in.token);
    assert_string_equal(out.request, in.request);
    dstr_free(&text);
}

static void a_renewal_names_nobody(void **state)
{
    struct dstr text = DSTR_INIT;
    struct joining in = { NULL, NULL, "-----BEGIN X\n-----END X\n" }, out;
    (void)state;
    joining_ask(&text, &in);
    assert_true(joining_parse(text.s, &out));
    assert_null(out.whom);
    assert_null(out.token);
    assert_string_equal(out.request, in.request);
    dstr_free(&text);
}

static void other_questions_are_not_understood(void **state)
{
    static const char *const texts[] = {
        "", "\n", "join", "join\n", "join\nnode1\n", "join\nnode1\n1-2", "leave\nnode1\n1-2\n"
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct joining out;
        char *text = uti_strdup(texts[i]);
        assert_false(joining_parse(text, &out));
        free(text);
    }
}

static void a_reply_is_understood(void **state)
{
    struct dstr text = DSTR_INIT;
    struct joined r;
    (void)state;
    joining_reply(&text, "cell default\nport 6444\n", "-----BEGIN X\n-----END X\n");
    assert_true(joining_parse_reply(text.s, &r));
    assert_null(r.denied);
    assert_string_equal(r.about, "cell default\nport 6444\n");
    assert_string_equal(r.certificate, "-----BEGIN X\n-----END X\n");
    dstr_clear(&text);
    joining_deny(&text, "too late");
    assert_true(joining_parse_reply(text.s, &r));
    assert_string_equal(r.denied, "too late");
    dstr_free(&text);
}

static void other_replies_are_not_understood(void **state)
{
    static const char *const texts[] = {
        "", "ok", "ok\n", "ok\ncell default\n", "yes\n\n-----BEGIN X", "denied"
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct joined r;
        char *text = uti_strdup(texts[i]);
        assert_false(joining_parse_reply(text, &r));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_is_understood),
        cmocka_unit_test(a_renewal_names_nobody),
        cmocka_unit_test(other_questions_are_not_understood),
        cmocka_unit_test(a_reply_is_understood),
        cmocka_unit_test(other_replies_are_not_understood),
    };
    return cmocka_run_group_tests_name("tls/joining", tests, NULL, NULL);
}

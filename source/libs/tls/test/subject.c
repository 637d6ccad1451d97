/* Whom certificates may name. */
#include "libs/tls/subject.h"

#include <string.h>

#include "libs/tls/test/papers.h"

static void a_user_is_a_name_and_two_ids(void **state)
{
    struct subject_user u;
    (void)state;
    assert_true(subject_parse_user("alice:1001:100", &u));
    assert_string_equal(u.name, "alice");
    assert_int_equal(u.uid, 1001);
    assert_int_equal(u.gid, 100);
    assert_true(subject_parse_user("_a.b-c@example.org:4294967294:0", &u));
    assert_int_equal(u.uid, 4294967294U);
}

static void what_is_neither_a_host_nor_a_user_has_no_side(void **state)
{
    static const char *const texts[] = {
        "",
        ":",
        "alice:",
        "alice:1",
        "alice:1:",
        "alice::1",
        ":1:1",
        "-a:1:1",
        "a b:1:1",
        "a/b:1:1",
        "../x:1:1",
        "a:1:1:1",
        "a:1:1 ",
        "a:x:1",
        "a:-1:1",
        "a:1:+1",
        "a:1:1\n",
        "a:1,DNS:x:1",
        "a,b:1:1",
        "a:1:4294967295",
        "a:4294967296:1",
        "a:4294967295:1",
        "a:00000000001:1",
        "node1 ",
        "-node",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        assert_int_equal(subject_side(texts[i]), 0);
    assert_int_equal(subject_side("node1"), TLS_HOST);
    assert_int_equal(subject_side("a:1:1"), TLS_USER);
}

/* nobody may be root by a certificate */
static void root_is_no_user(void **state)
{
    (void)state;
    assert_int_equal(subject_side("root:0:0"), 0);
    assert_int_equal(subject_side("alice:0:100"), 0);
}

static void a_name_has_an_end(void **state)
{
    char text[SUBJECT_BYTES];
    (void)state;
    memset(text, 'a', sizeof text);
    memcpy(text + SUBJECT_USER_MOST, ":1:1", sizeof ":1:1");
    assert_int_equal(subject_side(text), TLS_USER);
    memset(text, 'a', sizeof text);
    memcpy(text + SUBJECT_USER_MOST + 1, ":1:1", sizeof ":1:1");
    assert_int_equal(subject_side(text), 0);
}

static void a_certificate_is_for_its_side(void **state)
{
    (void)state;
    assert_true(subject_is_valid(TLS_QMASTER, "master"));
    assert_true(subject_is_valid(TLS_USER, "alice:1001:100"));
    assert_false(subject_is_valid(TLS_USER, "alice"));
    assert_false(subject_is_valid(TLS_HOST, "alice:1001:100"));
    assert_false(subject_is_valid(TLS_QMASTER, "alice:1001:100"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_user_is_a_name_and_two_ids),
        cmocka_unit_test(what_is_neither_a_host_nor_a_user_has_no_side),
        cmocka_unit_test(root_is_no_user),
        cmocka_unit_test(a_name_has_an_end),
        cmocka_unit_test(a_certificate_is_for_its_side),
    };
    return cmocka_run_group_tests_name("tls/subject", tests, NULL, NULL);
}

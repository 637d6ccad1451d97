/* What users write never becomes a header, an option or a command of a mailer. */
#include "libs/sgeobj/mail_address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/dstr.h"

static void addresses_are_good(void **state)
{
    (void)state;
    assert_true(mail_address_is_good("alice", NULL));
    assert_true(mail_address_is_good("alice", "node-1.example.org"));
    assert_true(mail_address_is_good("a.b+c-d_e%f", "x"));
    assert_true(mail_address_is_good("_apt", "localhost"));
}

static void whatever_a_mailer_could_take_for_something_else_is_not(void **state)
{
    static const char *const users[] = { "",      "-f",    "|sh",    "/etc/x",   "+inbox", "~root",
                                         "a b",   "a\nb",  "a\rBcc", "a,b",      "a;b",    "a\"b",
                                         "a`id`", "a$(x)", "a<b>",   "\xc3\xa4", "a/b",    "a\\b" };
    static const char *const hosts[] = { "", "-x", "a b", "a\nb", "a/b", "a@b", "[::1]", ".x" };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(users); i++)
        assert_false(mail_address_is_good(users[i], "example.org"));
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++)
        assert_false(mail_address_is_good("alice", hosts[i]));
}

static void an_address_has_so_many_bytes_at_most(void **state)
{
    char user[MAIL_ADDRESS_MOST + 2];
    (void)state;
    memset(user, 'a', sizeof user);
    user[MAIL_ADDRESS_MOST] = '\0';
    assert_true(mail_address_is_good(user, NULL));
    assert_false(mail_address_is_good(user, "x"));
    user[MAIL_ADDRESS_MOST - 2] = '\0';
    assert_true(mail_address_is_good(user, "x"));
}

static void expect_added(void (*add)(struct dstr *, const char *, size_t), const char *text,
                         size_t most, const char *added)
{
    struct dstr out = DSTR_INIT;
    add(&out, text, most);
    assert_string_equal(dstr_get(&out), added);
    dstr_free(&out);
}

static void a_header_stays_one_line_of_ascii(void **state)
{
    (void)state;
    expect_added(mail_header_add, "render 7", 20, "render 7");
    expect_added(mail_header_add, "a\r\nBcc: b", 20, "a??Bcc: b");
    expect_added(mail_header_add, "=?utf-8?B?YQ==?=", 40, "= ?utf-8?B?YQ== ?=");
    expect_added(mail_header_add, "\xc3\xa4\x7f", 20, "???");
    expect_added(mail_header_add, "abcdef", 3, "abc...");
}

static void lines_of_a_body_are_no_commands(void **state)
{
    (void)state;
    expect_added(mail_body_add, "~!id", 20, " ~!id\n");
    expect_added(mail_body_add, "x\n.\n~r file\n", 20, "x\n .\n ~r file\n");
    expect_added(mail_body_add, "a\rb\033c", 20, "a?b?c\n");
    expect_added(mail_body_add, "\xc3\xa4", 20, "\xc3\xa4\n");
    expect_added(mail_body_add, "abcdef", 3, "abc...\n");
    expect_added(mail_body_add, "", 3, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_good),
        cmocka_unit_test(whatever_a_mailer_could_take_for_something_else_is_not),
        cmocka_unit_test(an_address_has_so_many_bytes_at_most),
        cmocka_unit_test(a_header_stays_one_line_of_ascii),
        cmocka_unit_test(lines_of_a_body_are_no_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

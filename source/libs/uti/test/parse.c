/* Whole-string numbers. */
#include "libs/uti/parse.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

static void unsigned_numbers_are_digits_only(void **state)
{
    (void)state;
    uint32_t v = 42;
    uint64_t w = 42;
    static const char *const bad[] = { "",   " 1",  "1 ", "+1",         "-1",
                                       "1x", "0x1", "1.", "4294967296", "99999999999999999999" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(parse_u32(bad[i], &v));
    assert_int_equal(v, 42);
    assert_true(parse_u32("4294967295", &v));
    assert_int_equal(v, UINT32_MAX);
    assert_true(parse_u32("007", &v));
    assert_int_equal(v, 7);
    assert_true(parse_u64("18446744073709551615", &w));
    assert_true(w == UINT64_MAX);
    assert_false(parse_u64("18446744073709551616", &w));
    assert_true(w == UINT64_MAX);
}

static void signed_numbers_take_one_sign(void **state)
{
    (void)state;
    int32_t v = 42;
    static const char *const bad[] = {
        "", "-", "+", "--1", "+-1", "2147483648", "-2147483649", "1-"
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(parse_i32(bad[i], &v));
    assert_int_equal(v, 42);
    assert_true(parse_i32("-2147483648", &v));
    assert_int_equal(v, INT32_MIN);
    assert_true(parse_i32("+2147483647", &v));
    assert_int_equal(v, INT32_MAX);
    assert_true(parse_i32("-0", &v));
    assert_int_equal(v, 0);
}

static void doubles_are_plain_decimal(void **state)
{
    (void)state;
    double v = 42;
    static const char *const bad[] = { "",      " 1", "1 ", "0x10", "inf",  "nan",
                                       "1e999", "e1", "1e", ".",    "1.2.3" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(parse_double(bad[i], &v));
    assert_true(v == 42.0);
    assert_true(parse_double("-1.5e3", &v));
    assert_true(v == -1500.0);
    assert_true(parse_double(".5", &v));
    assert_true(v == 0.5);
}

/* A program that we live in may have set a locale with a comma. One is made here, where its sources
 * are installed. */
static void numbers_have_a_point_in_every_locale(void **state)
{
    (void)state;
    char dir[] = "/tmp/uti-locale-XXXXXX";
    struct dstr path = DSTR_INIT, text = DSTR_INIT;
    assert_non_null(mkdtemp(dir));
    dstr_addf(&path, "%s/de_DE", dir);
    pid_t pid = fork();
    if (pid == 0) {
        execlp("localedef", "localedef", "--quiet", "-c", "-i", "de_DE", "-f", "ISO-8859-1",
               dstr_get(&path), (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    setenv("LOCPATH", dir, 1);
    bool has_comma = setlocale(LC_NUMERIC, "de_DE") != NULL;
    double v = 0;
    bool is_read = parse_double("1.5", &v);
    dstr_add_decimal(&text, 2.25, 3);
    dstr_addf(&text, " %.1f %g", 0.5, 1.5);
    setlocale(LC_NUMERIC, "C");
    assert_int_equal(file_rmtree(dir, NULL), 0);
    assert_true(is_read && v == 1.5);
    assert_string_equal(dstr_get(&text), "2.250 0.5 1.5");
    dstr_free(&path);
    dstr_free(&text);
    if (!has_comma) {
        print_message("impossible here: no locale with a comma\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsigned_numbers_are_digits_only),
        cmocka_unit_test(signed_numbers_take_one_sign),
        cmocka_unit_test(doubles_are_plain_decimal),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Whole-string numbers and wildcard patterns: sge_types(1). */
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
    if (!has_comma)
        skip();
}

static void patterns_match_as_described(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool is_match;
    } cases[] = {
        { "", "", true },
        { "", "a", false },
        { "a", "a", true },
        { "a", "A", false },
        { "a", "ab", false },
        { "*", "", true },
        { "*", "anything", true },
        { "a*", "a", true },
        { "a*c", "abbbc", true },
        { "a*c", "abbbd", false },
        { "*a*b*", "xxaxxbxx", true },
        { "*ab", "aab", true },
        { "?", "", false },
        { "?", "x", true },
        { "??", "x", false },
        { "[abc]", "b", true },
        { "[abc]", "d", false },
        { "[a-c]x", "bx", true },
        { "[!a-c]", "b", false },
        { "[^a-c]", "d", true },
        { "[]]", "]", true },
        { "[!]]", "]", false },
        { "[a-]", "-", true },
        { "[", "[", true },
        { "a[b", "a[b", true },
        { "a|b", "b", true },
        { "a|b", "a|b", false },
        { "a|*", "zz", true },
        { "x|", "", true },
        { "[|]", "|", true },
        { "[a|b]c", "|c", true },
        { "rend*|comp?", "comp1", true },
        { "[\x80-\xff]", "\xc3", true },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (pattern_match(cases[i].pattern, cases[i].name) != cases[i].is_match)
            fail_msg("\"%s\" against \"%s\"", cases[i].pattern, cases[i].name);
    }
}

static void many_stars_cost_no_exponential_time(void **state)
{
    (void)state;
    char pattern[201], name[2001];
    for (size_t i = 0; i < 200; i += 2) {
        pattern[i] = '*';
        pattern[i + 1] = 'a';
    }
    pattern[199] = 'b';
    pattern[200] = '\0';
    memset(name, 'a', 2000);
    name[2000] = '\0';
    assert_false(pattern_match(pattern, name));
}

/* 2,000 characters that begin a set which never ends, against as many: quadratic, not cubic */
static void sets_that_do_not_end_cost_little(void **state)
{
    enum { LEN = 2000 };
    char pattern[LEN + 2], name[LEN + 1];
    (void)state;
    memset(pattern, '[', sizeof pattern - 1);
    memset(name, '[', LEN);
    pattern[LEN + 1] = name[LEN] = '\0';
    assert_false(pattern_match(pattern, name));
    assert_true(pattern_match(pattern + 1, name));
    pattern[0] = '*';
    pattern[LEN] = 'x';
    clock_t before = clock();
    for (int i = 0; i < 10; i++)
        assert_false(pattern_match(pattern, name));
    assert_true(clock() - before < 5 * CLOCKS_PER_SEC); /* of this process; once it was minutes */
}

/* Patterns of the greatest length, as a hostile list has them by the ten thousand, against a name
 * of that length: were a set read for each character, as it was once, this would take minutes. */
static void a_set_is_read_once_however_long_the_name_is(void **state)
{
    enum { TIMES = 200000 };
    char pattern[PATTERN_MOST + 1], name[PATTERN_MOST + 1];
    (void)state;
    memset(pattern, 'b', PATTERN_MOST);
    memset(name, 'a', PATTERN_MOST);
    memcpy(pattern, "*[", 2);
    pattern[PATTERN_MOST - 1] = ']';
    pattern[PATTERN_MOST] = name[PATTERN_MOST] = '\0';
    for (int i = 0; i < TIMES; i++)
        assert_false(pattern_match(pattern, name));
    name[PATTERN_MOST - 1] = 'b';
    assert_true(pattern_match(pattern, name));
}

/* beyond that length sets are not kept, and mean the same */
static void long_patterns_mean_the_same(void **state)
{
    enum { SETS = 1000 };
    static char pattern[6 * SETS + 2], name[2 * SETS + 1];
    (void)state;
    for (int i = 0; i < SETS; i++) {
        memcpy(pattern + 6 * i, "[a-c]?", 6);
        memcpy(name + 2 * i, "bz", 2);
    }
    assert_true(pattern_match(pattern, name));
    name[2 * SETS - 2] = 'd';
    assert_false(pattern_match(pattern, name));
    pattern[6 * SETS] = '*';
    assert_false(pattern_match(pattern, name));
}

static void patterns_have_a_limit_that_is_named(void **state)
{
    char text[PATTERN_MOST + 2];
    struct answer ans = ANSWER_INIT;
    (void)state;
    memset(text, 'p', sizeof text - 1);
    text[PATTERN_MOST + 1] = '\0';
    assert_int_equal(pattern_check(text + 1, NULL), 0);
    assert_int_equal(pattern_check(NULL, NULL), 0);
    assert_int_equal(pattern_check(text, &ans), -1);
    assert_string_equal(ans_first_error(&ans),
                        "denied: \"pppppppppppppppppppppppppppppppp...\" is longer than 512 bytes, "
                        "the limit for names and patterns");
    ans_free(&ans);
}

static void wild_means_any_of_the_four(void **state)
{
    (void)state;
    assert_false(pattern_is_wild("plain.name-1"));
    assert_true(pattern_is_wild("a*"));
    assert_true(pattern_is_wild("a?"));
    assert_true(pattern_is_wild("a[1]"));
    assert_true(pattern_is_wild("a|b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsigned_numbers_are_digits_only),
        cmocka_unit_test(signed_numbers_take_one_sign),
        cmocka_unit_test(doubles_are_plain_decimal),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
        cmocka_unit_test(patterns_match_as_described),
        cmocka_unit_test(sets_that_do_not_end_cost_little),
        cmocka_unit_test(a_set_is_read_once_however_long_the_name_is),
        cmocka_unit_test(long_patterns_mean_the_same),
        cmocka_unit_test(patterns_have_a_limit_that_is_named),
        cmocka_unit_test(many_stars_cost_no_exponential_time),
        cmocka_unit_test(wild_means_any_of_the_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Words of options in files: blanks separate, quotes group, ` #` begins a comment, backslash is
 * nothing special. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "libs/cli/words.h"
#include "libs/uti/answer.h"

/* EXPECTED: the words joined by '|' */
static void check_words(const struct words *w, const char *expected)
{
    char all[512] = "";
    size_t len = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        size_t n = strlen(w->v[i]);
        assert_true(len + n + 2 < sizeof all);
        memcpy(all + len, w->v[i], n);
        len += n;
        all[len++] = '|';
    }
    all[len > 0 ? len - 1 : 0] = '\0';
    assert_string_equal(all, expected);
}

static void check_text(const char *text, const char *expected)
{
    struct words w = WORDS_INIT;
    assert_int_equal(words_of_text(text, strlen(text), "file", &w, NULL), 0);
    check_words(&w, expected);
    words_free(&w);
}

static void check_script(const char *script, const char *prefix, const char *expected)
{
    struct words w = WORDS_INIT;
    assert_int_equal(words_of_script(script, strlen(script), prefix, "job.sh", &w, NULL), 0);
    check_words(&w, expected);
    words_free(&w);
}

static void blanks_separate_and_quotes_group(void **state)
{
    (void)state;
    check_text("-N  x\t-cwd\n", "-N|x|-cwd");
    check_text("-N \"a b\" -v 'A=1 2'", "-N|a b|-v|A=1 2");
    check_text("-v A=\"x y\"z", "-v|A=x yz");
    check_text("-N \"\"", "-N|");
    check_text("-N 'it''s' -o \"it's\"", "-N|its|-o|it's");
    check_text("", "");
    check_text("\n\n  \n", "");
    check_text("-N x\r\n-cwd\r\n", "-N|x|-cwd");
}

static void backslash_is_an_ordinary_character(void **state)
{
    (void)state;
    check_text("-o a\\ b", "-o|a\\|b");
    check_text("-v \"A=\\\"", "-v|A=\\");
}

static void a_number_sign_at_the_start_of_a_word_begins_a_comment(void **state)
{
    (void)state;
    check_text("# -N no\n-N x # -N no\n", "-N|x");
    check_text("-N a#b", "-N|a#b");
    check_text("-N \"#b\"", "-N|#b");
    check_script("#$ -S /bin/bash   # Required\n", "#$", "-S|/bin/bash");
}

static void directives_stand_anywhere_in_a_script(void **state)
{
    (void)state;
    check_script("#!/bin/sh\n#$ -N x\necho hello\n#$ -cwd", "#$", "-N|x|-cwd");
    check_script("#$ -N first\n#$ -N last\n", "#$", "-N|first|-N|last");
    check_script("#$-cwd\n", "#$", "-cwd");
    check_script(" #$ -cwd\n# $ -cwd\n#PBS -N x\n", "#$", "");
    check_script("#PBS -N x\n#$ -N y\n", "#PBS", "-N|x");
    check_script("#$ -N x\n", "", "");
    check_script("#$", "#$", "");
}

static void an_open_quote_names_file_and_line(void **state)
{
    struct words w = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    const char *text = "-cwd\n-N \"open\n";
    (void)state;
    words_add(&w, "kept", 4, 0);
    assert_int_equal(words_of_text(text, strlen(text), "/etc/opts", &w, &ans), -1);
    assert_string_equal(ans_first_error(&ans), "/etc/opts: line 2: a quote is not closed");
    check_words(&w, "kept");
    words_free(&w);
    ans_free(&ans);
}

static void words_know_their_line(void **state)
{
    struct words w = WORDS_INIT;
    const char *script = "#!/bin/sh\n#$ -N x\n\n#$ -cwd\n";
    (void)state;
    assert_int_equal(words_of_script(script, strlen(script), "#$", "s", &w, NULL), 0);
    assert_int_equal(w.line[0], 2);
    assert_int_equal(w.line[1], 2);
    assert_int_equal(w.line[2], 4);
    words_free(&w);
}

static void too_many_words_are_refused(void **state)
{
    static char text[2 * (WORDS_MAX + 1)];
    struct words w = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 2 == 0 ? 'x' : ' ';
    assert_int_equal(words_of_text(text, sizeof text, "f", &w, &ans), -1);
    assert_int_equal(w.n, 0);
    ans_free(&ans);
    words_free(&w);
}

static void a_missing_file_is_an_error_unless_optional(void **state)
{
    struct words w = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    (void)state;
    assert_int_equal(words_of_file("/nonexistent/opts", true, &w, &ans), 0);
    assert_int_equal(ans.n, 0);
    assert_int_equal(words_of_file("/nonexistent/opts", false, &w, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_ENOFILE);
    assert_non_null(strstr(ans_first_error(&ans), "/nonexistent/opts"));
    ans_free(&ans);
    words_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_separate_and_quotes_group),
        cmocka_unit_test(backslash_is_an_ordinary_character),
        cmocka_unit_test(a_number_sign_at_the_start_of_a_word_begins_a_comment),
        cmocka_unit_test(directives_stand_anywhere_in_a_script),
        cmocka_unit_test(an_open_quote_names_file_and_line),
        cmocka_unit_test(words_know_their_line),
        cmocka_unit_test(too_many_words_are_refused),
        cmocka_unit_test(a_missing_file_is_an_error_unless_optional),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

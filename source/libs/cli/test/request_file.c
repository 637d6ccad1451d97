/* Request files count when nobody but the caller and root can have written them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/cli/submit_files.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

enum { ANOTHER_UID = 64077 };

static char dir[] = "/tmp/cli_request_file.XXXXXX";
static char path[sizeof dir + 16], link_path[sizeof dir + 16];

static int make_dir(void **state)
{
    (void)state;
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/.sge_request", dir);
    snprintf(link_path, sizeof link_path, "%s/link", dir);
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    return file_rmtree(dir, NULL);
}

static int begin_case(void **state)
{
    (void)state;
    unlink(path);
    unlink(link_path);
    return file_write(path, "-N x\n", 5, 0644, NULL) != 0 || chmod(path, 0644) != 0 ||
           chmod(dir, 0755) != 0;
}

static void expect_two_words(const char *what)
{
    struct words w = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(request_file_words(what, &w, &ans), 0);
    assert_int_equal(ans.n, 0);
    assert_int_equal(w.n, 2);
    words_free(&w);
}

static void is_passed_over(const char *what, const char *why)
{
    struct words w = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    char text[256];
    snprintf(text, sizeof text, "warning: request file \"%s\" is ignored: %s", what, why);
    assert_int_equal(request_file_words(what, &w, &ans), 0);
    assert_int_equal(w.n, 0);
    assert_int_equal(ans.n, 1);
    assert_string_equal(ans.v[0].text, text);
    assert_int_equal(ans.v[0].quality, ANSWER_QUALITY_WARNING);
    ans_free(&ans);
}

static void ones_own_file_in_ones_own_directory_counts(void **state)
{
    (void)state;
    expect_two_words(path);
    assert_int_equal(symlink(path, link_path), 0);
    expect_two_words(link_path);
}

static void a_file_that_is_not_there_says_nothing(void **state)
{
    struct words w = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    (void)state;
    unlink(path);
    assert_int_equal(chmod(dir, 0777), 0);
    assert_int_equal(request_file_words(path, &w, &ans), 0);
    assert_int_equal(request_file_words("/nonexistent/x", &w, &ans), 0);
    assert_int_equal(ans.n, 0);
    assert_int_equal(w.n, 0);
}

static void what_others_may_write_does_not_count(void **state)
{
    (void)state;
    assert_int_equal(chmod(path, 0664), 0);
    is_passed_over(path, "it is writable by others");
    assert_int_equal(chmod(path, 0646), 0);
    is_passed_over(path, "it is writable by others");
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(chmod(dir, 0775), 0);
    is_passed_over(path, "its directory is writable by others");
    assert_int_equal(chmod(dir, 01777), 0);
    is_passed_over(path, "its directory is writable by others");
}

static void what_is_not_a_file_does_not_count(void **state)
{
    (void)state;
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    is_passed_over(path, "it is not a regular file");
}

static void what_belongs_to_somebody_else_does_not_count(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        print_message("impossible here: only root gives files to others\n");
        skip();
    }
    assert_int_equal(chown(path, ANOTHER_UID, 0), 0);
    is_passed_over(path, "it belongs to another user");
    assert_int_equal(symlink(path, link_path), 0);
    is_passed_over(link_path, "it belongs to another user");
    assert_int_equal(chown(dir, ANOTHER_UID, 0), 0);
    is_passed_over(path, "its directory belongs to another user");
    assert_int_equal(chown(dir, 0, 0), 0);
}

static void an_open_quote_is_refused(void **state)
{
    struct words w = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    (void)state;
    assert_int_equal(file_write(path, "-N 'x\n", 6, 0644, NULL), 0);
    assert_int_equal(request_file_words(path, &w, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_ESYNTAX);
    words_free(&w);
    ans_free(&ans);
}

#define FRESH(test) cmocka_unit_test_setup(test, begin_case)
int main(void)
{
    const struct CMUnitTest tests[] = {
        FRESH(ones_own_file_in_ones_own_directory_counts),
        FRESH(a_file_that_is_not_there_says_nothing),
        FRESH(what_others_may_write_does_not_count),
        FRESH(what_is_not_a_file_does_not_count),
        FRESH(what_belongs_to_somebody_else_does_not_count),
        FRESH(an_open_quote_is_refused),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

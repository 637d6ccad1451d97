/* Job categories: qtask(5). */
#include "libs/drmaa/job.h"

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

#include "libs/gdi/cell.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

static void expect_options(const char *text, const char *name, const char *wanted, bool is_fixed)
{
    bool fixed = false;
    char *options = category_parse(text, name, &fixed);
    if (wanted == NULL)
        assert_null(options);
    else
        assert_string_equal(options, wanted);
    if (wanted != NULL)
        assert_int_equal(fixed, is_fixed);
    free(options);
}

static void a_line_is_a_name_and_its_options(void **state)
{
    static const char text[] = "# render -q wrong\n"
                               "render -q all.q -p -5\n"
                               "+fixed -l h_rt=60\n"
                               "\n"
                               "tab\t-j y\n"
                               "bare\n"
                               "last -r y";
    (void)state;
    expect_options(text, "render", " -q all.q -p -5", false);
    expect_options(text, "fixed", " -l h_rt=60", true);
    expect_options(text, "tab", "\t-j y", false);
    expect_options(text, "last", " -r y", false);
    expect_options(text, "rend", NULL, false);
    expect_options(text, "bare", NULL, false);
    expect_options(text, "# render", NULL, false);
    expect_options("", "render", NULL, false);
}

static void the_last_line_of_a_name_counts(void **state)
{
    (void)state;
    expect_options("a -p -1\n+a -p -2\na -p -3\n", "a", " -p -3", false);
    expect_options("a -p -1\n+a -p -2\n", "a", " -p -2", true);
}

/* ---- files ---- */

struct place {
    char dir[32];
    struct cell cell;
};

static int set_up(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    snprintf(p->dir, sizeof p->dir, "/tmp/category.XXXXXX");
    assert_non_null(mkdtemp(p->dir));
    p->cell.common_dir = p->dir;
    *state = p;
    return 0;
}

static void put_file(const struct place *p, const char *name, const char *text)
{
    char *path = path_join(p->dir, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    free(path);
}

static int tear_down(void **state)
{
    struct place *p = *state;
    static const char *const names[] = { "qtask", ".qtask" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char *path = path_join(p->dir, names[i]);
        (void)unlink(path);
        (void)rmdir(path);
        free(path);
    }
    int rc = rmdir(p->dir);
    free(p);
    return rc;
}

static void expect_found(const struct place *p, const char *name, const char *wanted)
{
    struct job_category found = { NULL };
    assert_int_equal(category_find(&p->cell, p->dir, name, &found, NULL), 0);
    if (wanted == NULL)
        assert_null(found.options);
    else
        assert_string_equal(found.options, wanted);
    free(found.options);
}

static void the_user_s_entry_overrides_the_cell_s_unless_that_is_fixed(void **state)
{
    const struct place *p = *state;
    expect_found(p, "render", NULL); /* no file at all */
    put_file(p, "qtask", "render -p -1\n+fixed -p -2\ncells -p -3\n");
    put_file(p, ".qtask", "render -p -4\nfixed -p -5\nusers -p -6\n");
    expect_found(p, "render", " -p -4");
    expect_found(p, "fixed", " -p -2");
    expect_found(p, "cells", " -p -3");
    expect_found(p, "users", " -p -6");
    expect_found(p, "nobodys", NULL);
    expect_found(p, NULL, NULL);
}

static void a_file_that_cannot_be_read_is_an_error(void **state)
{
    const struct place *p = *state;
    struct job_category found = { NULL };
    struct answer ans = ANSWER_INIT;
    char *path = path_join(p->dir, ".qtask");
    put_file(p, "qtask", "render -p -1\n");
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(category_find(&p->cell, p->dir, "render", &found, &ans), -1);
    assert_null(found.options);
    assert_non_null(strstr(ans_first_error(&ans), path));
    ans_free(&ans);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_name_and_its_options),
        cmocka_unit_test(the_last_line_of_a_name_counts),
        cmocka_unit_test_setup_teardown(the_user_s_entry_overrides_the_cell_s_unless_that_is_fixed,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_cannot_be_read_is_an_error, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of libs/spool/format.c: which releases may run on a spool. */
#include "libs/spool/spool_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { REFUSES = 0, KEEPS = 1 };

static char path[] = "/tmp/spool-format-XXXXXX";

static int set_up(void **state SGE_UNUSED)
{
    int fd = mkstemp(path);
    if (fd >= 0)
        close(fd);
    return fd >= 0 ? 0 : -1;
}

static int tear_down(void **state SGE_UNUSED)
{
    return unlink(path);
}

/* what a release of layout OWN, whose oldest is OLDEST, makes of LINE; the words it refuses with
 * are in WHY */
static int check_line(const char *line, uint32_t own, uint32_t oldest, bool keeps_newer,
                      struct dstr *why)
{
    struct spool_layout layout = { own, oldest };
    struct answer ans = ANSWER_INIT;
    assert_int_equal(file_write(path, line, strlen(line), 0644, NULL), 0);
    int use = spool_format_check(path, "/spool", "db", &layout, keeps_newer, &ans);
    assert_int_equal(use < 0, ans_has_error(&ans));
    dstr_clear(why);
    dstr_add(why, use < 0 ? ans_first_error(&ans) : "");
    ans_free(&ans);
    return use;
}

static void expect_refused(const char *line, uint32_t own, bool keeps_newer, const char *words)
{
    struct dstr why = DSTR_INIT;
    assert_int_equal(check_line(line, own, own, keeps_newer, &why), -1);
    if (strstr(dstr_get(&why), words) == NULL)
        fail_msg("\"%s\" was refused with \"%s\"", line, dstr_get(&why));
    dstr_free(&why);
}

static void expect_use(const char *line, uint32_t own, uint32_t oldest, bool keeps_newer, int use)
{
    struct dstr why = DSTR_INIT;
    assert_int_equal(check_line(line, own, oldest, keeps_newer, &why), use);
    dstr_free(&why);
}

static void the_own_layout_is_used_as_it_is(void **state SGE_UNUSED)
{
    expect_use("db 2\n", 2, 2, REFUSES, SPOOL_FORMAT_USE_AS_IS);
    expect_use("db 3 2\n", 3, 2, REFUSES, SPOOL_FORMAT_USE_AS_IS);
}

static void a_newer_layout_is_refused_unless_told_otherwise(void **state SGE_UNUSED)
{
    expect_refused("db 3 2\n", 2, REFUSES, "newer_spool keep");
    expect_use("db 3 2\n", 2, 2, KEEPS, SPOOL_FORMAT_USE_AS_IS);
    expect_use("db 7 1\n", 2, 2, KEEPS, SPOOL_FORMAT_USE_AS_IS);
}

static void one_of_another_form_is_refused_whatever_was_said(void **state SGE_UNUSED)
{
    expect_refused("db 3\n", 2, REFUSES, "incompatible");
    expect_refused("db 3\n", 2, KEEPS, "incompatible");
    expect_refused("db 4 3\n", 2, KEEPS, "incompatible");
}

static void an_older_layout_that_ours_adds_to_becomes_ours(void **state SGE_UNUSED)
{
    expect_use("db 2\n", 3, 2, REFUSES, SPOOL_FORMAT_WRITE);
    expect_refused("db 2\n", 3, REFUSES, "this program reads layout 3");
}

static void what_is_no_format_is_refused(void **state SGE_UNUSED)
{
    static const char *const lines[] = { "",       "db",     "db ",     "db x",
                                         "db 2 x", "db 2 3", "dbx 2",   "db 2 2 2",
                                         "db  2",  "db 2 ",  "stone 2", "db 99999999999" };
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        expect_refused(lines[i], 2, KEEPS, "this program reads \"db\"");
}

static void what_was_written_is_read_again(void **state SGE_UNUSED)
{
    static const struct spool_layout layouts[] = { { 2, 2 }, { 9, 3 } };
    for (size_t i = 0; i < ARRAY_LEN(layouts); i++) {
        assert_int_equal(spool_format_write(path, "db", &layouts[i], NULL), 0);
        assert_int_equal(spool_format_check(path, "/spool", "db", &layouts[i], REFUSES, NULL),
                         SPOOL_FORMAT_USE_AS_IS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_own_layout_is_used_as_it_is),
        cmocka_unit_test(a_newer_layout_is_refused_unless_told_otherwise),
        cmocka_unit_test(one_of_another_form_is_refused_whatever_was_said),
        cmocka_unit_test(an_older_layout_that_ours_adds_to_becomes_ours),
        cmocka_unit_test(what_is_no_format_is_refused),
        cmocka_unit_test(what_was_written_is_read_again),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

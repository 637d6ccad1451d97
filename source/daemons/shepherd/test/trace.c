/* The file "trace". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/shepherd/records.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { LINES = 5000 };

static int set_up(void **state)
{
    char path[] = "/tmp/trace-XXXXXX";
    assert_non_null(mkdtemp(path));
    assert_int_equal(chdir(path), 0);
    *state = strdup(path);
    return 0;
}

static int tear_down(void **state)
{
    (void)unlink(TASK_FILE_TRACE);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(*state), 0);
    free(*state);
    return 0;
}

static unsigned lines_of(const struct dstr *text)
{
    unsigned n = 0;
    for (const char *at = text->s; (at = strchr(at, '\n')) != NULL; at++)
        n++;
    return n;
}

/* the first and the last lines, and not all of so many */
static void add_many_lines(bool is_on, unsigned most)
{
    struct trace t = { .is_on = is_on };
    struct dstr text = DSTR_INIT;
    for (unsigned i = 0; i < LINES; i++)
        trace_add(&t, "line %u of them", i);
    trace_flush(&t);
    assert_int_equal(file_read(TASK_FILE_TRACE, 1 << 20, &text, NULL), 0);
    assert_non_null(strstr(text.s, ": line 0 of them\n"));
    assert_non_null(strstr(text.s, ": line 1 of them\n"));
    assert_non_null(strstr(text.s, ": line 4998 of them\n"));
    assert_non_null(strstr(text.s, ": line 4999 of them\n"));
    assert_true(lines_of(&text) <= most);
    dstr_free(&text);
    trace_free(&t);
}

static void a_trace_has_an_end(void **state SGE_UNUSED)
{
    add_many_lines(false, 1000);
}

static void so_has_one_that_is_written_at_once(void **state SGE_UNUSED)
{
    add_many_lines(true, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_trace_has_an_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(so_has_one_that_is_written_at_once, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

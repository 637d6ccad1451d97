/* Tests of daemons/schedd/schedule_file.c: what is written, when the file changes its name, and
 * what cannot be written. */
#include "daemons/schedd/schedule_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

struct fixture {
    char dir[32];
    char *path, *before;
};

static int set_up(void **state)
{
    struct fixture *f = uti_calloc(1, sizeof *f);
    (void)snprintf(f->dir, sizeof f->dir, "/tmp/schedule.XXXXXX");
    if (mkdtemp(f->dir) == NULL)
        return -1;
    f->path = path_join(f->dir, "schedule");
    f->before = path_join(f->dir, "schedule.1");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    (void)file_rmtree(f->dir, NULL);
    free(f->path);
    free(f->before);
    free(f);
    return 0;
}

static void add_text(struct schedule_file *file, const char *text)
{
    struct dstr d = DSTR_INIT;
    dstr_add(&d, text);
    schedule_file_add(file, &d);
    assert_int_equal(d.len, 0);
    dstr_free(&d);
}

static void expect_file(const char *path, const char *expected)
{
    struct dstr text = DSTR_INIT;
    assert_int_equal(file_read(path, 1000, &text, NULL), 0);
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
}

static void texts_are_appended_in_their_order(void **state)
{
    struct fixture *f = *state;
    struct schedule_file *file = schedule_file_new(f->path);
    assert_int_not_equal(access(f->path, F_OK), 0); /* nothing is made before it is used */
    add_text(file, "a\n");
    add_text(file, "b\n");
    schedule_file_free(file);
    expect_file(f->path, "a\nb\n");
    file = schedule_file_new(f->path);
    add_text(file, "c\n");
    schedule_file_free(file);
    expect_file(f->path, "a\nb\nc\n");
    schedule_file_free(schedule_file_new(f->path)); /* one that nothing was added to */
    schedule_file_free(NULL);
}

static void a_full_file_is_kept_once(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(file_write(f->path, "old\n", 4, 0644, NULL), 0);
        assert_int_equal(truncate(f->path, SCHEDULE_FILE_MOST), 0);
        struct schedule_file *file = schedule_file_new(f->path);
        add_text(file, "new\n");
        schedule_file_free(file);
        expect_file(f->path, "new\n");
        struct stat st;
        assert_int_equal(stat(f->before, &st), 0);
        assert_int_equal(st.st_size, SCHEDULE_FILE_MOST);
    }
}

/* the directory may be another user's */
static void links_and_other_things_are_not_followed(void **state)
{
    struct fixture *f = *state;
    char *aim = path_join(f->dir, "aim");
    assert_int_equal(file_write(aim, "mine\n", 5, 0644, NULL), 0);
    assert_int_equal(symlink(aim, f->path), 0);
    struct schedule_file *file = schedule_file_new(f->path);
    add_text(file, "a\n");
    schedule_file_free(file);
    expect_file(aim, "mine\n");
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(mkfifo(f->path, 0600), 0);
    file = schedule_file_new(f->path);
    add_text(file, "a\n"); /* which would block where there is no reader */
    schedule_file_free(file);
    free(aim);
}

static void what_is_too_much_at_once_is_left_out(void **state)
{
    struct fixture *f = *state;
    struct schedule_file *file = schedule_file_new(f->path);
    struct dstr much = DSTR_INIT;
    for (size_t i = 0; i <= SCHEDULE_WAITING_MOST; i += 1024)
        dstr_addf(&much, "%1023d\n", 1);
    assert_true(much.len > SCHEDULE_WAITING_MOST);
    schedule_file_add(file, &much);
    add_text(file, "a\n");
    schedule_file_free(file);
    expect_file(f->path, "a\n");
    dstr_free(&much);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(texts_are_appended_in_their_order),
        T(a_full_file_is_kept_once),
        T(links_and_other_things_are_not_followed),
        T(what_is_too_much_at_once_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

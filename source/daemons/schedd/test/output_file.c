/* Tests of daemons/schedd/output_file.c: what is written, when the file changes its name, and
 * what cannot be written. */
#include "daemons/schedd/output_file.h"

#include <sched.h>
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

enum { FILE_MOST = 10 << 20, WAITING_MOST = 4 << 20 };

static const struct output_file_kind appended = { .thread = "test",
                                                  .mode = 0644,
                                                  .bytes_most = FILE_MOST,
                                                  .waiting_most = WAITING_MOST,
                                                  .when_late = "it is left out" };
static const struct output_file_kind whole = { .thread = "test",
                                               .mode = 0600,
                                               .bytes_most = UINT64_MAX,
                                               .waiting_most = WAITING_MOST,
                                               .when_late = "it ends",
                                               .is_whole = true };

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

static void add_text(struct output_file *file, const char *text)
{
    assert_true(output_file_add(file, text, strlen(text)));
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
    struct output_file *file = output_file_new(f->path, &appended);
    assert_int_not_equal(access(f->path, F_OK), 0); /* nothing is made before it is used */
    add_text(file, "a\n");
    add_text(file, "b\n");
    output_file_free(file);
    expect_file(f->path, "a\nb\n");
    file = output_file_new(f->path, &appended);
    add_text(file, "c\n");
    output_file_free(file);
    expect_file(f->path, "a\nb\nc\n");
    output_file_free(output_file_new(f->path, &appended)); /* one that nothing was added to */
    output_file_free(NULL);
}

static void a_full_file_is_kept_once(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(file_write(f->path, "old\n", 4, 0644, NULL), 0);
        assert_int_equal(truncate(f->path, FILE_MOST), 0);
        struct output_file *file = output_file_new(f->path, &appended);
        add_text(file, "new\n");
        output_file_free(file);
        expect_file(f->path, "new\n");
        struct stat st;
        assert_int_equal(stat(f->before, &st), 0);
        assert_int_equal(st.st_size, FILE_MOST);
    }
}

/* the directory may be another user's */
static void links_and_other_things_are_not_followed(void **state)
{
    struct fixture *f = *state;
    char *aim = path_join(f->dir, "aim");
    assert_int_equal(file_write(aim, "mine\n", 5, 0644, NULL), 0);
    assert_int_equal(symlink(aim, f->path), 0);
    struct output_file *file = output_file_new(f->path, &appended);
    add_text(file, "a\n");
    output_file_free(file);
    expect_file(aim, "mine\n");
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(mkfifo(f->path, 0600), 0);
    file = output_file_new(f->path, &appended);
    add_text(file, "a\n"); /* which would block where there is no reader */
    output_file_free(file);
    free(aim);
}

static void what_is_too_much_at_once_is_left_out(void **state)
{
    struct fixture *f = *state;
    struct output_file *file = output_file_new(f->path, &appended);
    struct dstr much = DSTR_INIT;
    for (size_t i = 0; i <= WAITING_MOST; i += 1024)
        dstr_addf(&much, "%1023d\n", 1);
    assert_true(much.len > WAITING_MOST);
    assert_false(output_file_add(file, dstr_get(&much), much.len));
    add_text(file, "a\n");
    output_file_free(file);
    expect_file(f->path, "a\n");
    dstr_free(&much);
}

static void a_whole_file_is_new_and_ends_at_what_is_too_much(void **state)
{
    struct fixture *f = *state;
    static char much[WAITING_MOST + 1];
    assert_int_equal(file_write(f->path, "old\n", 4, 0644, NULL), 0);
    struct output_file *file = output_file_new(f->path, &whole);
    add_text(file, "a\n");
    assert_false(output_file_add(file, much, sizeof much));
    assert_false(output_file_add(file, "b\n", 2));
    output_file_free(file);
    expect_file(f->path, "a\n");
    expect_file(f->before, "old\n");
    struct stat st;
    assert_int_equal(stat(f->path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

static void a_whole_file_ends_where_it_cannot_be_written(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(mkdir(f->before, 0700), 0); /* no file takes the place of a directory */
    assert_int_equal(file_write(f->path, "old\n", 4, 0644, NULL), 0);
    struct output_file *file = output_file_new(f->path, &whole);
    while (output_file_add(file, "a\n", 2))
        (void)sched_yield();
    output_file_free(file);
    expect_file(f->path, "old\n");
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(texts_are_appended_in_their_order),
        T(a_full_file_is_kept_once),
        T(links_and_other_things_are_not_followed),
        T(what_is_too_much_at_once_is_left_out),
        T(a_whole_file_is_new_and_ends_at_what_is_too_much),
        T(a_whole_file_ends_where_it_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Files, trees and locks, in a temporary directory. */
#include "libs/uti/file.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

struct fixture {
    char dir[32];
    struct dstr path;
    struct answer ans;
};

static int set_up(void **state)
{
    static struct fixture t;
    t = (struct fixture){ .dir = "/tmp/uti-test-XXXXXX" };
    assert_non_null(mkdtemp(t.dir));
    *state = &t;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(file_rmtree(t->dir, NULL), 0);
    assert_int_equal(access(t->dir, F_OK), -1);
    dstr_free(&t->path);
    ans_free(&t->ans);
    return 0;
}

/* good until the next call */
static const char *path_at(struct fixture *t, const char *name)
{
    dstr_clear(&t->path);
    dstr_addf(&t->path, "%s/%s", t->dir, name);
    return t->path.s;
}

static void expect_text(const char *path, const char *text)
{
    struct dstr d = DSTR_INIT;
    assert_int_equal(file_read(path, 100000, &d, NULL), 0);
    assert_string_equal(dstr_get(&d), text);
    dstr_free(&d);
}

static void what_is_written_is_read(void **state)
{
    struct fixture *t = *state;
    const char *path = path_at(t, "f");
    assert_int_equal(file_write(path, "long text", 9, 0600, NULL), 0);
    assert_int_equal(file_write(path, "text", 4, 0600, NULL), 0);
    expect_text(path, "text");
    struct dstr d = DSTR_INIT;
    dstr_add(&d, "more ");
    assert_int_equal(file_read(path, 4, &d, NULL), 0);
    assert_string_equal(d.s, "more text");
    dstr_free(&d);
}

static void a_file_too_big_is_refused(void **state)
{
    struct fixture *t = *state;
    const char *path = path_at(t, "f");
    assert_int_equal(file_write(path, "12345", 5, 0600, NULL), 0);
    struct dstr d = DSTR_INIT;
    dstr_add(&d, "kept");
    assert_int_equal(file_read(path, 4, &d, &t->ans), -1);
    assert_string_equal(d.s, "kept");
    assert_non_null(strstr(ans_first_error(&t->ans), path));
    assert_int_equal(file_read("/dev/zero", 1000000, &d, NULL), -1);
    assert_string_equal(d.s, "kept");
    dstr_free(&d);
}

static void overwriting_keeps_the_file(void **state)
{
    struct fixture *t = *state;
    const char *path = path_at(t, "f");
    struct stat before, after;
    assert_int_equal(file_overwrite_at(AT_FDCWD, path, "long text", 9, 0600, NULL), 0);
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(file_overwrite_at(AT_FDCWD, path, "text", 4, 0600, NULL), 0);
    expect_text(path, "text");
    assert_int_equal(file_overwrite_at(AT_FDCWD, path, "longer text", 11, 0600, NULL), 0);
    expect_text(path, "longer text");
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_ino, before.st_ino);
}

static void overwriting_follows_no_link(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(symlink("target", path_at(t, "link")), 0);
    assert_int_equal(file_overwrite_at(AT_FDCWD, path_at(t, "link"), "x", 1, 0600, &t->ans), -1);
    assert_true(ans_has_error(&t->ans));
    assert_int_equal(access(path_at(t, "target"), F_OK), -1);
}

static void a_missing_file_is_named(void **state)
{
    struct fixture *t = *state;
    struct dstr d = DSTR_INIT;
    assert_int_equal(file_read("/nonexistent.sh", 10, &d, &t->ans), -1);
    assert_string_equal(ans_first_error(&t->ans),
                        "error opening /nonexistent.sh: No such file or directory");
    assert_int_equal(file_read(t->dir, 10, &d, NULL), -1); /* a directory */
    assert_int_equal(file_write("/nonexistent/f", "", 0, 0600, NULL), -1);
    assert_int_equal(file_replace("/nonexistent/f", "", 0, 0600, NULL), -1);
    dstr_free(&d);
}

static void replace_leaves_nothing_beside(void **state)
{
    struct fixture *t = *state;
    const char *path = path_at(t, "f");
    assert_int_equal(file_write(path, "old", 3, 0600, NULL), 0);
    assert_int_equal(file_replace(path, "new", 3, 0640, NULL), 0);
    expect_text(path, "new");
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(t->dir), 0); /* was empty */
    assert_int_equal(mkdir(t->dir, 0700), 0);
}

static void failed_replace_keeps_the_old(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(mkdir(path_at(t, "d"), 0700), 0);
    assert_int_equal(file_replace(path_at(t, "d"), "x", 1, 0600, &t->ans), -1);
    assert_true(ans_has_error(&t->ans));
    struct stat st;
    assert_int_equal(stat(path_at(t, "d"), &st), 0);
    assert_true(S_ISDIR(st.st_mode));
    assert_int_equal(rmdir(path_at(t, "d")), 0);
    assert_int_equal(rmdir(t->dir), 0); /* nothing beside it either */
    assert_int_equal(mkdir(t->dir, 0700), 0);
}

static void mkdirs_makes_what_is_missing(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(file_mkdirs(path_at(t, "a//b/c/"), 0700, NULL), 0);
    assert_int_equal(file_mkdirs(path_at(t, "a/b/c"), 0700, NULL), 0);
    assert_int_equal(file_mkdirs("/", 0700, NULL), 0);
    assert_int_equal(access(path_at(t, "a/b/c"), X_OK), 0);
    assert_int_equal(file_write(path_at(t, "a/f"), "", 0, 0600, NULL), 0);
    assert_int_equal(file_mkdirs(path_at(t, "a/f/g"), 0700, &t->ans), -1);
    assert_non_null(strstr(ans_first_error(&t->ans), "a/f"));
}

static void rmtree_follows_no_link(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(file_mkdirs(path_at(t, "keep"), 0700, NULL), 0);
    assert_int_equal(file_write(path_at(t, "keep/f"), "k", 1, 0600, NULL), 0);
    assert_int_equal(file_mkdirs(path_at(t, "go/sub/sub"), 0700, NULL), 0);
    assert_int_equal(symlink("../keep", path_at(t, "go/link")), 0);
    assert_int_equal(symlink("../../keep/f", path_at(t, "go/sub/link")), 0);
    assert_int_equal(file_rmtree(path_at(t, "go"), NULL), 0);
    assert_int_equal(access(path_at(t, "go"), F_OK), -1);
    expect_text(path_at(t, "keep/f"), "k");
    assert_int_equal(symlink("keep", path_at(t, "link")), 0);
    assert_int_equal(file_rmtree(path_at(t, "link"), NULL), 0);
    expect_text(path_at(t, "keep/f"), "k");
}

static void rmtree_takes_files_and_missing_ones(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(file_write(path_at(t, "f"), "k", 1, 0600, NULL), 0);
    assert_int_equal(file_rmtree(path_at(t, "f"), NULL), 0);
    assert_int_equal(access(path_at(t, "f"), F_OK), -1);
    assert_int_equal(file_rmtree(path_at(t, "f"), NULL), 0);
}

static void rmtree_has_no_depth_limit(void **state)
{
    enum { DESCRIPTORS = 64, DEPTH = 200 };
    struct fixture *t = *state;
    struct rlimit before, few;
    int cwd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(mkdir(path_at(t, "deep"), 0700) | chdir(path_at(t, "deep")), 0);
    for (int i = 0; i < DEPTH; i++) {
        assert_int_equal(mkdir("some_directory", 0700), 0);
        if (i % 30 == 0)
            assert_int_equal(mkdir(".rm0", 0700), 0); /* a name that removing uses itself */
        assert_int_equal(chdir("some_directory"), 0);
    }
    assert_int_equal(fchdir(cwd), 0);
    close(cwd);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = (struct rlimit){ DESCRIPTORS, before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    int rc = file_rmtree(path_at(t, "deep"), &t->ans);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_string_equal(ans_first_error(&t->ans), "");
    assert_int_equal(rc, 0);
    assert_int_equal(access(path_at(t, "deep"), F_OK), -1);
}

static void rmtree_removes_many_files(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(mkdir(path_at(t, "d"), 0700), 0);
    for (int i = 0; i < 300; i++) {
        char name[16];
        memcpy(name, "d/f0000", 8);
        for (int k = 6, v = i; k > 2; k--, v /= 10)
            name[k] = (char)('0' + v % 10);
        assert_int_equal(file_write(path_at(t, name), "", 0, 0600, NULL), 0);
    }
    assert_int_equal(file_rmtree(path_at(t, "d"), NULL), 0);
}

static void rmtree_names_what_it_cannot_remove(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(file_rmtree("/proc/self/fdinfo", &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "cannot remove /proc/self/fdinfo/"));
    ans_free(&ans);
}

static void rmtree_stops_when_its_time_is_over(void **state)
{
    struct fixture *t = *state;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(file_mkdirs(path_at(t, "d"), 0755, NULL), 0);
    assert_int_equal(file_write(path_at(t, "d/x"), "", 0, 0600, NULL), 0);
    assert_int_equal(file_rmtree_until(path_at(t, "d"), uti_mono_us(), &ans), -1);
    assert_int_equal(access(path_at(t, "d/x"), F_OK), 0);
    ans_free(&ans);
    assert_int_equal(file_rmtree_until(path_at(t, "d"), UINT64_MAX, NULL), 0);
    assert_int_not_equal(access(path_at(t, "d"), F_OK), 0);
}

static void a_new_name_replaces_nothing(void **state)
{
    struct fixture *t = *state;
    char *from = uti_strdup(path_at(t, "from"));
    assert_int_equal(file_mkdirs(from, 0755, NULL), 0);
    assert_int_equal(file_mkdirs(path_at(t, "to"), 0755, NULL), 0);
    assert_int_equal(file_rename_new(from, path_at(t, "to")), -1);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(file_rename_new(from, path_at(t, "other")), 0);
    assert_int_equal(file_rename_new(from, path_at(t, "another")), -1);
    assert_int_equal(errno, ENOENT);
    free(from);
}

static void a_lock_has_one_owner(void **state)
{
    struct fixture *t = *state;
    const char *path = path_at(t, "lock");
    int fd = file_lock(path, NULL);
    assert_true(fd >= 0);
    assert_int_equal(file_lock(path, &t->ans), -1);
    assert_int_equal(t->ans.v[0].status, STATUS_EEXIST);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    close(fd);
    fd = file_lock(path, NULL);
    assert_true(fd >= 0);
    close(fd);
}

static void a_lock_is_out_of_reach_of_those_who_may_only_read(void **state)
{
    struct fixture *t = *state;
    const char *path = path_at(t, "lock");
    struct stat st;
    assert_int_equal(file_write(path, "", 0, 0644, NULL), 0); /* as an earlier release made it */
    int reader = open(path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(reader, LOCK_EX | LOCK_NB), 0);
    assert_int_equal(os_lock_take(reader), -1);
    assert_int_equal(errno, EBADF);
    int fd = file_lock(path, NULL);
    assert_true(fd >= 0);
    assert_int_equal(os_lock_is_held(reader), 1);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    close(fd);
    assert_int_equal(os_lock_is_held(reader), 0);
    close(reader);
}

static void an_empty_directory_is_known(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(file_mkdirs(path_at(t, "dir"), 0755, NULL), 0);
    assert_true(file_dir_is_empty(open(path_at(t, "dir"), O_RDONLY | O_DIRECTORY)));
    assert_int_equal(file_write(path_at(t, "dir/.x"), "", 0, 0644, NULL), 0);
    assert_false(file_dir_is_empty(open(path_at(t, "dir"), O_RDONLY | O_DIRECTORY)));
    assert_false(file_dir_is_empty(open(path_at(t, "dir/.x"), O_RDONLY)));
}

static void join_puts_one_slash(void **state)
{
    (void)state;
    static const struct {
        const char *dir, *name, *path;
    } cases[] = { { "a", "b", "a/b" }, { "/", "b", "/b" }, { "a/", "b/c", "a/b/c" } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *p = path_join(cases[i].dir, cases[i].name);
        assert_string_equal(p, cases[i].path);
        free(p);
    }
}

static void tail_begins_with_a_whole_line(void **state)
{
    struct fixture *t = *state;
    const char *path = path_at(t, "log");
    struct dstr text = DSTR_INIT;
    assert_int_equal(file_write(path, "first\nsecond\nthird\n", 19, 0644, NULL), 0);
    assert_int_equal(file_read_tail(path, 9, &text, NULL), 0);
    assert_string_equal(dstr_get(&text), "third\n");
    dstr_clear(&text);
    assert_int_equal(file_read_tail(path, 1000, &text, NULL), 0);
    assert_string_equal(dstr_get(&text), "first\nsecond\nthird\n");
    dstr_clear(&text);
    assert_int_equal(file_read_tail(path_at(t, "nothing"), 9, &text, &t->ans), -1);
    assert_non_null(strstr(ans_first_error(&t->ans), "nothing"));
    assert_int_equal(text.len, 0);
    dstr_free(&text);
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR(what_is_written_is_read),
        IN_DIR(a_file_too_big_is_refused),
        IN_DIR(overwriting_keeps_the_file),
        IN_DIR(overwriting_follows_no_link),
        IN_DIR(a_missing_file_is_named),
        IN_DIR(replace_leaves_nothing_beside),
        IN_DIR(failed_replace_keeps_the_old),
        IN_DIR(mkdirs_makes_what_is_missing),
        IN_DIR(rmtree_follows_no_link),
        IN_DIR(rmtree_takes_files_and_missing_ones),
        IN_DIR(rmtree_has_no_depth_limit),
        IN_DIR(rmtree_removes_many_files),
        cmocka_unit_test(rmtree_names_what_it_cannot_remove),
        IN_DIR(rmtree_stops_when_its_time_is_over),
        IN_DIR(a_new_name_replaces_nothing),
        IN_DIR(a_lock_has_one_owner),
        IN_DIR(a_lock_is_out_of_reach_of_those_who_may_only_read),
        IN_DIR(an_empty_directory_is_known),
        IN_DIR(tail_begins_with_a_whole_line),
        cmocka_unit_test(join_puts_one_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* TMPDIRs and their spares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/execd/host/tmpdirs.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

struct place {
    char root[40];
    char *host_dir, *parent, *first, *second;
    struct tmpdirs dirs;
    unsigned n_removed; /* handed over to be removed */
    bool is_removing;
};

static void remove_now(void *ctx, const char *path)
{
    struct place *p = ctx;
    p->n_removed++;
    if (p->is_removing)
        assert_int_equal(file_rmtree(path, NULL), 0);
}

static int set_up(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    memcpy(p->root, "/tmp/tmpdirs-test-XXXXXX", sizeof "/tmp/tmpdirs-test-XXXXXX");
    assert_non_null(mkdtemp(p->root));
    p->host_dir = path_join(p->root, "host");
    p->parent = path_join(p->root, "tmp");
    p->first = path_join(p->parent, "1.1.q");
    p->second = path_join(p->parent, "1.2.q");
    assert_int_equal(mkdir(p->host_dir, 0755), 0);
    assert_int_equal(mkdir(p->parent, 0755), 0);
    p->is_removing = true;
    tmpdirs_init(&p->dirs, p->host_dir, remove_now, p);
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    tmpdirs_free(&p->dirs);
    assert_int_equal(file_rmtree(p->root, NULL), 0);
    free(p->host_dir);
    free(p->parent);
    free(p->first);
    free(p->second);
    free(p);
    return 0;
}

static int count_entries(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    int n = -2; /* . and .. */
    while ((entry = readdir(dir)) != NULL)
        n++;
    closedir(dir);
    return n;
}

static void make_dirs(struct place *p, const char *path)
{
    struct stat st;
    char *made = tmpdirs_make(&p->dirs, path, geteuid(), getegid(), NULL);
    assert_string_equal(made, path);
    free(made);
    assert_int_equal(lstat(path, &st), 0);
    assert_true(S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 07777) == 0700);
    assert_int_equal(count_entries(path), 0);
}

static ino_t inode_of(const char *path)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_ino;
}

static void put_file(const char *dir)
{
    char *path = path_join(dir, "file");
    assert_int_equal(file_write(path, "x", 1, 0600, NULL), 0);
    free(path);
}

static void test_used_again(void **state)
{
    struct place *p = *state;
    make_dirs(p, p->first);
    ino_t first = inode_of(p->first);
    tmpdirs_recycle(&p->dirs, p->first);
    assert_int_not_equal(access(p->first, F_OK), 0);
    make_dirs(p, p->second);
    assert_int_equal(inode_of(p->second), first);
    assert_int_equal(count_entries(p->parent), 1);
}

static void test_removed_by_the_shepherd(void **state)
{
    struct place *p = *state;
    make_dirs(p, p->first);
    assert_int_equal(rmdir(p->first), 0);
    tmpdirs_recycle(&p->dirs, p->first);
    assert_int_equal(p->dirs.n, 0);
}

static void test_spare_that_was_touched(void **state)
{
    struct place *p = *state;
    make_dirs(p, p->first);
    tmpdirs_recycle(&p->dirs, p->first);
    put_file(p->dirs.spare[0].path);
    make_dirs(p, p->second); /* empty all the same */
    tmpdirs_recycle(&p->dirs, p->second);
    assert_int_equal(rmdir(p->dirs.spare[0].path), 0);
    assert_int_equal(symlink("/etc", p->dirs.spare[0].path), 0);
    make_dirs(p, p->first);
    tmpdirs_recycle(&p->dirs, p->first);
    assert_int_equal(chmod(p->dirs.spare[0].path, 0777), 0);
    make_dirs(p, p->second);
    assert_int_equal(count_entries(p->parent), 1);
}

static void test_what_stands_in_its_place(void **state)
{
    struct place *p = *state;
    assert_int_equal(mkdir(p->first, 0777), 0);
    put_file(p->first);
    make_dirs(p, p->first);
    assert_int_equal(symlink("/etc", p->second), 0);
    tmpdirs_recycle(&p->dirs, p->first);
    make_dirs(p, p->second);
    assert_int_equal(access("/etc/passwd", F_OK), 0);
}

static void test_a_full_directory_is_put_aside_unread(void **state)
{
    struct place *p = *state;
    make_dirs(p, p->first);
    put_file(p->first);
    ino_t old = inode_of(p->first);
    p->is_removing = false;
    tmpdirs_recycle(&p->dirs, p->first);
    assert_int_equal(p->n_removed, 1);
    assert_int_equal(p->dirs.n, 0);
    make_dirs(p, p->first);
    assert_int_not_equal(inode_of(p->first), old);
    assert_int_equal(count_entries(p->parent),
                     2); /* the old one is still there, under another name */
    tmpdirs_recycle(&p->dirs, p->first);
    tmpdirs_free(&p->dirs);
    p->is_removing = true;
    tmpdirs_init(&p->dirs, p->host_dir, remove_now, p); /* what was not removed is tried again */
    assert_int_equal(count_entries(p->parent), 0);
}

static void test_an_unreachable_place_is_an_error(void **state)
{
    struct place *p = *state;
    struct answer ans = ANSWER_INIT;
    assert_null(tmpdirs_make(&p->dirs, "/nowhere/at/all/1.1.q", geteuid(), getegid(), &ans));
    assert_non_null(strstr(ans_first_error(&ans), "\"/nowhere/at/all/1.1.q\""));
    ans_free(&ans);
}

static void test_other_users(void **state)
{
    struct place *p = *state;
    make_dirs(p, p->first);
    ino_t first = inode_of(p->first);
    tmpdirs_recycle(&p->dirs, p->first);
    p->dirs.spare[0].uid++; /* as if it were somebody else's */
    make_dirs(p, p->second);
    assert_int_not_equal(inode_of(p->second), first);
}

/* as /tmp, and no deeper: more that is missing may be a mount that has not come */
static void the_directory_they_stand_in_is_made_when_it_alone_is_missing(void **state)
{
    struct place *p = *state;
    struct answer ans = ANSWER_INIT;
    struct stat st;
    char *deeper = path_join(p->parent, "a/1.1.q");
    assert_int_equal(rmdir(p->parent), 0);
    assert_null(tmpdirs_make(&p->dirs, deeper, geteuid(), getegid(), &ans));
    assert_non_null(strstr(ans_first_error(&ans), "No such file or directory"));
    ans_free(&ans);
    assert_int_not_equal(access(p->parent, F_OK), 0);
    make_dirs(p, p->first);
    assert_int_equal(lstat(p->parent, &st), 0);
    assert_int_equal(st.st_mode & 07777, geteuid() == 0 ? 01777 : 0700);
    assert_int_equal(st.st_uid, geteuid());
    free(deeper);
}

/* a user may have put it there, where all may write */
static void a_link_that_leads_nowhere_is_not_followed(void **state)
{
    struct place *p = *state;
    struct answer ans = ANSWER_INIT;
    char *target = path_join(p->root, "target");
    assert_int_equal(rmdir(p->parent), 0);
    assert_int_equal(symlink(target, p->parent), 0);
    assert_null(tmpdirs_make(&p->dirs, p->first, geteuid(), getegid(), &ans));
    ans_free(&ans);
    assert_int_not_equal(access(target, F_OK), 0);
    free(target);
}

static void test_nothing_is_left(void **state)
{
    struct place *p = *state;
    make_dirs(p, p->first);
    make_dirs(p, p->second);
    tmpdirs_recycle(&p->dirs, p->first);
    tmpdirs_recycle(&p->dirs, p->second);
    struct tmpdirs next;
    tmpdirs_init(&next, p->host_dir, remove_now, p); /* an execd after a crash */
    assert_int_equal(count_entries(p->parent), 0);
    tmpdirs_free(&next);
    make_dirs(p, p->first); /* its spares are gone: it makes them anew */
    tmpdirs_recycle(&p->dirs, p->first);
    tmpdirs_free(&p->dirs);
    assert_int_equal(count_entries(p->parent), 0);
    assert_int_equal(count_entries(p->host_dir), 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(test_used_again),
        T(test_removed_by_the_shepherd),
        T(test_spare_that_was_touched),
        T(test_what_stands_in_its_place),
        T(test_a_full_directory_is_put_aside_unread),
        T(test_an_unreachable_place_is_an_error),
        T(test_other_users),
        T(the_directory_they_stand_in_is_made_when_it_alone_is_missing),
        T(a_link_that_leads_nowhere_is_not_followed),
        T(test_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

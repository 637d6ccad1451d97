/* Tests on a disk that is really full: a small file system in a mount namespace of our own. Only
 * root may make one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

#include "libs/spool/test/fixture.h"

enum { BALLAST = 8 << 20 };
static const struct spool_options make_new = { .is_new = true, .ballast_bytes = BALLAST };
static const struct spool_options open_old = { .ballast_bytes = BALLAST };

struct fixture {
    char *dir, *filler;
    struct spool *s;
};

static int set_up(void **state)
{
    static struct fixture f;
    f.dir = world_dir();
    f.filler = path_join(f.dir, "filler");
    f.s = NULL;
    *state = &f;
    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("spool-test", f.dir, "tmpfs", 0, "size=40m") < 0) {
        print_message("impossible here: no small file system can be mounted: %s\n",
                      strerror(errno));
        return 0;
    }
    f.s = spool_open(f.dir, &make_new, NULL);
    return f.s != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    spool_close(f->s);
    umount(f->dir);
    free(f->filler);
    world_remove(f->dir);
    return 0;
}

/* take every block that is left */
static void fill_space(struct fixture *f)
{
    static const char block[65536] = { 1 };
    int fd = open(f->filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    for (size_t len = sizeof block; len > 0;) {
        if (write(fd, block, len) < 0)
            len /= 2;
    }
    close(fd);
}

static int commit_one(struct fixture *f, uint32_t k, struct answer *ans)
{
    struct spool_batch *b = world_batch(k);
    int ret = spool_commit(f->s, b, ans);
    spool_batch_free(b);
    return ret;
}

/* commit on the full disk until it refuses; the batch that was refused */
static uint32_t commit_until_refused(struct fixture *f, uint32_t k)
{
    struct answer ans = ANSWER_INIT;
    while (commit_one(f, k, &ans) == 0)
        assert_true(++k < 3000);
    assert_true(world_durable(f->dir) >= k - 1);
    assert_int_equal(ans.v[0].status, STATUS_EDISK);
    ans_free(&ans);
    return k;
}

static void the_ballast_lets_a_refused_batch_through(void **state)
{
    struct fixture *f = *state;
    if (f->s == NULL)
        skip();
    assert_true(spool_has_space(f->s, 1));
    fill_space(f);
    uint32_t k = commit_until_refused(f, 1);
    assert_false(spool_has_space(f->s, 2));
    assert_int_equal(commit_one(f, k, NULL), -1);
    assert_true(spool_disk_relieve(f->s));
    assert_int_equal(commit_one(f, k, NULL), 0);
    assert_int_equal(world_durable(f->dir), k);
    assert_int_equal(world_check(f->s), k);
    assert_false(spool_has_space(f->s, 2000000)); /* it still is full */
    assert_int_equal(unlink(f->filler), 0);
    assert_true(spool_has_space(f->s, 4000000));
}

static void a_full_disk_can_be_recovered_from(void **state)
{
    struct fixture *f = *state;
    if (f->s == NULL)
        skip();
    fill_space(f);
    uint32_t k = commit_until_refused(f, 1);
    spool_close(f->s); /* its checkpoint may fail: then there is something to recover */
    f->s = spool_open(f->dir, &open_old, NULL);
    assert_non_null(f->s);
    uint32_t last = world_check(f->s);
    assert_true(last == k - 1 || last == k);
    assert_int_equal(unlink(f->filler), 0);
    assert_int_equal(commit_one(f, k, NULL), 0);
    assert_int_equal(world_durable(f->dir), k);
}

static void a_restart_keeps_the_space_of_the_log(void **state)
{
    struct fixture *f = *state;
    if (f->s == NULL)
        skip();
    assert_int_equal(commit_one(f, 1, NULL), 0);
    fill_space(f);
    spool_close(f->s);
    f->s = spool_open(f->dir, &open_old, NULL);
    assert_non_null(f->s);
    fill_space(f); /* whatever opening has given back */
    assert_int_equal(commit_one(f, 2, NULL), 0);
    assert_int_equal(world_durable(f->dir), 2);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_ballast_lets_a_refused_batch_through),
        CASE(a_full_disk_can_be_recovered_from),
        CASE(a_restart_keeps_the_space_of_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

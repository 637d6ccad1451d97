/* Tests of what happens when writes and syncs fail: one sync for a commit; after a failure the same
 * batch goes through, and the records are what they should be. The library's own hooks count and
 * fail its calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <db.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "libs/spool/test/fixture.h"

static struct {
    unsigned syncs, writes;
    /* the call that fails, and all after it while is_lasting; 0 = none */
    unsigned fail_sync_at, fail_write_at;
    bool is_lasting;
    int error;
    struct spool *read_meanwhile; /* look for a record in it while a sync is under way */
    int found;
} io;

static void *read_always(void *s)
{
    void *value = NULL;
    size_t len;
    uint8_t key[4];
    world_key(key, 0);
    io.found = spool_get(s, SPOOL_JOB, key, sizeof key, &value, &len, NULL);
    free(value);
    return NULL;
}

/* on another thread, as the qmaster does; it has five seconds */
static void read_meanwhile(struct spool *s)
{
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    io.found = -2;
    assert_int_equal(pthread_create(&thread, NULL, read_always, s), 0);
    assert_int_equal(pthread_timedjoin_np(thread, NULL, &until), 0);
}

static bool is_due(unsigned count, unsigned at)
{
    return at != 0 && (count == at || (io.is_lasting && count > at));
}

static int hook_fsync(int fd)
{
    io.syncs++;
    if (io.read_meanwhile != NULL)
        read_meanwhile(io.read_meanwhile);
    if (is_due(io.syncs, io.fail_sync_at)) {
        errno = io.error;
        return -1;
    }
    return fdatasync(fd);
}

static ssize_t hook_write(int fd, const void *data, size_t len)
{
    io.writes++;
    if (is_due(io.writes, io.fail_write_at)) {
        errno = io.error;
        return -1;
    }
    return write(fd, data, len);
}

static ssize_t hook_pwrite(int fd, const void *data, size_t len, off_t at)
{
    io.writes++;
    if (is_due(io.writes, io.fail_write_at)) {
        errno = io.error;
        return -1;
    }
    return pwrite(fd, data, len, at);
}

struct fixture {
    char *dir;
    struct spool *s;
};

static int set_up(void **state)
{
    static struct fixture f;
    const struct spool_options options = { .is_new = true, .ballast_bytes = 4096 };
    memset(&io, 0, sizeof io);
    f.dir = world_dir();
    f.s = spool_open(f.dir, &options, NULL);
    *state = &f;
    return f.s != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    memset(&io, 0, sizeof io);
    spool_close(f->s);
    world_remove(f->dir);
    return 0;
}

static void reopen_spool(struct fixture *f)
{
    const struct spool_options options = { .ballast_bytes = 4096 };
    spool_close(f->s);
    f->s = spool_open(f->dir, &options, NULL);
    assert_non_null(f->s);
}

static int commit_one(struct fixture *f, uint32_t k, struct answer *ans)
{
    struct spool_batch *b = world_batch(k);
    int ret = spool_commit(f->s, b, ans);
    spool_batch_free(b);
    return ret;
}

/* one more when the log goes on in a new file: the old one has to be complete before */
static void a_commit_is_exactly_one_sync(void **state)
{
    struct fixture *f = *state;
    unsigned changes = 0;
    for (uint32_t k = 1; k <= 200; k++) {
        unsigned before = io.syncs;
        assert_int_equal(commit_one(f, k, NULL), 0);
        assert_true(io.syncs == before + 1 || io.syncs == before + 2);
        changes += io.syncs - before - 1;
    }
    assert_true(changes <= 2); /* 200 batches are about 4 MiB of log */
}

static void an_empty_batch_and_reading_sync_nothing(void **state)
{
    struct fixture *f = *state;
    struct spool_batch *empty = spool_batch_new();
    assert_int_equal(commit_one(f, 1, NULL), 0);
    unsigned before = io.syncs;
    assert_int_equal(spool_commit(f->s, empty, NULL), 0);
    assert_int_equal(world_check(f->s), 1);
    assert_int_equal(io.syncs, before);
    spool_batch_free(empty);
}

static void a_read_does_not_wait_for_a_sync(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(commit_one(f, 1, NULL), 0);
    io.read_meanwhile = f->s;
    assert_int_equal(commit_one(f, 2, NULL), 0);
    assert_int_equal(io.found, 1);
    io.read_meanwhile = NULL;
    assert_int_equal(world_check(f->s), 2);
}

static void a_read_after_a_failed_commit_finds_what_was_durable(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(commit_one(f, 1, NULL), 0);
    io.error = EIO;
    io.is_lasting = true;
    io.fail_sync_at = io.syncs + 1;
    assert_int_equal(commit_one(f, 2, NULL), -1);
    io.fail_sync_at = 0;
    read_always(f->s);
    assert_int_equal(io.found, 1);
    assert_int_equal(commit_one(f, 2, NULL), 0);
    assert_int_equal(world_check(f->s), 2);
}

/* whatever write is the first to fail for lack of space, the batch goes through when there is space
 * again */
static void a_full_disk_loses_nothing(void **state)
{
    struct fixture *f = *state;
    uint32_t k = 0;
    for (unsigned nth = 1; nth <= 7; nth++) {
        struct answer ans = ANSWER_INIT;
        for (uint32_t good = 0; good < nth; good++)
            assert_int_equal(commit_one(f, ++k, NULL), 0);
        io.writes = 0;
        io.error = ENOSPC;
        io.fail_write_at = 1 + nth % 3;
        io.is_lasting = nth % 2 == 0;
        int ret = commit_one(f, ++k, &ans);
        if (ret < 0)
            assert_int_equal(ans.v[0].status, STATUS_EDISK);
        io.fail_write_at = 0;
        if (ret < 0)
            assert_int_equal(commit_one(f, k, NULL), 0);
        assert_int_equal(world_check(f->s), k);
        assert_int_equal(world_durable(f->dir), k);
        ans_free(&ans);
    }
    reopen_spool(f);
    assert_int_equal(world_check(f->s), k);
}

static void a_full_disk_refuses_until_there_is_space(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(commit_one(f, 1, NULL), 0);
    io.writes = 0;
    io.error = ENOSPC;
    io.fail_write_at = 1;
    io.is_lasting = true;
    assert_true(spool_has_space(f->s, 1));
    for (int i = 0; i < 5; i++)
        assert_int_equal(commit_one(f, 2, NULL), -1);
    assert_false(spool_has_space(f->s, 2));
    assert_true(spool_disk_relieve(f->s));
    io.fail_write_at = 0;
    assert_int_equal(commit_one(f, 2, NULL), 0);
    assert_int_equal(world_check(f->s), 2);
    assert_true(spool_has_space(f->s, 2000000));
}

static void a_failed_sync_acknowledges_nothing(void **state)
{
    struct fixture *f = *state;
    for (uint32_t k = 1; k <= 10; k++) {
        struct answer ans = ANSWER_INIT;
        io.syncs = 0;
        io.error = k % 2 == 0 ? EIO : ENOSPC;
        io.fail_sync_at = 1;
        assert_int_equal(commit_one(f, k, &ans), -1);
        assert_int_equal(ans.n, 1);
        io.fail_sync_at = 0;
        assert_int_equal(commit_one(f, k, NULL), 0);
        assert_int_equal(world_check(f->s), k);
        ans_free(&ans);
    }
    reopen_spool(f);
    assert_int_equal(world_check(f->s), 10);
}

static void failing_for_long_is_answered_each_time(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(commit_one(f, 1, NULL), 0);
    io.syncs = 0;
    io.error = ENOSPC;
    io.fail_sync_at = 1;
    io.is_lasting = true;
    for (int i = 0; i < 6; i++) {
        struct answer ans = ANSWER_INIT;
        assert_int_equal(commit_one(f, 2, &ans), -1);
        assert_true(ans_has_error(&ans));
        ans_free(&ans);
    }
    io.fail_sync_at = 0;
    assert_int_equal(commit_one(f, 2, NULL), 0);
    assert_int_equal(world_check(f->s), 2);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_commit_is_exactly_one_sync),
        CASE(an_empty_batch_and_reading_sync_nothing),
        CASE(a_read_does_not_wait_for_a_sync),
        CASE(a_read_after_a_failed_commit_finds_what_was_durable),
        CASE(a_full_disk_loses_nothing),
        CASE(a_full_disk_refuses_until_there_is_space),
        CASE(a_failed_sync_acknowledges_nothing),
        CASE(failing_for_long_is_answered_each_time),
    };
    db_env_set_func_fsync(hook_fsync);
    db_env_set_func_write(hook_write);
    db_env_set_func_pwrite(hook_pwrite);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of libs/spool/spool.c with the method of bdb.c: records come back, in order, from one
 * holder at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "libs/spool/spool.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

struct fixture {
    char dir[64];
    struct spool *s;
    struct answer ans;
};
static const struct spool_options make_new = { .is_new = true, .ballast_bytes = 4096 };
static const struct spool_options open_old = { .ballast_bytes = 4096 };

static int set_up(void **state)
{
    static struct fixture f;
    memset(&f, 0, sizeof f);
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(f.dir, sizeof f.dir, "%s/spool-test-XXXXXX", base);
    if (mkdtemp(f.dir) == NULL)
        return -1;
    f.s = spool_open(f.dir, &make_new, &f.ans);
    *state = &f;
    return f.s != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    spool_close(f->s);
    ans_free(&f->ans);
    return file_rmtree(f->dir, NULL);
}

static void put_u32(struct spool_batch *b, enum spool_table t, uint32_t key, const char *value)
{
    uint8_t k[4] = { (uint8_t)(key >> 24), (uint8_t)(key >> 16), (uint8_t)(key >> 8),
                     (uint8_t)key };
    spool_put(b, t, k, 4, value, strlen(value));
}

static void commit_batch(struct fixture *f, struct spool_batch *b)
{
    assert_int_equal(spool_commit(f->s, b, &f->ans), 0);
    spool_batch_free(b);
}

static void reopen_spool(struct fixture *f)
{
    spool_close(f->s);
    f->s = spool_open(f->dir, &open_old, &f->ans);
    assert_non_null(f->s);
}

static void assert_value(struct fixture *f, enum spool_table t, const char *key, const char *want)
{
    void *value = NULL;
    size_t len = 0;
    int found = spool_get(f->s, t, key, strlen(key), &value, &len, &f->ans);
    assert_int_equal(found, want != NULL);
    if (want != NULL) {
        assert_int_equal(len, strlen(want));
        assert_memory_equal(value, want, len);
    }
    free(value);
}

static int add_to_dstr(void *ctx, const void *key SGE_UNUSED, size_t key_len SGE_UNUSED,
                       const void *value, size_t len)
{
    dstr_addn(ctx, value, len);
    dstr_addc(ctx, ' ');
    return 0;
}

static int stop_at_second(void *ctx, const void *key SGE_UNUSED, size_t key_len SGE_UNUSED,
                          const void *value SGE_UNUSED, size_t len SGE_UNUSED)
{
    return ++*(int *)ctx == 2;
}

static void assert_walk(struct fixture *f, enum spool_table t, const char *want)
{
    struct dstr got = DSTR_INIT;
    assert_int_equal(spool_walk(f->s, t, add_to_dstr, &got, &f->ans), 0);
    assert_string_equal(dstr_get(&got), want);
    dstr_free(&got);
}

static void a_record_comes_back_after_reopening(void **state)
{
    struct fixture *f = *state;
    struct spool_batch *b = spool_batch_new();
    spool_put(b, SPOOL_JOB, "k1", 2, "first", 5);
    spool_put(b, SPOOL_META, "k1", 2, "", 0);
    commit_batch(f, b);
    assert_value(f, SPOOL_JOB, "k1", "first");
    assert_value(f, SPOOL_META, "k1", "");
    assert_value(f, SPOOL_TASK, "k1", NULL);
    reopen_spool(f);
    assert_value(f, SPOOL_JOB, "k1", "first");
}

static void a_large_record_comes_back(void **state)
{
    struct fixture *f = *state;
    struct spool_batch *b = spool_batch_new();
    size_t len = 3000000, got_len = 0;
    char *script = malloc(len);
    void *got = NULL;
    assert_non_null(script);
    memset(script, 'x', len);
    spool_put(b, SPOOL_JOB_SCRIPT, "k", 1, script, len);
    commit_batch(f, b);
    assert_int_equal(spool_get(f->s, SPOOL_JOB_SCRIPT, "k", 1, &got, &got_len, &f->ans), 1);
    assert_int_equal(got_len, len);
    assert_memory_equal(got, script, len);
    free(got);
    free(script);
}

static void the_last_operation_on_a_key_wins(void **state)
{
    struct fixture *f = *state;
    struct spool_batch *b = spool_batch_new();
    spool_put(b, SPOOL_JOB, "a", 1, "1", 1);
    spool_put(b, SPOOL_JOB, "a", 1, "2", 1);
    spool_put(b, SPOOL_JOB, "b", 1, "1", 1);
    spool_del(b, SPOOL_JOB, "b", 1);
    spool_del(b, SPOOL_JOB, "never there", 11);
    commit_batch(f, b);
    assert_value(f, SPOOL_JOB, "a", "2");
    assert_value(f, SPOOL_JOB, "b", NULL);
}

static void a_batch_may_be_committed_twice(void **state)
{
    struct fixture *f = *state;
    struct spool_batch *b = spool_batch_new();
    spool_put(b, SPOOL_JOB, "a", 1, "1", 1);
    spool_del(b, SPOOL_JOB, "b", 1);
    assert_int_equal(spool_commit(f->s, b, &f->ans), 0);
    assert_int_equal(spool_commit(f->s, b, &f->ans), 0);
    assert_walk(f, SPOOL_JOB, "1 ");
    spool_batch_free(b);
}

static void a_walk_runs_in_number_order(void **state)
{
    struct fixture *f = *state;
    struct spool_batch *b = spool_batch_new();
    put_u32(b, SPOOL_JOB, 70000, "d");
    put_u32(b, SPOOL_JOB, 2, "a");
    put_u32(b, SPOOL_JOB, 4000000000u, "e");
    put_u32(b, SPOOL_JOB, 256, "c");
    put_u32(b, SPOOL_JOB, 255, "b");
    commit_batch(f, b);
    assert_walk(f, SPOOL_JOB, "a b c d e ");
    assert_walk(f, SPOOL_TASK, "");
    int seen = 0;
    assert_int_equal(spool_walk(f->s, SPOOL_JOB, stop_at_second, &seen, &f->ans), 1);
    assert_int_equal(seen, 2);
}

static void a_prefix_removes_what_starts_with_it_only(void **state)
{
    struct fixture *f = *state;
    struct spool_batch *b = spool_batch_new();
    const char *keys[] = { "a", "b", "ba", "bb", "bbb", "c" };
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        spool_put(b, SPOOL_TASK, keys[i], strlen(keys[i]), keys[i], strlen(keys[i]));
    commit_batch(f, b);
    b = spool_batch_new();
    spool_del_prefix(b, SPOOL_TASK, "bb", 2);
    spool_del_prefix(b, SPOOL_TASK, "zz", 2);
    commit_batch(f, b);
    assert_walk(f, SPOOL_TASK, "a b ba c ");
    b = spool_batch_new();
    spool_del_prefix(b, SPOOL_TASK, "b", 1);
    spool_put(b, SPOOL_TASK, "bx", 2, "bx", 2);
    commit_batch(f, b);
    assert_walk(f, SPOOL_TASK, "a bx c ");
    b = spool_batch_new();
    spool_del_prefix(b, SPOOL_TASK, "", 0);
    commit_batch(f, b);
    assert_walk(f, SPOOL_TASK, "");
}

static void a_prefix_of_many_pages_goes_whole(void **state)
{
    struct fixture *f = *state;
    struct spool_batch *b = spool_batch_new();
    char key[16];
    for (int i = 0; i < 20000; i++)
        spool_put(b, SPOOL_TASK, key,
                  (size_t)snprintf(key, sizeof key, "%c%05d", i < 19999 ? 'm' : 'n', i), "v", 1);
    commit_batch(f, b);
    b = spool_batch_new();
    spool_del_prefix(b, SPOOL_TASK, "m", 1);
    commit_batch(f, b);
    assert_walk(f, SPOOL_TASK, "v ");
    reopen_spool(f);
    assert_walk(f, SPOOL_TASK, "v ");
}

static void a_second_opener_is_refused_by_pid(void **state)
{
    struct fixture *f = *state;
    char pid[32];
    snprintf(pid, sizeof pid, "process %ld", (long)getpid());
    assert_null(spool_open(f->dir, &open_old, &f->ans));
    assert_int_equal(f->ans.v[0].status, STATUS_EEXIST);
    assert_non_null(strstr(ans_first_error(&f->ans), pid));
}

static void an_existing_spool_is_not_created_again(void **state)
{
    struct fixture *f = *state;
    spool_close(f->s);
    f->s = NULL;
    assert_null(spool_open(f->dir, &make_new, &f->ans));
    assert_int_equal(f->ans.v[0].status, STATUS_EEXIST);
}

static void a_missing_spool_is_not_made_silently(void **state)
{
    struct fixture *f = *state;
    assert_null(spool_open("/tmp/spool-test-nowhere", &open_old, &f->ans));
    assert_int_equal(f->ans.v[0].status, STATUS_EUNKNOWN);
    assert_int_equal(access("/tmp/spool-test-nowhere", F_OK), -1);
}

static void a_foreign_format_is_named_and_left_alone(void **state)
{
    struct fixture *f = *state;
    char *path = path_join(f->dir, "format");
    spool_close(f->s);
    f->s = NULL;
    assert_int_equal(file_write(path, "stone tablets 7\n", 16, 0644, NULL), 0);
    assert_null(spool_open(f->dir, &open_old, &f->ans));
    assert_non_null(strstr(ans_first_error(&f->ans), "stone tablets 7"));
    free(path);
}

static void a_creation_that_was_cut_short_is_done_again(void **state)
{
    struct fixture *f = *state;
    char *path = path_join(f->dir, "format");
    spool_close(f->s);
    assert_int_equal(unlink(path), 0);
    f->s = spool_open(f->dir, &make_new, &f->ans);
    assert_non_null(f->s);
    free(path);
}

static void space_is_there_until_the_ballast_is_given_up(void **state)
{
    struct fixture *f = *state;
    char *path = path_join(f->dir, "ballast");
    assert_true(spool_has_space(f->s, 1));
    assert_int_equal(access(path, F_OK), 0);
    assert_true(spool_disk_relieve(f->s));
    assert_int_equal(access(path, F_OK), -1);
    assert_false(spool_disk_relieve(f->s));
    assert_false(spool_has_space(f->s, 2));
    /* a second later there is room, and a new ballast */
    assert_true(spool_has_space(f->s, 2000000));
    assert_int_equal(access(path, F_OK), 0);
    free(path);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_record_comes_back_after_reopening),
        CASE(a_large_record_comes_back),
        CASE(the_last_operation_on_a_key_wins),
        CASE(a_batch_may_be_committed_twice),
        CASE(a_walk_runs_in_number_order),
        CASE(a_prefix_removes_what_starts_with_it_only),
        CASE(a_prefix_of_many_pages_goes_whole),
        CASE(a_second_opener_is_refused_by_pid),
        CASE(an_existing_spool_is_not_created_again),
        CASE(a_missing_spool_is_not_made_silently),
        CASE(a_foreign_format_is_named_and_left_alone),
        CASE(a_creation_that_was_cut_short_is_done_again),
        CASE(space_is_there_until_the_ballast_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What is the same is kept in memory once, and goes with the last job that has it, or earlier. */
#include "daemons/qmaster/tables/file_cache.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "libs/cull/cull.h"
#include "libs/uti/alloc.h"

enum { JOBS = 4, LONG = 65 * 1024 };

struct fixture {
    struct file_cache cache;
    struct job_files *of[JOBS]; /* as jobs have them */
};

static int files_setup(void **state)
{
    struct fixture *f = uti_calloc(1, sizeof *f);
    file_cache_init(&f->cache);
    *state = f;
    return 0;
}

static int files_teardown(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < JOBS; i++)
        job_files_leave(&f->of[i]);
    assert_int_equal(f->cache.bytes, 0);
    assert_true(TAILQ_EMPTY(&f->cache.by_use) && RB_EMPTY(&f->cache.shared));
    free(f);
    return 0;
}

/* job I gets DATA, ENV_LEN of it as environment, written in batch BATCH */
static void give_files(struct fixture *f, int i, const char *data, size_t env_len, uint64_t batch)
{
    job_files_leave(&f->of[i]);
    job_files_new(&f->of[i], uti_strdup(data), strlen(data), env_len)->changed = batch;
    file_cache_add(&f->cache, &f->of[i]);
}

static void what_is_the_same_is_kept_once(void **state)
{
    struct fixture *f = *state;
    give_files(f, 0, "envscript", 3, 1);
    give_files(f, 1, "envscript", 3, 2);
    give_files(f, 2, "envscript", 4, 2); /* the same bytes are not the same two things */
    give_files(f, 3, "envscripu", 3, 2);
    assert_ptr_equal(f->of[0], f->of[1]);
    assert_ptr_not_equal(f->of[0], f->of[2]);
    assert_ptr_not_equal(f->of[0], f->of[3]);
    assert_int_equal(f->cache.bytes, 3 * strlen("envscript"));
    job_files_leave(&f->of[0]);
    assert_memory_equal(f->of[1]->data, "envscript", strlen("envscript"));
    job_files_leave(&f->of[1]);
    assert_int_equal(f->cache.bytes, 2 * strlen("envscript"));
}

static void what_was_used_last_goes_last(void **state)
{
    struct fixture *f = *state;
    give_files(f, 0, "a", 1, 1);
    give_files(f, 1, "b", 1, 1);
    file_cache_use(f->of[0]);
    assert_true(file_cache_drop_oldest(&f->cache, NULL, 1));
    assert_null(f->of[1]);
    assert_false(file_cache_drop_oldest(&f->cache, f->of[0], 1)); /* not this one */
    assert_true(file_cache_drop_oldest(&f->cache, NULL, 1));
    assert_false(file_cache_drop_oldest(&f->cache, NULL, 1));
}

static void what_is_not_on_disk_for_each_of_its_jobs_stays(void **state)
{
    struct fixture *f = *state;
    give_files(f, 0, "a", 1, 1);
    give_files(f, 1, "a", 1, 7);
    assert_false(file_cache_drop_oldest(&f->cache, NULL, 6));
    assert_true(file_cache_drop_oldest(&f->cache, NULL, 7));
}

static void what_several_have_goes_out_of_memory_at_once(void **state)
{
    struct fixture *f = *state;
    give_files(f, 0, "a", 1, 1);
    give_files(f, 1, "a", 1, 1);
    give_files(f, 2, "a", 1, 1);
    assert_true(file_cache_drop_oldest(&f->cache, NULL, 1));
    assert_int_equal(f->cache.bytes, 0);
    assert_null(f->of[0]);
    assert_null(f->of[1]->data); /* a shell, until it looks */
    give_files(f, 3, "a", 1, 1);
    assert_memory_equal(f->of[3]->data, "a", 1);
    job_files_leave(&f->of[1]);
    assert_null(f->of[2]->data);
}

static void large_ones_are_not_compared(void **state)
{
    struct fixture *f = *state;
    char *text = uti_calloc(1, LONG + 1);
    memset(text, 'x', LONG);
    give_files(f, 0, text, 3, 1);
    give_files(f, 1, text, 3, 1);
    free(text);
    assert_ptr_not_equal(f->of[0], f->of[1]);
    assert_int_equal(f->cache.bytes, 2 * LONG);
}

static void what_is_on_its_way_is_nobody_elses(void **state)
{
    struct fixture *f = *state;
    give_files(f, 0, "env", 3, 1);
    (void)job_files_new(&f->of[1], uti_strdup("env"), 3, 3);
    assert_int_equal(f->cache.bytes, 3);
    job_files_leave(&f->of[1]);
    assert_memory_equal(f->of[0]->data, "env", strlen("env"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, files_setup, files_teardown)
        TEST(what_is_the_same_is_kept_once),
        TEST(what_was_used_last_goes_last),
        TEST(what_is_not_on_disk_for_each_of_its_jobs_stays),
        TEST(what_several_have_goes_out_of_memory_at_once),
        TEST(large_ones_are_not_compared),
        TEST(what_is_on_its_way_is_nobody_elses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

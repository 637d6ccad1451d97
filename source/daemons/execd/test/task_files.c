/* What is read back from a task's directory, whole or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/execd/files/task_files.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

struct place {
    char path[32];
    int active_fd, fd;
    struct task_dirs dirs;
};

static int set_up(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    memcpy(p->path, "/tmp/task-files-XXXXXX", sizeof "/tmp/task-files-XXXXXX");
    assert_non_null(mkdtemp(p->path));
    p->active_fd = open(p->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    task_dirs_init(&p->dirs, p->active_fd, p->path);
    p->fd = task_files_make(&p->dirs, "1.1", NULL);
    assert_true(p->fd >= 0);
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    close(p->fd);
    task_files_remove(&p->dirs, "1.1");
    task_dirs_free(&p->dirs);
    close(p->active_fd);
    assert_int_equal(rmdir(p->path), 0); /* nothing is left */
    free(p);
    return 0;
}

static void put_file(const struct place *p, const char *file, const char *content)
{
    struct dstr text = DSTR_INIT;
    dstr_add(&text, content);
    assert_int_equal(task_files_write(p->fd, file, &text, 0644, NULL), 0);
    dstr_free(&text);
}

static void check_end(const struct place *p, bool is_whole, uint32_t failed, uint32_t exit_status)
{
    struct JR_Type r = { 0 };
    assert_int_equal(task_files_report(p->fd, &r), is_whole);
    assert_int_equal(r.JR_failed, failed);
    assert_int_equal(r.JR_exit_status, exit_status);
    cull_clear(&cull_JR_Type, &r);
}

static void test_report(void **state)
{
    struct place *p = *state;
    check_end(p, false, TASK_FAILED_NO_EXIT_STATUS, 0); /* nothing at all */
    put_file(p, TASK_FILE_USAGE, "exit_status=3\nsignal=0\nru_utime=0.5\n");
    check_end(p, false, TASK_FAILED_NO_EXIT_STATUS, 0); /* not written to its end */
    put_file(p, TASK_FILE_USAGE, "exit_status=3\nfailed=2");
    check_end(p, false, TASK_FAILED_NO_EXIT_STATUS, 0); /* 2 may be the begin of 25 */
    put_file(p, TASK_FILE_USAGE, "exit_status=3\nfailed=25\n");
    check_end(p, true, TASK_FAILED_RESCHEDULE, 3);
    put_file(p, TASK_FILE_EXIT_STATUS, "3\n"); /* of the job, as in usage */
    check_end(p, true, TASK_FAILED_RESCHEDULE, 3);
    put_file(p, TASK_FILE_FAILED, "15\n"); /* the epilog failed later */
    check_end(p, true, TASK_FAILED_IN_EPILOG, 3);
}

static void test_failure_before_the_job(void **state)
{
    struct place *p = *state;
    struct JR_Type r = { 0 };
    put_file(p, TASK_FILE_FAILED, "8\n");
    put_file(p, TASK_FILE_ERROR, "first line\nsecond line\n");
    assert_true(task_files_report(p->fd, &r));
    assert_int_equal(r.JR_failed, TASK_FAILED_IN_PROLOG);
    assert_string_equal(r.JR_err_str, "first line");
    cull_clear(&cull_JR_Type, &r);
}

static void test_usage(void **state)
{
    struct place *p = *state;
    struct JR_Type r = { 0 };
    double cpu = 0;
    put_file(p, TASK_FILE_USAGE,
             "start_time=5\nend_time=7\nru_utime=0.5\nru_stime=0.25\nru_maxrss=12\nfailed=0\n");
    assert_true(task_files_report(p->fd, &r));
    for (uint32_t i = 0; i < r.JR_usage.n; i++)
        if (strcmp(r.JR_usage.v[i].UA_name, "cpu") == 0)
            cpu = r.JR_usage.v[i].UA_value;
    assert_true(cpu > 0.749 && cpu < 0.751);
    assert_int_equal(r.JR_start_time, 5);
    assert_int_equal(r.JR_end_time, 7);
    cull_clear(&cull_JR_Type, &r);
}

/* a file that an older shepherd wrote, or a disk has damaged */
static void usage_that_cannot_be_is_reported_as_0(void **state)
{
    struct place *p = *state;
    static const char *const values[] = {
        "18446744067890.551", "-1", "1e300", "nan", "", "x", "3"
    };
    static const char *const keys[] = { "ru_wallclock", "ru_utime", "ru_stime", "cpu" };
    unsigned seed = 1;
    for (int round = 0; round < 200; round++) {
        struct JR_Type r = { 0 };
        struct dstr text = DSTR_INIT;
        for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
            seed = seed * 1103515245 + 12345;
            dstr_addf(&text, "%s=%s\n", keys[i], values[(seed >> 16) % ARRAY_LEN(values)]);
        }
        dstr_add(&text, "failed=0\n");
        put_file(p, TASK_FILE_USAGE, dstr_get(&text));
        assert_true(task_files_report(p->fd, &r));
        assert_true(r.JR_usage.n > 0);
        for (uint32_t i = 0; i < r.JR_usage.n; i++)
            assert_true(r.JR_usage.v[i].UA_value >= 0 && r.JR_usage.v[i].UA_value < 10);
        dstr_free(&text);
        cull_clear(&cull_JR_Type, &r);
    }
}

static void test_life(void **state)
{
    struct place *p = *state;
    struct process_id id;
    assert_int_equal(task_files_life(p->fd, &id), TASK_LIFE_NONE);
    int lock = task_files_lock(p->fd, NULL);
    assert_true(lock >= 0);
    assert_int_equal(task_files_life(p->fd, &id), TASK_LIFE_RUNNING);
    assert_int_equal(id.pid, 0); /* it has not said who it is */
    assert_int_equal(write(lock, "4711 12 ab-cd\n", 14), 14);
    assert_int_equal(task_files_life(p->fd, &id), TASK_LIFE_RUNNING);
    assert_int_equal(id.pid, 4711);
    assert_int_equal(id.start_ticks, 12);
    close(lock);
    assert_int_equal(task_files_life(p->fd, &id), TASK_LIFE_ENDED);
}

static void nobody_else_can_open_the_lock(void **state)
{
    struct place *p = *state;
    struct stat st;
    int lock = task_files_lock(p->fd, NULL);
    assert_int_equal(fstat(lock, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    close(lock);
}

static void test_make_again_and_remove(void **state)
{
    struct place *p = *state;
    put_file(p, "left over", "x");
    put_file(p, TASK_FILE_USAGE, "failed=0\n");
    int fd = task_files_make(&p->dirs, "1.1", NULL); /* of an attempt before this one */
    assert_true(fd >= 0);
    assert_int_not_equal(faccessat(fd, "left over", F_OK, 0), 0);
    close(p->fd);
    p->fd = fd;
    check_end(p, false, TASK_FAILED_NO_EXIT_STATUS, 0);
}

static void what_stands_in_the_way_goes_and_another_spare_is_taken(void **state)
{
    struct place *p = *state;
    static const char *const others[] = { "1.2", "1.3" };
    put_file(p, "left over", "x");
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        close(task_files_make(&p->dirs, others[i], NULL));
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        task_files_recycle(&p->dirs, others[i]);
    int fd = task_files_make(&p->dirs, "1.1", NULL);
    assert_int_equal(p->dirs.n, 0);
    assert_int_not_equal(faccessat(fd, "left over", F_OK, 0), 0);
    close(fd);
}

static void a_file_is_read_to_its_end_however_long(void **state)
{
    struct place *p = *state;
    struct dstr text = DSTR_INIT, back = DSTR_INIT;
    static const size_t lengths[] = { 0, 1, 4095, 4096, 4097, 8191, 8192, 8193 };
    for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
        while (text.len < lengths[i])
            dstr_addc(&text, 'x');
        put_file(p, TASK_FILE_ERROR, dstr_get(&text));
        dstr_clear(&back);
        assert_true(task_files_read(p->fd, TASK_FILE_ERROR, &back));
        assert_int_equal(back.len, lengths[i]);
    }
    dstr_free(&text);
    dstr_free(&back);
    assert_false(task_files_read(p->fd, "none", &back));
}

static void a_directory_has_room_for_the_last_word_from_the_start(void **state)
{
    struct place *p = *state;
    struct stat st;
    assert_int_equal(fstatat(p->fd, TASK_FILE_USAGE, &st, 0), 0);
    assert_true(st.st_blocks > 0);
    check_end(p, false, TASK_FAILED_NO_EXIT_STATUS, 0);
}

/* recycle 1.1 and take it again as 1.2 */
static void recycle_dirs(struct place *p, uint32_t spares)
{
    task_files_recycle(&p->dirs, "1.1");
    assert_int_equal(p->dirs.n, spares);
    close(p->fd);
    p->fd = task_files_make(&p->dirs, "1.1", NULL);
    assert_true(p->fd >= 0);
    assert_int_equal(p->dirs.n, 0);
}

static void test_recycled_says_nothing(void **state)
{
    struct place *p = *state;
    struct process_id id;
    put_file(p, TASK_FILE_PID, "4711 12 ab-cd\n");
    put_file(p, TASK_FILE_USAGE, "exit_status=3\nfailed=25\n");
    put_file(p, TASK_FILE_FAILED, "25\n");
    put_file(p, TASK_FILE_ERROR, "why\n");
    put_file(p, "something else", "x");
    recycle_dirs(p, 1);
    check_end(p, false, TASK_FAILED_NO_EXIT_STATUS, 0);
    assert_int_equal(task_files_life(p->fd, &id), TASK_LIFE_NONE);
    assert_int_not_equal(faccessat(p->fd, "something else", F_OK, 0), 0);
    put_file(p, TASK_FILE_USAGE, "failed=0\n");
    check_end(p, true, TASK_FAILED_NOT, 0);
}

static void test_strange_things_are_not_recycled(void **state)
{
    struct place *p = *state;
    assert_int_equal(mkdirat(p->fd, "directory", 0755), 0);
    recycle_dirs(p, 0);
    assert_int_equal(symlinkat("/etc/passwd", p->fd, TASK_FILE_CONFIG), 0);
    recycle_dirs(p, 0);
    put_file(p, TASK_FILE_USAGE, "x");
    assert_int_equal(linkat(p->fd, TASK_FILE_USAGE, p->active_fd, "other name", 0), 0);
    recycle_dirs(p, 0);
    assert_int_equal(unlinkat(p->active_fd, "other name", 0), 0);
}

static void test_spares_of_an_earlier_execd_go(void **state)
{
    struct place *p = *state;
    assert_int_equal(mkdirat(p->active_fd, "spare.7", 0755), 0);
    task_dirs_init(&p->dirs, p->active_fd, p->path);
    assert_int_not_equal(faccessat(p->active_fd, "spare.7", F_OK, 0), 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(test_report),
        T(test_failure_before_the_job),
        T(test_usage),
        T(usage_that_cannot_be_is_reported_as_0),
        T(test_life),
        T(nobody_else_can_open_the_lock),
        T(test_make_again_and_remove),
        T(what_stands_in_the_way_goes_and_another_spare_is_taken),
        T(a_file_is_read_to_its_end_however_long),
        T(a_directory_has_room_for_the_last_word_from_the_start),
        T(test_recycled_says_nothing),
        T(test_strange_things_are_not_recycled),
        T(test_spares_of_an_earlier_execd_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

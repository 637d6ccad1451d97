/* What an execd and a shepherd say to each other over their line. */
#include "libs/task/task_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct line {
    int own, shepherds;
};

static int line_setup(void **state)
{
    static struct line line;
    assert_int_equal(task_line_new(&line.own, &line.shepherds), 0);
    *state = &line;
    return 0;
}

static int line_teardown(void **state)
{
    const struct line *line = *state;
    close(line->own);
    if (line->shepherds >= 0)
        close(line->shepherds);
    return 0;
}

static void assert_same_file(int a, int b)
{
    struct stat of_a, of_b;
    assert_int_equal(fstat(a, &of_a), 0);
    assert_int_equal(fstat(b, &of_b), 0);
    assert_int_equal(of_a.st_ino, of_b.st_ino);
    assert_int_equal(of_a.st_dev, of_b.st_dev);
}

static void a_task_is_given_as_its_directory_and_its_file(void **state)
{
    const struct line *line = *state;
    int dir_fd = open("/", O_RDONLY | O_DIRECTORY), pid_fd = open("/dev/null", O_RDWR);
    int taken_dir, taken_pid;
    assert_int_equal(task_line_give(line->own, dir_fd, pid_fd), 0);
    assert_int_equal(task_line_take(line->shepherds, &taken_dir, &taken_pid), 0);
    assert_same_file(taken_dir, dir_fd);
    assert_same_file(taken_pid, pid_fd);
    assert_int_equal(fcntl(taken_dir, F_GETFD), FD_CLOEXEC);
    assert_int_equal(fcntl(taken_pid, F_GETFD), FD_CLOEXEC);
    close(dir_fd);
    close(pid_fd);
    close(taken_dir);
    close(taken_pid);
}

static void a_free_shepherd_is_heard_once(void **state)
{
    const struct line *line = *state;
    assert_false(task_line_hear_free(line->own));
    assert_int_equal(task_line_say_free(line->shepherds), 0);
    assert_true(task_line_hear_free(line->own));
    assert_false(task_line_hear_free(line->own));
}

static void a_shepherd_that_has_gone_is_given_nothing(void **state)
{
    struct line *line = *state;
    int fd = open("/dev/null", O_RDWR);
    close(line->shepherds);
    line->shepherds = -1;
    assert_int_equal(task_line_give(line->own, fd, fd), -1);
    assert_int_equal(errno, EPIPE);
    assert_false(task_line_hear_free(line->own));
    close(fd);
}

/* an execd that dies has given the task: its lock must not be let go of */
static void what_was_given_before_the_end_of_the_line_is_taken(void **state)
{
    struct line *line = *state;
    int fd = open("/dev/null", O_RDWR), taken_dir, taken_pid;
    assert_int_equal(task_line_give(line->own, fd, fd), 0);
    close(line->own);
    assert_int_equal(task_line_take(line->shepherds, &taken_dir, &taken_pid), 0);
    assert_same_file(taken_pid, fd);
    assert_int_equal(task_line_take(line->shepherds, &taken_dir, &taken_pid), -1);
    assert_int_equal(task_line_say_free(line->shepherds), -1);
    line->own = taken_dir;
    close(taken_pid);
    close(fd);
}

static void what_has_no_descriptors_is_no_task(void **state)
{
    const struct line *line = *state;
    int dir_fd, pid_fd;
    assert_int_equal(send(line->own, "x", 1, 0), 1);
    assert_int_equal(task_line_take(line->shepherds, &dir_fd, &pid_fd), -1);
}

#define LINE_TEST(name) cmocka_unit_test_setup_teardown(name, line_setup, line_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        LINE_TEST(a_task_is_given_as_its_directory_and_its_file),
        LINE_TEST(a_free_shepherd_is_heard_once),
        LINE_TEST(a_shepherd_that_has_gone_is_given_nothing),
        LINE_TEST(what_was_given_before_the_end_of_the_line_is_taken),
        LINE_TEST(what_has_no_descriptors_is_no_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A shepherd that its execd, played by the test, gives one task after the other. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/shepherd/test/place.h"
#include "libs/task/task_dir.h"
#include "libs/task/task_line.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"

enum { A_FEW_TASKS = 20, MANY_TASKS = 200 };

struct run { /* a shepherd with its line */
    pid_t pid;
    int line;
};

static int open_task(const struct place *p)
{
    return open(p->task_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* the file "pid" in the task's directory, locked as by an execd */
static int lock_task(const struct place *p)
{
    char *path = path_join(p->task_dir, TASK_FILE_PID);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(os_lock_take(fd), 0);
    free(path);
    return fd;
}

/* start a shepherd with a task that runs COMMAND */
static struct run start_shepherd(const struct place *p, const char *command)
{
    posix_spawn_file_actions_t actions;
    char *argv[] = { (char *)(uintptr_t) "sge_shepherd", (char *)(uintptr_t) "-bg", NULL },
         *envp[] = { NULL };
    struct run run;
    int shepherds, lock = lock_task(p);
    place_config(p, command, "");
    assert_int_equal(task_line_new(&run.line, &shepherds), 0);
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_addchdir_np(&actions, p->task_dir), 0);
    assert_int_equal(posix_spawn_file_actions_adddup2(&actions, shepherds, TASK_LINE_FD), 0);
    assert_int_equal(posix_spawn_file_actions_adddup2(&actions, lock, TASK_PID_FD), 0);
    assert_int_equal(posix_spawn(&run.pid, place_shepherd, &actions, NULL, argv, envp), 0);
    assert_int_equal(posix_spawn_file_actions_destroy(&actions), 0);
    close(shepherds);
    close(lock);
    return run;
}

static void wait_until_free(const struct run *run)
{
    struct pollfd line = { .fd = run->line, .events = POLLIN };
    assert_int_equal(poll(&line, 1, PLACE_WAIT_MS), 1);
    assert_true(task_line_hear_free(run->line));
}

static void give_next(const struct place *p, const struct run *run, const char *command)
{
    place_config(p, command, "");
    int dir_fd = open_task(p), lock = lock_task(p);
    assert_int_equal(task_line_give(run->line, dir_fd, lock), 0);
    close(dir_fd);
    close(lock);
}

static int end_line(const struct run *run)
{
    close(run->line);
    return place_finish(run->pid);
}

static void its_lock_is_free_before_it_is(void **state)
{
    const struct place *p = *state;
    struct run run = start_shepherd(p, "echo one");
    wait_until_free(&run);
    close(lock_task(p));
    place_expect_text(p->dir, "out", "one\n");
    assert_int_equal(end_line(&run), 0);
}

static void each_task_has_files_and_environment_of_its_own(void **state)
{
    const struct place *p = *state;
    struct run run = start_shepherd(p, "echo one $JOB_ID; exit 7");
    wait_until_free(&run);
    assert_int_equal(place_usage(p, "exit_status"), 7);
    give_next(p, &run, "echo two; pwd; umask");
    wait_until_free(&run);
    assert_int_equal(place_usage(p, "exit_status"), 0);
    struct dstr wanted = DSTR_INIT;
    dstr_addf(&wanted, "one\ntwo\n%s\n0022\n", p->dir);
    place_expect_text(p->dir, "out", dstr_get(&wanted));
    dstr_free(&wanted);
    assert_int_equal(end_line(&run), 0);
}

static void what_came_while_it_was_free_ends_it(void **state)
{
    const struct place *p = *state;
    struct run run = start_shepherd(p, "true");
    wait_until_free(&run);
    assert_int_equal(kill(run.pid, SIGHUP), 0);
    assert_int_equal(place_finish(run.pid), 0);
    close(run.line);
}

static void what_came_with_a_task_is_for_that(void **state)
{
    const struct place *p = *state;
    struct run run = start_shepherd(p, "true");
    wait_until_free(&run);
    assert_int_equal(kill(run.pid, SIGSTOP), 0);
    give_next(p, &run, "echo ran");
    assert_int_equal(kill(run.pid, SIGTERM), 0);
    assert_int_equal(kill(run.pid, SIGCONT), 0);
    assert_int_equal(place_finish(run.pid), TASK_FAILED_AFTER_JOB);
    place_expect_text(p->dir, "out", "");
    place_expect_error(p, "deleted before it was started");
    close(run.line);
}

static void a_task_that_goes_wrong_is_its_last(void **state)
{
    const struct place *p = *state;
    struct run run = start_shepherd(p, "kill -9 $$");
    assert_int_equal(place_finish(run.pid), TASK_FAILED_AFTER_JOB);
    assert_false(task_line_hear_free(run.line));
    close(run.line);
}

/* of memory that it has touched */
static long pages_of(pid_t pid)
{
    char path[40];
    struct dstr text = DSTR_INIT;
    (void)snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    assert_int_equal(file_read(path, 200, &text, NULL), 0);
    const char *resident = strchr(text.s, ' ');
    assert_non_null(resident);
    long pages = strtol(resident, NULL, 10);
    dstr_free(&text);
    return pages;
}

static void run_tasks(const struct place *p, const struct run *run, int n)
{
    for (int i = 0; i < n; i++) {
        give_next(p, run, "echo $PATH");
        wait_until_free(run);
    }
}

static void skip_if_freed_memory_is_kept(void)
{
#ifdef __SANITIZE_ADDRESS__
    print_message("impossible here: the address sanitizer gives freed memory to nobody\n");
    skip();
#endif
}

static void it_does_not_grow_with_its_tasks(void **state)
{
    skip_if_freed_memory_is_kept();
    const struct place *p = *state;
    struct run run = start_shepherd(p, "true");
    wait_until_free(&run);
    run_tasks(p, &run, A_FEW_TASKS);
    long after_few = pages_of(run.pid);
    run_tasks(p, &run, MANY_TASKS);
    assert_true(pages_of(run.pid) <= after_few + 2);
    assert_int_equal(end_line(&run), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(its_lock_is_free_before_it_is),
        PLACE_TEST(each_task_has_files_and_environment_of_its_own),
        PLACE_TEST(what_came_while_it_was_free_ends_it),
        PLACE_TEST(what_came_with_a_task_is_for_that),
        PLACE_TEST(a_task_that_goes_wrong_is_its_last),
        PLACE_TEST(it_does_not_grow_with_its_tasks),
    };
    return place_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}

/* A child runs in its parent's memory. On processors that cannot do it, apart_start fails with
 * ENOSYS and these tests are skipped. */
#include "libs/uti/apart.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct scene {
    struct apart apart;
    int gate[2]; /* the child waits until it is written to */
    volatile long word;
    volatile int err;
    sigset_t before;
};

static int scene_setup(void **state)
{
    static struct scene scene;
    sigset_t all;
    scene = (struct scene){ 0 };
    assert_int_equal(pipe(scene.gate), 0);
    sigfillset(&all);
    assert_int_equal(sigprocmask(SIG_SETMASK, &all, &scene.before), 0);
    *state = &scene;
    return 0;
}

static int scene_teardown(void **state)
{
    struct scene *s = *state;
    close(s->gate[0]);
    close(s->gate[1]);
    return sigprocmask(SIG_SETMASK, &s->before, NULL);
}

static void wait_for_gate(struct scene *s)
{
    char x;
    (void)apart_call(SYS_read, s->gate[0], (long)&x, 1, 0, 0);
}

static void end_with(long status)
{
    for (;;)
        (void)apart_call(SYS_exit_group, status, 0, 0, 0, 0);
}

static void say_a_word(void *ctx)
{
    struct scene *s = ctx;
    wait_for_gate(s);
    s->word = 42;
    end_with(7);
}

static void run_true(void *ctx)
{
    char *argv[] = { (char *)(uintptr_t) "true", NULL }, *envp[] = { NULL };
    wait_for_gate(ctx);
    (void)apart_call(SYS_execve, (long)"/bin/true", (long)argv, (long)envp, 0, 0);
    end_with(127);
}

static void run_nothing(void *ctx)
{
    struct scene *s = ctx;
    char *argv[] = { (char *)(uintptr_t) "x", NULL }, *envp[] = { NULL };
    s->err = (int)-apart_call(SYS_execve, (long)"/nowhere/x", (long)argv, (long)envp, 0, 0);
    end_with(1);
}

static pid_t start_child(struct scene *s, apart_fn *run)
{
    pid_t pid = apart_start(&s->apart, 0, run, s);
    if (pid < 0 && errno == ENOSYS) {
        print_message("impossible here: no child in its parent's memory\n");
        skip();
    }
    assert_true(pid > 0);
    return pid;
}

static int wait_for(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void the_parent_goes_on_and_reads_what_the_child_wrote(void **state)
{
    struct scene *s = *state;
    pid_t pid = start_child(s, say_a_word);
    assert_true(apart_is_inside(&s->apart));
    assert_int_equal(s->word, 0);
    assert_int_equal(write(s->gate[1], "x", 1), 1);
    assert_int_equal(wait_for(pid), 7);
    assert_int_equal(s->word, 42);
    assert_false(apart_is_inside(&s->apart));
}

static void a_child_that_has_executed_is_inside_no_longer(void **state)
{
    struct scene *s = *state;
    pid_t pid = start_child(s, run_true);
    assert_true(apart_is_inside(&s->apart));
    assert_int_equal(write(s->gate[1], "x", 1), 1);
    assert_int_equal(wait_for(pid), 0);
    assert_false(apart_is_inside(&s->apart));
}

static void there_is_one_inside_at_a_time(void **state)
{
    struct scene *s = *state;
    pid_t pid = start_child(s, say_a_word);
    assert_int_equal(apart_start(&s->apart, 0, run_nothing, s), -1);
    assert_int_equal(errno, EBUSY);
    assert_int_equal(write(s->gate[1], "x", 1), 1);
    assert_int_equal(wait_for(pid), 7);
    pid = start_child(s, run_nothing);
    assert_int_equal(wait_for(pid), 1);
}

static void a_failure_of_the_childs_leaves_the_parents_errno_alone(void **state)
{
    struct scene *s = *state;
    pid_t pid = start_child(s, run_nothing);
    errno = 0;
    assert_int_equal(wait_for(pid), 1);
    assert_int_equal(s->err, ENOENT);
    assert_int_equal(errno, 0);
}

static void a_child_that_is_killed_leaves_the_parent_alone(void **state)
{
    struct scene *s = *state;
    int status;
    pid_t pid = start_child(s, say_a_word);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_false(apart_is_inside(&s->apart));
    assert_int_equal(s->word, 0);
}

static void a_cgroup_that_cannot_be_is_an_error(void **state)
{
    struct scene *s = *state;
    int null_fd = s->gate[0]; /* no cgroup */
    assert_int_equal(apart_start(&s->apart, null_fd, say_a_word, s), -1);
    assert_false(apart_is_inside(&s->apart));
}

static void a_call_returns_what_the_kernel_says(void **state)
{
    (void)state;
    assert_int_equal(apart_call(SYS_getpid, 0, 0, 0, 0, 0), getpid());
    assert_int_equal(apart_call(SYS_close, -1, 0, 0, 0, 0), -EBADF);
}

int main(void)
{
#define SCENE_TEST(f) cmocka_unit_test_setup_teardown(f, scene_setup, scene_teardown)
    const struct CMUnitTest tests[] = {
        SCENE_TEST(the_parent_goes_on_and_reads_what_the_child_wrote),
        SCENE_TEST(a_child_that_has_executed_is_inside_no_longer),
        SCENE_TEST(there_is_one_inside_at_a_time),
        SCENE_TEST(a_failure_of_the_childs_leaves_the_parents_errno_alone),
        SCENE_TEST(a_child_that_is_killed_leaves_the_parent_alone),
        SCENE_TEST(a_cgroup_that_cannot_be_is_an_error),
        SCENE_TEST(a_call_returns_what_the_kernel_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

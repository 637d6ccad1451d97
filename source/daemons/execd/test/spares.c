/* How many shepherds wait for a task at most. The test plays them: a script that is free at once
 * and ends with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/host/shepherds.h"
#include "libs/comm/loop.h"
#include "libs/uti/file.h"
#include "libs/uti/process.h"

enum { TASKS = SHEPHERDS_SPARE_MOST + 4, USER = 1000 };

struct crowd;
struct exec_task { /* it has gone when its shepherd is released */
    struct crowd *crowd;
    struct shepherd *shepherd;
};
struct crowd {
    struct loop *loop;
    struct shepherds shepherds;
    struct exec_task tasks[TASKS];
    struct exec_task other; /* of another user, when the others are over */
    int left;               /* tasks that are not over */
};

static void start_task(struct exec_task *t, struct crowd *crowd, uid_t user)
{
    int dir_fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int pid_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    t->crowd = crowd;
    t->shepherd = shepherds_start(&crowd->shepherds, user, dir_fd, pid_fd, t, NULL);
    assert_non_null(t->shepherd);
    assert_false(shepherd_is_old(t->shepherd));
    close(dir_fd);
    close(pid_fd);
    crowd->left++;
}

static void on_over(void *ctx)
{
    struct exec_task *t = ctx;
    struct crowd *crowd = t->crowd;
    shepherd_release(t->shepherd);
    if (--crowd->left > 0)
        return;
    assert_int_equal(crowd->shepherds.n_spare, SHEPHERDS_SPARE_MOST);
    if (t != &crowd->other)
        start_task(&crowd->other, crowd, USER + 1);
    else
        loop_stop(crowd->loop);
}

static uint32_t count_children(void)
{
    struct process_list children = { 0 };
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    assert_int_equal(os_children(getpid(), &children), 0);
    uint32_t n = children.n;
    process_list_free(&children);
    return n;
}

static void so_many_wait_and_none_is_left(void **state)
{
    static const char script[] = "#!/bin/sh\nprintf x >&0\nexec cat >/dev/null 2>&1\n";
    char dir[] = "/tmp/spares-test-XXXXXX";
    struct crowd *crowd = calloc(1, sizeof *crowd);
    (void)state;
    assert_non_null(mkdtemp(dir));
    char *program = path_join(dir, "shepherd");
    assert_int_equal(file_write(program, script, strlen(script), 0755, NULL), 0);
    crowd->loop = loop_new(NULL);
    shepherds_init(&crowd->shepherds, crowd->loop, program, on_over);
    for (int i = 0; i < TASKS; i++)
        start_task(&crowd->tasks[i], crowd, USER);
    assert_int_equal(loop_run(crowd->loop), 0);
    shepherds_free(&crowd->shepherds);
    assert_int_equal(count_children(), 0);
    loop_free(crowd->loop);
    assert_int_equal(file_rmtree(dir, NULL), 0);
    free(program);
    free(crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(so_many_wait_and_none_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

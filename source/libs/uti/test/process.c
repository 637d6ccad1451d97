/* Processes below a process. Each test holds its processes at a pipe and ends them by closing
 * it. */
#include "libs/uti/process.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

static bool has_process(const struct process_list *l, pid_t pid)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->v[i] == pid)
            return true;
    return false;
}

/* in the child: until the other end of the pipe is closed */
static void wait_for_end(const int held[2])
{
    char c;
    close(held[1]);
    (void)!read(held[0], &c, 1);
    _exit(0);
}

static void descendants_of_all_levels_are_found(void **state SGE_UNUSED)
{
    int held[2], told[2];
    pid_t grandchild;
    struct process_list children = { 0 }, all = { 0 };
    assert_int_equal(pipe(held), 0);
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    if (child == 0) {
        pid_t below = fork();
        if (below == 0)
            wait_for_end(held);
        (void)!write(told[1], &below, sizeof below);
        wait_for_end(held);
    }
    assert_int_equal(read(told[0], &grandchild, sizeof grandchild), sizeof grandchild);
    assert_int_equal(os_children(getpid(), &children), 0);
    process_descendants(getpid(), &all);
    assert_true(has_process(&children, child) && !has_process(&children, grandchild));
    assert_true(has_process(&all, child) && has_process(&all, grandchild) &&
                !has_process(&all, getpid()));
    close(held[0]);
    close(held[1]);
    close(told[0]);
    close(told[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    process_list_free(&children);
    process_list_free(&all);
}

static pid_t held_child(int held[2])
{
    assert_int_equal(pipe(held), 0);
    pid_t child = fork();
    if (child == 0)
        wait_for_end(held);
    return child;
}

static void end_child(pid_t child, int held[2])
{
    close(held[0]);
    close(held[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void a_process_is_opened_only_if_it_is_that_very_one(void **state SGE_UNUSED)
{
    int held[2], fd;
    struct process_id self, id;
    char name[32] = "";
    assert_int_equal(prctl(PR_GET_NAME, name, 0, 0, 0), 0);
    assert_int_equal(process_id_self(&self), 0);
    fd = os_process_open(&self, name);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(os_process_open(&self, "another"), -1);
    id = self;
    id.start_ticks++;
    assert_int_equal(os_process_open(&id, name), -1);
    assert_int_equal(errno, ESRCH);
    id = self;
    id.boot_id[0] ^= 1;
    assert_int_equal(os_process_open(&id, name), -1);
    pid_t child = held_child(held);
    id = self;
    id.pid = child;
    uint64_t ticks;
    assert_int_equal(os_process_start(child, &ticks), 0);
    if (ticks != self.start_ticks)
        assert_int_equal(os_process_open(&id, name), -1);
    end_child(child, held);
    assert_int_equal(os_process_open(&id, name), -1);
}

static void what_names_a_process_is_read_whole_or_not_at_all(void **state SGE_UNUSED)
{
    static const char *const broken[] = { "",        "\n",         "12\n",       "12 34 ab-cd",
                                          "12 34\n", "-1 34 ab\n", "12 34 ab\nx" };
    struct process_id self, id;
    struct dstr text = DSTR_INIT;
    assert_int_equal(process_id_self(&self), 0);
    process_id_text(&self, &text);
    assert_true(process_id_parse(dstr_get(&text), &id));
    assert_int_equal(id.pid, getpid());
    assert_int_equal(id.start_ticks, self.start_ticks);
    assert_string_equal(id.boot_id, self.boot_id);
    dstr_free(&text);
    for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
        assert_false(process_id_parse(broken[i], &id));
        assert_int_equal(id.pid, 0);
    }
}

static void a_whole_tree_is_signalled(void **state SGE_UNUSED)
{
    int told[2], status;
    pid_t grandchild;
    assert_int_equal(pipe(told), 0);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    pid_t child = fork();
    if (child == 0) {
        pid_t below = fork();
        if (below != 0)
            (void)!write(told[1], &below, sizeof below);
        for (;;)
            (void)pause();
    }
    assert_int_equal(read(told[0], &grandchild, sizeof grandchild), sizeof grandchild);
    assert_int_equal(process_signal_below(getpid(), 0, SIGKILL), 2);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(waitpid(grandchild, &status, 0), grandchild);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(process_signal_below(getpid(), 0, SIGKILL), 0);
    close(told[0]);
    close(told[1]);
}

static void a_mark_that_is_gone_saves_a_process(void **state SGE_UNUSED)
{
    int held[2], status;
    pid_t child = held_child(held);
    assert_int_equal(os_signal_marked(child, 0, "UTI_TEST_NO_SUCH=1", SIGKILL), -1);
    assert_int_equal(errno, ESRCH);
    close(held[0]);
    close(held[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
}

static void a_process_is_known_by_its_environment(void **state SGE_UNUSED)
{
    int held[2];
    struct process_list found = { 0 };
    assert_int_equal(pipe(held), 0);
    pid_t child = fork();
    if (child == 0) {
        char *argv[] = { (char *)(uintptr_t) "cat", NULL };
        char *envp[] = { (char *)(uintptr_t) "A=1", (char *)(uintptr_t) "UTI_TEST_MARK=x y", NULL };
        (void)dup2(held[0], STDIN_FILENO);
        close(held[0]);
        close(held[1]);
        (void)execve("/bin/cat", argv, envp);
        _exit(1);
    }
    while (!has_process(&found, child)) { /* it executes in a moment */
        found.n = 0;
        os_processes_of(0, "UTI_TEST_MARK=x y", &found);
    }
    assert_int_equal(found.n, 1);
    found.n = 0;
    os_processes_of(0, "UTI_TEST_MARK=x", &found); /* the whole variable, not its begin */
    assert_int_equal(found.n, 0);
    close(held[0]);
    close(held[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    process_list_free(&found);
}

/* a group of its own is what only root can give */
static void a_process_is_known_by_its_group_until_it_has_ended(void **state SGE_UNUSED)
{
    enum { GROUP = 1999999999 };
    const gid_t group = GROUP;
    int held[2];
    siginfo_t info;
    struct process_list found = { 0 };
    if (geteuid() != 0) {
        print_message("impossible here: only root gives groups\n");
        skip();
    }
    assert_int_equal(pipe(held), 0);
    pid_t child = fork();
    if (child == 0) {
        if (setgroups(1, &group) != 0)
            _exit(1);
        wait_for_end(held);
    }
    while (!has_process(&found, child)) { /* it takes the group in a moment */
        found.n = 0;
        os_processes_of(GROUP, NULL, &found);
    }
    close(held[0]);
    close(held[1]);
    /* now it is a zombie */
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    found.n = 0;
    os_processes_of(GROUP, NULL, &found);
    assert_false(has_process(&found, child));
    assert_int_equal(waitpid(child, NULL, 0), child);
    process_list_free(&found);
}

static void nothing_asked_nothing_found(void **state SGE_UNUSED)
{
    struct process_list found = { 0 };
    os_processes_of(0, NULL, &found);
    assert_int_equal(found.n, 0);
    process_list_free(&found);
}

static void a_keeper_is_found_above_a_process_but_not_above_the_caller(void **state SGE_UNUSED)
{
    int held[2], told[2];
    pid_t below;
    assert_int_equal(pipe(held), 0);
    assert_int_equal(pipe(told), 0);
    pid_t keeper = fork();
    if (keeper == 0) {
        (void)prctl(PR_SET_NAME, "test keeper");
        below = fork();
        if (below == 0)
            wait_for_end(held);
        (void)!write(told[1], &below, sizeof below);
        (void)!write(told[1], &(bool){ os_stands_below(below, "test keeper") }, sizeof(bool));
        wait_for_end(held);
    }
    bool is_below_for_keeper = true;
    assert_int_equal(read(told[0], &below, sizeof below), sizeof below);
    assert_int_equal(read(told[0], &is_below_for_keeper, sizeof(bool)), sizeof(bool));
    assert_true(os_stands_below(below, "test keeper") && !is_below_for_keeper);
    assert_false(os_stands_below(keeper, "test keeper") || os_stands_below(below, "test") ||
                 os_stands_below(below, "test keepers") ||
                 os_stands_below(0x7ffffff0, "test keeper"));
    close(held[0]);
    close(held[1]);
    close(told[0]);
    close(told[1]);
    assert_int_equal(waitpid(keeper, NULL, 0), keeper);
}

static void usage_adds_up(void **state SGE_UNUSED)
{
    struct process_usage sum = { .rss_bytes = 1 };
    assert_int_equal(os_process_usage(getpid(), &sum), 0);
    assert_true(sum.rss_bytes > 1 && sum.vmem_bytes >= sum.rss_bytes - 1);
    struct process_usage before = sum;
    assert_int_equal(os_process_usage(0x7ffffff0, &sum), -1);
    assert_true(sum.rss_bytes == before.rss_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descendants_of_all_levels_are_found),
        cmocka_unit_test(a_process_is_opened_only_if_it_is_that_very_one),
        cmocka_unit_test(what_names_a_process_is_read_whole_or_not_at_all),
        cmocka_unit_test(a_whole_tree_is_signalled),
        cmocka_unit_test(a_mark_that_is_gone_saves_a_process),
        cmocka_unit_test(a_process_is_known_by_its_environment),
        cmocka_unit_test(a_process_is_known_by_its_group_until_it_has_ended),
        cmocka_unit_test(nothing_asked_nothing_found),
        cmocka_unit_test(a_keeper_is_found_above_a_process_but_not_above_the_caller),
        cmocka_unit_test(usage_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

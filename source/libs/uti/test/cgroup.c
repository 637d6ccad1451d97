/* Cgroups: what the kernel's texts say, and real ones where this machine lets us make them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libs/uti/cgroup.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

/* ---- where a cgroup is ---- */

static void expect_directory(const char *mounts, const char *own, const char *wanted)
{
    struct dstr path = DSTR_INIT;
    assert_int_equal(cgroup_directory(mounts, own, &path), wanted != NULL);
    assert_string_equal(dstr_get(&path), wanted != NULL ? wanted : "");
    dstr_free(&path);
}

static void a_directory_is_the_mount_and_the_path_below_it(void **state SGE_UNUSED)
{
    const char *unified = "25 30 0:23 / /sys rw,nosuid shared:7 - sysfs sysfs rw\n"
                          "31 25 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";
    expect_directory(unified, "0::/system.slice/sge_execd.service\n",
                     "/sys/fs/cgroup/system.slice/sge_execd.service");
    expect_directory(unified, "0::/\n", "/sys/fs/cgroup");
}

static void beside_version_1_that_of_version_2_counts(void **state SGE_UNUSED)
{
    expect_directory("35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                     "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
                     "4:memory:/a\n0::/b\n", "/sys/fs/cgroup/unified/b");
}

static void what_is_mounted_from_below_is_cut_there(void **state SGE_UNUSED)
{
    const char *bound = "31 25 0:26 /docker/12 /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
    expect_directory(bound, "0::/docker/12/x\n", "/sys/fs/cgroup/x");
    expect_directory(bound, "0::/docker/12\n", "/sys/fs/cgroup");
    expect_directory(bound, "0::/docker/123\n", NULL);
}

static void what_is_not_there_is_not_found(void **state SGE_UNUSED)
{
    const char *mounts = "31 25 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
    expect_directory("", "0::/a\n", NULL);
    expect_directory("35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", "0::/a\n",
                     NULL);
    expect_directory(mounts, "4:memory:/a\n", NULL);
    expect_directory(mounts, "0::/../other\n", NULL);
    expect_directory(mounts, "", NULL);
    expect_directory("31 - cgroup2 \n", "0::/a\n", NULL);
}

/* ---- figures, from files of the same form ---- */

static void write_in(const char *dir, const char *name, const char *text)
{
    char *path = path_join(dir, name);
    assert_int_equal(file_write(path, text, strlen(text), 0644, NULL), 0);
    free(path);
}

static void figures_are_read_by_their_names(void **state SGE_UNUSED)
{
    char dir[] = "/tmp/cgroup-test-XXXXXX";
    uint64_t figure = 7;
    assert_non_null(mkdtemp(dir));
    int fd = cgroup_open(dir);
    assert_true(fd >= 0);
    assert_int_equal(cgroup_cpu_us(fd, &figure), -1);
    assert_int_equal(cgroup_rss_bytes(fd, &figure), -1);
    write_in(dir, "cpu.stat", "core_sched.force_idle_usec 0\n");
    write_in(dir, "memory.stat", "anon 4096\nfile 99\n");
    assert_int_equal(cgroup_cpu_us(fd, &figure), -1);
    assert_int_equal(cgroup_rss_bytes(fd, &figure), -1); /* half of it is not it */
    assert_int_equal(figure, 7);
    write_in(dir, "cpu.stat", "usage_usec 1500000\nuser_usec 1\n");
    write_in(dir, "memory.stat", "anon 4096\nanon_thp 1\nfile 99\nfile_mapped 100\n");
    assert_int_equal(cgroup_cpu_us(fd, &figure), 0);
    assert_int_equal(figure, 1500000);
    assert_int_equal(cgroup_rss_bytes(fd, &figure), 0);
    assert_int_equal(figure, 4196);
    write_in(dir, "cgroup.events", "populated 1\nfrozen 0\n");
    assert_true(cgroup_is_populated(fd));
    write_in(dir, "cgroup.events", "populated 0\nfrozen 0\n");
    assert_false(cgroup_is_populated(fd));
    close(fd);
    assert_int_equal(file_rmtree(dir, NULL), 0);
}

static void expect_in(const char *dir, const char *name, const char *wanted)
{
    char *path = path_join(dir, name);
    struct dstr text = DSTR_INIT;
    assert_int_equal(file_read(path, 64, &text, NULL), 0);
    assert_string_equal(dstr_get(&text), wanted);
    dstr_free(&text);
    free(path);
}

static void processors_are_set_where_there_is_the_controller(void **state SGE_UNUSED)
{
    char dir[] = "/tmp/cgroup-test-XXXXXX";
    assert_non_null(mkdtemp(dir));
    int fd = cgroup_open(dir);
    assert_true(fd >= 0);
    assert_int_equal(cgroup_set_processors(fd, "0,1"), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(cgroup_offer_processors(dir), -1);
    assert_int_equal(errno, ENOENT);
    write_in(dir, "cpuset.cpus", "");
    write_in(dir, "cgroup.subtree_control", "");
    assert_int_equal(cgroup_set_processors(fd, "0,1"), 0);
    assert_int_equal(cgroup_offer_processors(dir), 0);
    expect_in(dir, "cpuset.cpus", "0,1");
    expect_in(dir, "cgroup.subtree_control", "+cpuset");
    close(fd);
    assert_int_equal(file_rmtree(dir, NULL), 0);
    assert_int_equal(cgroup_offer_processors(dir), -1);
}

/* ---- real ones ---- */

static int make_own(void **state)
{
    struct dstr path = DSTR_INIT;
    *state = NULL;
    if (cgroup_find(&path) == 0) {
        dstr_addf(&path, "/sge-test-%d", (int)getpid());
        int fd = cgroup_make(dstr_get(&path));
        if (fd >= 0 && faccessat(fd, "cgroup.kill", W_OK, 0) == 0)
            *state = strdup(dstr_get(&path));
        if (fd >= 0)
            close(fd);
    }
    dstr_free(&path);
    return 0;
}

static int remove_own(void **state)
{
    int rc = *state == NULL ? 0 : cgroup_remove(*state);
    free(*state);
    return rc;
}

static const char *need_cgroup(void **state)
{
    if (*state == NULL) {
        print_message("impossible here: no cgroup of version 2 can be made\n");
        skip();
    }
    return *state;
}

static SGE_NORETURN void wait_for_ever(void)
{
    for (;;)
        pause();
}

static void whoever_begins_in_a_cgroup_is_ended_with_it(void **state)
{
    int fd = cgroup_open(need_cgroup(state)), ready[2], status;
    char byte;
    assert_int_equal(pipe(ready), 0);
    assert_false(cgroup_is_populated(fd));
    pid_t child = cgroup_fork(fd);
    if (child == 0) {
        (void)setsid();
        if (fork() == 0 && write(ready[1], "x", 1) == 1)
            wait_for_ever();
        wait_for_ever();
    }
    assert_true(child > 0);
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_true(cgroup_is_populated(fd));
    assert_int_equal(cgroup_remove(*state), -1);
    assert_int_equal(errno, EBUSY);
    assert_int_equal(cgroup_kill(fd), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_int_equal(read(ready[0], &byte, 1), 0); /* the grandchild had the other end */
    while (cgroup_is_populated(fd))
        (void)poll(NULL, 0, 1);
    close(ready[0]);
    close(fd);
}

static void processor_time_counts_though_nobody_waited(void **state)
{
    int fd = cgroup_open(need_cgroup(state));
    uint64_t before = 0, after = 0;
    assert_int_equal(cgroup_cpu_us(fd, &before), 0);
    pid_t child = cgroup_fork(fd);
    if (child == 0) {
        struct sigaction forget = { .sa_handler = SIG_IGN };
        (void)sigaction(SIGCHLD, &forget, NULL); /* the kernel forgets its children */
        pid_t busy = fork();
        if (busy == 0)
            while (clock() < CLOCKS_PER_SEC / 20)
                ;
        _exit(busy == 0 || waitpid(busy, NULL, 0) < 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(cgroup_cpu_us(fd, &after), 0);
    assert_in_range(after - before, 50000, UINT64_MAX);
    close(fd);
}

static void a_cgroup_is_made_anew_and_removed_with_those_below_it(void **state)
{
    struct dstr path = DSTR_INIT, below = DSTR_INIT;
    dstr_addf(&path, "%s/x", need_cgroup(state));
    dstr_addf(&below, "%s/y/z", dstr_get(&path));
    int fd = cgroup_make(dstr_get(&path));
    assert_true(fd >= 0);
    assert_int_equal(mkdirat(fd, "y", 0755), 0);
    assert_int_equal(mkdir(dstr_get(&below), 0755), 0);
    close(fd);
    fd = cgroup_make(dstr_get(&path));
    assert_true(fd >= 0);
    assert_int_not_equal(access(dstr_get(&below), F_OK), 0);
    assert_int_equal(mkdirat(fd, "y", 0755), 0);
    close(fd);
    assert_int_equal(cgroup_remove(dstr_get(&path)), 0);
    assert_int_not_equal(access(dstr_get(&path), F_OK), 0);
    dstr_free(&path);
    dstr_free(&below);
}

static void a_cgroup_that_works_is_gone_after_the_trial(void **state)
{
    struct dstr path = DSTR_INIT;
    dstr_addf(&path, "%s/trial", need_cgroup(state));
    assert_int_equal(cgroup_try(dstr_get(&path)), 0);
    assert_int_not_equal(access(dstr_get(&path), F_OK), 0);
    dstr_free(&path);
    assert_int_equal(cgroup_try("/proc/no/such"), -1);
}

static void what_is_no_cgroup_cannot_be_begun_in(void **state SGE_UNUSED)
{
    int fd = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(cgroup_fork(fd), -1);
    assert_int_equal(cgroup_kill(fd), -1);
    assert_int_equal(errno, ENOENT);
    assert_false(cgroup_is_populated(fd));
    close(fd);
    assert_int_equal(cgroup_make("/proc/no/such"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_is_the_mount_and_the_path_below_it),
        cmocka_unit_test(beside_version_1_that_of_version_2_counts),
        cmocka_unit_test(what_is_mounted_from_below_is_cut_there),
        cmocka_unit_test(what_is_not_there_is_not_found),
        cmocka_unit_test(figures_are_read_by_their_names),
        cmocka_unit_test(processors_are_set_where_there_is_the_controller),
        cmocka_unit_test_setup_teardown(whoever_begins_in_a_cgroup_is_ended_with_it, make_own,
                                        remove_own),
        cmocka_unit_test_setup_teardown(processor_time_counts_though_nobody_waited, make_own,
                                        remove_own),
        cmocka_unit_test_setup_teardown(a_cgroup_is_made_anew_and_removed_with_those_below_it,
                                        make_own, remove_own),
        cmocka_unit_test_setup_teardown(a_cgroup_that_works_is_gone_after_the_trial, make_own,
                                        remove_own),
        cmocka_unit_test(what_is_no_cgroup_cannot_be_begun_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

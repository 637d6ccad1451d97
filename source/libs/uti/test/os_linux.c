/* What is Linux's own. */
#include "libs/uti/os.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/uti/file.h"

static void a_hostname_fits_or_is_refused(void **state)
{
    (void)state;
    char name[256], one[1];
    assert_int_equal(os_hostname(name, sizeof name), 0);
    assert_true(strlen(name) > 0);
    assert_int_equal(os_hostname(one, sizeof one), -1);
    assert_int_equal(os_hostname(one, 0), -1);
}

static void the_kernel_names_the_peer(void **state)
{
    (void)state;
    int fds[2];
    uid_t uid;
    gid_t gid;
    pid_t pid;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    assert_int_equal(os_peer_ids(fds[0], &uid, &gid, &pid), 0);
    assert_int_equal(uid, getuid());
    assert_int_equal(gid, getgid());
    assert_int_equal(pid, getpid());
    close(fds[0]);
    close(fds[1]);
    assert_int_equal(os_peer_ids(fds[0], &uid, &gid, &pid), -1);
}

static void a_process_has_one_start(void **state)
{
    (void)state;
    uint64_t a = 0, b = 0;
    assert_int_equal(os_process_start(getpid(), &a), 0);
    assert_int_equal(os_process_start(getpid(), &b), 0);
    assert_true(a > 0 && a == b);
    assert_int_equal(os_process_start(-1, &a), -1);
}

static void a_pidfd_tells_the_end(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0)
        for (;;)
            pause();
    int fd = os_pidfd_open(pid);
    assert_true(fd >= 0);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    struct pollfd p = { .fd = fd, .events = POLLIN };
    assert_int_equal(poll(&p, 1, 0), 0);
    assert_int_equal(os_pidfd_signal(fd, SIGKILL), 0);
    assert_int_equal(poll(&p, 1, 10000), 1);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(os_pidfd_signal(fd, SIGKILL), -1);
    assert_int_equal(errno, ESRCH);
    close(fd);
    assert_int_equal(os_pidfd_open(pid), -1);
}

static void close_from_leaves_what_is_below(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        int low = dup(2), high = dup2(2, 100);
        bool is_ok = low > 2 && high == 100 && os_close_from(low + 1) == 0 &&
                     fcntl(low, F_GETFD) >= 0 && fcntl(high, F_GETFD) < 0;
        _exit(is_ok ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void closed_standard_streams_are_filled(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        close(0);
        close(2);
        os_fill_standard_streams();
        int next = open("/", O_RDONLY);
        _exit(next > 2 && write(2, "x", 1) == 1 && read(0, &next, 1) == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void a_boot_has_a_name(void **state)
{
    (void)state;
    char a[64], b[64], small[8];
    assert_int_equal(os_boot_id(a, sizeof a), 0);
    assert_int_equal(os_boot_id(b, sizeof b), 0);
    assert_string_equal(a, b);
    assert_true(strlen(a) >= 32);
    assert_int_equal(os_boot_id(small, sizeof small), -1);
}

static void mounts_are_seen(void **state)
{
    (void)state;
    int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int self = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(os_is_mount_root(proc), 1);
    assert_int_equal(os_is_mount_root(self), 0);
    close(proc);
    close(self);
    assert_int_equal(os_is_mount_root(-1), -1);
}

static void a_signal_waits_in_its_descriptor(void **state)
{
    (void)state;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    int fd = os_signal_fd(&signals);
    assert_true(fd >= 0);
    assert_int_equal(os_signal_take(fd), 0);
    raise(SIGUSR1);
    struct pollfd p = { .fd = fd, .events = POLLIN };
    assert_int_equal(poll(&p, 1, 0), 1);
    assert_int_equal(os_signal_take(fd), SIGUSR1);
    assert_int_equal(os_signal_take(fd), 0);
    sigprocmask(SIG_UNBLOCK, &signals, NULL); /* it was taken: nothing happens */
    close(fd);
}

static void make_file(const char *dir, const char *name)
{
    char path[64];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
}

enum { MANY = 200 }; /* names that no single look at a directory tells */

struct told {
    int dir_fd;
    uint32_t n, most;
};

static bool remove_told(void *ctx, const char *name)
{
    struct told *t = ctx;
    assert_int_equal(unlinkat(t->dir_fd, name, 0), 0);
    return ++t->n < t->most;
}

static int remove_each(const char *dir, struct told *t)
{
    t->n = 0;
    t->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int rc = os_dir_each(t->dir_fd, remove_told, t);
    close(t->dir_fd);
    return rc;
}

static void each_name_of_a_directory_is_told_until_that_is_enough(void **state)
{
    (void)state;
    char dir[] = "/tmp/each-XXXXXX", name[16];
    struct told t = { .most = 3 };
    assert_non_null(mkdtemp(dir));
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(name, sizeof name, "%d", i);
        make_file(dir, name);
    }
    assert_int_equal(remove_each(dir, &t), 0);
    assert_int_equal(t.n, 3);
    t.most = UINT32_MAX;
    assert_int_equal(remove_each(dir, &t), 1);
    assert_int_equal(t.n, MANY - 3);
    assert_int_equal(rmdir(dir), 0);
    assert_int_equal(os_dir_each(-1, remove_told, &t), -1);
}

static void files_that_come_are_told(void **state)
{
    (void)state;
    char dir[] = "/tmp/arrivals-XXXXXX", from[64], to[64];
    assert_non_null(mkdtemp(dir));
    int fd = os_arrivals_fd(dir);
    assert_true(fd >= 0);
    assert_false(os_arrivals_have(fd, "s"));
    make_file(dir, "other");
    assert_false(os_arrivals_have(fd, "s"));
    make_file(dir, "s");
    make_file(dir, "t");
    assert_true(os_arrivals_have(fd, "s"));
    assert_false(os_arrivals_have(fd, "s"));
    (void)snprintf(from, sizeof from, "%s/t", dir);
    (void)snprintf(to, sizeof to, "%s/s", dir);
    assert_int_equal(rename(from, to), 0);
    assert_true(os_arrivals_have(fd, "s"));
    close(fd);
    assert_int_equal(os_arrivals_fd(to), -1); /* no directory */
    assert_int_equal(file_rmtree(dir, NULL), 0);
    assert_int_equal(os_arrivals_fd(dir), -1);
}

static void whole_pages_are_dropped_and_no_others(void **state)
{
    (void)state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = aligned_alloc(page, 4 * page);
    memset(memory, 'x', 4 * page);
    os_drop_pages(memory + 1, 3 * page); /* the second and the third */
    assert_int_equal(memory[page - 1], 'x');
    assert_int_equal(memory[page], 0);
    assert_int_equal(memory[3 * page - 1], 0);
    assert_int_equal(memory[3 * page], 'x');
    os_drop_pages(memory + 1, page - 1); /* none */
    assert_int_equal(memory[1], 'x');
    free(memory);
}

/* what USER can do with the file PATH, with the group of that number: a bit each for reading,
 * executing and writing */
static int access_of(const char *path, uid_t user)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        if (setgid(user) != 0 || setuid(user) != 0)
            _exit(64);
        _exit((access(path, R_OK) == 0) + 2 * (access(path, X_OK) == 0) +
              4 * (access(path, W_OK) == 0 || chmod(path, 0777) == 0));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WEXITSTATUS(status);
}

static void a_file_admits_one_user_who_cannot_change_it(void **state)
{
    (void)state;
    char path[] = "/tmp/os-admit-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    int rc = os_file_admit(fd, 54321);
    assert_true(rc == 0 || errno == EOPNOTSUPP);
    if (rc == 0 && geteuid() == 0) {
        assert_int_equal(access_of(path, 54321), 1 + 2);
        assert_int_equal(access_of(path, 54322), 0);
    }
    assert_int_equal(access(path, R_OK | W_OK), 0); /* its owner */
    close(fd);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hostname_fits_or_is_refused),
        cmocka_unit_test(the_kernel_names_the_peer),
        cmocka_unit_test(a_process_has_one_start),
        cmocka_unit_test(a_pidfd_tells_the_end),
        cmocka_unit_test(close_from_leaves_what_is_below),
        cmocka_unit_test(closed_standard_streams_are_filled),
        cmocka_unit_test(a_boot_has_a_name),
        cmocka_unit_test(mounts_are_seen),
        cmocka_unit_test(a_signal_waits_in_its_descriptor),
        cmocka_unit_test(each_name_of_a_directory_is_told_until_that_is_enough),
        cmocka_unit_test(files_that_come_are_told),
        cmocka_unit_test(a_file_admits_one_user_who_cannot_change_it),
        cmocka_unit_test(whole_pages_are_dropped_and_no_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

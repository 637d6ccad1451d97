/* The command of a configured session on its way from the shepherd to qrsh_starter. */
#include "libs/task/start_file.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/uti/dstr.h"

static char dir[] = "/tmp/start_file.XXXXXX";

static void remove_both(void)
{
    (void)unlinkat(AT_FDCWD, "qrsh_start", 0);
    (void)unlinkat(AT_FDCWD, "qrsh_exit_code", 0);
}

static int make_dir(void **state SGE_UNUSED)
{
    return mkdtemp(dir) != NULL ? chdir(dir) : -1;
}

static int remove_dir(void **state SGE_UNUSED)
{
    remove_both();
    return chdir("/") == 0 ? rmdir(dir) : -1;
}

static void put_file(const char *name, const char *bytes, size_t len)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, len), len);
    close(fd);
}

static void a_command_is_read_as_it_was_written(void **state SGE_UNUSED)
{
    char *const paths[] = { "/bin/sh", NULL },
                *const argv[] = { "-sh", "-c", "", "two\nlines", NULL },
                *const envp[] = { "A=1", "B=", NULL };
    const struct start_file wanted = { "/tmp", paths, argv, NULL, envp };
    struct start_file f;
    char *bytes;
    remove_both();
    assert_int_equal(start_file_write(dir, &wanted), 0);
    assert_int_equal(start_file_read(dir, &f, &bytes), 0);
    assert_string_equal(f.cwd, "/tmp");
    assert_string_equal(f.paths[0], "/bin/sh");
    assert_null(f.paths[1]);
    for (int i = 0; i < 4; i++)
        assert_string_equal(f.argv[i], argv[i]);
    assert_null(f.argv[4]);
    assert_null(f.fallback[0]);
    assert_string_equal(f.envp[1], "B=");
    assert_null(f.envp[2]);
    start_file_free(&f, bytes);
    assert_int_equal(start_file_write(dir, &wanted), EEXIST);
}

static void what_is_no_such_file_is_refused(void **state SGE_UNUSED)
{
    static const struct {
        const char *bytes;
        size_t len;
    } wrong[] = { { "", 0 },
                  { "/", 1 },
                  { "/\0001\0", 4 },
                  { "/\0x\0", 4 },
                  { "/\000999999999\0", 12 },
                  { "/\0000\0000\0000\0000\0", 10 } };
    struct start_file f;
    char *bytes;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        put_file("qrsh_start", wrong[i].bytes, wrong[i].len);
        assert_int_equal(start_file_read(dir, &f, &bytes), EBADMSG);
        assert_null(bytes);
    }
    remove_both();
    assert_int_equal(start_file_read(dir, &f, &bytes), ENOENT);
    assert_int_equal(mkfifo("qrsh_start", 0600), 0);
    assert_int_equal(start_file_read(dir, &f, &bytes), EBADMSG); /* at once */
    remove_both();
    assert_int_equal(symlink("/etc/passwd", "qrsh_start"), 0);
    assert_int_equal(start_file_read(dir, &f, &bytes), ELOOP);
    remove_both();
    put_file("qrsh_start", "/", 1);
    assert_int_equal(truncate("qrsh_start", START_FILE_MOST + 1L), 0);
    assert_int_equal(start_file_read(dir, &f, &bytes), EFBIG);
}

static void an_exit_status_is_a_number_in_a_plain_file(void **state SGE_UNUSED)
{
    static const char *const wrong[] = { "", "\n", "x\n", "256\n", "-1\n", "1234567890123\n" };
    remove_both();
    assert_int_equal(start_status_read(dir), -1);
    assert_int_equal(start_status_write(dir, 137), 0);
    assert_int_equal(start_status_read(dir), 137);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        put_file("qrsh_exit_code", wrong[i], strlen(wrong[i]));
        assert_int_equal(start_status_read(dir), -1);
    }
    remove_both();
    assert_int_equal(symlink("/proc/sys/kernel/pid_max", "qrsh_exit_code"), 0);
    assert_int_equal(start_status_read(dir), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_is_read_as_it_was_written),
        cmocka_unit_test(what_is_no_such_file_is_refused),
        cmocka_unit_test(an_exit_status_is_a_number_in_a_plain_file),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

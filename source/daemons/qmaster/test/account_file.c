/* The accounting file: torn lines, rotation, full disks, and the lines a restart finds missing. */
#include "daemons/qmaster/io/account_file.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/sgeobj/accounting.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

enum { MAX_BYTES = 1 << 20, LOOK_BACK = 4096 };

struct place {
    char dir[40];
    char *path, *old;
    struct dstr header;
    struct answer ans;
};

/* a disk as Linux shows it: a sync that fails has lost what came after the last one, and the next
 * one knows nothing of it */
static struct {
    int syncs_to_fail;
    off_t synced_bytes;
} disk;

int __wrap_fdatasync(int fd);

int __wrap_fdatasync(int fd)
{
    struct stat st;
    char name[32];
    assert_int_equal(fstat(fd, &st), 0);
    if (disk.syncs_to_fail == 0) {
        disk.synced_bytes = st.st_size;
        return 0;
    }
    disk.syncs_to_fail--;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    assert_int_equal(truncate(name, disk.synced_bytes), 0);
    assert_int_equal(truncate(name, st.st_size), 0); /* zeros take their place */
    errno = EIO;
    return -1;
}

static int set_up(void **state)
{
    memset(&disk, 0, sizeof disk);
    struct place *p = uti_calloc(1, sizeof *p);
    snprintf(p->dir, sizeof p->dir, "/tmp/account-test-XXXXXX");
    if (mkdtemp(p->dir) == NULL)
        return -1;
    p->path = path_join(p->dir, "accounting");
    p->old = path_join(p->dir, "accounting.1");
    accounting_header(&p->header);
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    file_rmtree(p->dir, NULL);
    free(p->path);
    free(p->old);
    dstr_free(&p->header);
    ans_free(&p->ans);
    free(p);
    return 0;
}

static void put_text(struct place *p, const char *text)
{
    assert_int_equal(file_write(p->path, text, strlen(text), 0644, NULL), 0);
}

static struct account_file *must_open(struct place *p)
{
    struct account_file *f = account_file_open(p->path, &p->ans);
    assert_non_null(f);
    return f;
}

static void append_text(struct place *p, struct account_file *f, const char *lines)
{
    assert_int_equal(account_file_append(f, lines, strlen(lines), &p->ans), 0);
}

/* PATH holds the header, if WITH_HEADER, and then LINES */
static void assert_file(struct place *p, const char *path, bool with_header, const char *lines)
{
    struct dstr got = DSTR_INIT, want = DSTR_INIT;
    assert_int_equal(file_read(path, MAX_BYTES, &got, NULL), 0);
    dstr_add(&want, with_header ? dstr_get(&p->header) : "");
    dstr_add(&want, lines);
    assert_string_equal(dstr_get(&got), dstr_get(&want));
    dstr_free(&got);
    dstr_free(&want);
}

static void a_new_file_begins_with_the_header(void **state)
{
    struct place *p = *state;
    struct account_file *f = must_open(p);
    append_text(p, f, "one\ntwo\n");
    append_text(p, f, "");
    account_file_close(f);
    f = must_open(p); /* not again in one that is there */
    append_text(p, f, "three\n");
    assert_int_equal(account_file_sync(f, &p->ans), 0);
    account_file_close(f);
    assert_file(p, p->path, true, "one\ntwo\nthree\n");
}

static void a_torn_last_line_is_cut_off(void **state)
{
    struct place *p = *state;
    put_text(p, "one\ntwo\nthr");
    struct account_file *f = must_open(p);
    assert_file(p, p->path, false, "one\ntwo\n");
    append_text(p, f, "four\n");
    account_file_close(f);
    assert_file(p, p->path, false, "one\ntwo\nfour\n");
}

static void a_torn_line_longer_than_one_read_is_cut_off(void **state)
{
    struct place *p = *state;
    struct dstr text = DSTR_INIT;
    dstr_add(&text, "one\n");
    for (int i = 0; i < 1000; i++)
        dstr_add(&text, "0123456789");
    put_text(p, dstr_get(&text));
    dstr_free(&text);
    account_file_close(must_open(p));
    assert_file(p, p->path, false, "one\n");
}

static void a_torn_header_is_written_anew(void **state)
{
    struct place *p = *state;
    put_text(p, "# Versi");
    account_file_close(must_open(p));
    assert_file(p, p->path, true, "");
}

static void a_file_moved_away_is_begun_anew(void **state)
{
    struct place *p = *state;
    struct account_file *f = must_open(p);
    append_text(p, f, "one\n");
    assert_int_equal(rename(p->path, p->old), 0);
    assert_int_equal(account_file_sync(f, &p->ans), 0); /* what was appended is in the old one */
    append_text(p, f, "two\n");
    append_text(p, f, "three\n");
    account_file_close(f);
    assert_file(p, p->old, true, "one\n");
    assert_file(p, p->path, true, "two\nthree\n");
}

static void a_file_that_was_removed_is_begun_anew(void **state)
{
    struct place *p = *state;
    struct account_file *f = must_open(p);
    assert_int_equal(unlink(p->path), 0);
    append_text(p, f, "one\n");
    account_file_close(f);
    assert_file(p, p->path, true, "one\n");
}

/* as on a full disk: part of the write succeeds */
static void an_append_that_fails_leaves_the_file_as_it_was(void **state)
{
    struct place *p = *state;
    struct account_file *f = must_open(p);
    struct rlimit was, little;
    append_text(p, f, "one\n");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    little = was;
    little.rlim_cur = p->header.len + 10;
    assert_int_equal(sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = SIG_IGN }, NULL), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    int rc = account_file_append(f, "a line that is too long\n", 24, &p->ans);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    assert_int_equal(rc, -1);
    assert_non_null(strstr(ans_first_error(&p->ans), p->path));
    assert_file(p, p->path, true, "one\n");
    append_text(p, f, "two\n");
    account_file_close(f);
    assert_file(p, p->path, true, "one\ntwo\n");
}

/* the disk is full just when the file was moved away: its successor begins again when there is
 * room, with a whole header */
static void a_file_begun_on_a_full_disk_is_begun_again(void **state)
{
    struct place *p = *state;
    struct rlimit usual, small = { .rlim_cur = 10 };
    struct account_file *f = account_file_open(p->path, &p->ans);
    append_text(p, f, "one\n");
    assert_int_equal(rename(p->path, p->old), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    small.rlim_max = usual.rlim_max;
    assert_int_equal(sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = SIG_IGN }, NULL), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int first = account_file_append(f, "two\n", 4, &p->ans);
    int again = account_file_append(f, "two\n", 4, &p->ans);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_int_equal(first, -1);
    assert_int_equal(again, -1);
    append_text(p, f, "two\n");
    assert_file(p, p->path, true, "two\n");
    assert_file(p, p->old, true, "one\n");
    account_file_close(f);
}

static void sync_fails(struct place *p, struct account_file *f)
{
    disk.syncs_to_fail = 1;
    assert_int_equal(account_file_sync(f, &p->ans), -1);
    assert_int_equal(account_file_error(f), EIO);
    assert_non_null(strstr(ans_first_error(&p->ans), p->path));
    ans_free(&p->ans);
}

static void sync_works(struct place *p, struct account_file *f)
{
    assert_int_equal(account_file_sync(f, &p->ans), 0);
}

static void what_a_failed_sync_lost_is_written_again(void **state)
{
    struct place *p = *state;
    struct account_file *f = must_open(p);
    append_text(p, f, "one\n");
    sync_works(p, f);
    append_text(p, f, "two\n");
    append_text(p, f, "three\n");
    sync_fails(p, f);
    assert_file(p, p->path, true,
                "one\ntwo\nthree\n"); /* for readers, too, and for a restart now */
    append_text(p, f, "four\n");
    sync_fails(p, f);
    sync_works(p, f);
    append_text(p, f, "five\n");
    account_file_close(f);
    assert_file(p, p->path, true, "one\ntwo\nthree\nfour\nfive\n");
}

static void a_header_that_a_failed_sync_lost_is_written_again(void **state)
{
    struct place *p = *state;
    struct account_file *f = must_open(p);
    append_text(p, f, "one\n");
    sync_fails(p, f);
    sync_works(p, f);
    account_file_close(f);
    assert_file(p, p->path, true, "one\n");
}

static void a_file_moved_away_unsynced_is_whole_before_the_next_begins(void **state)
{
    struct place *p = *state;
    struct account_file *f = must_open(p);
    append_text(p, f, "one\n");
    assert_int_equal(rename(p->path, p->old), 0);
    disk.syncs_to_fail = 1;
    assert_int_equal(account_file_append(f, "two\n", 4, &p->ans), -1);
    assert_int_not_equal(access(p->path, F_OK), 0);
    append_text(p, f, "two\n");
    account_file_close(f);
    assert_file(p, p->old, true, "one\n");
    assert_file(p, p->path, true, "two\n");
}

/* a log rotation that copies the file and cuts it */
static void lines_that_others_cut_away_are_written_to_the_end_of_what_they_left(void **state)
{
    struct place *p = *state;
    struct account_file *f = must_open(p);
    append_text(p, f, "one\n");
    assert_int_equal(truncate(p->path, 0), 0);
    append_text(p, f, "two\n");
    disk.synced_bytes = 4; /* the kernel had written that much */
    sync_fails(p, f);
    sync_works(p, f);
    append_text(p, f, "three\n");
    sync_works(p, f);
    account_file_close(f);
    struct dstr want = DSTR_INIT;
    dstr_addf(&want, "two\n%sone\ntwo\nthree\n", dstr_get(&p->header));
    assert_file(p, p->path, false, dstr_get(&want));
    dstr_free(&want);
}

static void lines_that_cannot_be_synced_do_not_fill_the_memory(void **state)
{
    struct place *p = *state;
    struct account_file *f = must_open(p);
    char *many = uti_calloc(1, ACCOUNT_FILE_UNSYNCED_MOST);
    memset(many, '\n', ACCOUNT_FILE_UNSYNCED_MOST);
    assert_int_equal(account_file_append(f, many, ACCOUNT_FILE_UNSYNCED_MOST, &p->ans), 0);
    disk.syncs_to_fail = 2;
    assert_int_equal(account_file_append(f, "one\n", 4, &p->ans), -1);
    assert_int_equal(account_file_append(f, "one\n", 4, &p->ans), -1);
    append_text(p, f, "one\n");
    append_text(p, f, "two\n");
    struct stat st;
    assert_int_equal(stat(p->path, &st), 0);
    assert_int_equal(st.st_size, p->header.len + ACCOUNT_FILE_UNSYNCED_MOST + 8);
    account_file_close(f);
    free(many);
}

static void a_restart_doubts_what_it_finds_until_it_is_synced(void **state)
{
    struct place *p = *state;
    put_text(p, "a:1:1\na:2:1\n");
    struct account_file *f = must_open(p);
    assert_int_equal(account_file_append_missing(f, "a:2:1\na:3:1\n", 12, 8, NULL, &p->ans), 0);
    disk.synced_bytes = 6;
    sync_fails(p, f);
    sync_works(p, f);
    account_file_close(f);
    assert_file(p, p->path, false, "a:1:1\na:2:1\na:3:1\n");
}

static void a_place_that_cannot_be_written_is_named(void **state)
{
    struct place *p = *state;
    char *path = path_join(p->dir, "no/such/accounting");
    assert_null(account_file_open(path, &p->ans));
    assert_non_null(strstr(ans_first_error(&p->ans), path));
    free(path);
    account_file_close(NULL);
}

static void append_missing(struct place *p, const char *lines, size_t look_back)
{
    struct account_file *f = must_open(p);
    assert_int_equal(account_file_append_missing(f, lines, strlen(lines), look_back, NULL, &p->ans),
                     0);
    account_file_close(f);
}

/* moved away, and the qmaster ended before it knew that the lines in it were on disk */
static void what_is_in_a_file_moved_away_is_not_appended_again(void **state)
{
    struct place *p = *state;
    char *other = path_join(p->dir, "accountant");
    put_text(p, "a:1:1\na:2:1\n");
    assert_int_equal(rename(p->path, p->old), 0);
    assert_int_equal(file_write(other, "a:3:1\n", 6, 0644, NULL), 0); /* none of ours */
    put_text(p, "a:4:1\n");
    append_missing(p, "a:1:1\na:2:1\na:3:1\na:4:1\na:5:1\n", LOOK_BACK);
    assert_file(p, p->path, false, "a:4:1\na:3:1\na:5:1\n");
    assert_file(p, p->old, false, "a:1:1\na:2:1\n");
    free(other);
}

static void only_the_newest_of_many_moved_files_are_looked_at(void **state)
{
    struct place *p = *state;
    for (int i = 1; i <= 9; i++) {
        char name[24], line[16];
        snprintf(name, sizeof name, "accounting.%d", i);
        snprintf(line, sizeof line, "a:%d:1\n", i);
        char *path = path_join(p->dir, name);
        assert_int_equal(file_write(path, line, strlen(line), 0644, NULL), 0);
        const struct timespec times[2] = { { .tv_sec = 1000 + i }, { .tv_sec = 1000 + i } };
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
        free(path);
    }
    put_text(p, "");
    append_missing(p, "a:9:1\na:6:1\na:5:1\n", LOOK_BACK);
    assert_file(p, p->path, true, "a:5:1\n");
}

static void a_restart_appends_what_is_missing_and_nothing_twice(void **state)
{
    struct place *p = *state;
    put_text(p, "old\na:1:1\na:2:1\n");
    append_missing(p, "a:1:1\na:2:1\na:3:1\na:4:1\n", LOOK_BACK);
    assert_file(p, p->path, false, "old\na:1:1\na:2:1\na:3:1\na:4:1\n");
    append_missing(p, "a:1:1\na:2:1\na:3:1\na:4:1\n", LOOK_BACK);
    assert_file(p, p->path, false, "old\na:1:1\na:2:1\na:3:1\na:4:1\n");
}

static void missing_lines_without_room_are_handed_back(void **state)
{
    struct place *p = *state;
    struct account_file *f = must_open(p);
    struct rlimit was, little;
    struct dstr left = DSTR_INIT;
    append_text(p, f, "a:1:1\n");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    little = was;
    little.rlim_cur = p->header.len + 8;
    assert_int_equal(sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = SIG_IGN }, NULL), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    int rc = account_file_append_missing(f, "a:1:1\na:2:1\na:3:1\n", 18, LOOK_BACK, &left, &p->ans);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    assert_int_equal(rc, -1);
    assert_string_equal(dstr_get(&left), "a:2:1\na:3:1\n");
    account_file_close(f);
    assert_file(p, p->path, true, "a:1:1\n");
    dstr_free(&left);
}

static void a_line_torn_by_the_crash_is_written_whole(void **state)
{
    struct place *p = *state;
    put_text(p, "a:1:1\na:2:");
    append_missing(p, "a:1:1\na:2:1\n", LOOK_BACK);
    assert_file(p, p->path, false, "a:1:1\na:2:1\n");
}

static void lines_that_cannot_be_found_are_written_again_at_worst(void **state)
{
    struct place *p = *state;
    char *elsewhere = path_join(p->dir, "march");
    put_text(p, "a:1:1\n");
    assert_int_equal(rename(p->path, elsewhere), 0);
    append_missing(p, "a:1:1\na:2:1\n", LOOK_BACK);
    assert_file(p, p->path, true, "a:1:1\na:2:1\n");
    free(elsewhere);
}

static void a_line_within_another_is_not_taken_for_it(void **state)
{
    struct place *p = *state;
    put_text(p, "xa:1:1\n");
    append_missing(p, "a:1:1\n", LOOK_BACK);
    assert_file(p, p->path, false, "xa:1:1\na:1:1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(a_new_file_begins_with_the_header),
        TEST(a_torn_last_line_is_cut_off),
        TEST(a_torn_line_longer_than_one_read_is_cut_off),
        TEST(a_torn_header_is_written_anew),
        TEST(a_file_moved_away_is_begun_anew),
        TEST(a_file_that_was_removed_is_begun_anew),
        TEST(an_append_that_fails_leaves_the_file_as_it_was),
        TEST(a_file_begun_on_a_full_disk_is_begun_again),
        TEST(what_a_failed_sync_lost_is_written_again),
        TEST(a_header_that_a_failed_sync_lost_is_written_again),
        TEST(a_file_moved_away_unsynced_is_whole_before_the_next_begins),
        TEST(lines_that_others_cut_away_are_written_to_the_end_of_what_they_left),
        TEST(lines_that_cannot_be_synced_do_not_fill_the_memory),
        TEST(a_restart_doubts_what_it_finds_until_it_is_synced),
        TEST(a_place_that_cannot_be_written_is_named),
        TEST(what_is_in_a_file_moved_away_is_not_appended_again),
        TEST(only_the_newest_of_many_moved_files_are_looked_at),
        TEST(a_restart_appends_what_is_missing_and_nothing_twice),
        TEST(missing_lines_without_room_are_handed_back),
        TEST(a_line_torn_by_the_crash_is_written_whole),
        TEST(lines_that_cannot_be_found_are_written_again_at_worst),
        TEST(a_line_within_another_is_not_taken_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

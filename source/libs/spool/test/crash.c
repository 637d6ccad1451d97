/* Tests that a crash leaves whole batches, and every acknowledged one: the committing process is
 * killed at points that it cannot foresee, with a checkpoint thread beside it, and the end of the
 * log is cut at any byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "libs/spool/test/fixture.h"

enum { ROUNDS = 6, CUTS = 8 };
static const struct spool_options make_new = { .is_new = true,
                                               .ballast_bytes = 4096,
                                               .checkpoint_bytes = 1 << 18 };
static const struct spool_options open_old = { .ballast_bytes = 4096, .checkpoint_bytes = 1 << 18 };

/* a small generator with a fixed seed: the same rounds each time */
static uint32_t random_next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static void *checkpoint_thread(void *s)
{
    spool_checkpoint_loop(s);
    return NULL;
}

/* the child: commits batches after LAST for ever, telling each that is acknowledged */
static void commit_until_killed(const char *dir, uint32_t last, int acknowledge)
{
    struct spool *s = spool_open(dir, &open_old, NULL);
    pthread_t thread;
    if (s == NULL || pthread_create(&thread, NULL, checkpoint_thread, s) != 0)
        _exit(2);
    for (uint32_t k = last + 1;; k++) {
        struct spool_batch *b = world_batch(k);
        if (spool_commit(s, b, NULL) < 0 || write(acknowledge, &k, sizeof k) != sizeof k)
            _exit(3);
        spool_batch_free(b);
    }
}

/* run the child until it has acknowledged WANT batches, and a little longer; the last that it
 * acknowledged */
static uint32_t kill_after(const char *dir, uint32_t last, uint32_t want, uint32_t spins)
{
    int fds[2];
    uint32_t acknowledged = last, got, status = 0;
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    pid_t child = fork();
    if (child == 0)
        commit_until_killed(dir, last, fds[1]);
    assert_true(child > 0);
    close(fds[1]);
    while (acknowledged < last + want && read(fds[0], &got, sizeof got) == sizeof got)
        acknowledged = got;
    for (volatile uint32_t i = 0; i < spins; i++)
        ;
    kill(child, SIGKILL);
    while (read(fds[0], &got, sizeof got) == sizeof got)
        acknowledged = got;
    close(fds[0]);
    assert_int_equal(waitpid(child, (int *)&status, 0), child);
    assert_true(WIFSIGNALED(status));
    return acknowledged;
}

static void a_killed_process_leaves_whole_batches(void **state SGE_UNUSED)
{
    char *dir = world_dir();
    uint32_t last = 0, seed = 4711;
    spool_close(spool_open(dir, &make_new, NULL));
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t acknowledged =
            kill_after(dir, last, 1 + random_next(&seed, 40), random_next(&seed, 400000));
        struct spool *s = spool_open(dir, &open_old, NULL);
        assert_non_null(s);
        last = world_check(s);
        assert_true(last >= acknowledged && last <= acknowledged + 1);
        spool_close(s);
    }
    world_remove(dir);
}

/* the position behind the last byte of the log that is not zero, and its file; new: free() */
static char *log_end(const char *dir, size_t *end)
{
    char *pattern = path_join(dir, "log.*"), *path = NULL;
    glob_t found;
    *end = 0;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = found.gl_pathc; i > 0 && *end == 0; i--) {
        struct dstr data = DSTR_INIT;
        free(path);
        path = uti_strdup(found.gl_pathv[i - 1]);
        assert_int_equal(file_read(path, 1 << 26, &data, NULL), 0);
        for (*end = data.len; *end > 0 && data.s[*end - 1] == '\0';)
            --*end;
        dstr_free(&data);
    }
    globfree(&found);
    free(pattern);
    return path;
}

static void overwrite_tail(const char *path, size_t from, size_t end, char with)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    for (size_t at = from; at < end; at++)
        assert_int_equal(pwrite(fd, &with, 1, (off_t)at), 1);
    close(fd);
}

/* what a power cut does: the last writes of the log are missing or torn, the tables are as old as
 * they like */
static void a_torn_log_ends_at_a_whole_batch(void **state SGE_UNUSED)
{
    char *dir = world_dir();
    uint32_t seed = 42, least = UINT32_MAX;
    struct spool *s = spool_open(dir, &make_new, NULL);
    for (uint32_t k = 1; k <= 30; k++) {
        struct spool_batch *b = world_batch(k);
        assert_int_equal(spool_commit(s, b, NULL), 0);
        spool_batch_free(b);
    }
    for (int cut = 0; cut < CUTS; cut++) {
        char *copy = world_copy(dir);
        size_t end;
        char *log = log_end(copy, &end);
        uint32_t torn = cut == 0 ? 0 : 1 + random_next(&seed, 60000);
        overwrite_tail(log, end - torn, end, cut % 2 == 0 ? '\0' : (char)0xa5);
        struct spool *again = spool_open(copy, &open_old, NULL);
        assert_non_null(again);
        uint32_t last = world_check(again);
        assert_true(cut == 0 ? last == 30 : last <= 30);
        least = last < least ? last : least;
        spool_close(again);
        world_remove(copy);
        free(log);
    }
    assert_true(least < 30); /* the cuts did hit */
    spool_close(s);
    world_remove(dir);
}

/* the path of the file behind the one that the log grows in; new: free() */
static char *log_next(const char *dir)
{
    size_t end;
    struct dstr next = DSTR_INIT;
    char *last = log_end(dir, &end), *dot = strrchr(last, '.');
    dstr_addn(&next, last, (size_t)(dot - last));
    dstr_addf(&next, ".%010ld", strtol(dot + 1, NULL, 10) + 1);
    free(last);
    return dstr_take(&next);
}

/* a crash while the log's next file is filled with zeros, or just after it was made */
static void a_log_file_not_begun_counts_for_nothing(void **state SGE_UNUSED)
{
    static const size_t sizes[] = { 0, 1, 5000, 4 << 20 };
    char *dir = world_dir(), *zeros = uti_calloc(1, 4 << 20);
    uint32_t last = 0;
    spool_close(spool_open(dir, &make_new, NULL));
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        uint32_t acknowledged = kill_after(dir, last, 3, 0);
        char *next = log_next(dir);
        assert_int_equal(file_write(next, zeros, sizes[i], 0600, NULL), 0);
        struct spool *s = spool_open(dir, &open_old, NULL);
        assert_non_null(s);
        last = world_check(s);
        assert_true(last >= acknowledged && last <= acknowledged + 1);
        spool_close(s);
        free(next);
    }
    free(zeros);
    world_remove(dir);
}

/* checkpoints as often as they can beside commits: nothing they write may disagree with the log */
static void checkpoints_run_beside_commits(void **state SGE_UNUSED)
{
    char *dir = world_dir();
    const struct spool_options busy = { .is_new = true,
                                        .ballast_bytes = 4096,
                                        .checkpoint_bytes = 1 };
    struct spool *s = spool_open(dir, &busy, NULL);
    pthread_t thread;
    assert_non_null(s);
    assert_int_equal(pthread_create(&thread, NULL, checkpoint_thread, s), 0);
    for (uint32_t k = 1; k <= 250; k++) {
        struct spool_batch *b = world_batch(k);
        assert_int_equal(spool_commit(s, b, NULL), 0);
        spool_batch_free(b);
    }
    assert_int_equal(world_check(s), 250);
    spool_stop_checkpoints(s);
    pthread_join(thread, NULL);
    spool_close(s);
    assert_true(world_log_files(dir) <= 2); /* old ones went */
    s = spool_open(dir, &open_old, NULL);
    assert_non_null(s);
    assert_int_equal(world_check(s), 250);
    spool_close(s);
    world_remove(dir);
}

static void another_process_is_refused_while_we_hold_it(void **state SGE_UNUSED)
{
    char *dir = world_dir();
    int status = 0;
    struct spool *s = spool_open(dir, &make_new, NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        struct answer ans = ANSWER_INIT;
        char pid[32];
        snprintf(pid, sizeof pid, "process %ld", (long)parent);
        bool is_refused = spool_open(dir, &open_old, &ans) == NULL &&
                          ans.v[0].status == STATUS_EEXIST &&
                          strstr(ans_first_error(&ans), pid) != NULL;
        _exit(is_refused ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    spool_close(s);
    world_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_process_leaves_whole_batches),
        cmocka_unit_test(a_torn_log_ends_at_a_whole_batch),
        cmocka_unit_test(a_log_file_not_begun_counts_for_nothing),
        cmocka_unit_test(checkpoints_run_beside_commits),
        cmocka_unit_test(another_process_is_refused_while_we_hold_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

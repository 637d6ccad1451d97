/* The messages file: date time|thread|host|level|text. */
#include "libs/uti/log.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

struct fixture {
    char path[32];
    struct dstr text;
};

static int set_up(void **state)
{
    static struct fixture t;
    t = (struct fixture){ .path = "/tmp/uti-log-XXXXXX" };
    int fd = mkstemp(t.path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(log_open(t.path, "vm", LOG_LEVEL_INFO, NULL), 0);
    *state = &t;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    dstr_free(&t->text);
    return unlink(t->path);
}

static const char *read_lines(struct fixture *t)
{
    dstr_clear(&t->text);
    assert_int_equal(file_read(t->path, 1 << 24, &t->text, NULL), 0);
    return dstr_get(&t->text);
}

static void a_line_has_its_five_columns(void **state)
{
    struct fixture *t = *state;
    errno = EXDEV;
    log_msg(LOG_LEVEL_WARNING, "queue \"%s\" is odd", "all.q");
    assert_int_equal(errno, EXDEV);
    const char *s = read_lines(t);
    assert_int_equal(strspn(s, "0123456789/: "), 19);
    assert_int_equal(s[2] == '/' && s[5] == '/' && s[10] == ' ' && s[13] == ':', 1);
    assert_string_equal(s + 19, "|main|vm|W|queue \"all.q\" is odd\n");
}

static void levels_above_the_limit_are_silent(void **state)
{
    struct fixture *t = *state;
    log_msg(LOG_LEVEL_DEBUG, "no");
    log_set_level(LOG_LEVEL_DEBUG);
    log_msg(LOG_LEVEL_DEBUG, "yes");
    log_set_level(LOG_LEVEL_CRITICAL);
    log_msg(LOG_LEVEL_ERROR, "no");
    assert_string_equal(read_lines(t) + 19, "|main|vm|D|yes\n");
}

static void a_text_cannot_forge_a_line(void **state)
{
    struct fixture *t = *state;
    log_msg(LOG_LEVEL_INFO, "job %s", "a\nb\x1b[1m");
    assert_string_equal(read_lines(t) + 19, "|main|vm|I|job a b [1m\n");
}

static void a_text_commands_no_terminal(void **state)
{
    struct fixture *t = *state;
    log_msg(LOG_LEVEL_INFO, "%s",
            "a\x7f"
            "b\xc2\x9b"
            "1m\x9b"
            "c");
    assert_string_equal(read_lines(t) + 19, "|main|vm|I|a\\x7fb\\xc2\\x9b1m\\x9bc\n");
}

static void letters_of_all_languages_are_logged_as_they_are(void **state)
{
    struct fixture *t = *state;
    log_msg(LOG_LEVEL_INFO, "%s", "J\xc3\xbcrgen \xe2\x82\xac \xf0\x9f\x90\xa6 \xfc");
    assert_string_equal(read_lines(t) + 19,
                        "|main|vm|I|J\xc3\xbcrgen \xe2\x82\xac \xf0\x9f\x90\xa6 \xfc\n");
}

static void a_moved_file_is_opened_anew(void **state)
{
    struct fixture *t = *state;
    char moved[40];
    memcpy(moved, t->path, strlen(t->path) + 1);
    moved[9] = 'X'; /* /tmp/uti-Xog... */
    assert_int_equal(rename(t->path, moved), 0);
    log_msg(LOG_LEVEL_INFO, "still there");
    assert_int_equal(log_open(t->path, "vm", LOG_LEVEL_INFO, NULL), 0);
    log_msg(LOG_LEVEL_INFO, "here");
    assert_string_equal(read_lines(t) + 19, "|main|vm|I|here\n");
    assert_int_equal(unlink(moved), 0);
}

static void a_failed_open_changes_nothing(void **state)
{
    struct fixture *t = *state;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(log_open("/nonexistent/x", "other", LOG_LEVEL_INFO, &ans), -1);
    assert_true(ans_has_error(&ans));
    ans_free(&ans);
    log_msg(LOG_LEVEL_INFO, "as before");
    assert_string_equal(read_lines(t) + 19, "|main|vm|I|as before\n");
}

static void an_answer_is_a_line_for_each_entry(void **state)
{
    struct fixture *t = *state;
    struct answer ans = ANSWER_INIT;
    ans_fail(&ans, STATUS_DENIED, "one");
    ans_add(&ans, STATUS_OK, ANSWER_QUALITY_INFO, "two");
    log_answer(&ans);
    log_answer(NULL);
    const char *s = read_lines(t);
    assert_non_null(strstr(s, "|E|one\n"));
    assert_non_null(strstr(s, "|I|two\n"));
    ans_free(&ans);
}

static void a_writer_writes_all_lines_in_order(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(log_start(NULL), 0);
    for (int i = 0; i < 1000; i++)
        log_msg(LOG_LEVEL_INFO, "line %d", i);
    log_stop();
    const char *s = read_lines(t);
    for (int i = 0; i < 1000; i++, s++) {
        char text[32];
        snprintf(text, sizeof text, "|main|vm|I|line %d\n", i);
        assert_memory_equal(s + 19, text, strlen(text));
        s = strchr(s, '\n');
    }
    log_msg(LOG_LEVEL_INFO, "and without it");
    assert_non_null(strstr(read_lines(t), "I|and without it\n"));
}

static void what_is_fatal_does_not_wait_for_the_writer(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(log_start(NULL), 0);
    log_msg(LOG_LEVEL_INFO, "before");
    log_msg(LOG_LEVEL_CRITICAL, "the end");
    const char *s = read_lines(t), *end = strstr(s, "|C|the end\n");
    assert_non_null(end);
    log_stop();
    assert_non_null(strstr(read_lines(t), "|I|before\n"));
}

static void a_renamed_file_is_left_by_the_writer(void **state)
{
    struct fixture *t = *state;
    char moved[40];
    memcpy(moved, t->path, strlen(t->path) + 1);
    moved[9] = 'Y';
    assert_int_equal(log_start(NULL), 0);
    assert_int_equal(rename(t->path, moved), 0);
    log_reopen(); /* as SIGHUP does; the writer looks once a second without it */
    while (access(t->path, F_OK) != 0)
        assert_int_equal(errno, ENOENT);
    log_msg(LOG_LEVEL_INFO, "here");
    log_stop();
    assert_string_equal(read_lines(t) + 19, "|main|vm|I|here\n");
    assert_int_equal(unlink(moved), 0);
}

static uint32_t count_of(const char *s, const char *what)
{
    uint32_t n = 0;
    for (; (s = strstr(s, what)) != NULL; s++)
        n++;
    return n;
}

/* 1,000 lines of each of two, within a few seconds; none is lost: it is written or counted */
static void what_a_user_repeats_is_counted(void **state)
{
    struct fixture *t = *state;
    for (int i = 0; i < 1000; i++) {
        log_msg_of(1, LOG_LEVEL_WARNING, "user %s ended: %d", "one", i);
        log_msg_of(2, LOG_LEVEL_WARNING, "user %s ended: %d", "two", i);
    }
    log_start(NULL);
    log_stop();
    const char *s = read_lines(t);
    uint32_t ones = count_of(s, "|W|user one"), twos = count_of(s, "|W|user two"), more = 0;
    assert_in_range(ones, 1, 100);
    assert_in_range(twos, 1, 100);
    for (; (s = strstr(s, "repeated ")) != NULL; s++)
        more += (uint32_t)strtoul(s + strlen("repeated "), NULL, 10);
    assert_int_equal(ones + twos + more, 2000);
}

enum { THREADS = 4, EACH = 200, LINE = 3000 };

static void *log_many(void *ctx)
{
    log_thread(ctx);
    for (int i = 0; i < EACH; i++)
        log_msg(LOG_LEVEL_INFO, "%0*d", LINE, i);
    return NULL;
}

static void threads_do_not_mix_their_lines(void **state)
{
    struct fixture *t = *state;
    static char names[THREADS][2] = { "a", "b", "c", "d" };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, log_many, names[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    const char *s = read_lines(t);
    int n = 0;
    for (; *s != '\0'; n++) {
        size_t len = strcspn(s, "\n");
        assert_int_equal(len, 19 + strlen("|a|vm|I|") + LINE);
        s += len + 1;
    }
    assert_int_equal(n, THREADS * EACH);
}

#define LOGGED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static void a_false_claim_is_the_last_line(void **state)
{
    struct fixture *t = *state;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit no_core = { 0, 0 };
        setrlimit(RLIMIT_CORE, &no_core);
        ASSERT(1 + 1 == 3);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(
        strstr(read_lines(t), "|main|vm|C|assertion failed: 1 + 1 == 3 in a_false_claim"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOGGED(a_line_has_its_five_columns),
        LOGGED(levels_above_the_limit_are_silent),
        LOGGED(a_text_cannot_forge_a_line),
        LOGGED(a_text_commands_no_terminal),
        LOGGED(letters_of_all_languages_are_logged_as_they_are),
        LOGGED(a_moved_file_is_opened_anew),
        LOGGED(a_failed_open_changes_nothing),
        LOGGED(an_answer_is_a_line_for_each_entry),
        LOGGED(threads_do_not_mix_their_lines),
        LOGGED(a_writer_writes_all_lines_in_order),
        LOGGED(what_is_fatal_does_not_wait_for_the_writer),
        LOGGED(a_renamed_file_is_left_by_the_writer),
        LOGGED(what_a_user_repeats_is_counted),
        LOGGED(a_false_claim_is_the_last_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The words that execd and shepherd share. */
#include "libs/task/task_dir.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

static void text_survives_the_way_there_and_back(void **state SGE_UNUSED)
{
    static const char *const texts[] = { "",    "plain", "two\nlines", "back\\slash",
                                         "\\n", "\n\n",  "end\\",      "a=b=c" };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct dstr line = DSTR_INIT;
        task_text_add(&line, "key", texts[i]);
        assert_int_equal(strcspn(line.s, "\n"), line.len - 1); /* one line */
        char *value = uti_strndup(line.s + 4, line.len - 5);
        task_text_unescape(value);
        assert_string_equal(value, texts[i]);
        free(value);
        dstr_free(&line);
    }
}

static void a_lonely_backslash_stays(void **state SGE_UNUSED)
{
    char text[] = "x\\";
    task_text_unescape(text);
    assert_string_equal(text, "x\\");
}

static void no_signal_to_a_shepherd_is_lost_to_another(void **state SGE_UNUSED)
{
    assert_int_equal(task_signal_for(SIGKILL), SIGTERM); /* no stop signal: SIGCONT would drop it */
    assert_int_equal(task_signal_for(SIGSTOP), SIGTTOU);
    assert_int_equal(task_signal_for(SIGCONT), SIGCONT);
    assert_int_equal(task_signal_for(SIGUSR2), SIGUSR2);
    assert_int_equal(task_signal_for(SIGHUP), SIGTTIN); /* through the file */
}

static void failures_of_a_start_are_told_apart(void **state SGE_UNUSED)
{
    assert_false(task_failure_is_start(TASK_FAILED_NOT));
    assert_true(task_failure_is_start(TASK_FAILED_NO_CWD));
    assert_true(task_failure_is_start(TASK_FAILED_IN_PROLOG));
    assert_false(task_failure_is_start(TASK_FAILED_IN_EPILOG));
    assert_false(task_failure_is_start(TASK_FAILED_LIMIT));
    assert_false(task_failure_is_start(TASK_FAILED_AFTER_JOB));
}

static void a_failure_decides_the_fate_of_its_task(void **state SGE_UNUSED)
{
    assert_int_equal(task_failure_fate(TASK_FAILED_NOT), TASK_FATE_ENDS);
    assert_int_equal(task_failure_fate(TASK_FAILED_AFTER_JOB), TASK_FATE_ENDS);
    assert_int_equal(task_failure_fate(TASK_FAILED_RECOGNIZING), TASK_FATE_ENDS);
    assert_int_equal(task_failure_fate(TASK_FAILED_RESCHEDULE), TASK_FATE_STARTS_AGAIN);
    assert_int_equal(task_failure_fate(TASK_FAILED_APPERROR), TASK_FATE_ERROR);
    assert_int_equal(task_failure_fate(TASK_FAILED_IN_EPILOG), TASK_FATE_ENDS_QUEUE_ERROR);
    assert_int_equal(task_failure_fate(TASK_FAILED_IN_PE_STOP), TASK_FATE_ENDS_QUEUE_ERROR);
    assert_int_equal(task_failure_fate(TASK_FAILED_PREPARING), TASK_FATE_QUEUE_ERROR);
    assert_int_equal(task_failure_fate(4711), TASK_FATE_ENDS);
}

static void a_failure_says_who_may_be_to_blame(void **state SGE_UNUSED)
{
    assert_int_equal(task_failure_blame(TASK_FAILED_NOT), TASK_BLAME_NONE);
    assert_int_equal(task_failure_blame(TASK_FAILED_AFTER_JOB), TASK_BLAME_NONE);
    assert_int_equal(task_failure_blame(TASK_FAILED_RESCHEDULE), TASK_BLAME_NONE);
    assert_int_equal(task_failure_blame(TASK_FAILED_IN_EPILOG), TASK_BLAME_NONE);
    assert_int_equal(task_failure_blame(TASK_FAILED_NO_CWD), TASK_BLAME_EITHER);
    assert_int_equal(task_failure_blame(TASK_FAILED_NO_OWNER), TASK_BLAME_EITHER);
    assert_int_equal(task_failure_blame(TASK_FAILED_PREPARING), TASK_BLAME_HOST);
    assert_int_equal(task_failure_blame(TASK_FAILED_NO_EXIT_STATUS), TASK_BLAME_HOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_survives_the_way_there_and_back),
        cmocka_unit_test(a_lonely_backslash_stays),
        cmocka_unit_test(no_signal_to_a_shepherd_is_lost_to_another),
        cmocka_unit_test(failures_of_a_start_are_told_apart),
        cmocka_unit_test(a_failure_decides_the_fate_of_its_task),
        cmocka_unit_test(a_failure_says_who_may_be_to_blame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

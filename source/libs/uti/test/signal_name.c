/* The names of signals, beside those that the C library knows. */
#include "libs/uti/signals.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void every_signal_is_known_with_and_without_sig(void **state)
{
    (void)state;
    int known = 0;
    for (int sig = 1; sig < SIGRTMIN; sig++) {
        const char *name = sigabbrev_np(sig);
        char whole[32];
        if (name == NULL)
            continue;
        (void)snprintf(whole, sizeof whole, "SIG%s", name);
        assert_int_equal(signal_of_name(name), sig);
        assert_int_equal(signal_of_name(whole), sig);
        assert_string_equal(signal_name(sig), name);
        known++;
    }
    assert_int_equal(known, 31);
}

static void other_words_are_no_signals(void **state)
{
    (void)state;
    static const char *const words[] = { "", "SIG", "term", "TERMS", "SIGSIGTERM", "15", "RTMIN" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_int_equal(signal_of_name(words[i]), 0);
}

static void other_numbers_have_no_name(void **state)
{
    (void)state;
    assert_null(signal_name(0));
    assert_null(signal_name(-1));
    assert_null(signal_name(SIGRTMIN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_signal_is_known_with_and_without_sig),
        cmocka_unit_test(other_words_are_no_signals),
        cmocka_unit_test(other_numbers_have_no_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "libs/uti/signals.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void (*effect_of(int sig))(int)
{
    struct sigaction now;
    assert_int_equal(sigaction(sig, NULL, &now), 0);
    return now.sa_handler;
}

static void take_signal(int sig)
{
    (void)sig;
}

static void what_was_ignored_or_caught_is_so_no_longer(void **state)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, catch = { .sa_handler = take_signal };
    (void)state;
    assert_int_equal(sigaction(SIGINT, &ignore, NULL), 0);
    assert_int_equal(sigaction(SIGRTMAX, &ignore, NULL), 0);
    assert_int_equal(sigaction(SIGHUP, &catch, NULL), 0);
    signal_default_all();
    assert_ptr_equal(effect_of(SIGINT), SIG_DFL);
    assert_ptr_equal(effect_of(SIGRTMAX), SIG_DFL);
    assert_ptr_equal(effect_of(SIGHUP), SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_ignored_or_caught_is_so_no_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

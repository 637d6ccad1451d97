/* The end of a process that knows it is wrong: one line, then abort(); under a guard (guard.h) the
 * end of the call. The one static is who says that line; nothing here allocates. */
#include "libs/uti/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libs/uti/guard.h"
#include "libs/uti/msg_uti.h"

static void say_on_stderr(const char *claim, const char *file, int line, const char *func)
{
    (void)dprintf(STDERR_FILENO, MSG_ASSERT_FAILED_SSIS "\n", claim, func, file, line);
}

static _Atomic(uti_assert_failure_fn) assert_failure = say_on_stderr;

void uti_assert_on_failure(uti_assert_failure_fn fn)
{
    assert_failure = fn != NULL ? fn : say_on_stderr;
}

void uti_assert_failed(const char *claim, const char *file, int line, const char *func)
{
    guard_break(claim, file, line, func);
    uti_assert_failure_fn say = assert_failure;
    say(claim, file, line, func);
    abort();
}

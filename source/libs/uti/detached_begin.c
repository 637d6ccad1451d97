/* The part of the program that was started: libraries must not touch how their process takes
 * signals, and do not link this. */
#include <signal.h>
#include <stddef.h>

#include "libs/uti/detached.h"

void detached_begin(void)
{
    struct sigaction usual = { .sa_handler = SIG_DFL };
    sigset_t none;
    for (int sig = 1; sig < NSIG; sig++)
        (void)sigaction(sig, &usual, NULL);
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

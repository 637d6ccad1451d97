/* Signals as a program finds them that nobody has set any for. Of programs alone: to a library they
 * are its host's. */
#include "libs/uti/signal_default.h"

#include <signal.h>
#include <stddef.h>

void signal_default_all(void)
{
    struct sigaction usual = { .sa_handler = SIG_DFL };
    for (int sig = 1; sig < NSIG; sig++)
        (void)sigaction(sig, &usual, NULL); /* some cannot be set, and so were not */
}
